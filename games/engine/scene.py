"""What to draw, not how: places by name, tokens, marks and panels. A scene shows what one viewer may know.

Inks are slots of a palette that every theme fills; glyphs are outlines in a unit square that the game
brings along. Nothing here knows pixels, fonts or colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from games.engine.message import Msg

Ink = Literal[
    "red", "green", "blue", "yellow", "purple", "orange",  # seats and pieces
    "paper", "board", "space", "line", "text", "faint", "mark",  # everything else
]  # fmt: skip
"""Palette slots. The first six belong to seats and pieces and carry a pattern in the colour-blind theme."""

MarkKind = Literal["from", "to", "captured", "legal", "hint"]


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign as closed outlines in the unit square, x to the right, y upwards, centre (0.5, 0.5).

    Outlines are filled together by the even-odd rule, so that a ring is two outlines.
    """

    outlines: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares `a1` (bottom left) to the last file and rank, less those missing."""

    files: int
    ranks: int
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece at a place. Tokens of one place lie one above the other by `level`, 0 the lowest."""

    at: str
    glyph: str
    ink: Ink
    code: str
    """One or two letters for text boards: `R`."""
    level: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to point at: where a piece came from, where it went, what was captured there."""

    kind: MarkKind
    at: str


@dataclass(frozen=True, slots=True)
class Item:
    """`count` pieces of one kind in a panel."""

    glyph: str
    ink: Ink
    code: str
    count: int


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled line of a panel: `Reserve`, and what lies in it. An empty row is shown as empty."""

    label: Msg
    items: tuple[Item, ...] = ()


PanelState = Literal["to_act", "waiting", "out", "won", "lost", "drawn"]


@dataclass(frozen=True, slots=True)
class Panel:
    """What lies beside the board for one seat."""

    seat: int
    name: Msg
    glyph: str
    ink: Ink
    code: str
    state: PanelState
    rows: tuple[Row, ...] = ()
    team: int | None = None
    """The team's number where seats play together, else None."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture to be drawn. Equal scenes give equal bytes.

    `turns` are quarter turns clockwise by which the board is seen: 0 has rank 1 at the bottom, 1 has the
    h-file at the bottom, 2 has rank 8, 3 the a-file. `headline` is the one sentence of the moment
    ("Green to move"). Panels stand in order of play.
    """

    board: Grid
    tokens: tuple[Token, ...]
    panels: tuple[Panel, ...]
    headline: Msg
    marks: tuple[Mark, ...] = ()
    turns: int = 0
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
