"""Tables of people as pictures: equal bytes for equal tables, faint and tinted rows, and what is refused."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image

from games.engine.message import Msg, msg
from render import THEMES, RankTable, TableRow, draw_table
from render.geometry import FULL_UNIT
from render.themes import theme_of
from tests.rows import rows

ROWS = (
    TableRow("1.", "Ann", ("2½", "1", "7½"), tinted=True),
    TableRow("2.", "Søren Ωmega with a name that is far too long for its column", ("2", "0", "8")),
    TableRow("2.", "Ben", ("2", "0", "8"), faint=True),
)
TABLE = RankTable(msg("head"), (msg("points"), msg("direct"), msg("buchholz")), ROWS)


def say(text: Msg) -> str:
    return text.key


def drawn(table: RankTable, theme: str = "classic") -> Image.Image:
    return Image.open(io.BytesIO(draw_table(table, say, theme=theme))).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
def test_equal_tables_give_equal_bytes_and_each_theme_its_own(theme: str) -> None:
    assert draw_table(TABLE, say, theme=theme) == draw_table(replace(TABLE), say, theme=theme)
    others = {draw_table(TABLE, say, theme=other) for other in THEMES if other != theme}
    assert draw_table(TABLE, say, theme=theme) not in others


def test_a_row_adds_its_height_and_one_of_them_is_tinted() -> None:
    short, tall = drawn(replace(TABLE, rows=ROWS[:2])), drawn(TABLE)
    assert tall.width == short.width
    assert 0.4 * FULL_UNIT < tall.height - short.height < 0.8 * FULL_UNIT
    tint = theme_of("classic").active_card
    assert tint in {colour for _, colour in tall.getcolors(1 << 16) or ()}
    plain = drawn(replace(TABLE, rows=ROWS[1:]))
    assert tint not in {colour for _, colour in plain.getcolors(1 << 16) or ()}


def test_a_row_without_a_name_is_a_gap() -> None:
    gap = replace(ROWS[0], place="", name="", numbers=("",) * len(ROWS[0].numbers), tinted=False)
    picture = drawn(replace(TABLE, rows=(*ROWS, gap, ROWS[1], gap)))
    below = (0, picture.height - round(0.75 * FULL_UNIT), picture.width, picture.height)
    assert len(picture.crop(below).getcolors(1 << 16) or ()) == 1


def test_who_has_left_is_written_faintly() -> None:
    left = drawn(TABLE)
    there = drawn(replace(TABLE, rows=(*ROWS[:2], replace(ROWS[2], faint=False))))
    last = (0, left.height - round(0.7 * FULL_UNIT), left.width, left.height)
    assert left.crop(last).tobytes() != there.crop(last).tobytes()
    above = (0, 0, left.width, left.height - round(0.85 * FULL_UNIT))
    assert left.crop(above).tobytes() == there.crop(above).tobytes()


def test_names_stay_out_of_the_numbers() -> None:
    picture = drawn(TABLE)
    other = replace(ROWS[1], name=ROWS[1].name * 3)
    longer = drawn(replace(TABLE, rows=(ROWS[0], other, ROWS[2])))
    numbers = (round(picture.width * 0.62), 0, *picture.size)
    assert picture.crop(numbers).tobytes() == longer.crop(numbers).tobytes()


@rows("wrong", [replace(TABLE, rows=()), replace(TABLE, rows=ROWS * 14), replace(TABLE, columns=())])
def test_what_is_no_table_is_refused(wrong: RankTable) -> None:
    with pytest.raises(ValueError, match=r"table has|needs a number"):
        draw_table(wrong, say)
