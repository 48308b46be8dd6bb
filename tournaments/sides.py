"""Who takes which side in a match for two: sides are balanced, and alternate where they can.

A wish is absolute after two more matches on one side than on the other, or two on the same side in a row; it
is strong after one more, and mild where only the last side speaks. (FIDE's Dutch system, C.04.3, A.6.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tournaments.event import Event

FIRST: Final = 1
SECOND: Final = -1
ABSOLUTE: Final = 3


@dataclass(slots=True)
class History:
    """What an entrant has had so far."""

    number: int
    score: int = 0
    """Half points."""
    met: set[int] = field(default_factory=set)
    sides: list[int] = field(default_factory=list)
    """FIRST or SECOND for each match that was played, in order."""
    team: int = 0
    """The number of their team, 0 for none."""
    had_bye: bool = False
    """Whether they had points without a match: a bye, or a forfeit of their opponent."""

    @property
    def balance(self) -> int:
        """How many more matches they had on the first side."""
        return sum(self.sides)

    @property
    def wish(self) -> tuple[int, int]:
        """The strength of their wish for a side, 0 to ABSOLUTE, and the side, 0 for none."""
        balance, last = self.balance, self.sides[-1] if self.sides else 0
        if abs(balance) >= 2:
            return ABSOLUTE, SECOND if balance > 0 else FIRST
        if len(self.sides) >= 2 and self.sides[-2] == last:
            return ABSOLUTE, -last
        return (2, -balance) if balance else (1 if last else 0, -last)


def histories(event: Event, numbers: Iterable[int]) -> dict[int, History]:
    """Return what entrants have had in all pairings with a result."""
    found = {number: History(number, team=event.entrant(number).team) for number in numbers}
    for pairing in event.pairings:
        for seat, number in enumerate(pairing.seats):
            if (one := found.get(number)) is None or pairing.points is None:
                continue
            one.score += pairing.points[seat]
            one.met.update(other for other in pairing.seats if other != number)
            if pairing.played:
                one.sides.append(SECOND if seat else FIRST)
            elif pairing.points[seat]:
                one.had_bye = True
    return found


def clash(a: History, b: History) -> bool:
    """Return whether two can't meet without going against an absolute wish."""
    (strength, side), (other, its) = a.wish, b.wish
    return strength == other == ABSOLUTE and side == its


def seated(a: History, b: History) -> tuple[int, int]:
    """Return the numbers of two in the order of their seats; `a` is ranked higher, and decides in doubt."""
    (strength, side), (other, its) = a.wish, b.wish
    if side != its and (side or its):
        first = side == FIRST or its == SECOND
    elif side and strength != other:
        first = (side == FIRST) == (strength > other)
    elif abs(a.balance) != abs(b.balance):
        first = a.balance < b.balance
    else:
        apart = [x for x, y in zip(reversed(a.sides), reversed(b.sides), strict=False) if x != y]
        doubt = side == FIRST if side else a.number % 2 == 1
        first = apart[0] == SECOND if apart else doubt
    return (a.number, b.number) if first else (b.number, a.number)
