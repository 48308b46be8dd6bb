"""The overview of a person's matches: what each waits for, and what happened since their own last move.

A list and a digest say the same, in lines that fit a phone's screen. Links count by their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.context import Context
from bot.messages.clock import moment
from bot.messages.match import result_text, what_happened
from bot.messages.names import match_title
from bot.outbound.channels import board_words, is_archived
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.game import Fact, Seat
from games.engine.match import Kind, Match
from games.engine.message import Msg, msg
from matches.absence.time_up import opponents
from matches.clocks.timekeeper import ClockFace
from matches.results import CurrentMatch
from matches.spans import END_OF_TIME
from matches.store.pings import TurnKind
from matches.store.rows import MatchRow

MAX_FIRST: Final = 600
"""Maximum length of what people are shown first, in visible characters."""
_MAX_NEWS: Final = 120
"""Maximum length of what happened in one match, in characters."""
_LINK: Final = re.compile(r"\]\(<[^>]*>\)")
_MAX_RESULTS = 10
"""Maximum number of finished matches in which results are looked for."""
_ROOM_BELOW = 200
"""Characters of a message that a list leaves free for what stands below it."""


@dataclass(frozen=True, slots=True)
class OverviewItem:
    """A match in an overview: what it waits for, its clocks, and whether its person may claim time."""

    row: MatchRow
    match: Match
    seat: int | None
    kind: TurnKind | None
    """None while others move."""
    began: datetime
    """Since when it has waited, or when it ended."""
    face: ClockFace | None = None
    claimable: bool = False

    @property
    def due(self) -> datetime | None:
        """When the person's own time is up."""
        if self.kind != "turn" or self.face is None or self.seat is None:
            return None
        return self.face.readings[self.seat].deadline

    @property
    def urgency(self) -> tuple[bool, datetime, bool, bool]:
        """The key to sort by: one's own turns first, by deadline, then results, then what can be claimed."""
        mine, over = self.kind == "turn", self.kind == "result"
        return not mine, self.due or END_OF_TIME, not over, not self.claimable

    @property
    def state(self) -> Msg:
        """Whose turn it is, and until when."""
        if self.kind == "next":
            return msg("bot.matches.next")
        if self.kind != "turn":
            claim = msg("bot.matches.claimable", match=self.row.id)
            return claim if self.claimable else msg("bot.matches.theirs")
        if self.face is None:
            return msg("bot.matches.yours")
        if self.seat in self.face.late:
            return msg("bot.matches.due_late")
        if self.due is None:
            return msg("bot.matches.due_stopped")
        return msg("bot.matches.due", when=moment(self.due))


def item_line(item: OverviewItem, link: str, reader: Reader) -> str:
    """Return a match as a line of a list; `reader` has the person's seat."""
    over = item.kind == "result"
    state = result_text(item.row, item.match, reader) if over else reader.say(item.state)
    sign = "▶" if item.kind == "turn" else "·"
    return f"{sign} `{item.row.id}` {match_title(item.row, item.seat, reader)}: {state} · {link}"


def news_line(item: OverviewItem, facts: Sequence[Fact], reader: Reader) -> str:
    """Return what happened as a line below a match; empty if there is nothing to say."""
    news = " ".join(what_happened(item.row, item.match, facts, reader).split())
    return f"-# {_cut(news)}" if news else ""


def visible_length(text: str) -> int:
    """Return the number of characters of a text that are seen: links are words."""
    return len(_LINK.sub("]", text))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_NEWS else f"{text[: _MAX_NEWS - 1]}…"


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
    shows what happened, in the first matches first.
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
        news = await _news(ctx, item, reader)
        tried = [*lines[:at], f"{lines[at]}\n{news}", *lines[at + 1 :]]
        if news and fits(tried):
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
