"""Parts of a board, for private views: how they are named, and a menu of them. One class for each way.

A part is a string. On squares it names two corners, such as `d4-j10`; a menu offers nine overlapping parts
by the points of the compass, where rank 1 is in the south. On a map it is the number of a continent, from 1,
or `~` and the name of an area for that area with its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Generic, Literal, TypeVar

import discord

from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from games.engine import grid
from games.engine.message import Msg, msg
from games.engine.normalization import normalized
from games.engine.notation import words
from games.engine.scene import Board, Grid, Map

ZOOM_RADIUS = 2
"""How many squares are shown on each side of a named one."""
_COMPASS = (("nw", "n", "ne"), ("w", "c", "e"), ("sw", "s", "se"))
B = TypeVar("B", bound=Board)
Say = Callable[[Msg], str]


class Parts(Generic[B]):
    """The parts of a board: none."""

    unknown: Literal["never", "unknown", "no_area"] = "never"
    """Why a text names no part, as a key of the texts."""

    def __init__(self, board: B) -> None:
        self.board = board

    def places(self, part: str) -> frozenset[str]:
        """Return the places in a part; empty if `part` isn't a part of this board."""
        return frozenset()

    def read(self, text: str, say: Say) -> str | None:
        """Return the part that a text names; None if it names none."""
        return None

    def named(self, say: Say) -> Iterable[tuple[str, str]]:
        """Return the parts in the menu with their labels."""
        return ()

    def options(self, part: str, say: Say) -> list[discord.SelectOption]:
        """Return the menu entries for the parts of a board, `-` for the whole; none if there are no parts."""
        listed = [
            discord.SelectOption(label=label[:MAX_CHOICE], value=value, default=value == part)
            for value, label in self.named(say)
        ]
        whole = discord.SelectOption(label=say(msg("bot.zoom.whole")), value="-", default=not part)
        return [whole, *listed][:MAX_CHOICES] if listed else []


class Rectangles(Parts[Grid]):
    """Rectangles of squares."""

    unknown = "unknown"

    def places(self, part: str) -> frozenset[str]:
        """Return the squares between two corners."""
        a, _, b = part.partition("-")
        try:
            return replace(self.board, window=(a, b)).places
        except ValueError:
            return frozenset()

    def read(self, text: str, say: Say) -> str | None:
        """Read a square for what is around it, two corners, a point of the compass, or the name of a zone."""
        typed = [word.text for word in words(normalized(text).text)]
        squares = [a + b for a, b in pairwise(typed) if a.isalpha() and b.isdecimal()]
        places = self.board.places
        if squares and places.issuperset(squares) and len(squares) <= 2:
            if len(squares) == 2:
                return f"{squares[0]}-{squares[1]}"
            file, rank = grid.coordinates(squares[0])
            spots = ((place, grid.coordinates(place)) for place in places)
            near = (at for at, (x, y) in spots if max(abs(x - file), abs(y - rank)) <= ZOOM_RADIUS)
            return _bounding_corners(near)
        wanted = "".join(typed)
        for points, part in self.compass():
            if wanted and wanted == _joined(say(msg(f"bot.zoom.{points}"))):
                return part
        named = [(zone, _joined(say(zone.name))) for zone in self.board.zones if zone.name]
        begins = [zone for zone, name in named if wanted and name.startswith(wanted)]
        found = begins or [zone for zone, name in named if wanted and wanted in name]
        return _bounding_corners(found[0].places) if len(found) == 1 else None

    def named(self, say: Say) -> Iterator[tuple[str, str]]:
        """Yield the parts of a large board by the points of the compass."""
        for points, corners in self.compass() if self.board.large else ():
            yield corners, f"{say(msg(f'bot.zoom.{points}'))} ({corners.replace('-', '–')})"

    def compass(self) -> Iterator[tuple[str, str]]:
        """Yield nine overlapping parts, row by row from the north west: point of the compass, and corners."""
        files, ranks = _windows(self.board.files), _windows(self.board.ranks)
        for (south, north), row in zip(ranks[::-1], _COMPASS, strict=True):
            for (west, east), points in zip(files, row, strict=True):
                yield points, f"{grid.name(west, south)}-{grid.name(east, north)}"


class Regions(Parts[Map]):
    """Continents of a map, and areas with their neighbours."""

    unknown = "no_area"

    def places(self, part: str) -> frozenset[str]:
        """Return the areas of a continent, or an area with those of its neighbours that are near it."""
        board = self.board
        if part.isascii() and part.isdecimal() and 1 <= int(part[:4]) <= len(board.zones):
            return board.zones[int(part[:4]) - 1].places
        at = part.removeprefix("~")
        if at == part or at not in board.neighbours:
            return frozenset()
        far = {frozenset(link.ends) for link in board.links if link.wraps}
        return frozenset((at, *(near for near in board.neighbours[at] if frozenset((at, near)) not in far)))

    def read(self, text: str, say: Say) -> str | None:
        """Return the area with a number, code or name, or the continent or area whose name begins so."""
        wanted = search_key(text)
        parts = {str(nth): f"~{area.name}" for nth, area in enumerate(self.board.areas, 1)}
        parts |= {search_key(area.name): f"~{area.name}" for area in self.board.areas}
        if not wanted or wanted in parts:
            return parts.get(wanted)
        named = {part: search_key(name) for part, name in self.named(say)}
        named |= {f"~{area.name}": search_key(area.title) for area in self.board.areas}
        for fits in (str.__eq__, str.startswith):
            found = [part for part, name in named.items() if fits(name, wanted)]
            if len(found) == 1:
                return found[0]
        return None

    def named(self, say: Say) -> Iterator[tuple[str, str]]:
        """Yield the continents that have names."""
        for number, zone in enumerate(self.board.zones, 1):
            if zone.name is not None:
                yield str(number), say(zone.name)


def search_key(text: str) -> str:
    """Return only the letters and digits, so that `North America` and `north-america` compare equal."""
    return "".join(word.text for word in words(normalized(text).text) if word.text[:1].isalnum())


def _joined(text: str) -> str:
    return "".join(word.text for word in words(normalized(text).text))


def _windows(length: int) -> Sequence[tuple[int, int]]:
    """Return first and last index of three overlapping ranges, each a little more than half of `length`."""
    size = length // 2 + 1
    return tuple((start, start + size - 1) for start in (0, (length - size) // 2, length - size))


def _bounding_corners(places: Iterable[str]) -> str:
    """Return the corners of the smallest rectangle that contains the places."""
    files, ranks = zip(*map(grid.coordinates, places), strict=True)
    return f"{grid.name(min(files), min(ranks))}-{grid.name(max(files), max(ranks))}"
