"""Boards of squares, in pictures and texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.engine import grid
from games.engine.scene import Grid, Scene
from render import geometry_grid
from render.board_kind import BoardKind
from render.text_cells import COLUMNS, PHONE_COLUMNS, Cells


class GridKind(BoardKind[Grid]):
    """Squares."""

    layout = staticmethod(geometry_grid.layout)

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
        rows, left, below = geometry_grid.visible_rows(board, scene.turns)
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
