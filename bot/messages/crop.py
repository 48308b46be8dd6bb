"""Parts of a large board, to be looked at closely.

Of squares they are named by corners such as `d4-j10`; nine of them, which overlap, are offered by the points
of the compass, north being up where rank 1 is at the bottom. Of a map they are its continents, numbered from
1, and the areas around one.
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

LARGE = 10
"""Boards of more files are offered in parts."""
MOST = 25
"""Entries of a menu."""
AROUND = 2
"""Squares that are seen around the one that was named."""
_POINTS = (("nw", "n", "ne"), ("w", "c", "e"), ("sw", "s", "se"))


def places_of(board: Board, part: str) -> frozenset[str]:
    """The places of a part that are on the board; none for another board, and for what is no part."""
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
    """The scene with only a part of its board; all of it where there is no such part."""
    places = places_of(scene.board, part)
    return region(scene, places) if places else scene


def read_part(board: Board, text: str, say: Callable[[Msg], str]) -> str | None:
    """The part that a text names: a square, two corners, a zone, an area; None if it names none."""
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
            if all(abs(x - y) <= AROUND for x, y in zip(grid.coordinates(place), (file, rank), strict=True))
        )
        return _around(near)
    wanted = "".join(typed)
    for points, part in regions(board):
        if wanted and wanted == "".join(word.text for word in words(say(msg(f"bot.zoom.{points}")))):
            return part
    named = [(zone, "".join(w.text for w in words(say(zone.name)))) for zone in board.zones if zone.name]
    begins = [zone for zone, name in named if wanted and name.startswith(wanted)]
    contains = [zone for zone, name in named if wanted and wanted in name]
    found = begins or contains
    return _around(found[0].places) if len(found) == 1 else None


def _of_map(board: Map, part: str) -> frozenset[str]:
    """A continent by its number, or an area by `~` and its name, with what is around it."""
    if part.isascii() and part.isdecimal() and 1 <= int(part[:4]) <= len(board.zones):
        return board.zones[int(part[:4]) - 1].places
    at = part.removeprefix("~")
    if at == part or at not in board.neighbours:
        return frozenset()
    return frozenset((at, *(near for near in board.neighbours[at] if not _far(board, at, near))))


def _far(board: Map, one: str, other: str) -> bool:
    """Whether two areas are neighbours over the rims of the map."""
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
    """Letters and digits alone, so that `North America` and `north-america` are the same."""
    return "".join(word.text for word in words(text) if word.text.isalnum())


def regions(board: Grid) -> tuple[tuple[str, str], ...]:
    """Nine overlapping parts, row by row from the north west: point of the compass, corners."""
    files, ranks = _windows(board.files), _windows(board.ranks)
    return tuple(
        (points, f"{grid.name(files[x][0], ranks[2 - y][0])}-{grid.name(files[x][1], ranks[2 - y][1])}")
        for y, row in enumerate(_POINTS)
        for x, points in enumerate(row)
    )


def _windows(length: int) -> Sequence[tuple[int, int]]:
    """First and last of three overlapping stretches, each a little more than half."""
    size = length // 2 + 1
    starts = (0, (length - size) // 2, length - size)
    return tuple((start, start + size - 1) for start in starts)


def _around(places: Iterable[str]) -> str:
    """The corners of the smallest rectangle around places."""
    files, ranks = zip(*map(grid.coordinates, places), strict=True)
    return f"{grid.name(min(files), min(ranks))}-{grid.name(max(files), max(ranks))}"


def offered(board: Board, part: str, say: Callable[[Msg], str]) -> list[discord.SelectOption]:
    """What the menu under a private view of a large board offers; the values are parts, `-` is all of it."""
    whole = discord.SelectOption(label=say(msg("bot.zoom.whole")), value="-", default=not part)
    if isinstance(board, Map):
        named = [(str(n), say(zone.name)) for n, zone in enumerate(board.zones, 1) if zone.name is not None]
        options = [
            discord.SelectOption(label=name[:100], value=value, default=value == part)
            for value, name in named[: MOST - 1]
        ]
        return [whole, *options] if options else []
    if not isinstance(board, Grid) or board.files <= LARGE:
        return []
    listed = [whole]
    for points, corners in regions(board):
        label = f"{say(msg(f'bot.zoom.{points}'))} ({corners.replace('-', '–')})"
        listed.append(discord.SelectOption(label=label, value=corners, default=corners == part))
    return listed
