"""Find and name the places of a board: a class for each kind, and the one place that distinguishes kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

from bot.messages.crop import Parts, Rectangles, Regions, search_key
from games.engine import grid
from games.engine.message import Msg, msg
from games.engine.scene import Board, Grid, Hexes, Lines, Map, Scene, Zone
from render import region

B = TypeVar("B", bound=Board)
_EIGHT: Final = tuple((x, y) for y in (1, 0, -1) for x in (-1, 0, 1) if (x, y) != (0, 0))


class Geography(ABC, Generic[B]):
    """The places of one board, in one reader's language. What is typed comes in lower case."""

    counted: bool = False
    """Whether the pieces on the board are worth counting: where they stand alone or in piles."""

    def __init__(self, board: B, scene: Scene, say: Callable[[Msg], str]) -> None:
        self.board = board
        self.scene = scene
        self.say = say

    def spoken(self, place: str) -> str:
        """Return what a place is called."""
        return place

    def find(self, typed: str) -> str | None:
        """Return the place that is meant, if there is exactly one."""
        return typed if typed in self.board.places else None

    @abstractmethod
    def line(self, typed: str) -> tuple[str, ...]:
        """Return the places of a line, in order; nothing if no line is called so."""

    def line_name(self, places: Sequence[str]) -> str:
        """Return what the places of a line are called together."""
        return f"{self.spoken(places[0])}–{self.spoken(places[-1])}"

    @abstractmethod
    def part_with(self, place: str) -> str:
        """Return what the part of the board around a place is called; empty if it has no name."""

    @abstractmethod
    def around(self, place: str) -> list[str]:
        """Return the places next to one."""

    def features(self, place: str) -> list[str]:
        """Say what a place is, whatever stands there: its zones, what is special about it, a ring."""
        zones = (zone for zone in self.board.zones if zone.name is not None and place in zone.places)
        parts = [self.say(msg("look.zone.in", zone=self.title(zone))) for zone in zones]
        ring = [self.say(msg("look.ring"))] if place in self.board.special else []
        return parts + self._special(place) + ring

    def title(self, zone: Zone) -> str:
        """Return the name of a zone alone; empty if it has none."""
        name = zone.title or zone.name
        return self.say(name) if name is not None else ""

    def _special(self, place: str) -> list[str]:
        """Say what only boards of this kind have."""
        return []

    @abstractmethod
    def examples(self) -> tuple[str, ...]:
        """Return places and lines that may be typed."""


