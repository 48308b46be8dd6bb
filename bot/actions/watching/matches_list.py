"""The list of a person's matches: what happened since their last visit, open lobbies, what they follow."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import discord

from bot.actions.match_access import may_look
from bot.context import Context
from bot.messages.components import CallButton
from bot.messages.front_panel import press
from bot.messages.lobby import lobby_link, people_invited
from bot.messages.operation import with_line
from bot.messages.outgoing import Outgoing
from bot.messages.watching import following_text
from bot.outbound.channels import board_words
from bot.outbound.overviews import (
    MAX_FIRST,
    OverviewItem,
    new_results,
    overview_item,
    overview_lines,
    visible_length,
)
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.message import msg

EVERYTHING: Final = "all"
"""The argument of the call that lists all of one's matches."""
_VISIT: Final = "visit"
"""The key in a person's settings: when their visit began, and the one before it."""
_VISIT_SECONDS: Final = 1800
_LEAST_ROOM = 300
"""Characters without which what a person follows isn't listed."""


async def matches_message(ctx: Context, user: int, reader: Reader, *, everything: bool = False) -> Outgoing:
    """Return what has happened in a person's matches since their last visit; without any, what to press.

    Those waiting for them come first, by deadline, then results. What a phone's screen has no room for is
    behind a button; with `everything` as much is listed as a message can have.
    """
    say, room = reader.say, MAX_CONTENT if everything else MAX_FIRST
    items = [
        await overview_item(ctx, seen, seat, "turn" if seat in seen.match.to_act else None, seen.row.updated)
        for seen in await ctx.service.queries.mine(user)
        for seat in (ctx.service.queries.seat_of(seen.row, user),)
    ]
    before = await _last_visit(ctx, user)
    results = () if before is None else await new_results(ctx, user, before)
    found = sorted((*items, *results), key=lambda item: item.urgency)
    lobbies, hidden = await _lobbies(ctx, user, reader, room // 2)
    head = _head(found, before, reader)
    lines, left = await overview_lines(ctx, found, reader, head, room=room, below=lobbies)
    text = "\n".join([*lines, say(msg("bot.matches.more", n=left))] if left else lines)
    buttons: tuple[CallButton, ...] = ()
    if not found:
        text = say(msg("bot.matches.none"))
        buttons = (
            press("front_play", "front.button.play", reader),
            press("front_solo", "front.button.solo", reader),
        )
    text = "\n".join(
        filter(None, (with_line(text, await ctx.operation.maintenance.current(), reader), lobbies))
    )
    followed = await _followed(ctx, user, reader, MAX_CONTENT - len(text))
    whole = "\n".join(filter(None, (text, *followed)))
    if visible_length(whole) > room:
        hidden += 1
        whole = "\n".join(filter(None, (text, followed[0])))
    if left + hidden and not everything:
        buttons = (*buttons, press("mine", "bot.button.all_mine", reader, arg=EVERYTHING))
    return Outgoing(whole, (), buttons)


def _head(items: Sequence[OverviewItem], before: datetime | None, reader: Reader) -> str:
    """Return how much has happened since a person's last visit; without one, that these are their matches."""
    if before is None:
        return reader.say(msg("bot.matches.head", n=len(items)))
    kinds = Counter(item.kind for item in items)
    parts = tuple(msg(f"bot.matches.{key}", n=kinds[key]) for key in ("turn", "result") if kinds[key])
    when = discord.utils.format_dt(before, "R")
    quiet = msg("bot.matches.quiet", when=when)
    return reader.say(msg("bot.matches.since", when=when, what=parts) if parts else quiet)


async def _last_visit(ctx: Context, user: int) -> datetime | None:
    """Return when a person looked at this list before, and note that they do now; None if they never did.

    A visit lasts a while, so that what was new is still there when they come back to the list.
    """
    made, now = await ctx.preferences.get("user", user), int(ctx.clock.now().timestamp())
    begun, before = _moments(made.get(_VISIT))
    if begun is None or not begun <= now < begun + _VISIT_SECONDS:
        begun, before = now, begun
        await ctx.preferences.save("user", user, made | {_VISIT: [begun, before]})
    return None if before is None else datetime.fromtimestamp(before, UTC)


def _moments(stored: object) -> tuple[int | None, int | None]:
    """Return when a visit began and when the one before it did, in seconds, from a person's settings."""
    match stored:
        case [int(begun), int() | None as before]:
            return begun, before
    return None, None


async def _lobbies(ctx: Context, user: int, reader: Reader, room: int) -> tuple[str, int]:
    """Return the open lobbies of a person, invitations first, and how many of them had no room.

    An invitation may have come silently, or in quiet hours: here it is found.
    """
    lines = []
    for row in await ctx.store.by_user(user, ("lobby",)):
        invited = user in people_invited(row)
        state = reader.say(msg("bot.matches.invited" if invited else "bot.matches.seated"))
        where = reader.say(msg("bot.matches.direct" if row.place.guild is None else "bot.matches.lobby"))
        link = (
            f"[{where}](<{lobby_link(row)}>)" if row.place.guild is not None and row.lobby.message else where
        )
        title = reader.say(msg(f"{row.game}.title"))
        lines.append((not invited, f"{'▶' if invited else '·'} `{row.id}` {title}: {state} · {link}"))
    lines.sort(key=lambda line: line[0])
    shown = [reader.say(msg("bot.matches.lobbies", n=len(lines))), *(line for _, line in lines)]
    while len(shown) > 1 and (
        visible_length("\n".join(shown)) > room or len("\n".join(shown)) > MAX_CONTENT // 2
    ):
        shown.pop()
    return ("\n".join(shown) if len(shown) > 1 else ""), len(lines) + 1 - len(shown)


async def _followed(ctx: Context, user: int, reader: Reader, room: int) -> tuple[str, str]:
    """Return what a person no longer follows as their direct messages are closed, once; then what they do."""
    ended = listing = ""
    if closed := await ctx.store.take_closed_follows(user):
        listed = tuple(f"`{match}`" for match in closed)
        ended = reader.say(msg("bot.follow.closed", n=len(closed), matches=listed))
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
        listing = following_text(found, room - len(ended), reader)
    return ended, listing


async def _member(ctx: Context, guild: int | None, user: int) -> discord.abc.Snowflake:
    """Return a member of a server, asked of Discord once for all matches; only the id if there is none."""
    with contextlib.suppress(discord.DiscordException):
        known = await ctx.discord.guilds.find(guild)
        if known is not None:
            return await known.fetch_member(user)
    return discord.Object(user)
