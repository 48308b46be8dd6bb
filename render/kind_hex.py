"""Boards of hexagons, in pictures and texts."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.scene import Hexes, Scene
from render import geometry_hex
from render.board_kind import BoardKind
from render.text_cells import COLUMNS, PHONE_COLUMNS, Cells


class HexKind(BoardKind[Hexes]):
    """Hexagons. In texts an empty one shows its number in the row."""

    layout = staticmethod(geometry_hex.layout)

    def rows(self, board: Hexes, scene: Scene, cells: Cells) -> Iterator[str]:
        """Yield the rows, with an `o` before the number of a place with a ring, or instead on a phone."""
        rows = geometry_hex.visible_rows(board, scene.turns)
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
