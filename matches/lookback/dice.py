"""Count dice, by seat in a match or for a person over their matches, and test how even they are.

Every die that was rolled counts, also where moves were taken back. Cards, shuffles and lots don't. Pearson's
chi-square test is exact: M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.4.4
and 26.4.5, which need no incomplete gamma function for whole degrees of freedom.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, pi, sqrt
from typing import Final, TypeAlias

from cachetools import LRUCache

from games.engine import registry
from games.engine.game import Seat
from games.engine.lookback import Die
from games.engine.match import Entry, Kind, walk
from matches.core import Core
from matches.long_work import OnePerPerson, in_thread
from matches.store.rows import MatchRow, SeatHolder

LEAST_EXPECTED: Final = 5.0
"""Smallest expected count for which the test is good (W. G. Cochran, 1954)."""
MOST_MATCHES: Final = 100
"""Maximum number of a person's matches whose dice are counted, the latest first."""
MOST_ENTRIES: Final = 30_000
"""Maximum number of their log entries together: replaying them takes some seconds."""
_MAX_CACHED: Final = 1024
"""Maximum number of matches whose rolls are cached, a few kB each."""
Counts: TypeAlias = Mapping[Die, tuple[int, ...]]
"""How often each result of each kind of die came up."""


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """The result of a test."""

    value: float
    freedom: int
    """Degrees of freedom."""
    p: float
    """The probability that fair dice give counts at least as uneven."""


def chi_square_of(counts: Sequence[int], chances: Sequence[float]) -> ChiSquare | None:
    """Return the test of counts, given the probability of each result; None for too few counts.

    Raises ValueError unless there is a probability above 0 for each count, of at least two.
    """
    if len(counts) != len(chances) or len(counts) < 2 or min(chances) <= 0:
        raise ValueError("each of two or more results needs a count and a probability")
    if (total := sum(counts)) < rolls_needed(chances):
        return None
    value = sum(
        (n - total * chance) ** 2 / (total * chance) for n, chance in zip(counts, chances, strict=True)
    )
    return ChiSquare(value, len(counts) - 1, upper_tail(value, len(counts) - 1))


def rolls_needed(chances: Sequence[float]) -> int:
    """Return the number of rolls from which on each result is expected at least five times."""
    least = LEAST_EXPECTED / min(chances)
    return int(least) if least == int(least) else int(least) + 1


def upper_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable is at least `value`."""
    if value <= 0:
        return 1.0
    if freedom % 2:
        total, term, n = erfc(sqrt(value / 2)), sqrt(2 * value / pi) * exp(-value / 2), 1
    else:
        total, term, n = 0.0, exp(-value / 2), 0
    while n < freedom:
        total += term
        n += 2
        term *= value / n
    return min(1.0, total)


@dataclass(frozen=True, slots=True)
class SeatRolls:
    """The rolls of one seat with one kind of die, from a log entry on until someone else took the seat."""

    seat: Seat | None
    since: int
    die: Die
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PersonDice:
    """The dice of a person."""

    counts: Counts
    matches: int
    """Number of finished matches with dice that were counted."""
    more: bool
    """Whether there are older ones that weren't."""


def rolls_of(entries: Sequence[Entry], since: Sequence[tuple[int, int]] = ()) -> tuple[SeatRolls, ...]:
    """Return the dice of a log, by seat and kind. It takes as long as replaying the log.

    `since` has (seat, log entry) of each change of holders: rolls from there on are counted apart.
    """
    found: dict[tuple[Seat | None, int, Die], list[int]] = {}
    starts = {seat: [at for each, at in since if each == seat] for seat, _ in since}
    previous = None
    for match, _ in walk(entries):
        entry = match.log[-1]
        if entry.kind is Kind.CHANCE and previous is not None:
            for rolled in match.game.rolls(previous.state, match.game.decode(entry.data)):
                changes = starts.get(-1 if rolled.seat is None else int(rolled.seat), [])
                begun = max((at for at in changes if at <= entry.seq), default=0)
                key = (rolled.seat, begun, rolled.die)
                found.setdefault(key, [0] * len(rolled.die.results))[rolled.result] += 1
        previous = match
    return tuple(SeatRolls(seat, at, die, tuple(counts)) for (seat, at, die), counts in found.items())


def total(rolls: Sequence[SeatRolls]) -> dict[Die, tuple[int, ...]]:
    """Return the counts of all rolls by kind of die."""
    found: dict[Die, tuple[int, ...]] = {}
    for each in rolls:
        before = found.get(each.die, (0,) * len(each.counts))
        found[each.die] = tuple(a + b for a, b in zip(before, each.counts, strict=True))
    return found


def fairness(die: Die, counts: Sequence[int]) -> ChiSquare | None:
    """Return the test of a die's counts; None for too few rolls."""
    return chi_square_of(counts, [float(chance) for _, chance in die.results])


class DiceStatistics:
    """Counts dice in a worker thread, one match at a time."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._turn = asyncio.Lock()
        self._counted: LRUCache[tuple[str, int], tuple[SeatRolls, ...]] = LRUCache(_MAX_CACHED)
        self.callers = OnePerPerson()

    async def of_match(self, row: MatchRow) -> tuple[SeatRolls, ...]:
        """Return the dice of a match so far, by seat, holder and kind."""
        key = (row.id, row.version)
        if (known := self._counted.get(key)) is not None:
            return known
        log = await self._core.store.log(row.id)
        holders = await self._core.store.holders(row.id)
        entries = [logged.entry for logged in log if logged.entry.seq <= row.version]
        since = [(one.seat, one.since) for one in holders]
        async with self._turn:
            found = await in_thread(rolls_of, entries, since)
        self._counted[key] = found
        return found

    async def of_person(self, user: int, shown: Sequence[MatchRow]) -> PersonDice:
        """Return a person's dice in some of their finished matches, which are given with the latest first."""
        counted: list[SeatRolls] = []
        matches = entries = 0
        wanted = [row for row in shown if row.status == "over" and registry.get(row.game).has_dice]
        for row in wanted:
            entries += row.version + 1
            if matches >= MOST_MATCHES or (matches and entries > MOST_ENTRIES):
                return PersonDice(total(counted), matches, more=True)
            holders = await self._core.store.holders(row.id)
            counted += (each for each in await self.of_match(row) if _rolled_by(each, user, row, holders))
            matches += 1
        return PersonDice(total(counted), matches, more=False)


def _rolled_by(rolls: SeatRolls, user: int, row: MatchRow, holders: Sequence[SeatHolder]) -> bool:
    """Return whether a person held the seat when its dice were rolled."""
    if rolls.seat is None:
        return False
    listed = [one for one in holders if one.seat == rolls.seat and one.since == rolls.since]
    held = listed[-1].user if listed else row.seats[rolls.seat].user
    return held == user
