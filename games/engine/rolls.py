"""What games say about their dice when a match is looked back at: what was rolled, and how lucky that was."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from games.engine.message import Msg, Value
from games.engine.values import Seat


@dataclass(frozen=True, slots=True)
class Die:
    """A kind of die: its name, and each of its results with the probability that it should have."""

    name: Msg
    results: tuple[tuple[Value, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """A result of a die: its place among the results, and the seat that rolled it, None if no seat did."""

    die: Die
    result: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Fortune:
    """How lucky a seat was with a draw: the probabilities of one at least as good, or as bad, for it."""

    seat: Seat
    better: float
    worse: float


def plain_die(name: Msg, sides: int = 6) -> Die:
    """Return a die whose sides, 1 to `sides`, are equally likely."""
    return Die(name, tuple((str(side), Fraction(1, sides)) for side in range(1, sides + 1)))


SIX_SIDED: Final = plain_die(Msg("match.die"))
"""The common die."""
