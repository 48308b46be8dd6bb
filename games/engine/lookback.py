"""What is looked back at: the dice of a match, how lucky they were, and its charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from games.engine.message import Msg, Value
from games.engine.scene import Glyph, Panel
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


@dataclass(frozen=True, slots=True)
class MaterialChart:
    """A number of each seat at the start and after each turn: what it had, or its chances in per cent.

    `seats` are panels without rows, in that order.

    `flags` are moments to be marked as (point, seat), such as where a seat was eliminated.
    """

    points: tuple[tuple[float, ...], ...]
    seats: tuple[Panel, ...]
    headline: Msg
    flags: tuple[tuple[int, int], ...] = ()
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class WinChart:
    """A chart of a match: the first seat's probability of winning before each turn, and at the end.

    `flags` are the points to be marked as (point, seat): where a seat made its worst mistake. `seats` are the
    two sides as panels without rows; the area below the curve belongs to the first.
    """

    points: tuple[float, ...]
    seats: tuple[Panel, Panel]
    headline: Msg
    flags: tuple[tuple[int, int], ...] = ()
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
    errors: tuple[float, ...] = ()
    """The standard deviation of each point, shown as a band; empty if the points are exact."""
    marks: tuple[int, ...] = ()
    """Further points of mistakes, marked without a flag."""


@dataclass(frozen=True, slots=True)
class ShareChart:
    """A chart of a match of three or more sides: the share of each before each turn, and at the end.

    `flags` are the points to be marked as (point, side): where a side made its worst mistake. `sides` are
    panels without rows, one for each side, in the order of the shares.
    """

    points: tuple[tuple[float, ...], ...]
    sides: tuple[Panel, ...]
    headline: Msg
    flags: tuple[tuple[int, int], ...] = ()
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
