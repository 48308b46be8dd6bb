"""Boards of squares: their layout, and what pictures and texts ask of them.

A board of more than `MAX_COMPACT_SIDE` files or ranks is large: it takes the whole width, with the headline
above and the seats side by side below, so that its squares are as large as possible on a phone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from games.engine import grid
from games.engine.scene import MAX_COMPACT_SIDE, Grid, Scene
from render.board_kind import BoardKind
from render.geometry import Box, CoordinateLabel, Layout, side_column
from render.square_base import check_grid, square_bases
from render.text_cells import COLUMNS, PHONE_COLUMNS, Cells

_FILES = "abcdefghijklmnopqrstuvwxyz"

_WIDE = 9.6
"""Maximum width and height of a large board, in units."""

_TOP, _CARDS = 0.66, 3.0
"""Heights of the headline above a large board and of the cards below it, in units."""


def visible_rows(
    board: Grid, turns: int
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...]]:
    """Return the places as seen after `turns` quarter turns clockwise, and the coordinates left and below.

    Places are in rows from the top; missing ones are empty strings. Raises ValueError for a board without
    places or with more than 26 files, for missing or special places that aren't on it, and for turns other
    than 0 to 3.
    """
    if not 1 <= board.files <= len(_FILES) or board.ranks < 1:
        raise ValueError(
            f"a board needs 1 to 26 files and at least a rank, not {board.files} x {board.ranks}"
        )
    if turns not in range(4):
        raise ValueError(f"a board is seen after 0 to 3 quarter turns, not {turns}")
    files = tuple(_FILES[: board.files])
    ranks = tuple(str(rank) for rank in range(board.ranks, 0, -1))
    rows = [[file + rank for file in files] for rank in ranks]
    left, below = ranks, files
    for _ in range(turns):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        left, below = below, left[::-1]
    unknown = board.missing.difference(*rows)
    if unknown:
        raise ValueError(f"missing from the board, but not on it: {min(unknown)}")
    nowhere = board.special.difference(*rows) | board.special & board.missing
    if nowhere:
        raise ValueError(f"special, but not on the board: {min(nowhere)}")
    if board.window is not None:
        return _cut_to_window(board, board.window, rows, left, below)
    seen = tuple(tuple("" if name in board.missing else name for name in row) for row in rows)
    return seen, left, below


def _cut_to_window(
    board: Grid, window: tuple[str, str], rows: list[list[str]], left: tuple[str, ...], below: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...]]:
    """Return the rows and coordinates within the window."""
    for corner in window:
        file, rank = grid.coordinates(corner)
        if file >= board.files or rank >= board.ranks:
            raise ValueError(f"a window that reaches off the board: {corner}")
    kept = board.places
    spots = [(y, x) for y, row in enumerate(rows) for x, name in enumerate(row) if name in window]
    tall, wide = (slice(min(along), max(along) + 1) for along in zip(*spots, strict=True))
    seen = tuple(tuple(name if name in kept else "" for name in row[wide]) for row in rows[tall])
    return seen, left[tall], below[wide]


def layout(board: Grid, turns: int, unit: int) -> Layout:
    """Return the layout of a board of squares. Raises ValueError as `visible_rows` and `check_grid` do."""
    check_grid(board)
    rows, left, below = visible_rows(board, turns)
    most = max(len(rows), len(rows[0]))
    wide = most > MAX_COMPACT_SIDE
    frame, gutter, margin = round(unit * 0.12), round(unit * 0.38), round(unit * 0.1)
    if wide:
        cell = max(unit // 3, round(unit * _WIDE) // most)
    elif board.window is None:
        cell = max(unit // 3, min(unit, unit * 8 // most))
    else:
        cell = min(unit * 2, unit * 8 // most)
    inner = Box(0, 0, cell * len(rows[0]), cell * len(rows))
    x = gutter + frame
    if wide:
        y = round(unit * _TOP) + frame
        height = y + inner.height + frame + gutter + round(unit * _CARDS) + margin
    else:
        height = max(inner.height, unit * 6) + 2 * frame + margin + gutter
        y = (height - gutter - inner.height + margin) // 2
    spots = {name: (nth, row) for row, names in enumerate(rows) for nth, name in enumerate(names) if name}
    places = {name: (x + nth * cell, y + row * cell) for name, (nth, row) in spots.items()}
    middle = cell // 2
    labels = [
        CoordinateLabel(text, gutter // 2 + 1, y + row * cell + middle) for row, text in enumerate(left)
    ]
    foot = y + inner.height + frame + gutter // 2
    labels += [CoordinateLabel(text, x + nth * cell + middle, foot) for nth, text in enumerate(below)]
    if wide:
        width = max(x + inner.width + frame + margin, round(unit * (_WIDE + 0.7)))
        headline = Box(margin, margin // 2, width - 2 * margin, round(unit * (_TOP - 0.05)))
        cards = round(unit * _CARDS)
        seats = Box(margin, height - margin - cards, width - 2 * margin, cards)
    else:
        headline, seats = side_column(unit, x + inner.width + frame + round(unit * 0.14), height)
        width = seats.x + seats.width + margin
    return Layout(
        unit=unit,
        shape="square",
        cell=cell,
        tile_height=cell,
        width=width,
        height=height,
        board=Box(x, y, inner.width, inner.height),
        places=MappingProxyType(places),
        labels=tuple(labels),
        headline=headline,
        seats=seats,
        special=board.special,
        cards_below=wide,
        top_view=board.large,
        bases=square_bases(board, spots),
    )


class GridKind(BoardKind[Grid]):
    """Squares."""

    layout = staticmethod(layout)

    def window(self, board: Grid, places: frozenset[str]) -> Grid:
        """Return the board with a rectangle as its window. Raises ValueError for a place off the board."""
        if nowhere := places.difference(grid.squares(board.files, board.ranks, board.missing)):
            raise ValueError(f"a region with a place off the board: {min(nowhere)}")
        files, ranks = zip(*map(grid.coordinates, places), strict=True)
        return replace(board, window=(grid.name(min(files), min(ranks)), grid.name(max(files), max(ranks))))

    def flag_spot(self, scene: Scene, part: Grid, at: str) -> str:
        """Return the place for a zone's flag in the visible part of the zone.

        Places without a piece come first, then those without a line.
        """
        taken = {token.at for token in scene.tokens} | part.forts
        lined = {end for edge in part.edges for end in edge}
        spots = (place for zone in part.zones if at in zone.places for place in zone.places & part.places)
        return min(spots, key=lambda place: (place in taken, place in lined, place), default="")

    def rows(self, board: Grid, scene: Scene, cells: Cells) -> Iterator[str]:
        """Yield the ranks, and the names of the files."""
        rows, left, below = visible_rows(board, scene.turns)
        ringed = board.special | board.forts
        gutter = max(map(len, left))
        codes = cells.codes(max(1, (COLUMNS - gutter) // len(below) - 2))
        longest = max(map(len, codes.values()), default=1)
        align, width, edge = "^", max(3, longest) if longest > 1 else 1, " "
        if cells.phone:
            align, width, edge = ">", 3 if gutter + 3 * len(below) <= PHONE_COLUMNS else 2, ""
        for label, row in zip(left, rows, strict=True):
            texts = ((name, codes.get(name, "o" if name in ringed else cells.empty)) for name in row)
            line = (cells.cell(name, text) if name else "" for name, text in texts)
            yield f"{label:>{gutter}}" + "".join(f"{cell:{align}{width + 2 * len(edge)}}" for cell in line)
        yield " " * gutter + "".join(f"{edge}{label:{align}{width}}{edge}" for label in below)
        yield from cells.details()
