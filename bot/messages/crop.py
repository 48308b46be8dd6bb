"""Crop a scene to a part of its board, for private views of large boards.

A part is a string. On squares it names two corners, such as `d4-j10`; a menu offers nine overlapping parts
by the points of the compass, where rank 1 is in the south. On a map it is the number of a continent, from 1,
or `~` and the name of an area for that area with its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import discord

from games.engine import grid
from games.engine.message import Msg, msg
from games.engine.notation import words
from games.engine.scene import Board, Grid, Map, Scene
from render import region

LARGE_BOARD = 10
"""Boards with more files than this get a menu of their parts."""
MAX_OPTIONS = 25
"""Maximum number of entries in a menu (Discord's limit)."""
ZOOM_RADIUS = 2
"""How many squares are shown on each side of a named one."""
_COMPASS = (("nw", "n", "ne"), ("w", "c", "e"), ("sw", "s", "se"))


def places_of(board: Board, part: str) -> frozenset[str]:
    """Return the places in a part; empty if `part` isn't a part of this board."""
    if isinstance(board, Map):
        return _of_map(board, part)
    if not isinstance(board, Grid) or not part:
        return frozenset()
    a, _, b = part.partition("-")
    every = board.places
    try:
        (f0, r0), (f1, r1) = grid.coordinates(a), grid.coordinates(b)
    except (ValueError, IndexError):
        return frozenset()
    files, ranks = sorted((f0, f1)), sorted((r0, r1))

    def within(place: str) -> bool:
        file, rank = grid.coordinates(place)
        return files[0] <= file <= files[1] and ranks[0] <= rank <= ranks[1]

    return frozenset(filter(within, every))


def crop_scene(scene: Scene, part: str) -> Scene:
    """Return the scene with only a part of its board; unchanged if there is no such part."""
    places = places_of(scene.board, part)
    return region(scene, places) if places else scene


def read_part(board: Board, text: str, say: Callable[[Msg], str]) -> str | None:
    """Return the part named by a text: a square, two corners, a zone or an area; None if it names none."""
    if isinstance(board, Map):
        return _read_map(board, text, say)
    if not isinstance(board, Grid):
        return None
    typed = [word.text for word in words(text)]
    squares = [a + b for a, b in pairwise(typed) if a.isalpha() and b.isdecimal()]
    if squares and all(square in board.places for square in squares) and len(squares) <= 2:
        if len(squares) == 2:
            return f"{squares[0]}-{squares[1]}"
        file, rank = grid.coordinates(squares[0])
        near = (
            place
            for place in board.places
            if all(
                abs(x - y) <= ZOOM_RADIUS for x, y in zip(grid.coordinates(place), (file, rank), strict=True)
            )
        )
        return _bounding_corners(near)
    wanted = "".join(typed)
    for points, part in compass_parts(board):
        if wanted and wanted == "".join(word.text for word in words(say(msg(f"bot.zoom.{points}")))):
            return part
    named = [(zone, "".join(w.text for w in words(say(zone.name)))) for zone in board.zones if zone.name]
    begins = [zone for zone, name in named if wanted and name.startswith(wanted)]
    contains = [zone for zone, name in named if wanted and wanted in name]
    found = begins or contains
    return _bounding_corners(found[0].places) if len(found) == 1 else None


def _of_map(board: Map, part: str) -> frozenset[str]:
    """Return the places of a continent by its number, or of an area (`~` and its name) and its neighbours."""
    if part.isascii() and part.isdecimal() and 1 <= int(part[:4]) <= len(board.zones):
        return board.zones[int(part[:4]) - 1].places
    at = part.removeprefix("~")
    if at == part or at not in board.neighbours:
        return frozenset()
    return frozenset((at, *(near for near in board.neighbours[at] if not _across_the_seam(board, at, near))))


def _across_the_seam(board: Map, one: str, other: str) -> bool:
    """Return whether two areas are neighbours across the edges of the map."""
    return any(link.wraps and set(link.ends) == {one, other} for link in board.links)


def _read_map(board: Map, text: str, say: Callable[[Msg], str]) -> str | None:
    wanted = search_key(text)
    parts = {str(nth): f"~{area.name}" for nth, area in enumerate(board.areas, 1)}
    parts |= {search_key(area.name): f"~{area.name}" for area in board.areas}
    if not wanted or wanted in parts:
        return parts.get(wanted)
    named = {
        str(n): search_key(say(zone.name)) for n, zone in enumerate(board.zones, 1) if zone.name is not None
    }
    named |= {f"~{area.name}": search_key(area.title) for area in board.areas}
    for fits in (str.__eq__, str.startswith):
        found = [part for part, name in named.items() if fits(name, wanted)]
        if len(found) == 1:
            return found[0]
    return None


def search_key(text: str) -> str:
    """Return only the letters and digits, so that `North America` and `north-america` compare equal."""
    return "".join(word.text for word in words(text) if word.text.isalnum())


def compass_parts(board: Grid) -> tuple[tuple[str, str], ...]:
    """Return nine overlapping parts, row by row from the north west, as (point of the compass, corners)."""
    files, ranks = _windows(board.files), _windows(board.ranks)
    return tuple(
        (points, f"{grid.name(files[x][0], ranks[2 - y][0])}-{grid.name(files[x][1], ranks[2 - y][1])}")
        for y, row in enumerate(_COMPASS)
        for x, points in enumerate(row)
    )


def _windows(length: int) -> Sequence[tuple[int, int]]:
    """Return first and last index of three overlapping ranges, each a little more than half of `length`."""
    size = length // 2 + 1
    starts = (0, (length - size) // 2, length - size)
    return tuple((start, start + size - 1) for start in starts)


def _bounding_corners(places: Iterable[str]) -> str:
    """Return the corners of the smallest rectangle that contains the places."""
    files, ranks = zip(*map(grid.coordinates, places), strict=True)
    return f"{grid.name(min(files), min(ranks))}-{grid.name(max(files), max(ranks))}"


def part_options(board: Board, part: str, say: Callable[[Msg], str]) -> list[discord.SelectOption]:
    """Return the menu entries for the parts of a board, `-` for the whole; none if it isn't large."""
    whole = discord.SelectOption(label=say(msg("bot.zoom.whole")), value="-", default=not part)
    if isinstance(board, Map):
        named = [(str(n), say(zone.name)) for n, zone in enumerate(board.zones, 1) if zone.name is not None]
        options = [
            discord.SelectOption(label=name[:100], value=value, default=value == part)
            for value, name in named[: MAX_OPTIONS - 1]
        ]
        return [whole, *options] if options else []
    if not isinstance(board, Grid) or board.files <= LARGE_BOARD:
        return []
    listed = [whole]
    for points, corners in compass_parts(board):
        label = f"{say(msg(f'bot.zoom.{points}'))} ({corners.replace('-', '–')})"
        listed.append(discord.SelectOption(label=label, value=corners, default=corners == part))
    return listed
