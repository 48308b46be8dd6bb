"""A chart of what counts in a match, such as countries or pieces, as a value to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.engine.message import Msg
from games.engine.scene import Glyph, Panel


@dataclass(frozen=True, slots=True)
class MaterialChart:
    """What each seat had at the start and after each turn; `seats` are panels without rows, in that order.

    `flags` are moments to be marked as (point, seat), such as where a seat was eliminated.
    """

    points: tuple[tuple[float, ...], ...]
    seats: tuple[Panel, ...]
    headline: Msg
    flags: tuple[tuple[int, int], ...] = ()
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
