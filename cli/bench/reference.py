"""The usual way to draw a board, as a yardstick: all afresh, at four times the size, reduced, default PNG.

It shows what ours shows: squares, coordinates, piles disc by disc with their glyphs and heights, last move,
panels with names, rows and counts. It keeps nothing between two pictures but the fonts.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from games.engine.grid import coordinates, squares
from games.engine.scene import Glyph, Grid, Scene
from render import Say

SCALE = 4
_COLOURS = {
    "red": "#c8382e", "green": "#3d8b4f", "blue": "#2f62ad", "yellow": "#e3b130", "purple": "#7a4a9e",
    "orange": "#d9772b", "black": "#35363d", "paper": "#f4efe6", "board": "#8a5a35", "space": "#e9d3ac",
    "line": "#5a3a20", "text": "#2b2118", "faint": "#9a8b78", "mark": "#f6d743",
}  # fmt: skip


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType")
    return font


def _glyph(pen: ImageDraw.ImageDraw, glyph: Glyph | None, left: float, top: float, size: float) -> None:
    for outline in glyph.outlines if glyph else ():
        pen.polygon(
            [(left + x * size, top + (1 - y) * size) for x, y in outline], fill="white", outline="black"
        )


def draw(scene: Scene, say: Say, size: tuple[int, int]) -> bytes:
    """The scene as a PNG of that size in pixels."""
    width, height = size[0] * SCALE, size[1] * SCALE
    image = Image.new("RGB", (width, height), _COLOURS["paper"])
    pen = ImageDraw.Draw(image)
    board = scene.board
    if not isinstance(board, Grid):
        raise ValueError("the yardstick knows squares only")
    cell = height / (board.ranks + 0.7)
    margin = 0.5 * cell
    pen.rounded_rectangle(
        (0, 0, board.files * cell + margin * 1.4, height), margin / 2, fill=_COLOURS["board"]
    )
    place = {}
    for square in squares(board.files, board.ranks, board.missing):
        file, rank = coordinates(square)
        left, top = margin + file * cell, (board.ranks - 1 - rank) * cell + margin * 0.2
        place[square] = (left, top)
        box = (left, top, left + cell * 0.97, top + cell * 0.97)
        pen.rounded_rectangle(box, cell / 10, fill=_COLOURS["space"], outline=_COLOURS["line"], width=SCALE)
    small, large = _font(int(cell * 0.24)), _font(int(cell * 0.32))
    for file in range(board.files):
        where = (margin + (file + 0.5) * cell, height - margin * 0.5)
        pen.text(where, chr(ord("a") + file), _COLOURS["paper"], small, anchor="mm")
    for rank in range(board.ranks):
        where = (margin / 2, (board.ranks - 0.5 - rank) * cell)
        pen.text(where, str(rank + 1), _COLOURS["paper"], small, anchor="mm")
    for mark in scene.marks:
        left, top = place[mark.at]
        box = (left, top, left + cell * 0.97, top + cell * 0.97)
        pen.rounded_rectangle(box, cell / 10, outline=_COLOURS["mark"], width=int(cell / 16))
    heights: dict[str, int] = {}
    for token in sorted(scene.tokens, key=lambda token: token.level):
        left, top = place[token.at]
        heights[token.at] = max(heights.get(token.at, 0), token.level + 1)
        down = top + cell * (0.5 - 0.1 * token.level)
        box = (left + cell * 0.12, down, left + cell * 0.85, down + cell * 0.42)
        pen.ellipse((box[0], box[1] + cell * 0.06, box[2], box[3] + cell * 0.06), fill=_COLOURS["line"])
        pen.ellipse(box, fill=_COLOURS[token.ink], outline=_COLOURS["line"], width=SCALE)
        _glyph(pen, scene.glyphs.get(token.glyph), left + cell * 0.33, down + cell * 0.03, cell * 0.34)
    for square, levels in heights.items():
        left, top = place[square]
        if levels > 1:
            pen.text((left + cell * 0.9, top + cell * 0.1), str(levels), _COLOURS["text"], small, anchor="rt")
    left = board.files * cell + margin * 2
    pen.text((left, margin * 0.3), say(scene.headline), _COLOURS["text"], large)
    for index, panel in enumerate(scene.panels):
        top = cell + index * cell * 1.8
        pen.rounded_rectangle(
            (left, top, width - margin, top + cell * 1.6), cell / 8, outline=_COLOURS["line"], width=SCALE
        )
        pen.ellipse(
            (left + cell * 0.1, top + cell * 0.1, left + cell * 0.5, top + cell * 0.5),
            fill=_COLOURS[panel.ink],
        )
        _glyph(pen, scene.glyphs.get(panel.glyph), left + cell * 0.2, top + cell * 0.2, cell * 0.2)
        pen.text((left + cell * 0.6, top + cell * 0.15), say(panel.name), _COLOURS["text"], large)
        for line, row in enumerate(panel.rows):
            down = top + cell * (0.6 + 0.3 * line)
            pen.text((left + cell * 0.1, down), say(row.label), _COLOURS["faint"], small)
            for nth, item in enumerate(row.items):
                right = left + cell * (1.2 + 0.5 * nth)
                pen.ellipse((right, down, right + cell * 0.25, down + cell * 0.25), fill=_COLOURS[item.ink])
                pen.text((right + cell * 0.28, down), str(item.count), _COLOURS["text"], small)
    png = BytesIO()
    image.reduce(SCALE).save(png, "PNG")
    return png.getvalue()
