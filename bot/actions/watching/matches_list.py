"""The list of a person's matches: those that they play in, then those that they follow."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import NamedTuple

import discord

from bot.actions.match_access import may_look
from bot.actions.match_places import is_archived
from bot.context import Context
from bot.messages.clock import moment
from bot.messages.components import CallButton
from bot.messages.front_panel import press
from bot.messages.lobby import lobby_link, people_invited
from bot.messages.maintenance import with_line
from bot.messages.outgoing import MAX_CONTENT, Outgoing
from bot.messages.seats import match_title
from bot.messages.watching import following_text
from bot.outbound.board_links import board_words
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.message import Msg, msg
from matches.absence.time_up import opponents
from matches.clocks.timekeeper import ClockFace
from matches.results import CurrentMatch
from matches.spans import END_OF_TIME
from matches.store.rows import MatchRow

_MAX_LISTED = 20
_ROOM = 1700
"""Characters of the list of matches: the rest is for its head and a line about maintenance."""
_LEAST_ROOM = 300
"""Characters without which what a person follows isn't listed."""


async def matches_message(ctx: Context, user: int, reader: Reader) -> Outgoing:
    """Return a person's live matches and lobbies on all servers with links, or what to press if none is live.

    Those waiting for them come first, by deadline.
    """
    say = reader.say
    lines = []
    mine = [await _turn(ctx, seen, user) for seen in await ctx.service.queries.mine(user)]
    for turn in sorted(mine, key=lambda each: each.urgency)[:_MAX_LISTED]:
        row = turn.row
        link = await board_words(ctx, row, reader)
        title = match_title(row, turn.seat, reader)
        asleep = f" ({say(msg('bot.matches.archived'))})" if is_archived(ctx, row) else ""
        lines.append(f"{'▶' if turn.mine else '·'} `{row.id}` {title}: {say(turn.state)} · {link}{asleep}")
    shown = lines
    while sum(len(line) + 1 for line in shown) > _ROOM:
        shown = shown[:-1]
    left = (say(msg("bot.matches.more", n=len(mine) - len(shown))),) if len(shown) < len(mine) else ()
    text = "\n".join([say(msg("bot.matches.head", n=len(lines))), *shown, *left])
    items: tuple[CallButton, ...] = ()
    if not lines:
        text = say(msg("bot.matches.none"))
        items = (
            press("front_play", "front.button.play", reader),
            press("front_solo", "front.button.solo", reader),
        )
    text = with_line(text, await ctx.maintenance.current(), reader)
    if lobbies := await _lobbies(ctx, user, reader, MAX_CONTENT - len(text) - 1):
        text = f"{text}\n{lobbies}"
    followed = await _followed(ctx, user, reader, MAX_CONTENT - len(text))
    return Outgoing("\n".join(filter(None, (text, followed))), (), items)


async def _lobbies(ctx: Context, user: int, reader: Reader, room: int) -> str:
    """Return the open lobbies of a person, invitations first, as many as have room.

    An invitation may have come silently, or in quiet hours: here it is found.
    """
    lines = []
    for row in await ctx.store.by_user(user, ("lobby",)):
        invited = user in people_invited(row)
        state = reader.say(msg("bot.matches.invited" if invited else "bot.matches.seated"))
        where = reader.say(msg("bot.matches.direct" if row.place.guild is None else "bot.matches.lobby"))
        link = (
            f"[{where}](<{lobby_link(row)}>)" if row.place.guild is not None and row.lobby_message else where
        )
        title = reader.say(msg(f"{row.game}.title"))
        lines.append((not invited, f"{'▶' if invited else '·'} `{row.id}` {title}: {state} · {link}"))
    lines.sort(key=lambda line: line[0])
    shown = [reader.say(msg("bot.matches.lobbies", n=len(lines))), *(line for _, line in lines)]
    while len(shown) > 1 and sum(len(line) + 1 for line in shown) > room:
        shown.pop()
    return "\n".join(shown) if len(shown) > 1 else ""


async def _followed(ctx: Context, user: int, reader: Reader, room: int) -> str:
    """Return what a person follows, and once what they no longer follow as they take no direct messages."""
    parts = []
    if closed := await ctx.store.take_closed_follows(user):
        listed = tuple(f"`{match}`" for match in closed)
        parts.append(reader.say(msg("bot.follow.closed", n=len(closed), matches=listed)))
    found = []
    members: dict[int | None, discord.abc.Snowflake] = {}
    for each in await ctx.store.follows_of(user):
        row = await ctx.service.queries.row(each.match)
        if row is None:
            continue
        guild = row.place.guild
        if guild not in members:
            members[guild] = await _member(ctx, guild, user)
        if await may_look(ctx, row, members[guild], None):
            found.append((each, row, await board_words(ctx, row, reader)))
    if found and room > _LEAST_ROOM:
        parts.append(following_text(found, room - sum(map(len, parts)), reader))
    return "\n".join(parts)


async def _member(ctx: Context, guild: int | None, user: int) -> discord.abc.Snowflake:
    """Return a member of a server, asked of Discord once for all matches; only the id if there is none."""
    with contextlib.suppress(discord.DiscordException):
        known = await ctx.guilds.find(guild)
        if known is not None:
            return await known.fetch_member(user)
    return discord.Object(user)


class _Turn(NamedTuple):
    """A match in a person's list, and whether they are to act in it, or may claim someone's time."""

    row: MatchRow
    seat: int | None
    mine: bool
    face: ClockFace | None
    claimable: bool

    @property
    def due(self) -> datetime | None:
        """When the person's own time is up."""
        if not self.mine or self.face is None or self.seat is None:
            return None
        return self.face.readings[self.seat].deadline

    @property
    def urgency(self) -> tuple[bool, bool, datetime]:
        """The key to sort by: one's own turns first, by deadline, then what can be claimed."""
        return not self.mine, not self.claimable, self.due or END_OF_TIME

    @property
    def state(self) -> Msg:
        """Whose turn it is, and until when."""
        if not self.mine:
            claim = msg("bot.matches.claimable", match=self.row.id)
            return claim if self.claimable else msg("bot.matches.theirs")
        if self.face is None:
            return msg("bot.matches.yours")
        if self.seat in self.face.late:
            return msg("bot.matches.due_late")
        return (
            msg("bot.matches.due_stopped")
            if self.due is None
            else msg("bot.matches.due", when=moment(self.due))
        )


async def _turn(ctx: Context, seen: CurrentMatch, user: int) -> _Turn:
    row, match = seen.row, seen.match
    seat, face = ctx.service.queries.seat_of(row, user), await ctx.service.time_up.face(row)
    late = () if face is None or face.control.acts != "claim" else face.late
    claimable = any(seat in opponents(match, Seat(each)) for each in late)
    return _Turn(row, seat, seat is not None and seat in match.to_act, face, claimable)
