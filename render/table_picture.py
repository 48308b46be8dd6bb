"""A table of people as a picture: a place, a name and numbers in each row, under a headline.

Rows are distinguished by their backgrounds; some are tinted, such as those of the leaders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from games.engine.message import Msg
from render import fonts
from render.chart_frame import WIDTH, write_headline
from render.geometry import FULL_UNIT, HEADLINE_HEIGHT
from render.png import encode
from render.themes import Theme, theme_of, to_palette

_MARGIN: Final = 0.2
_HEAD: Final = 0.55
_ROW: Final = 0.58
"""Heights of the head and of a row, in units."""
_PLACE: Final = 0.75
_NUMBER: Final = 1.4
"""Widths of the columns with places and numbers, in units; names have what is left."""
_MOST_ROWS: Final = 40


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: the place, the name, and a number for each column. One without a name is a gap."""

    place: str
    name: str
    numbers: tuple[str, ...]
    faint: bool = False
    """Whether it is written faintly, as for someone who has left."""
    tinted: bool = False


@dataclass(frozen=True, slots=True)
class RankTable:
    """A table of people by place; `columns` are the heads of the numbers, of which the first counts most."""

    headline: Msg
    columns: tuple[Msg, ...]
    rows: tuple[TableRow, ...]


def draw_table(table: RankTable, say: Callable[[Msg], str], *, theme: str = "classic") -> bytes:
    """Return a table as PNG; equal tables in one language give equal bytes.

    Raises ValueError for no rows or more than 40, for a row without a number for each column, and for an
    unknown theme.
    """
    if not 0 < len(table.rows) <= _MOST_ROWS:
        raise ValueError(f"a table has 1 to {_MOST_ROWS} rows, not {len(table.rows)}")
    if any(len(row.numbers) != len(table.columns) for row in table.rows):
        raise ValueError("a row needs a number for each column")
    look, unit = theme_of(theme), FULL_UNIT
    top = unit * (HEADLINE_HEIGHT + _HEAD)
    size = round(unit * WIDTH), round(top + unit * (_ROW * len(table.rows) + _MARGIN))
    image = Image.new("RGB", size, look.inks["paper"])
    write_headline(image, table.headline, say, look)
    ends = [size[0] - unit * (2 * _MARGIN + _NUMBER * n) for n in reversed(range(len(table.columns)))]
    for end, column in zip(ends, table.columns, strict=True):
        text, points = fonts.fit(
            say(column), unit * (_NUMBER - 0.12), round(unit * 0.29), min_size=round(unit * 0.2), bold=True
        )
        spot = end, unit * (HEADLINE_HEIGHT + _HEAD / 2)
        fonts.write(image, spot, text, points, look.inks["faint"], bold=True, anchor="rm")
    for nth, row in enumerate(table.rows):
        _draw_row(image, look, row, top + unit * _ROW * nth, ends, nth)
    return encode(to_palette(image, theme))


def _draw_row(image: Image.Image, theme: Theme, row: TableRow, y: float, ends: list[float], nth: int) -> None:
    """Draw a row whose upper edge is at `y`; the numbers end at `ends`."""
    unit, wide = FULL_UNIT, image.width
    if row.tinted or (nth % 2 == 0 and row.name):
        box = (unit * _MARGIN, y, wide - unit * _MARGIN, y + unit * _ROW - 1)
        ImageDraw.Draw(image).rectangle(box, fill=theme.active_card if row.tinted else theme.card)
    ink = theme.inks["faint" if row.faint else "text"]
    middle, size = y + unit * _ROW / 2, round(unit * 0.34)
    start = unit * (_MARGIN + _PLACE)
    fonts.write(image, (start, middle), row.place, size, ink, bold=True, anchor="rm")
    room = ends[0] - unit * _NUMBER * 0.8 - start - unit * 0.2
    name, smaller = fonts.fit(row.name, room, size, min_size=round(unit * 0.24), bold=True)
    fonts.write(image, (start + unit * 0.2, middle), name, smaller, ink, bold=True)
    for at, (end, number) in enumerate(zip(ends, row.numbers, strict=True)):
        fonts.write(image, (end, middle), number, size, ink, bold=at == 0, anchor="rm")
