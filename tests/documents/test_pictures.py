"""The pictures in the pages are what the program draws now, each is shown, and each says what it shows."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from io import BytesIO
from typing import Final

import pytest
from PIL import Image, ImageChops

from tests.documents.pages import PAGES, ROOT, line_of, named

FOLDER: Final = ROOT / "docs" / "pictures"
STORED: Final = sorted(path.stem for path in FOLDER.glob("*.png"))
MAX_WIDTH: Final = 1200
"""Pictures of pages are made for twice the width of a column on GitHub, at most."""
_SHOWN: Final = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"([^>]*)>")


def shown(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the name and the alternative text of each picture of a page."""
    for each in _SHOWN.finditer(text):
        alt = each[1] or "".join(re.findall(r'alt="([^"]*)"', each[4] or ""))
        yield line_of(text, each.start()), (each[2] or each[3]).rpartition("/")[2].removesuffix(".png"), alt


def differs(first: Image.Image, second: Image.Image) -> bool:
    """Return whether two pictures have different pixels, however they are compressed."""
    if first.size != second.size:
        return True
    return ImageChops.difference(first.convert("RGB"), second.convert("RGB")).getbbox() is not None


@pytest.mark.slow
def test_pictures_are_as_the_program_draws_them() -> None:
    """One test, since drawing all of them takes some seconds."""
    now = dict(runpy.run_path(str(FOLDER / "make.py"))["pictures"]())
    assert sorted(now) == [name for name in STORED if not name.startswith("phone-")]
    stale = []
    for name, data in now.items():
        with Image.open(FOLDER / f"{name}.png") as kept, Image.open(BytesIO(data)) as drawn:
            stale += [name] if differs(kept, drawn) else []
            assert drawn.width <= MAX_WIDTH
    assert not stale, "`make pictures` draws them"


def test_another_picture_is_found() -> None:
    with Image.open(FOLDER / "focus-2.png") as kept:
        other = kept.convert("RGB")
        assert not differs(kept, other)
        other.putpixel((5, 5), (1, 2, 3))
        assert differs(kept, other)
        assert differs(kept, other.crop((0, 0, 9, 9)))


def test_each_picture_is_shown_with_words_and_each_that_is_shown_is_there() -> None:
    found = {named(path): list(shown(path.read_text("utf-8"))) for path in PAGES}
    silent = [f"{page}:{line}: {name}" for page, all_ in found.items() for line, name, alt in all_ if not alt]
    assert not silent
    assert sorted({name for all_ in found.values() for _, name, _ in all_}) == STORED
    assert [
        each[2] for each in shown('![](a.png) <img src="b.png" width="3"> <img src="c.png" alt="x">')
    ] == [
        "",
        "",
        "x",
    ]
