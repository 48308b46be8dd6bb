"""Notify people of a match, once and by direct message, of what can't be delivered and what they can do."""

from __future__ import annotations

import discord

from bot.context import Context
from bot.messages.names import escaped_name
from games.engine.message import Msg, msg
from matches import occupants
from matches.outbox.queue import Draft
from matches.outbox_drafts import direct_message
from matches.store.rows import MatchRow
from matches.store.servers import Showcase

_QUIET_IN_LOBBY = "guild"
"""Nobody is notified of a lobby in a server that the bot was removed from: it expires."""
_GONE = frozenset({"channel", "guild"})
"""Places that are gone, so that no link leads there."""
_WITH_CODE = frozenset({"refused", "failed", "content"})
"""What nobody can guess: people are shown Discord's code."""
_ENDED = {"matches": "bot.showcase.ended", "panel": "front.panel.ended", "puzzle": "puzzle.daily.ended"}
"""The texts about a message that can't be kept current."""
_FOR_OWNERS = frozenset({"permission", "locked", "threads", "refused"})
"""What the owner of a server can put right."""


async def unreachable(ctx: Context, row: MatchRow, why: str, label: str = "") -> None:
    """Mark a match as unreachable and queue messages to its people, in one commit.

    `why` is a key below `bot.unreachable`, `label` Discord's code. Does nothing if the match is marked
    already, unless its channel or server is gone now.
    """
    gone = why in _GONE and row.unreachable not in ("channel", why)
    if row.unreachable and not gone:
        return
    drafts: list[Draft] = []
    silent = why == _QUIET_IN_LOBBY and (bool(row.unreachable) or row.status == "lobby")
    if not silent:
        people = set(occupants.people(row))
        if why in _FOR_OWNERS and row.place.guild is not None:
            guild = ctx.discord.guilds.get(row.place.guild)
            if guild is not None and guild.owner_id is not None:
                people.add(guild.owner_id)
        named = {} if why in _GONE else {"place": f"<#{row.place.home}>"}
        if why in _WITH_CODE:
            named["code"] = label
        reason = msg(f"bot.unreachable.{why}", match=row.id, **named)
        drafts = _to_each(ctx, row, people, reason, why)
    await ctx.service.channels.mark_unreachable(row.id, why, drafts)


def _to_each(ctx: Context, row: MatchRow, people: set[int], what: Msg, why: str = "") -> list[Draft]:
    text = ctx.readers.default.say(what)
    return [direct_message(row.id, user, text, why) for user in sorted(people)]


async def person_closed(ctx: Context, row: MatchRow, user: int) -> None:
    """Notify the other people of a match in direct messages that one of them takes none from us.

    In a lobby that is the host, whose invitation didn't arrive.
    """
    seat = next((seat for seat in row.seats if seat.user == user), None)
    if seat is None:  # the invitation was taken back
        return
    invited = row.status == "lobby"
    key = "invitation" if invited else "person"
    people = ({row.host} if invited else set(occupants.people(row))) - {user}
    what = msg(f"bot.unreachable.{key}", match=row.id, name=escaped_name(seat.name))
    for draft in _to_each(ctx, row, people, what):
        await ctx.store.outbox_add(draft, ctx.clock.now())


async def showcase_ended(ctx: Context, case: Showcase, guild: discord.Guild, label: str) -> None:
    """Switch off what a server keeps current, and notify in one step who chose it, and the server's owner."""
    values = {"server": escaped_name(guild.name), "place": f"<#{case.channel}>", "code": label}
    text = ctx.readers.default.say(msg(_ENDED[case.kind], **values))
    people = {case.by} | ({guild.owner_id} if guild.owner_id is not None else set())
    drafts = [direct_message("", user, text) for user in sorted(people)]
    if await ctx.store.drop_showcase(case, ctx.clock.now(), drafts):
        await ctx.delivery.send()
