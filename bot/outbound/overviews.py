"""Gather the overview of a person's matches, for lists and digests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.context import Context
from bot.messages.outgoing import MAX_CONTENT
from bot.messages.overview import MAX_FIRST, OverviewItem, item_text, visible_length
from bot.outbound.board_links import board_words, is_archived
from bot.platform.readers import Reader
from games.engine.game import Fact, Seat
from games.engine.match import Kind
from games.engine.message import msg
from matches.absence.time_up import opponents
from matches.results import CurrentMatch
from matches.store.ping_rows import TurnKind

_MAX_RESULTS = 10
"""Maximum number of finished matches in which results are looked for."""
_ROOM_BELOW = 200
"""Characters of a message that a list leaves free for what stands below it."""


async def overview_item(
    ctx: Context, seen: CurrentMatch, seat: int | None, kind: TurnKind | None, began: datetime
) -> OverviewItem:
    """Return a match in its person's overview, without what happened: that is gathered for what is shown."""
    face = await ctx.service.time_up.face(seen.row)
    late = () if face is None or face.control.acts != "claim" else face.late
    claimable = any(seat in opponents(seen.match, Seat(each)) for each in late)
    return OverviewItem(seen.row, seen.match, seat, kind, began, face, claimable)


async def new_results(ctx: Context, user: int, since: datetime) -> tuple[OverviewItem, ...]:
    """Return a person's matches that ended after a moment, but for those that they ended themselves."""
    found = []
    for row in await ctx.store.over_of(user, "", _MAX_RESULTS):
        seat = ctx.service.queries.seat_of(row, user)
        if row.updated <= since or row.source != "played" or row.status != "over" or seat is None:
            continue
        match = await ctx.service.queries.at(row.id, row.version)
        last = next(entry for entry in reversed(match.log) if entry.kind not in (Kind.CHANCE, Kind.REVEAL))
        if last.seat != seat:
            found.append(OverviewItem(row, match, seat, "result", row.updated))
    return tuple(found)


async def overview_lines(
    ctx: Context,
    items: Sequence[OverviewItem],
    reader: Reader,
    head: str,
    *,
    room: int = MAX_FIRST,
    below: str = "",
) -> tuple[list[str], int]:
    """Return a head and as many matches below it as have room, and the number of those left out.

    `room` is in visible characters, those of the head and of the text `below` included.
    """
    lines, left = [head], len(items)
    for item in items:
        mine = replace(reader, seat=None if item.seat is None else Seat(item.seat))
        facts: Sequence[Fact] = ()
        if item.kind != "result" and item.seat is not None:
            facts = await ctx.service.queries.news_of(item.match, Seat(item.seat))
        link = await board_words(ctx, item.row, reader)
        if item.kind != "result" and is_archived(ctx, item.row):
            link = f"{link} ({reader.say(msg('bot.matches.archived'))})"
        text = item_text(replace(item, facts=facts), link, mine)
        more = reader.say(msg("bot.matches.more", n=left))
        tried = "\n".join([*lines, text, more, below])
        if visible_length(tried) > room or len(tried) > MAX_CONTENT - _ROOM_BELOW:
            break
        lines.append(text)
        left -= 1
    return lines, left
