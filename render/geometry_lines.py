"""The layout of two lines of dice, face to face across a gap, with each seat's card below its own line.

The row takes the whole width. Dice stand upright like dominoes, the glyph of the face above the pips: in a
row of ten that gives twice the room of squares. Home is outermost, and numbers are below.
"""

from __future__ import annotations

from types import MappingProxyType

from games.engine.scene import Lines
from render.geometry import HEADLINE_HEIGHT, Box, CoordinateLabel, Layout

_WIDTH, _MARGIN, _FRAME, _GAP = 12.5, 0.16, 0.12, 1.36
"""Width of the picture, its margin, the frame around a line, and the gap between the lines, in units."""
_ABOVE, _NUMBERS, _BELOW, _CARDS = 0.5, 0.42, 0.6, 2.4
"""Heights of the names above, the numbers, the names below and the cards, in units."""
_TALL = 1.72
"""Height of a die, in widths."""


def line_order(turns: int) -> str:
    """Return the letters of the lines, the left one first. Raises ValueError for turns other than 0 or 2."""
    if turns not in (0, 2):
        raise ValueError(f"lines are seen after 0 or 2 quarter turns, not {turns}")
    return "ab" if turns == 0 else "ba"


def layout(board: Lines, turns: int, unit: int) -> Layout:
    """Return the layout of two lines of dice. Raises ValueError for empty ones, and as `line_order`."""
    length = board.length
    if length < 1:
        raise ValueError(f"a line has at least one place, not {length}")
    width, margin, frame = round(unit * _WIDTH), round(unit * _MARGIN), round(unit * _FRAME)
    half = (width - 2 * margin - round(unit * _GAP)) // 2
    cell = min((half - 2 * frame) // length, round(unit * 1.6))
    half = cell * length + 2 * frame
    high = round(cell * _TALL)
    top = round(unit * (0.06 + HEADLINE_HEIGHT + _ABOVE)) + frame
    foot = top + high + frame
    starts = {"left": margin + frame, "right": width - margin - half + frame}
    places: dict[str, tuple[int, int]] = {}
    labels: list[CoordinateLabel] = []
    for line, side in zip(line_order(turns), starts, strict=True):
        for n in range(length):
            x = starts[side] + cell * (n if side == "left" else length - 1 - n)
            places[f"{line}{n + 1}"] = (x, top)
            labels.append(CoordinateLabel(str(n + 1), x + cell // 2, foot + round(unit * _NUMBERS / 2)))
    below = foot + round(unit * (_NUMBERS + _BELOW))
    cards = round(unit * _CARDS)
    wide = (width - 2 * margin - round(unit * 0.2)) // 2
    boxes = (Box(margin, below, wide, cards), Box(width - margin - wide, below, wide, cards))
    left = starts["left"] - frame + half
    return Layout(
        unit=unit,
        shape="die",
        cell=cell,
        tile_height=high,
        width=width,
        height=below + cards + margin,
        board=Box(margin, top - frame, width - 2 * margin, high + 2 * frame),
        places=MappingProxyType(places),
        labels=tuple(labels),
        headline=Box(margin, round(unit * 0.06), width - 2 * margin, round(unit * HEADLINE_HEIGHT)),
        seats=Box(margin, below, width - 2 * margin, cards),
        cards=MappingProxyType(
            {"ab".index(line): box for line, box in zip(line_order(turns), boxes, strict=True)}
        ),
        gap=Box(left, top - frame, width - margin - half - left, high + 2 * frame),
    )
