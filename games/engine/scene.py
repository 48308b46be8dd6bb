"""What to draw, not how: places by name, tokens, marks and panels. A scene shows what one viewer may know.

Inks are slots of a palette that every theme fills; glyphs are outlines in a unit square that the game
brings along. Nothing here knows pixels, fonts or colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

from games.engine import grid
from games.engine.message import Msg

Ink = Literal[
    "red", "green", "blue", "yellow", "purple", "orange", "black",  # seats and pieces
    "paper", "board", "space", "line", "text", "faint", "mark",  # everything else
]  # fmt: skip
"""Palette slots. The first seven belong to seats and pieces and carry a pattern in the colour-blind theme.

On a board with zones, a piece that belongs to nobody is of `paper`. On a map, an army that no seat commands
is of `black`, and has a name.
"""

MarkKind = Literal[
    "from", "to", "captured", "legal", "hint", "guard", "changed", "contested", "flag", "arrow", "capital"
]
"""`guard` marks are in the ink of whoever guards a place; several may lie on one.

On squares only: `changed` is a place whose piece became another one, `contested` one whose piece several
strive for (texts only know it by the piece's name), and a `flag`, in its owner's ink, says who holds the zone
it stands in. On maps only: an `arrow` leads from `at` to `Mark.to`, in the ink of whoever attacked, `changed`
is an area that fell, and a `capital` wears a crown in the ink of the seat whose capital it was at first.
"""

Spot: TypeAlias = tuple[float, float]
"""A point of a map: to the right and downwards, in units of the map's own."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign as closed outlines in the unit square, x to the right, y upwards, centre (0.5, 0.5).

    Outlines are filled together by the even-odd rule, so that a ring is two outlines.
    """

    outlines: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of a board of squares: tinted in its ink, that of a seat or `faint`, with a border.

    On a map, a continent: bordered broadly, and tinted only where nobody stands. Zones don't overlap.
    """

    ink: Ink
    places: frozenset[str]
    name: Msg | None = None
    """What texts call it. Only of a zone with a name they say who holds it."""
    at: Spot | None = None
    """Where a map bears its name; None for wherever it covers least."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares `a1` (bottom left) to the last file and rank, less those missing."""

    files: int
    ranks: int
    missing: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()
    """Places with a ring of their own, such as those where pieces enter."""
    zones: tuple[Zone, ...] = ()
    edges: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring places, also diagonally, that are joined by a line; the order in a pair says nothing."""
    forts: frozenset[str] = frozenset()
    """Places with an octagon."""
    starts: frozenset[str] = frozenset()
    """Places with a small ring, seen while nothing lies there."""
    window: tuple[str, str] | None = None
    """Two opposite corners of the part that is looked at; None for all of it."""

    @property
    def places(self) -> frozenset[str]:
        """The names of all places that are looked at."""
        every = frozenset(grid.squares(self.files, self.ranks, self.missing))
        if self.window is None:
            return every
        (f0, r0), (f1, r1) = map(grid.coordinates, self.window)
        files, ranks = range(min(f0, f1), max(f0, f1) + 1), range(min(r0, r1), max(r0, r1) + 1)
        return every & {grid.name(file, rank) for file in files for rank in ranks}


@dataclass(frozen=True, slots=True)
class Hexes:
    """Rows of hexagons with the points up, centred on each other; neighbours in length differ by one.

    Rows are lettered from the bottom, places numbered from the left: `a1` is the bottom left.
    """

    rows: tuple[int, ...]
    special: frozenset[str] = frozenset()
    """Places with a ring of their own, such as those where pieces enter."""

    @property
    def places(self) -> frozenset[str]:
        """The names of all places."""
        return frozenset(grid.name(row, n) for row, length in enumerate(self.rows) for n in range(length))


@dataclass(frozen=True, slots=True)
class Lines:
    """Two lines of dice that face each other across a gap, each from its home to its front.

    The line of seat 0 is `a1` (its home) to `aN`, that of seat 1 `b1` to `bN`. Seen by default with line a on
    the left, its home outermost; after two quarter turns line b is on the left. A place without a token is
    one whose die is lost.
    """

    length: int
    gap: Msg
    """What the space between the lines is called."""
    labels: tuple[tuple[str, Msg], ...] = ()
    """Names of places, such as (`a1`, "Home"); a place may have several."""

    @property
    def places(self) -> frozenset[str]:
        """The names of all places."""
        return frozenset(f"{line}{n}" for line in "ab" for n in range(1, self.length + 1))


@dataclass(frozen=True, slots=True)
class Area:
    """A place of a map. One without outlines is drawn as a disc around the point where pieces stand."""

    name: str
    at: Spot
    outlines: tuple[tuple[Spot, ...], ...] = ()
    """Closed polygons that don't overlap: the land and its islands. Neighbours share whole edges."""
    title: str = ""
    """What it is called in full, where its name is a code."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two areas that are neighbours without touching: over water, or as discs joined by a line."""

    ends: tuple[str, str]
    path: tuple[Spot, ...] = ()
    """The way it is drawn, from the first end to the second; empty for straight from point to point."""
    wraps: bool = False
    """Whether it leaves over one rim of the map and comes back over the other."""
    directed: bool = False
    """Whether it leads from the first end to the second only."""


WINDOW_MARGIN: Final = 0.05
"""How near to the rim of a window what stands on an area isn't shown, by the window's width and height;
at the bottom twice as near."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What the author of a map drew for it: a picture, and a mask that says which of its pixels are whose.

    Games know its key only. Bytes are laid in by whoever has them (PNG or JPEG, of the size of the map), and
    a picture is drawn with them or without; they are no part of what is compared.
    """

    key: str
    there: bool = False
    """Whether the bytes are."""
    picture: bytes = field(default=b"", compare=False, repr=False)
    """What is seen; empty for none."""
    mask: bytes = field(default=b"", compare=False, repr=False)
    """Grey: area number n, from 1 in the order of the board, has the value n, and 255 is none's."""


@dataclass(frozen=True)
class Map:
    """Areas of any shape, of which each bears one token: its owner's ink, and how many stand there.

    Two areas with outlines touch exactly if they are neighbours by land; all other neighbours are linked.
    """

    size: tuple[int, int]
    areas: tuple[Area, ...]
    links: tuple[Link, ...] = ()
    zones: tuple[Zone, ...] = ()
    seats: int = 6
    """For how many seats there is room below the map, 2 to 6."""
    window: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of the part that is looked at; None for all of it."""
    ground: Ground | None = None
    """What lies under areas without outlines, if its author drew that."""
    _hash: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        """Hash once: layouts and sprites are kept by their board, and outlines are long."""
        parts = (self.size, self.areas, self.links, self.zones, self.seats, self.window, self.ground)
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        """The hash of all that is compared."""
        return self._hash

    @property
    def places(self) -> frozenset[str]:
        """The names of all areas whose pieces are well within the part that is looked at."""
        if self.window is None:
            return frozenset(area.name for area in self.areas)
        left, top, right, bottom = self.window
        x, y = (right - left) * WINDOW_MARGIN, (bottom - top) * WINDOW_MARGIN
        return frozenset(
            area.name
            for area in self.areas
            if left + x <= area.at[0] <= right - x and top + y <= area.at[1] <= bottom - 2 * y
        )

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The neighbours of each area: those that share an edge with it, and those it is linked to."""
        found: dict[str, set[str]] = {area.name: set() for area in self.areas}
        owners: dict[frozenset[Spot], str] = {}
        for area in self.areas:
            for outline in area.outlines:
                for edge in zip(outline, (*outline[1:], outline[0]), strict=True):
                    other = owners.setdefault(frozenset(edge), area.name)
                    if other != area.name:
                        found[area.name].add(other)
                        found[other].add(area.name)
        for link in self.links:
            found[link.ends[0]].add(link.ends[1])
            if not link.directed:
                found[link.ends[1]].add(link.ends[0])
        return {name: tuple(sorted(others)) for name, others in found.items()}


Board: TypeAlias = Grid | Hexes | Lines | Map


@dataclass(frozen=True, slots=True)
class Token:
    """A piece at a place. Tokens of one place lie one above the other by `level`, 0 the lowest."""

    at: str
    glyph: str
    ink: Ink
    code: str
    """One or two letters for text boards: `R`."""
    level: int = 0
    pips: int = 0
    """On Lines: how many pips the die shows besides its glyph."""
    name: Msg | None = None
    """What alt text calls the piece, where its seat doesn't say it all: "village"."""
    count: int = 0
    """On a Map: how many stand there."""
    letter: str = ""
    """Written beside the glyph on a large board of squares, where pieces are seen flat."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to point at: where a piece came from, where it went, what was captured there."""

    kind: MarkKind
    at: str
    ink: Ink | None = None
    """Whose it is, for `guard`, `flag`, `arrow` and `capital`."""
    to: str = ""
    """Where an `arrow` ends."""


@dataclass(frozen=True, slots=True)
class Item:
    """`count` pieces of one kind in a panel."""

    glyph: str
    ink: Ink
    code: str
    count: int
    label: Msg | None = None
    """Count and kind in words, `5 Soldiers`; None where `code` is a seat's letter, which texts explain."""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled line of a panel: `Reserve`, and what lies in it. An empty row is shown as empty."""

    label: Msg
    items: tuple[Item, ...] = ()
    legend: bool = False
    """Whether the label only explains the symbols, so that words can do without it."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A state that a seat is in, named in a word or two: good for it, bad for it, or neither."""

    label: Msg
    tone: Literal["good", "bad", "plain"]


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
    badges: tuple[Badge, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture to be drawn. Equal scenes give equal bytes.

    `turns` are quarter turns clockwise by which the board is seen: 0 has rank 1 at the bottom, 1 has the
    h-file at the bottom, 2 has rank 8, 3 the a-file. Hexes and Lines are seen after 0 or 2, a Map always
    after 0. `headline` is the one sentence of the moment ("Green to move"). Panels stand in order of play.
    `watermark` is a word across a picture of what isn't so, such as a move that is only tried.
    """

    board: Board
    tokens: tuple[Token, ...]
    panels: tuple[Panel, ...]
    headline: Msg
    marks: tuple[Mark, ...] = ()
    turns: int = 0
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
    watermark: Msg | None = None


@dataclass(frozen=True, slots=True)
class WinChart:
    """How a match went: the first seat's probability to win before each turn, and at the end.

    `flags` are (point, seat) to be marked: where a seat made its worst mistake. `seats` are the two sides as
    panels without rows, the first one's share below the curve.
    """

    points: tuple[float, ...]
    seats: tuple[Panel, Panel]
    headline: Msg
    flags: tuple[tuple[int, int], ...] = ()
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
