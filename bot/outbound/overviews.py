"""Gather the overview of a person's matches, for lists and digests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.context import Context
from bot.messages.outgoing import MAX_CONTENT
from bot.messages.overview import MAX_FIRST, OverviewItem, item_line, news_line, visible_length
from bot.outbound.channels import board_words, is_archived
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.match import Kind
from games.engine.message import msg
from matches.absence.time_up import opponents
from matches.results import CurrentMatch
from matches.store.pings import TurnKind

_MAX_RESULTS = 10
"""Maximum number of finished matches in which results are looked for."""
_ROOM_BELOW = 200
"""Characters of a message that a list leaves free for what stands below it."""


async def overview_item(
    ctx: Context, seen: CurrentMatch, seat: int | None, kind: TurnKind | None, began: datetime
) -> OverviewItem:
    """Return a match in its person's overview."""
    face = await ctx.service.time_up.face(seen.row)
    late = () if face is None or face.control.acts != "claim" else face.late
    claimable = any(seat in opponents(seen.match, Seat(each)) for each in late)
    return OverviewItem(seen.row, seen.match, seat, kind, began, face, claimable)


async def new_results(ctx: Context, user: int, since: datetime) -> tuple[OverviewItem, ...]:
    """Return a person's matches that ended after a moment, but for those that they ended themselves."""
    found = []
    for row in await ctx.store.over_of(user, "", _MAX_RESULTS):
        seat = ctx.service.queries.seat_of(row, user)
        if row.updated <= since or row.provenance.source != "played" or row.status != "over" or seat is None:
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

    `room` is in visible characters, those of the head and of the text `below` included. What is left of it
    says what happened, in the first matches first.
    """
    lines: list[str] = [head]

    def fits(tried: Sequence[str]) -> bool:
        more = reader.say(msg("bot.matches.more", n=max(1, len(items) + 1 - len(tried))))
        text = "\n".join((*tried, more, below))
        return visible_length(text) <= room and len(text) <= MAX_CONTENT - _ROOM_BELOW

    for item in items:
        link = await board_words(ctx, item.row, reader)
        if item.kind != "result" and is_archived(ctx, item.row):
            link = f"{link} ({reader.say(msg('bot.matches.archived'))})"
        line = item_line(item, link, _of_seat(reader, item))
        if not fits([*lines, line]):
            break
        lines.append(line)
    left = len(items) + 1 - len(lines)
    for at, item in enumerate(items[: len(lines) - 1], 1):
        told = await _news(ctx, item, reader)
        tried = [*lines[:at], f"{lines[at]}\n{told}", *lines[at + 1 :]]
        if told and fits(tried):
            lines = tried
    return lines, left


async def _news(ctx: Context, item: OverviewItem, reader: Reader) -> str:
    """Return what happened since one's own last move; nothing before the first move or after the end."""
    if item.kind == "result" or item.seat is None or not item.match.plays:
        return ""
    facts = await ctx.service.queries.news_of(item.match, Seat(item.seat))
    return news_line(item, facts, _of_seat(reader, item))


def _of_seat(reader: Reader, item: OverviewItem) -> Reader:
    return replace(reader, seat=None if item.seat is None else Seat(item.seat))
