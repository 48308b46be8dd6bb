"""Parts of a board of squares, to be looked at closely: named by corners such as `d4-j10`.

Large boards offer nine parts that overlap and are named after the points of the compass, north being up where
rank 1 is at the bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import discord

from games.engine import grid
from games.engine.message import Msg, msg
from games.engine.notation import words
from games.engine.scene import Board, Grid, Scene
from render import region

LARGE = 10
"""Boards of more files are offered in parts."""
AROUND = 2
"""Squares that are seen around the one that was named."""
_POINTS = (("nw", "n", "ne"), ("w", "c", "e"), ("sw", "s", "se"))


def places_of(board: Board, part: str) -> frozenset[str]:
    """The squares of a part that are on the board; none for another board, and for what is no part."""
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


def closely(scene: Scene, part: str) -> Scene:
    """The scene with only a part of its board; all of it where there is no such part."""
    places = places_of(scene.board, part)
    return region(scene, places) if places else scene


def read_part(board: Board, text: str, say: Callable[[Msg], str]) -> str | None:
    """The part that a text names: a square, two corners, or a zone; None if it names none."""
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
    if not isinstance(board, Grid) or board.files <= LARGE:
        return []
    listed = [discord.SelectOption(label=say(msg("bot.zoom.whole")), value="-", default=not part)]
    for points, corners in regions(board):
        label = f"{say(msg(f'bot.zoom.{points}'))} ({corners.replace('-', '–')})"
        listed.append(discord.SelectOption(label=label, value=corners, default=corners == part))
    return listed
