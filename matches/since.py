"""What has happened in a match since a seat's own last move, or for spectators in the last round.

It is cut to what a few lines and a short animation can show, so that showing a long absence costs about as
much as a short one. Callers restrict the positions with the game's views.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from games.engine.game import Fact, Seat
from games.engine.match import Entry, Kind, Match, walk
from matches import lobby_rules
from matches.changes import AUTOMATIC
from matches.core import Core
from matches.replay import MAX_INLINE
from matches.rows import MatchRow

MAX_TURNS = 6
"""Maximum number of turns that are told one by one."""
MAX_MOMENTS = 24
"""Maximum number of positions after the first."""
_MAX_CACHED = 32
_OWN = frozenset({Kind.PLAY, Kind.TAKEBACK, Kind.RESIGN})
"""The kinds of entries by which a person has seen the position before them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a row, with the dice and draws that came of it; `by` is None for anything else."""

    by: Seat | None
    facts: tuple[Fact, ...]
    plays: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, and what has just led to it."""

    match: Match
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Absence:
    """What has happened from entry `first` on: nothing if that comes after the last entry.

    `turns` are the latest ones with facts that the seat may know, `earlier` counts the moves before them.
    `moments` begins with the position before entry `first`.
    """

    first: int
    own: bool
    """Whether it began with a move of the seat, and not with the match or a round."""
    turns: tuple[Turn, ...]
    earlier: int
    moments: tuple[Moment, ...]

    @property
    def match(self) -> Match:
        """The current position."""
        return self.moments[-1].match


class Since:
    """Tells what has happened since a person's own last move."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._told: LRUCache[tuple[str, int, int | None, int], Absence] = LRUCache(_MAX_CACHED)

    async def absence(self, row: MatchRow, user: int) -> Absence:
        """Return what has happened since a person's own last move; for spectators the last round.

        Someone who has taken over a seat and not moved yet is told what came after the seat's last move.
        Raises LookupError if the match hasn't started, CorruptLogError if its log can't be read.
        """
        if row.version < 0:
            raise LookupError(row.id)
        match = (await self._core.position(row)).match
        at = lobby_rules.seat_of(row, user)
        seat = None if at is None else Seat(at)
        last = _last_round(match.log) - 1 if seat is None else await self._own_last(match, seat, user)
        first = (_end(match.log, 0) if last is None else last) + 1
        key = (match.id, match.seq, seat, first)
        if (told := self._told.get(key)) is None:
            own = seat is not None and last is not None
            if match.seq > MAX_INLINE:
                told = await asyncio.to_thread(_tell, match, seat, first, own=own)
            else:
                told = _tell(match, seat, first, own=own)
            self._told[key] = told
        return told

    async def _own_last(self, match: Match, seat: Seat, user: int) -> int | None:
        """Return the last entry of a person's last change, or None if neither they nor the seat has moved."""
        found = substituted = None
        for entry in reversed(match.log):
            if entry.seat == seat and entry.kind is Kind.SUBSTITUTE:
                substituted = entry.seq
            elif entry.seat == seat and entry.kind in _OWN:
                found = entry.seq
                break
        if substituted is not None:  # others have moved for the seat: ask who did
            logged = (await self._core.store.log(match.id))[: match.seq + 1]
            theirs = (
                one.entry.seq
                for one in reversed(logged)
                if one.user == user and one.entry.seat == seat and one.entry.kind in _OWN
            )
            found = next(theirs, found)
        return None if found is None else _end(match.log, found)


def _end(log: Sequence[Entry], at: int) -> int:
    """Return the last entry that follows from entry `at` without a decision."""
    while at + 1 < len(log) and log[at + 1].kind in AUTOMATIC:
        at += 1
    return at


def _last_round(log: Sequence[Entry]) -> int:
    """Return the entry with which the last round begins: since then, no seat has had two turns."""
    seen: set[Seat] = set()
    first, mover = len(log), None
    for entry in reversed(log[1:]):
        if entry.kind is Kind.PLAY and entry.seat is not None and entry.seat != mover:
            if entry.seat in seen:
                break
            mover = entry.seat
            seen.add(entry.seat)
        if entry.kind not in AUTOMATIC:
            first = entry.seq
    return max(first, _end(log, 0) + 1)


def _spans(log: Sequence[Entry], first: int) -> list[tuple[int, int]]:
    """Return the first and last entry of each turn from entry `first` on."""
    spans: list[tuple[int, int]] = []
    by: Seat | None = None
    for entry in log[first:]:
        if spans and (
            entry.kind in AUTOMATIC or (by is not None and entry.kind is Kind.PLAY and entry.seat == by)
        ):
            spans[-1] = (spans[-1][0], entry.seq)
            continue
        by = entry.seat if entry.kind is Kind.PLAY else None
        spans.append((entry.seq, entry.seq))
    return spans


def _tell(match: Match, seat: Seat | None, first: int, *, own: bool) -> Absence:
    """Replay a match, and return what a seat can know of the entries from `first` on."""
    log = match.log
    turns = _spans(log, first)
    shown = _shown(turns, [(entry.seq, entry.seq) for entry in log[first:]])
    begins, ends = {begin for begin, _ in turns}, {end for _, end in turns}
    shown_from = {begin for begin, _ in shown}
    shown_to = {end for _, end in shown}
    told: deque[Turn] = deque(maxlen=MAX_TURNS)
    total = 0
    moments: list[Moment] = []
    marked: tuple[Fact, ...] = ()
    by: Seat | None = None
    facts: list[Fact] = []
    plays = 0
    for past, news in walk(log):
        entry = past.log[-1]
        if entry.seq == first - 1:
            moments.append(Moment(past))
        if entry.seq < first:
            continue
        if entry.seq in begins:
            by = entry.seat if entry.kind is Kind.PLAY else None
            facts, plays = [], 0
        known = [fact for fact in news if fact.to is None or seat in fact.to]
        facts += known
        plays += entry.kind is Kind.PLAY
        if entry.seq in ends and facts:
            told.append(Turn(by, tuple(facts), plays))
            total += plays
        marked = (() if entry.seq in shown_from else marked) + tuple(known)
        if entry.seq in shown_to:
            moments.append(Moment(past, marked))
    # A line that counts the earlier moves takes the place of a turn.
    if (earlier := total - sum(turn.plays for turn in told)) and len(told) == MAX_TURNS:
        earlier += told.popleft().plays
    return Absence(first, own, tuple(told), earlier, tuple(moments))


def _shown(turns: Sequence[tuple[int, int]], entries: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans whose last positions are shown: all entries, else all turns, else some of them."""
    if len(entries) <= MAX_MOMENTS:
        return entries
    if len(turns) <= MAX_MOMENTS:
        return list(turns)
    return [turns[(number + 1) * len(turns) // MAX_MOMENTS - 1] for number in range(MAX_MOMENTS)]
