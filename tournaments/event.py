"""A tournament as a value: entrants by number, pairings in the order in which they were made, and results.

Points are whole half points, so that nothing is rounded: a win is 2, a draw 1, a loss 0. With more than two
seats an entrant gets 2 for each one behind them and 1 for each one they share their place with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

Format = Literal["swiss", "round_robin", "single", "double", "groups", "league"]
"""`single` and `double` are eliminations after one and two losses; `groups` are for more than two seats; a
`league` is a season of divisions, each of them a round robin."""

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0


@dataclass(frozen=True, slots=True)
class Entrant:
    """Someone who takes part. Numbers are the seeding: 1 is expected to be strongest, latecomers are last.

    `joined` is the first round in which they can be paired.
    """

    number: int
    joined: int = 1
    left: bool = False
    """Whether they have withdrawn: they are no longer paired, and forfeit what hasn't begun."""
    team: int = 0
    """The number of their team, 0 for none. Members of a team don't meet where others are left."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Entrants who meet, in the order of their seats; one alone has a bye.

    `table` tells the pairings of a round apart; in an elimination it is the node of the bracket, and a drawn
    match is played again at the same table.
    """

    round: int
    table: int
    seats: tuple[int, ...]
    points: tuple[int, ...] | None = None
    """Half points of each seat; None while there is no result."""
    played: bool = True
    """Whether the result comes from a match: byes and forfeits aren't played."""

    def points_of(self, number: int) -> int:
        """Return the half points of an entrant. Raises ValueError if there are none."""
        if self.points is None:
            raise ValueError("no result yet")
        return self.points[self.seats.index(number)]


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament after everything that has happened so far."""

    format: Format
    rounds: int
    """The number of rounds to play; eliminations and round robins know their own."""
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = ()
    seats: int = 2
    """Number of seats of a match."""
    group: int = 0
    """The size that the divisions of a league are to have."""
    sides: tuple[int, ...] = ()
    """Where teams meet as such, the side of each seat of a match, 0 or 1; else empty."""

    @property
    def open(self) -> tuple[int, ...]:
        """The pairings without a result, by their index."""
        return tuple(n for n, one in enumerate(self.pairings) if one.points is None)

    @property
    def round(self) -> int:
        """The latest round, 0 before the first."""
        return max((one.round for one in self.pairings), default=0)

    def entrant(self, number: int) -> Entrant:
        """Return an entrant by number. Raises LookupError."""
        for one in self.entrants:
            if one.number == number:
                return one
        raise LookupError(number)

    def of(self, number: int) -> Iterator[Pairing]:
        """Yield the pairings of an entrant, in their order."""
        return (one for one in self.pairings if number in one.seats)


def points_for_places(places: Sequence[int]) -> tuple[int, ...]:
    """Return the half points of seats by their places; the same place is shared.

    >>> points_for_places((1, 2)), points_for_places((1, 1)), points_for_places((2, 1, 2))
    ((2, 0), (1, 1), (1, 4, 1))
    """
    return tuple(
        2 * sum(other > mine for other in places) + sum(other == mine for other in places) - 1
        for mine in places
    )


def points_of_match(event: Event, ranks: Sequence[int]) -> tuple[int, ...]:
    """Return the half points of seats by their ranks in a match; those of one side have the same.

    >>> points_of_match(Event("single", 0, (), sides=(0, 1, 0, 1)), (2, 1, 2, 1))
    (0, 2, 0, 2)
    """
    if not event.sides:
        return points_for_places(ranks)
    points = points_for_places([ranks[event.sides.index(side)] for side in (0, 1)])
    return tuple(points[side] for side in event.sides)


def with_pairings(event: Event, added: Sequence[Pairing]) -> Event:
    """Return the event with more pairings."""
    return replace(event, pairings=(*event.pairings, *added))


def with_result(event: Event, index: int, points: Sequence[int], *, played: bool = True) -> Event:
    """Return the event with the result of a pairing, the first one or a corrected one."""
    pairings = list(event.pairings)
    pairings[index] = replace(pairings[index], points=tuple(points), played=played)
    return replace(event, pairings=tuple(pairings))


def forfeited(event: Event, seats: Sequence[int], absent: frozenset[int] = frozenset()) -> tuple[int, ...]:
    """Return the half points where entrants don't show up: those who withdrew, and those in `absent`.

    Everyone else shares the first place. A side with someone missing forfeits as a whole. Raises ValueError
    if nobody is missing.
    """
    gone = [number in absent or event.entrant(number).left for number in seats]
    if event.sides and len(seats) == len(event.sides):
        missing_side = {side for side, missing in zip(event.sides, gone, strict=True) if missing}
        if missing_side == {0, 1}:
            return (LOSS,) * len(seats)
        if missing_side:
            return tuple(LOSS if side in missing_side else WIN for side in event.sides)
    if not any(gone):
        raise ValueError("nobody is missing")
    if all(gone):
        return (LOSS,) * len(seats)
    return points_for_places([2 if missing else 1 for missing in gone])


def settled(event: Event, begun: frozenset[int] = frozenset()) -> Event:
    """Return the event in which entrants who withdrew forfeit open pairings, except those in `begun`."""
    for index in event.open:
        seats = event.pairings[index].seats
        if index not in begun and any(event.entrant(number).left for number in seats):
            event = with_result(event, index, forfeited(event, seats), played=False)
    return event
