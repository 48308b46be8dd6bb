"""The clocks of a match as the fold of its log: each entry may end turns and begin others.

A seat's clock runs while the seat is to act. When its turn ends, its bank loses what it used and gains the
increment. What stops clocks (pauses, vacations, downtimes, the hours in which nobody plays) is handed in, so
that a downtime which is noticed late is given back as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from matches.clocks.control import TimeControl
from matches.clocks.stops import Stops
from matches.spans import Span, measure, spend, without

_NOTHING, _SECOND = timedelta(), timedelta(seconds=1)
NO_TIME: Final[Mapping[int, timedelta]] = MappingProxyType({})
NOBODY: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that goes on: the entry that began it, and when that was made."""

    seq: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Gift:
    """Time that a moderator gave to a seat, by the entry `seq`."""

    seq: int
    seat: int
    time: timedelta


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks after the entry `seq`, made at `at`: each seat's bank when its turn began, and its turn."""

    seq: int
    at: datetime
    banks: tuple[timedelta, ...]
    turns: tuple[Turn | None, ...]
    """None for seats that aren't to act."""
    before: Clocks | None = field(default=None, repr=False, compare=False)
    """The clocks before, for takebacks."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A seat's clock at a moment."""

    left: timedelta
    """Zero when nothing is left."""
    runs: bool
    """Whether it runs at this moment."""
    deadline: datetime | None
    """When time is up unless something else stops the clock; never while it is stopped.

    None for a seat that isn't to act, and where no end is in sight.
    """


def begin(control: TimeControl, seats: int, to_act: frozenset[int], at: datetime) -> Clocks:
    """Return the clocks of a match that begins. `to_act` are the seats of people who are to act."""
    turns = tuple(Turn(0, at) if seat in to_act else None for seat in range(seats))
    return Clocks(0, at, (control.bank,) * seats, turns)


def first_due(control: TimeControl, at: datetime) -> datetime | None:
    """Return when a first move is due in a match that begins at a moment; None if no end is in sight."""
    return spend(running(control, Stops(), 0, at), at, control.bank)


def advance(
    control: TimeControl,
    clocks: Clocks,
    stops: Stops,
    *,
    seq: int,
    at: datetime,
    to_act: frozenset[int],
    new_turn: frozenset[int] = frozenset(),
    refilled: frozenset[int] = frozenset(),
    given: Mapping[int, timedelta] = NO_TIME,
) -> Clocks:
    """Return the clocks after the entry `seq`, made at `at`; afterwards the people in `to_act` are to act.

    Seats in `new_turn` have ended a turn and begin another, seats in `refilled` have new holders, who get a
    whole bank. What is `given` to a seat it has from now on, also if its time was up. Entries come in order,
    and none is earlier than the one before.
    """
    banks, turns = list(clocks.banks), list(clocks.turns)
    for seat, turn in enumerate(clocks.turns):
        if turn is not None and (seat not in to_act or seat in new_turn):
            left = _left(control, clocks.banks[seat], turn.at, stops, seat, at)
            banks[seat], turns[seat] = min(control.cap, left + control.increment), None
        if seat in refilled:
            banks[seat], turns[seat] = control.bank, None
        if seat in to_act and turns[seat] is None:
            turns[seat] = Turn(seq, at)
    for seat, time in given.items():
        turn = turns[seat]
        used = _NOTHING if turn is None else _used(control, turn.at, stops, seat, at)
        banks[seat] = max(banks[seat], used) + time
    if tuple(banks) == clocks.banks and tuple(turns) == clocks.turns:
        return clocks
    return Clocks(seq, at, tuple(banks), tuple(turns), clocks)


def take_back(
    control: TimeControl,
    clocks: Clocks,
    stops: Stops,
    *,
    to: int,
    seq: int,
    at: datetime,
    back: frozenset[int],
    arrived: Mapping[int, int] = NOBODY,
    gifts: Iterable[Gift] = (),
) -> Clocks:
    """Return the clocks after a takeback to the entry `to`, made at `at`; `back` are to act again.

    Banks are what they were then; where the holder has come since, what theirs was when they came. `arrived`
    has the entry. Those who are to act again go on with the turn that was taken back, of which they
    have used what they had used when they ended it: taking back earns no time. `gifts` are those of the
    whole match: what seats were given since then they keep.
    """
    banks, given = [], tuple(gifts)
    for seat in range(len(clocks.banks)):
        since = max(to, arrived.get(seat, to))
        then = _at(clocks, since)
        bank, turn = then.banks[seat], then.turns[seat]
        if turn is not None and seat in back:
            last, ended = _end_of_turn(clocks, then, seat)
            bank = _left(control, last.banks[seat], turn.at, stops, seat, ended or at)
            since = last.seq  # the bank of that turn has what was given in it
        banks.append(sum((gift.time for gift in given if gift.seat == seat and gift.seq > since), bank))
    turns = tuple(Turn(seq, at) if seat in back else None for seat in range(len(banks)))
    return Clocks(seq, at, tuple(banks), turns, clocks)


def read(control: TimeControl, clocks: Clocks, stops: Stops, seat: int, now: datetime) -> Reading:
    """Return the clock of a seat at a moment that isn't earlier than the last entry."""
    turn, bank = clocks.turns[seat], clocks.banks[seat]
    if turn is None:
        return Reading(bank, runs=False, deadline=None)
    left = _left(control, bank, turn.at, stops, seat, now)
    deadline = spend(running(control, stops, seat, turn.at), turn.at, bank)
    runs = any(True for span in running(control, stops, seat, now, until=now) if span.start <= now < span.end)
    return Reading(left, runs and left > _NOTHING, deadline)


def ran(
    control: TimeControl, clocks: Clocks, stops: Stops, seats: Iterable[int], span: Span, now: datetime
) -> bool:
    """Return whether the clock of a seat has run for a second of a span, in the turn that goes on."""
    return any(
        measure(running(control, stops, seat, turn.at, until=now), max(span.start, turn.at), span.end)
        >= _SECOND
        for seat in seats
        if (turn := clocks.turns[seat]) is not None
    )


def running(
    control: TimeControl, stops: Stops, seat: int, start: datetime, until: datetime | None = None
) -> Iterator[Span]:
    """Yield the spans since `start` in which the clock of a seat runs while it is to act, in order.

    They go on for ever; with `until` they end with the first that begins later.
    """
    windows = iter((Span(start),)) if control.hours is None else control.hours.windows(start)
    for span in without(windows, stops.of(seat)):
        if until is not None and span.start > until:
            return
        yield span


def _left(
    control: TimeControl, bank: timedelta, began: datetime, stops: Stops, seat: int, now: datetime
) -> timedelta:
    return max(_NOTHING, bank - _used(control, began, stops, seat, now))


def _used(control: TimeControl, began: datetime, stops: Stops, seat: int, now: datetime) -> timedelta:
    return measure(running(control, stops, seat, began, until=now), began, now)


def _at(clocks: Clocks, seq: int) -> Clocks:
    """Return the clocks as they were after entry `seq`."""
    while clocks.seq > seq and clocks.before is not None:
        clocks = clocks.before
    return clocks


def _end_of_turn(clocks: Clocks, then: Clocks, seat: int) -> tuple[Clocks, datetime | None]:
    """Return the last clocks in the turn that a seat was in at `then`, and its end; None if it goes on."""
    last, ended = clocks, None
    while clocks is not then and clocks.before is not None:
        if clocks.turns[seat] != then.turns[seat]:
            last, ended = clocks.before, clocks.at
        clocks = clocks.before
    return last, ended
