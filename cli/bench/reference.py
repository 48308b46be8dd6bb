"""The usual way to draw a board, as a yardstick: all afresh, at four times the size, reduced, default PNG.

It shows what ours shows: places of any kind with their names, zones, lines, forts and starts, piles disc by
disc with their glyphs and heights, flat pieces with their letters, dice with symbols and pips, marks, panels
with names, badges, rows and counts. It keeps nothing between two pictures but the fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from io import BytesIO
from math import sqrt
from typing import Any, Final

from PIL import Image, ImageColor, ImageDraw, ImageFont

from games.engine.grid import coordinates
from games.engine.scene import Board, Glyph, Grid, Hexes, Ink, Lines, Map, Panel, Scene, Token
from render import Say

SCALE = 4
_COLOURS = {
    "red": "#c8382e", "green": "#3d8b4f", "blue": "#2f62ad", "yellow": "#e3b130", "purple": "#7a4a9e",
    "orange": "#d9772b", "black": "#35363d", "paper": "#f4efe6", "board": "#8a5a35", "space": "#e9d3ac",
    "line": "#5a3a20", "text": "#2b2118", "faint": "#9a8b78", "mark": "#f6d743",
}  # fmt: skip
_TONES = {"good": "#1f9e94", "bad": "#b3201a", "plain": "#9a8b78"}
_Outline = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Board:
    """Where places are: upper left corner and outline of each; and where the panels begin."""

    cell: float
    places: dict[str, tuple[float, float]]
    outline: Callable[[float, float], _Outline]
    panels: tuple[float, float]
    column: float
    """Width of the panels side by side below the board; 0 for panels one below the other beside it."""
    texts: list[tuple[float, float, str]]
    piece: Callable[[ImageDraw.ImageDraw, Scene, Token, float, float, float], None]
    tints: Mapping[str, str] = field(default_factory=dict)
    land: Callable[[ImageDraw.ImageDraw, _Board], None] = lambda pen, board: None
    """Draws what lies on the empty places."""


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


def _rectangle(wide: float, high: float) -> Callable[[float, float], _Outline]:
    return lambda left, top: [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]


def _squares(board: Grid, say: Say, width: int, height: int) -> _Board:
    """Large boards have the width to themselves, the headline above and the panels below."""
    wide = board.large
    cell = width / (board.files + 0.8) if wide else height / (board.ranks + 0.7)
    margin, down = 0.5 * cell, 0.7 * cell if wide else 0.1 * cell
    places = {}
    for square in sorted(board.places):
        file, rank = coordinates(square)
        places[square] = (margin + file * cell, (board.ranks - 1 - rank) * cell + down)
    foot = board.ranks * cell + down + margin / 2
    texts = [(margin + (file + 0.5) * cell, foot, chr(ord("a") + file)) for file in range(board.files)]
    texts += [
        (margin / 2, (board.ranks - 0.5 - rank) * cell + down, str(rank + 1)) for rank in range(board.ranks)
    ]

    panels = (margin, foot + margin) if wide else (board.files * cell + margin * 2, cell)
    column, piece = (width / 2, _flat) if wide else (0, _disc)
    tints = {place: _half(zone.ink) for zone in board.zones for place in zone.places}
    outline, land = _rectangle(cell * 0.97, cell * 0.97), partial(_land, board)
    return _Board(cell, places, outline, panels, column, texts, piece, tints, land)


def _hexagons(board: Hexes, say: Say, width: int, height: int) -> _Board:
    high = height / (0.75 * (len(board.rows) - 1) + 1.3)
    cell = high * sqrt(3) / 2
    longest = max(board.rows)
    places = {}
    for place in board.places:
        nth, row = int(place[1:]) - 1, ord(place[0]) - ord("a")
        left = cell * (0.2 + (longest - board.rows[row]) / 2 + nth)
        places[place] = (left, high * (0.15 + 0.75 * (len(board.rows) - 1 - row)))
    texts = [(left + cell / 2, top + high * 0.8, place) for place, (left, top) in places.items()]

    def outline(left: float, top: float) -> _Outline:
        corners = ((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25))
        return [(left + x * cell * 0.97, top + y * high * 0.97) for x, y in corners]

    return _Board(cell, places, outline, (cell * (longest + 0.5), cell), 0, texts, _disc)


def _map(board: Map, say: Say, width: int, height: int) -> _Board:
    """Pieces stand in boxes on their areas, the panels below."""
    scale = width / board.size[0]
    cell = width / 30
    places = {
        area.name: (area.at[0] * scale - cell / 2, area.at[1] * scale - cell / 2 + cell)
        for area in board.areas
    }
    texts = [(left + cell / 2, top + cell * 1.2, place) for place, (left, top) in places.items()]

    panels, land = (cell, board.size[1] * scale + cell * 1.5), partial(_areas, board, scale)
    return _Board(cell, places, _rectangle(cell, cell), panels, width / 2, texts, _disc, land=land)


def _areas(map_: Map, scale: float, pen: ImageDraw.ImageDraw, board: _Board) -> None:
    """Outlines and links."""
    down = board.cell
    for area in map_.areas:
        for outline in area.outlines:
            spots = [(x * scale, y * scale + down) for x, y in outline]
            pen.polygon(spots, fill=_COLOURS["space"], outline=_COLOURS["line"], width=SCALE)
    for link in map_.links:
        pen.line([(x * scale, y * scale + down) for x, y in link.path], fill=_COLOURS["line"], width=SCALE)


def _lines(board: Lines, say: Say, width: int, height: int) -> _Board:
    cell = width / (2 * board.length + 1.8)
    top, high = height * 0.22, cell * 1.7
    places = {}
    for n in range(board.length):
        places[f"a{n + 1}"] = (cell * (0.2 + n), top)
        places[f"b{n + 1}"] = (width - cell * (1.2 + n), top)
    texts = [(left + cell / 2, top + high * 1.1, place[1:]) for place, (left, top) in places.items()]
    texts += [
        (places[at][0] + cell / 2, top - cell * 0.2 * (1 + nth % 2), say(what))
        for nth, (at, what) in enumerate(board.labels)
    ]
    texts.append((width / 2, top + high / 2, say(board.gap)))
    return _Board(
        cell, places, _rectangle(cell * 0.97, high), (cell * 0.2, top + high * 1.4), width / 2, texts, _die
    )


def look_of(board: Board) -> Hashable:
    """Return what decides the look of a board: where small rings are makes no other picture."""
    return replace(board, starts=frozenset()) if isinstance(board, Grid) else board


_KINDS: Final[Mapping[type[Board], Callable[[Any, Say, int, int], _Board]]] = {
    Grid: _squares,
    Hexes: _hexagons,
    Map: _map,
    Lines: _lines,
}
"""The one place of the commands that distinguishes kinds of boards."""


def draw(scene: Scene, say: Say, size: tuple[int, int]) -> bytes:
    """Return the scene as a PNG of that size in pixels."""
    width, height = size[0] * SCALE, size[1] * SCALE
    image = Image.new("RGB", (width, height), _COLOURS["paper"])
    pen = ImageDraw.Draw(image)
    board = _KINDS[type(scene.board)](scene.board, say, width, height)
    cell = board.cell
    ground = [point for left, top in board.places.values() for point in board.outline(left, top)]
    xs, ys = [x for x, _ in ground], [y for _, y in ground]
    pen.rounded_rectangle((min(xs), min(ys), max(xs), max(ys)), cell / 4, fill=_COLOURS["board"])
    small, big = _font(int(cell * 0.24)), _font(int(cell * 0.32))
    for name, (left, top) in board.places.items():
        fill = board.tints.get(name, _COLOURS["space"])
        pen.polygon(board.outline(left, top), fill=fill, outline=_COLOURS["line"], width=SCALE)
    board.land(pen, board)
    for x, y, text in board.texts:
        pen.text((x, y), text, _COLOURS["text"], small, anchor="mm")
    for mark in scene.marks:
        colour = _COLOURS[mark.ink or "mark"]
        pen.polygon(board.outline(*board.places[mark.at]), outline=colour, width=int(cell / 16))
    heights: dict[str, int] = {}
    for token in sorted(scene.tokens, key=lambda token: token.level):
        heights[token.at] = max(heights.get(token.at, 0), token.level + 1)
        left, top = board.places[token.at]
        board.piece(pen, scene, token, left, top, cell)
    for place, levels in heights.items():
        left, top = board.places[place]
        if levels > 1:
            pen.text((left + cell * 0.9, top + cell * 0.1), str(levels), _COLOURS["text"], small, anchor="rt")
    pen.text((board.panels[0], cell * 0.15), say(scene.headline), _COLOURS["text"], big)
    left, top = board.panels
    for nth, panel in enumerate(scene.panels):
        if board.column:
            x, y = left + nth % 2 * board.column, top + nth // 2 * cell * 1.8
            _panel(pen, scene, panel, say, (x, y, x + width * 0.46), cell)
        else:
            _panel(pen, scene, panel, say, (left, top, width - cell * 0.1), cell)
            top += cell * 1.8
    png = BytesIO()
    image.reduce(SCALE).save(png, "PNG")
    return png.getvalue()


def _half(ink: Ink) -> str:
    """Return the colour of a place of a zone, half its ink and half that of a space."""
    pairs = zip(ImageColor.getrgb(_COLOURS[ink]), ImageColor.getrgb(_COLOURS["space"]), strict=True)
    return "#" + "".join(f"{(one + other) // 2:02x}" for one, other in pairs)


def _land(land: Grid, pen: ImageDraw.ImageDraw, board: _Board) -> None:
    """Lines, octagons and start points."""
    half = board.cell / 2

    def middle(place: str) -> tuple[float, float]:
        left, top = board.places[place]
        return left + half, top + half

    for one, other in land.edges:
        pen.line([middle(one), middle(other)], _COLOURS["text"], int(board.cell * 0.07))
    for place in land.forts:
        pen.regular_polygon((*middle(place), half), 8, 22.5, fill="white", outline=_COLOURS["text"])
    for place in land.starts:
        x, y = middle(place)
        reach = board.cell * 0.14
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), outline=_COLOURS["text"], width=SCALE)


def _flat(pen: ImageDraw.ImageDraw, scene: Scene, token: Token, left: float, top: float, cell: float) -> None:
    """Draw a piece seen from above, with its letter."""
    box = (left + cell * 0.06, top + cell * 0.06, left + cell * 0.94, top + cell * 0.94)
    pen.ellipse(box, fill=_COLOURS[token.ink], outline=_COLOURS["line"], width=SCALE)
    _glyph(pen, scene.glyphs.get(token.glyph), left + cell * 0.12, top + cell * 0.3, cell * 0.4)
    spot = (left + cell * 0.7, top + cell * 0.5)
    pen.text(spot, token.letter, "white", _font(int(cell * 0.5)), anchor="mm")


def _disc(pen: ImageDraw.ImageDraw, scene: Scene, token: Token, left: float, top: float, cell: float) -> None:
    down = top + cell * (0.5 - 0.1 * token.level)
    box = (left + cell * 0.12, down, left + cell * 0.85, down + cell * 0.42)
    pen.ellipse((box[0], box[1] + cell * 0.06, box[2], box[3] + cell * 0.06), fill=_COLOURS["line"])
    pen.ellipse(box, fill=_COLOURS[token.ink], outline=_COLOURS["line"], width=SCALE)
    _glyph(pen, scene.glyphs.get(token.glyph), left + cell * 0.33, down + cell * 0.03, cell * 0.34)


def _die(pen: ImageDraw.ImageDraw, scene: Scene, token: Token, left: float, top: float, cell: float) -> None:
    box = (left + cell * 0.08, top + cell * 0.08, left + cell * 0.9, top + cell * 1.62)
    pen.rounded_rectangle(box, cell / 8, fill=_COLOURS[token.ink], outline=_COLOURS["line"], width=SCALE)
    _glyph(pen, scene.glyphs.get(token.glyph), left + cell * 0.15, top + cell * 0.15, cell * 0.7)
    for pip in range(token.pips):
        x, y = left + cell * (0.25 + 0.25 * (pip % 3)), top + cell * (1.1 + 0.25 * (pip // 3))
        pen.ellipse((x - cell * 0.07, y - cell * 0.07, x + cell * 0.07, y + cell * 0.07), fill="white")


def _panel(
    pen: ImageDraw.ImageDraw,
    scene: Scene,
    panel: Panel,
    say: Say,
    edges: tuple[float, float, float],
    cell: float,
) -> None:
    left, top, right = edges
    small, big = _font(int(cell * 0.24)), _font(int(cell * 0.32))
    pen.rounded_rectangle(
        (left, top, right, top + cell * 1.6), cell / 8, outline=_COLOURS["line"], width=SCALE
    )
    pen.ellipse(
        (left + cell * 0.1, top + cell * 0.1, left + cell * 0.5, top + cell * 0.5), fill=_COLOURS[panel.ink]
    )
    _glyph(pen, scene.glyphs.get(panel.glyph), left + cell * 0.2, top + cell * 0.2, cell * 0.2)
    pen.text((left + cell * 0.6, top + cell * 0.15), say(panel.name), _COLOURS["text"], big)
    down = top + cell * 0.6
    for badge in panel.badges:
        pen.rounded_rectangle(
            (left + cell * 0.1, down, right - cell * 0.1, down + cell * 0.28),
            cell * 0.14,
            fill=_TONES[badge.tone],
        )
        pen.text((left + cell * 0.2, down), say(badge.label), "white", small)
        down += cell * 0.3
    for row in panel.rows:
        pen.text((left + cell * 0.1, down), say(row.label), _COLOURS["faint"], small)
        for nth, item in enumerate(row.items):
            x = left + cell * (1.2 + 0.5 * nth)
            pen.ellipse((x, down, x + cell * 0.25, down + cell * 0.25), fill=_COLOURS[item.ink])
            pen.text((x + cell * 0.28, down), str(item.count), _COLOURS["text"], small)
        down += cell * 0.3
