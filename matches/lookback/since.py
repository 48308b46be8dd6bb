"""What has happened in a match since a seat's own last move, or for spectators in the last round.

It is cut to what a few lines and a short animation can show, so that showing a long absence costs about as
much as a short one. Callers restrict the positions with the game's views.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from cachetools import LRUCache

from games.engine.game import Fact, Seat
from games.engine.match import Entry, Kind, Match, walk
from matches import occupants
from matches.core import Core
from matches.log.changes import AUTOMATIC
from matches.log.replay import MAX_INLINE
from matches.long_work import in_thread
from matches.store.rows import Logged, MatchRow

T = TypeVar("T")
MAX_TURNS = 6
"""Maximum number of turns that are shown one by one."""
MAX_MOMENTS = 24
"""Maximum number of positions after the first."""
_MAX_CACHED = 32
_OWN = frozenset({Kind.PLAY, Kind.TAKEBACK, Kind.RESIGN})
"""The kinds of entries by which a person has seen the position before them."""


@dataclass(frozen=True, slots=True)
class PastTurn:
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
    turns: tuple[PastTurn, ...]
    earlier: int
    moments: tuple[Moment, ...]

    @property
    def match(self) -> Match:
        """The current position."""
        return self.moments[-1].match


class Since:
    """Finds what has happened since a person's own last move."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._summaries: LRUCache[tuple[str, int, int | None, int], Absence] = LRUCache(_MAX_CACHED)

    async def absence(self, row: MatchRow, user: int) -> Absence:
        """Return what has happened since a person's own last move; for spectators the last round.

        For someone who has taken over a seat and not moved yet it is what came after the seat's last move.
        Raises LookupError if the match hasn't started, CorruptLogError if its log can't be read.
        """
        if row.version < 0:
            raise LookupError(row.id)
        match = (await self._core.position(row)).match
        at = occupants.seat_of(row, user)
        seat = None if at is None else Seat(at)
        last = await _off_loop(match, lambda: _last_looked(match.log, seat))
        if last.others:
            logged = (await self._core.store.log(match.id))[: match.seq + 1]
            last = await _off_loop(match, lambda: _last_by(logged, seat, user, last))
        key = (match.id, match.seq, seat, last.entry + 1)
        if (absence := self._summaries.get(key)) is None:
            absence = await _off_loop(match, lambda: _summarise(match, seat, last.entry + 1, own=last.own))
            self._summaries[key] = absence
        return absence


class _Last(NamedTuple):
    """The entry after which something is to be shown, and whether it ends a move of the seat's own.

    With `others`, others have held the seat since, so that the log doesn't say who made that move.
    """

    entry: int
    own: bool
    others: bool = False


async def _off_loop(match: Match, work: Callable[[], T]) -> T:
    return await in_thread(work) if match.seq > MAX_INLINE else work()


def _last_looked(log: Sequence[Entry], seat: Seat | None) -> _Last:
    """Return the last change of a seat, or the start; for spectators what came before the last round."""
    if seat is None:
        return _Last(_last_round(log) - 1, own=False)
    others = False
    for entry in reversed(log):
        if entry.seat == seat and entry.kind is Kind.SUBSTITUTE:
            others = True
        elif entry.seat == seat and entry.kind in _OWN:
            return _Last(_end(log, entry.seq), own=True, others=others)
    return _Last(_end(log, 0), own=False)


def _last_by(log: Sequence[Logged], seat: Seat | None, user: int, usual: _Last) -> _Last:
    """Return the last change that a person made for a seat; `usual` if they have made none."""
    entries = [one.entry for one in log]
    for one in reversed(log):
        if one.user == user and one.entry.seat == seat and one.entry.kind in _OWN:
            return _Last(_end(entries, one.entry.seq), own=True)
    return usual


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


def _summarise(match: Match, seat: Seat | None, first: int, *, own: bool) -> Absence:
    """Replay a match, and return what a seat can know of the entries from `first` on."""
    log = match.log
    turns = _spans(log, first)
    shown = _shown(turns, [(entry.seq, entry.seq) for entry in log[first:]])
    begins, ends = {begin for begin, _ in turns}, {end for _, end in turns}
    shown_from = {begin for begin, _ in shown}
    shown_to = {end for _, end in shown}
    past_turns: deque[PastTurn] = deque(maxlen=MAX_TURNS)
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
            past_turns.append(PastTurn(by, tuple(facts), plays))
            total += plays
        marked = (() if entry.seq in shown_from else marked) + tuple(known)
        if entry.seq in shown_to:
            moments.append(Moment(past, marked))
    # A line that counts the earlier moves takes the place of a turn.
    if (earlier := total - sum(turn.plays for turn in past_turns)) and len(past_turns) == MAX_TURNS:
        earlier += past_turns.popleft().plays
    return Absence(first, own, tuple(past_turns), earlier, tuple(moments))


def _shown(turns: Sequence[tuple[int, int]], entries: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans whose last positions are shown: all entries, else all turns, else some of them."""
    if len(entries) <= MAX_MOMENTS:
        return entries
    if len(turns) <= MAX_MOMENTS:
        return list(turns)
    return [turns[(number + 1) * len(turns) // MAX_MOMENTS - 1] for number in range(MAX_MOMENTS)]