class Coordinates(Geography[B]):
    """Places named by a letter and a number."""

    def line(self, typed: str) -> tuple[str, ...]:
        """Return the places that share a letter or a number."""
        numbered = typed.isdecimal()
        if not numbered and len(typed) != 1:
            return ()
        part = slice(1, None) if numbered else slice(1)
        return tuple(sorted((p for p in self.board.places if p[part] == typed), key=grid.coordinates))

    def part_with(self, place: str) -> str:
        """Return the name of the line that shares the place's letter."""
        return self.line_name(Coordinates.line(self, place[0]))

    def around(self, place: str) -> list[str]:
        """Return the places next to one, by coordinates."""
        near = self._near(*grid.coordinates(place))
        names = (grid.name(x, y) for x, y in near if x >= 0 and y >= 0)
        return [name for name in names if name in self.board.places]

    @abstractmethod
    def _near(self, x: int, y: int) -> Iterable[tuple[int, int]]:
        """Return the coordinates around a place, including any off the board."""

    def _middle(self) -> str:
        places = sorted(self.board.places, key=grid.coordinates)
        return places[len(places) // 2]


class Squares(Coordinates[Grid]):
    """Squares by file and rank."""

    counted = True

    def _near(self, x: int, y: int) -> Iterable[tuple[int, int]]:
        return [(x + right, y + up) for right, up in _EIGHT]

    def _special(self, place: str) -> list[str]:
        """Name the squares joined by lines, strongholds and start points."""
        board = self.board
        joined = sorted({other for pair in board.edges if place in pair for other in pair} - {place})
        parts = [self.say(msg("look.joined", at=" ".join(joined)))] if joined else []
        parts += [self.say(msg("look.fort"))] if place in board.forts else []
        return parts + ([self.say(msg("look.start"))] if place in board.starts else [])

    def examples(self) -> tuple[str, ...]:
        """Return a file, a rank and a square."""
        middle = self._middle()
        return middle[0], middle[1:], middle


class Hexagons(Coordinates[Hexes]):
    """Hexagons by row and number in the row."""

    counted = True

    def line(self, typed: str) -> tuple[str, ...]:
        """Return the hexagons of a row."""
        return () if typed.isdecimal() else super().line(typed)

    def _near(self, x: int, y: int) -> Iterable[tuple[int, int]]:
        near = [(x, y - 1), (x, y + 1)]
        for other in (x + 1, x - 1):
            if 0 <= other < len(self.board.rows):
                first = y if self.board.rows[other] > self.board.rows[x] else y - 1
                near += [(other, first), (other, first + 1)]
        return near

    def examples(self) -> tuple[str, ...]:
        """Return a row and a hexagon."""
        middle = self._middle()
        return middle[0], middle


class DiceLines(Coordinates[Lines]):
    """Two lines of dice by the letter of their seat and their number."""

    def __init__(self, board: Lines, scene: Scene, say: Callable[[Msg], str]) -> None:
        super().__init__(board, scene, say)
        sides = (panel for panel in scene.panels if panel.seat in (0, 1))
        self._lines: Mapping[str, str] = {panel.code.casefold(): "ab"[panel.seat] for panel in sides}
        self._codes = {line: code.upper() for code, line in self._lines.items()}

    def spoken(self, place: str) -> str:
        """Return the seat's letter and the number."""
        return self._codes.get(place[0], place[0]) + place[1:]

    def find(self, typed: str) -> str | None:
        """Return the die by the letter of its seat and its number."""
        return super().find(self._lines.get(typed[:1], typed[:1]) + typed[1:])

    def line(self, typed: str) -> tuple[str, ...]:
        """Return a seat's line, or the dice of one number."""
        return super().line(self._lines.get(typed, typed))

    def _near(self, x: int, y: int) -> Iterable[tuple[int, int]]:
        return [(x, y - 1), (x, y + 1)]

    def _special(self, place: str) -> list[str]:
        """Give the names of a die's place."""
        return [self.say(name) for at, name in self.board.labels if at == place]

    def examples(self) -> tuple[str, ...]:
        """Return a line and a die."""
        first = self.spoken("a1")
        return first[0], first


class Areas(Geography[Map]):
    """Areas of a map by code, by name, or by how a name begins; continents likewise."""

    def __init__(self, board: Map, scene: Scene, say: Callable[[Msg], str]) -> None:
        super().__init__(board, scene, say)
        self._titles = {area.name: area.title for area in board.areas}

    def spoken(self, place: str) -> str:
        """Return the full name with the code."""
        title = self._titles.get(place)
        return f"{title} ({place})" if title else place

    def find(self, typed: str) -> str | None:
        """Return the area with this code or name, or the only one whose name begins like this."""
        wanted = search_key(typed)
        names = {place: search_key(title) for place, title in self._titles.items()}
        if typed in names or not wanted:
            return typed if typed in names else None
        same = [place for place, name in names.items() if name == wanted or search_key(place) == wanted]
        begin = same or [place for place, name in names.items() if name.startswith(wanted)]
        return begin[0] if len(begin) == 1 else None

    def line(self, typed: str) -> tuple[str, ...]:
        """Return the areas of the only continent whose name begins like this."""
        wanted = search_key(typed)
        zones = [zone for zone in self.board.zones if zone.name is not None]
        named = [zone for zone in zones if search_key(self.title(zone)).startswith(wanted)]
        return tuple(sorted(named[0].places & self.board.places)) if wanted and len(named) == 1 else ()

    def line_name(self, places: Sequence[str]) -> str:
        """Return the continent's name."""
        of = (self.title(zone) for zone in self.board.zones if zone.name and set(places) <= zone.places)
        return next(of, super().line_name(places))

    def part_with(self, place: str) -> str:
        """Return the name of the continent; empty for a place in none."""
        of = (zone for zone in self.board.zones if zone.name is not None and place in zone.places)
        return next(map(self.title, of), "")

    def around(self, place: str) -> list[str]:
        """Return the neighbours of an area."""
        return [near for near in self.board.neighbours[place] if near in self.board.places]

    def examples(self) -> tuple[str, ...]:
        """Return three codes."""
        return tuple(sorted(self.board.places)[:3])


_KINDS: Final[Mapping[type[Board], tuple[type[Geography[Any]], type[Parts[Any]]]]] = {
    Grid: (Squares, Rectangles),
    Hexes: (Hexagons, Parts),
    Lines: (DiceLines, Parts),
    Map: (Areas, Regions),
}


def geography_of(scene: Scene, say: Callable[[Msg], str]) -> Geography[Any]:
    """Return the geography of a scene's board."""
    return _KINDS[type(scene.board)][0](scene.board, scene, say)


def parts_of(board: Board) -> Parts[Any]:
    """Return the parts of a board."""
    return _KINDS[type(board)][1](board)


def crop_scene(scene: Scene, part: str) -> Scene:
    """Return the scene with only a part of its board; unchanged if there is no such part."""
    places = parts_of(scene.board).places(part)
    return region(scene, places) if places else scene
