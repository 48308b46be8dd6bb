"""The layout of maps: the map across the whole width, the headline above and the seats below."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from types import MappingProxyType

from games.engine.scene import Map, Spot
from render.geometry import Box, Layout

_WIDTH, _HIGHEST = 14.0, 10.5
"""Width of the picture and maximum height of the map, in units."""
_TEXT_SCALE = 1.25
"""Factor by which text is larger than on other boards, because a phone shrinks wide pictures more."""
_TOP, _CARDS = 0.62, 1.7
"""Heights of the headline and of one row of cards, in units of text."""
_PILL, _LEAST, _NEAR = 0.48, 0.26, 0.56
"""Maximum and minimum height of a pill, in units; between them, its share of the closest points' distance."""
_DISC, _SMALLEST, _APART = 1.25, 0.6, 0.42
"""Maximum and minimum radius of an area without outlines, in heights of a pill; between them, its share of
the closest points' distance."""
_WINDOW_SCALE = 1.35
"""Factor by which pills may be larger in a window."""


def without_ground(board: Map) -> Map:
    """Return an equal map without artwork, for use as a cache key."""
    return board if board.ground is None else replace(board, ground=None)


def without_bytes(board: Map) -> Map:
    """Return an equal map that holds no bytes, for use as a cache key."""
    ground = board.ground
    return board if ground is None else replace(board, ground=replace(ground, picture=b"", mask=b""))


def check(board: Map, turns: int) -> None:
    """Raise ValueError for an empty map, for names that are used twice or are unknown, and for any turns."""
    if turns != 0:
        raise ValueError(f"a map is seen with its north up, not after {turns} quarter turns")
    names = [area.name for area in board.areas]
    if not names or min(board.size) < 1:
        raise ValueError("a map needs an area and a size")
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two areas are called {min(twice)}")
    zoned: set[str] = set()
    for zone in board.zones:
        if twice := zoned & zone.places:
            raise ValueError(f"two zones have {min(twice)}")
        zoned |= zone.places
    ends = {end for link in board.links for end in link.ends}
    if nowhere := (ends | zoned).difference(names):
        raise ValueError(f"a link or a zone lies off the map: {min(nowhere)}")
    if board.window is not None and not board.places:
        raise ValueError("a window without an area")


def layout(board: Map, turns: int, unit: int) -> Layout:
    """Return the layout of a map. Raises ValueError as `check` does."""
    check(board, turns)
    left, top, right, bottom = board.window or (0.0, 0.0, *map(float, board.size))
    letters, margin = round(unit * _TEXT_SCALE), round(unit * 0.1)
    width = round(unit * _WIDTH)
    scale = min((width - 2 * margin) / (right - left), unit * _HIGHEST / (bottom - top))
    wide, high = round((right - left) * scale), round((bottom - top) * scale)
    head = round(letters * _TOP)
    box = Box((width - wide) // 2, head + margin // 2, wide, high)
    rows = 1 if board.seats <= 3 else 2
    cards = round(letters * (_CARDS * rows + 0.1 * (rows - 1)))
    y = box.y + high + margin
    most = unit * _PILL * (1.0 if board.window is None else _WINDOW_SCALE)
    cell = round(min(most, max(unit * _LEAST, _closest_distance(board) * scale * _NEAR)))
    shown = board.places
    places = {
        area.name: (
            round(box.x + (area.at[0] - left) * scale - cell / 2),
            round(box.y + (area.at[1] - top) * scale - cell / 2),
        )
        for area in board.areas
        if area.name in shown
    }
    return Layout(
        unit=letters,
        shape="area",
        cell=cell,
        tile_height=cell,
        width=width,
        height=y + cards + margin,
        board=box,
        places=MappingProxyType(places),
        labels=(),
        headline=Box(margin, margin // 2, width - 2 * margin, head),
        seats=Box(margin, y, width - 2 * margin, cards),
        cards_below=True,
        scale=scale,
    )


def disc_radius(board: Map, plan: Layout) -> float:
    """Return the radius of an area without outlines, in pixels: large, but without touching the next one."""
    near = _closest_distance(board) * plan.scale * _APART
    return max(plan.cell * _SMALLEST, min(plan.cell * _DISC, near))


def on_board(board: Map, plan: Layout, spot: Spot) -> Spot:
    """Return a point of the map in pixels of the board, whose upper left corner is that of the window."""
    left, top = (0.0, 0.0) if board.window is None else board.window[:2]
    return (spot[0] - left) * plan.scale, (spot[1] - top) * plan.scale


def on_picture(board: Map, plan: Layout, spot: Spot) -> Spot:
    """Return a point of the map in pixels of the picture."""
    x, y = on_board(board, plan, spot)
    return plan.board.x + x, plan.board.y + y


def _closest_distance(board: Map) -> float:
    """Return the distance between the closest two points, in units of the map."""
    spots = [area.at for area in board.areas]
    gaps = (hypot(x - u, y - v) for nth, (x, y) in enumerate(spots) for u, v in spots[:nth])
    return min(gaps, default=float(board.size[0]))
