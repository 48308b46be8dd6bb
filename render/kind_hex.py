"""Boards of hexagons with their points up: their layout, and what pictures and texts ask of them.

A hexagon of width w is 2w/sqrt(3) high, and rows are three quarters of that apart. Each place carries its own
name, so there are no coordinates beside the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from types import MappingProxyType

from games.engine import grid
from games.engine.scene import Hexes, Scene
from render.board_kind import BoardKind
from render.geometry import Box, Layout, side_column
from render.text_cells import COLUMNS, PHONE_COLUMNS, Cells

_MAX_ROWS = 26
"""Maximum number of rows, which are named with letters."""


def visible_rows(board: Hexes, turns: int) -> tuple[tuple[str, ...], ...]:
    """Return the places as seen after `turns` quarter turns, in rows from the top.

    Raises ValueError unless there are 1 to 26 rows, none empty and neighbours differing in length by one, all
    special places are on the board, and `turns` is 0 or 2.
    """
    if not 1 <= len(board.rows) <= _MAX_ROWS or min(board.rows) < 1:
        raise ValueError(f"hexagons lie in 1 to {_MAX_ROWS} rows of at least one, not in {board.rows}")
    for one, other in zip(board.rows, board.rows[1:], strict=False):
        if abs(one - other) != 1:
            raise ValueError(f"neighbouring rows differ in length by one, not as {one} and {other} do")
    if turns not in (0, 2):
        raise ValueError(f"hexagons are seen after 0 or 2 quarter turns, not {turns}")
    if board.special - board.places:
        raise ValueError(f"special, but not on the board: {min(board.special - board.places)}")
    rows = [tuple(grid.name(row, nth) for nth in range(length)) for row, length in enumerate(board.rows)]
    return tuple(rows[::-1]) if turns == 0 else tuple(row[::-1] for row in rows)


def layout(board: Hexes, turns: int, unit: int) -> Layout:
    """Return the layout of a board of hexagons. Raises ValueError as `visible_rows` does."""
    rows = visible_rows(board, turns)
    longest = max(map(len, rows))
    down = 0.75 * (len(rows) - 1) + 1
    cell = int(max(unit / 3, min(unit * 1.3, unit * 9 / longest, unit * 8.1 / down * sqrt(3) / 2)))
    cell -= cell % 2
    high = round(cell * 2 / sqrt(3))
    step = round(high * 0.75)
    frame, margin = round(unit * 0.16), round(unit * 0.1)
    inner = Box(0, 0, cell * longest, step * (len(rows) - 1) + high)
    height = max(inner.height + 2 * frame + 2 * margin, unit * 6)
    x, y = margin + frame, (height - inner.height) // 2
    places = {
        name: (x + (longest - len(names)) * cell // 2 + nth * cell, y + row * step)
        for row, names in enumerate(rows)
        for nth, name in enumerate(names)
    }
    headline, seats = side_column(unit, x + inner.width + frame + round(unit * 0.14), height)
    return Layout(
        unit=unit,
        shape="hex",
        cell=cell,
        tile_height=high,
        width=seats.x + seats.width + margin,
        height=height,
        board=Box(x, y, inner.width, inner.height),
        places=MappingProxyType(places),
        labels=(),
        headline=headline,
        seats=seats,
        special=board.special,
    )


class HexKind(BoardKind[Hexes]):
    """Hexagons. In texts an empty one shows its number in the row."""

    layout = staticmethod(layout)

    def rows(self, board: Hexes, scene: Scene, cells: Cells) -> Iterator[str]:
        """Yield the rows, with an `o` before the number of a place with a ring, or instead on a phone."""
        rows = visible_rows(board, scene.turns)
        longest = max(map(len, rows))
        width = max(4, min(6, (COLUMNS - 2) // longest) // 2 * 2)
        codes, align, start = cells.codes(width - 2), "^", 2
        if cells.phone:
            width, align, start = max(2, min(4, (PHONE_COLUMNS - 1) // longest)), ">", 1
        empty = {name: name[1:] for name in board.places}
        empty |= {name: "o" if cells.phone else f"o{name[1:]}" for name in board.special}
        for row in rows:
            line = (cells.cell(name, codes.get(name, empty[name])) for name in row)
            indent = start + (longest - len(row)) * width // 2
            yield f"{row[0][0]:<{indent}}" + "".join(f"{cell:{align}{width}}" for cell in line)
        yield from cells.details()
