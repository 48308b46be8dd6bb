"""Charts of a match as values to be drawn: chances of winning, and what counts, such as pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.engine.message import Msg
from games.engine.scene import Glyph, Panel


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
