"""Scenes: descriptions of pictures as named places, tokens, marks and panels, for one viewer.

Inks are slots of a palette that every theme fills; glyphs are outlines in a unit square that the game
provides. Pixels, fonts and colours are left to `render`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Final, Literal, TypeAlias

from games.engine import grid
from games.engine.message import Msg

Ink = Literal[
    "red", "green", "blue", "yellow", "purple", "orange", "black",  # seats and pieces
    "paper", "board", "space", "line", "text", "faint", "mark",  # everything else
]  # fmt: skip
"""Palette slots. The first seven belong to seats and pieces and have a pattern in the colour-blind theme.

On a board with zones, a piece without an owner uses `paper`. On a map, an army without an owner uses `black`
and has a name.
"""

MarkKind = Literal[
    "from", "to", "captured", "legal", "hint", "guard", "changed", "contested", "flag", "arrow", "capital"
]
"""`guard` marks have the ink of the seat that guards a place; a place may have several.

On squares only: `changed` is a place whose piece became another one, `contested` one whose piece several
seats compete for (texts show it by the piece's name), and a `flag`, in its owner's ink, marks who holds the
zone it stands in. On maps only: an `arrow` leads from `at` to `Mark.to`, in the attacker's ink, `changed` is
an area that was conquered, and a `capital` has a crown in the ink of its first owner.
"""

Spot: TypeAlias = tuple[float, float]
"""A point of a map, x to the right and y downwards, in the map's own units."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A symbol as closed outlines in the unit square, x to the right, y upwards, centre (0.5, 0.5).

    Outlines are filled together by the even-odd rule, so that a ring is two outlines.
    """

    outlines: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """A region of a board of squares: tinted in its ink (a seat's or `faint`), with a border.

    On a map, a continent: with a broad border, and tinted only where no army stands. Zones don't overlap.
    """

    ink: Ink
    places: frozenset[str]
    name: Msg | None = None
    """Its name in texts, which say who holds a zone only if it has one."""
    at: Spot | None = None
    """Where a map shows its name; None for wherever it covers least."""
    title: Msg | None = None
    """Its name alone, where `name` also has its worth; None if it hasn't."""


MAX_COMPACT_SIDE: Final = 10
"""Maximum number of files or ranks of a board of squares on which pieces may be drawn at a slant."""


class Board(ABC):
    """A board of any kind, and what can be asked of it without knowing its kind."""

    __slots__ = ()
    special: frozenset[str] = frozenset()
    zones: tuple[Zone, ...] = ()
    ground: Ground | None = None
    armies: ClassVar[bool] = False
    """Whether each place has one token, a number of armies; the seat that fills a zone holds it."""

    @property
    @abstractmethod
    def places(self) -> frozenset[str]:
        """The names of all places that are shown."""

    @property
    def large(self) -> bool:
        """Whether the whole board has too many places for pieces drawn at a slant."""
        return False

    def distance(self, start: str, goal: str) -> int:
        """Return the number of steps between two squares, straight or diagonal; elsewhere 0."""
        return 0

    def with_ground(self, ground: Ground) -> Board:
        """Return the board with other artwork, if boards of its kind have any."""
        return self


@dataclass(frozen=True, slots=True)
class Grid(Board):
    """A board of squares from `a1` (bottom left) to the last file and rank, except those missing."""

    files: int
    ranks: int
    missing: frozenset[str] = frozenset()
    special: frozenset[str] = frozenset()
    """Places with a ring, such as those where pieces enter."""
    zones: tuple[Zone, ...] = ()
    edges: frozenset[tuple[str, str]] = frozenset()
    """Pairs of places, adjacent or diagonal, that are joined by a line, in either order."""
    forts: frozenset[str] = frozenset()
    """Places drawn with an octagon."""
    starts: frozenset[str] = frozenset()
    """Places with a small ring, visible while they are empty."""
    window: tuple[str, str] | None = None
    """Two opposite corners of the part that is shown; None for the whole board."""

    @property
    def large(self) -> bool:
        """Whether the whole board has more than `MAX_COMPACT_SIDE` files or ranks."""
        return max(self.files, self.ranks) > MAX_COMPACT_SIDE

    def distance(self, start: str, goal: str) -> int:
        """Return the number of steps between two squares, straight or diagonal."""
        (x0, y0), (x1, y1) = grid.coordinates(start), grid.coordinates(goal)
        return max(abs(x0 - x1), abs(y0 - y1))

    @property
    def places(self) -> frozenset[str]:
        """The names of all places that are shown."""
        every = frozenset(grid.squares(self.files, self.ranks, self.missing))
        if self.window is None:
            return every
        (f0, r0), (f1, r1) = map(grid.coordinates, self.window)
        files, ranks = range(min(f0, f1), max(f0, f1) + 1), range(min(r0, r1), max(r0, r1) + 1)
        spots = ((place, *grid.coordinates(place)) for place in every)
        return frozenset(place for place, file, rank in spots if file in files and rank in ranks)


@dataclass(frozen=True, slots=True)
class Hexes(Board):
    """A board of hexagons with a corner up, in centred rows; adjacent rows differ by one in length.

    Rows are lettered from the bottom, places numbered from the left: `a1` is the bottom left.
    """

    rows: tuple[int, ...]
    special: frozenset[str] = frozenset()
    """Places with a ring, such as those where pieces enter."""

    @property
    def places(self) -> frozenset[str]:
        """The names of all places."""
        return frozenset(grid.name(row, n) for row, length in enumerate(self.rows) for n in range(length))


@dataclass(frozen=True, slots=True)
class Lines(Board):
    """A board of two lines of dice that face each other across a gap, each from its home to its front.

    The line of seat 0 is `a1` (its home) to `aN`, that of seat 1 `b1` to `bN`. By default line a is on the
    left, its home outermost; after two quarter turns line b is on the left. A place without a token has lost
    its die.
    """

    length: int
    gap: Msg
    """The name of the space between the lines."""
    labels: tuple[tuple[str, Msg], ...] = ()
    """Names of places, such as (`a1`, "Home"); a place may have several."""

    @property
    def places(self) -> frozenset[str]:
        """The names of all places."""
        return frozenset(f"{line}{n}" for line in "ab" for n in range(1, self.length + 1))


@dataclass(frozen=True, slots=True)
class Area:
    """A place of a map. Without outlines it is drawn as a disc around the point `at` where pieces stand."""

    name: str
    at: Spot
    outlines: tuple[tuple[Spot, ...], ...] = ()
    """Closed polygons that don't overlap: the mainland and its islands. Neighbours share whole edges."""
    title: str = ""
    """Its full name, where `name` is a code."""


@dataclass(frozen=True, slots=True)
class Link:
    """A connection of two areas that don't touch: over water, or between discs joined by a line."""

    ends: tuple[str, str]
    path: tuple[Spot, ...] = ()
    """The points it is drawn through, from the first end to the second; empty for a straight line."""
    wraps: bool = False
    """Whether it leaves the map at one side and re-enters at the other."""
    directed: bool = False
    """Whether it leads only from the first end to the second."""


WINDOW_MARGIN: Final = 0.05
"""Margin of a window, as a fraction of its width and height, in which no pieces are shown; the bottom margin
is twice as wide."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The artwork of an added map: a picture, and a mask that assigns its pixels to areas.

    Games only set its key. The host adds the bytes (PNG or JPEG, of the size of the map); without them the
    board is drawn plainly. They are left out of comparisons.
    """

    key: str
    loaded: bool = False
    """Whether the bytes have been loaded."""
    picture: bytes = field(default=b"", compare=False, repr=False)
    """The visible picture; empty for none."""
    mask: bytes = field(default=b"", compare=False, repr=False)
    """Greyscale: n for the pixels of the n-th area of the board, counted from 1, and 255 for none."""


@dataclass(frozen=True)
class Map(Board):
    """A board of areas of any shape, each with one token: its owner's ink, and the number of armies.

    Two areas with outlines touch exactly if they are neighbours by land; all other neighbours are linked.
    """

    armies = True
    size: tuple[int, int]
    areas: tuple[Area, ...]
    links: tuple[Link, ...] = ()
    zones: tuple[Zone, ...] = ()
    seats: int = 6
    """Number of seats with room for a panel below the map, 2 to 6."""
    window: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of the part that is shown; None for the whole map."""
    ground: Ground | None = None
    """The author's artwork under areas without outlines, if there is any."""
    _hash: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        """Compute the hash once: boards are keys of caches of layouts and sprites, and outlines are long."""
        parts = (self.size, self.areas, self.links, self.zones, self.seats, self.window, self.ground)
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        """Return the hash of all fields that are compared."""
        return self._hash

    def with_ground(self, ground: Ground) -> Map:
        """Return the map with other artwork."""
        return replace(self, ground=ground)

    @property
    def places(self) -> frozenset[str]:
        """The names of all areas whose pieces are within the part that is shown, less its margin."""
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
        """The neighbours of each area: those that share an edge with it or are linked to it."""
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


@dataclass(frozen=True, slots=True)
class Token:
    """A piece at a place. Tokens at one place are stacked by `level`, 0 the lowest."""

    at: str
    glyph: str
    ink: Ink
    code: str
    """One or two letters for text boards: `R`."""
    level: int = 0
    pips: int = 0
    """On Lines: the number of pips that the die shows besides its glyph."""
    name: Msg | None = None
    """The name of the piece in alt text, where its seat is not enough: "village"."""
    count: int = 0
    """On a Map: the number of armies."""
    letter: str = ""
    """Written beside the glyph on a large board of squares, where pieces are drawn flat."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlight on a place: where a piece came from, where it went, what was captured there."""

    kind: MarkKind
    at: str
    ink: Ink | None = None
    """The ink of its owner, for `guard`, `flag`, `arrow` and `capital`."""
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
    """A labelled row of a panel, such as `Reserve`, and its items. A row without items is shown as empty."""

    label: Msg
    items: tuple[Item, ...] = ()
    legend: bool = False
    """Whether the label only explains the symbols, so that words can do without it."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A state of a seat in a word or two: good or bad for it, or neither."""

    label: Msg
    tone: Literal["good", "bad", "plain"]


PanelState = Literal["to_act", "waiting", "out", "won", "lost", "drawn"]


@dataclass(frozen=True, slots=True)
class Panel:
    """The information beside the board about one seat."""

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

    `turns` is the rotation of the board in quarter turns clockwise: 0 has rank 1 at the bottom, 1 the h-file,
    2 rank 8, 3 the a-file. Hexes and Lines allow only 0 and 2, a Map only 0. `headline` is who is to act or
    how it ended ("Green to move"). Panels are in order of play. `watermark` is a word across a hypothetical
    picture, such as that of a move which is only tried.
    """

    board: Board
    tokens: tuple[Token, ...]
    panels: tuple[Panel, ...]
    headline: Msg
    marks: tuple[Mark, ...] = ()
    turns: int = 0
    glyphs: Mapping[str, Glyph] = field(default_factory=dict, compare=False, repr=False)
    watermark: Msg | None = None
