"""Maps, in pictures and texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from textwrap import wrap

from games.engine.message import msg
from games.engine.scene import Ink, Map, Scene, Spot
from render import geometry_map, map_byte_budget, map_picture
from render.area_labels import shows_numbers
from render.board_contents import zone_owners
from render.board_kind import BoardKind
from render.text_cells import Cells

TABLE_COLUMNS = 72
"""Maximum width of the table of a map, in characters, where there is room for it."""

_MARGIN, _MIN_SHARE, _GROWTH = 0.06, 0.34, 1.06
"""Margin around the areas and minimum size of a window, as shares of the map; and the factor by which it
grows until all armies on its areas are visible."""


class MapKind(BoardKind[Map]):
    """Areas."""

    brief = False
    layout = staticmethod(geometry_map.layout)
    layout_key = staticmethod(geometry_map.without_ground)
    details = staticmethod(map_byte_budget.details)
    picture = staticmethod(map_picture.draw)

    def window(self, board: Map, places: frozenset[str]) -> Map:
        """Return the map with a window around whole areas, in the proportions of the map.

        Raises ValueError for a place off the map.
        """
        if nowhere := places.difference(area.name for area in board.areas):
            raise ValueError(f"a region with a place off the board: {min(nowhere)}")
        wide, high = map(float, board.size)
        spots: list[Spot] = []
        for area in board.areas:
            if area.name in places:
                spots += (area.at, *(spot for outline in area.outlines for spot in outline))
        (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*spots, strict=True))
        scale = max(_MIN_SHARE, (right - left) / wide + _MARGIN, (bottom - top) / high + _MARGIN)
        while scale < 1:
            x = min(max(0.0, (left + right - wide * scale) / 2), wide * (1 - scale))
            y = min(max(0.0, (top + bottom - high * scale) / 2), high * (1 - scale))
            near = replace(board, window=(x, y, x + wide * scale, y + high * scale))
            if places <= near.places:
                return near
            scale *= _GROWTH
        return replace(board, window=None)

    def rows(self, board: Map, scene: Scene, cells: Cells) -> Iterator[str]:
        """Yield each zone with its holder and its areas below, and last the attacks."""
        columns = min(TABLE_COLUMNS, cells.columns)
        codes: dict[Ink | None, str] = {
            token.ink: token.code for token in scene.tokens if token.name is not None
        }
        codes |= {panel.ink: panel.code for panel in scene.panels}
        held = dict(zone_owners(scene))
        zoned = frozenset(place for zone in board.zones for place in zone.places)
        groups = [(zone.name, zone.places) for zone in board.zones]
        groups.append((None, board.places - zoned))
        long = max(map(len, board.places), default=1)
        numbered = shows_numbers(board if board.window is None else replace(board, window=None))
        numbers = {area.name: f"{nth:>3} " for nth, area in enumerate(board.areas, 1) if numbered}
        for name, places in groups:
            seen = [area.name for area in board.areas if area.name in places & board.places]
            if seen and name is not None:
                holder = codes.get(held.get(name))
                yield from wrap(cells.say(name) + (f": {holder}" if holder else ""), columns)
            for place in seen:
                yield from _area_lines(board, place, cells, long, numbers.get(place, ""), columns)
        attacks = dict.fromkeys(f"{mark.at}>{mark.to}" for mark in scene.marks if mark.kind == "arrow")
        if attacks:
            yield ""
            yield from wrap(cells.say(msg("render.alt.attacks", at=", ".join(attacks))), columns)

    def titles(self, board: Map) -> tuple[tuple[str, str], ...]:
        """Return full name and code of each area that has both, in a window too."""
        return tuple((area.title, area.name) for area in board.areas if area.title)

    def legend(self, board: Map) -> str:
        """Return the names of the visible areas by their numbers, if the picture shows numbers."""
        return "\n".join(
            f"{nth} = {area.title or area.name} ({area.name})"
            for nth, area in enumerate(board.areas if shows_numbers(board) else (), 1)
            if area.name in board.places
        )


def _area_lines(board: Map, place: str, cells: Cells, width: int, number: str, columns: int) -> Iterator[str]:
    """Yield the lines of an area: number, name with its marks, owner's letter, count, neighbours."""
    stack = cells.stacks.get(place, ())
    who, count = (stack[-1].code, str(stack[-1].count)) if stack else (cells.empty, "")
    start = f"{number}{cells.cell(place, place):<{width + 2}}{who:>2}{count:>4} "
    near = " ".join(board.neighbours[place])
    yield from wrap(near, columns, initial_indent=start, subsequent_indent=" " * len(start)) or [start]
