"""A sheet of several boards side by side, each with its name below: what there is to play, at a glance.

Seats, marks and headlines are left out, and the paper around each board is cut away: all have the same room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PIL import Image, ImageChops

from games.engine.message import Msg
from games.engine.scene import Scene
from render import fonts, png
from render.board_kind import Say
from render.picture import picture
from render.themes import theme_of

_PER_ROW: Final = 3
_SIDE, _GAP, _TITLE = 340, 30, 64
"""Sizes in pixels: the square that a board is fitted into, the space between two, the line of its name."""
_LETTERS: Final = 46
"""Size of the names, in pixels: readable on a phone, which shows a third of the width."""
_COLOURS: Final = 200


def draw_board_sheet(boards: Sequence[tuple[Scene, str]], say: Say, *, theme: str = "classic") -> bytes:
    """Return boards and their names as PNG, three in a row; a shorter last row stands in the middle.

    Raises ValueError as `render.draw` does, and if there are no boards.
    """
    if not boards:
        raise ValueError("a sheet needs a board")
    colours = theme_of(theme).inks
    rows = [boards[at : at + _PER_ROW] for at in range(0, len(boards), _PER_ROW)]
    across = max(len(row) for row in rows)
    size = (across * (_SIDE + _GAP) + _GAP, len(rows) * (_SIDE + _TITLE + _GAP) + _GAP)
    sheet = Image.new("RGB", size, colours["paper"])
    for down, row in enumerate(rows):
        left = (size[0] - len(row) * (_SIDE + _GAP) + _GAP) // 2
        top = _GAP + down * (_SIDE + _TITLE + _GAP)
        for number, (scene, name) in enumerate(row):
            middle = left + number * (_SIDE + _GAP) + _SIDE // 2
            board = _board(scene, say, theme)
            sheet.paste(board, (middle - board.width // 2, top + (_SIDE - board.height) // 2))
            text, letters = fonts.fit(name, _SIDE + _GAP // 2, _LETTERS, min_size=_LETTERS // 2, bold=True)
            at = (middle, top + _SIDE + _TITLE // 2)
            fonts.write(sheet, at, text, letters, colours["text"], bold=True, anchor="mm")
    # An octree takes a twentieth of the time of a median cut, and gives fewer bytes.
    palette = sheet.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return png.encode(palette, png.NEVER_QUICK)


def _board(scene: Scene, say: Say, theme: str) -> Image.Image:
    """Return a board alone, without the paper around it, as large as fits."""

    def say_less(message: Msg) -> str:
        return "" if message == scene.headline else say(message)

    image = picture(replace(scene, panels=(), marks=()), say_less, theme).convert("RGB")
    paper = Image.new("RGB", image.size, image.getpixel((0, 0)))
    image = image.crop(ImageChops.difference(image, paper).getbbox())
    image.thumbnail((_SIDE, _SIDE), Image.Resampling.LANCZOS)
    return image
