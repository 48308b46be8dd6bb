"""The picture of a scene: the board as its kind draws it, the seats' panels, and a watermark.

Nothing is drawn twice, and nothing is quantised: a picture consists of palette indices from the first step to
the encoder.
"""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from games.engine.scene import Scene
from render import fonts
from render.board_kind import Say
from render.detail_levels import Detail
from render.geometry import FULL_UNIT
from render.kinds import kind_of, layout
from render.map_byte_budget import BUDGET
from render.panels import panel_images
from render.png import LARGE_QUICK_LIMIT, QUICK_LIMIT, encode
from render.spelling import by_codes
from render.themes import palette_key, theme_of, to_palette

_STRIPE = 14
"""Width of a stripe along the frame, dark or light, in pixels."""
_FRAME = 12
"""Width of the frame, in pixels."""
_BANNER = 56
"""Height of the banner with the word, in pixels."""
_LETTERS = 34
"""Font size of the word, in pixels."""


def add_frame(image: Image.Image, word: str, theme: str) -> Image.Image:
    """Return a picture in the palette of `theme` with a frame around it, which covers nothing."""
    width, height = image.size
    whole = _frame((width + 2 * _FRAME, height + _BANNER + _FRAME), word, theme).copy()
    whole.paste(image, (_FRAME, _BANNER))
    return whole


@lru_cache(maxsize=8)
def _frame(size: tuple[int, int], word: str, theme: str) -> Image.Image:
    width, height = size
    inks = theme_of(theme).inks
    frame = Image.new("RGB", size, inks["paper"])
    pen = ImageDraw.Draw(frame)
    for x in range(-height, width, 2 * _STRIPE):
        stripe = [(x, height), (x + _STRIPE, height), (x + _STRIPE + height, 0), (x + height, 0)]
        pen.polygon(stripe, inks["text"])
    pen.rectangle((_FRAME, _FRAME // 2, width - _FRAME - 1, _BANNER - 1), inks["text"])
    text, points = fonts.fit(word, width - 4 * _FRAME, _LETTERS, min_size=10, bold=True)
    fonts.write(frame, (width / 2, _BANNER / 2 + 2), text, points, inks["paper"], bold=True, anchor="mm")
    return to_palette(frame, theme)


def picture(
    scene: Scene,
    say: Say,
    theme: str,
    *,
    final: bool = False,
    unit: int = FULL_UNIT,
    detail: Detail | None = None,
) -> Image.Image:
    """Return the picture of a scene in the palette of `theme`; `unit` is the size of a cell in pixels.

    A map's artwork has the given `detail`, by default the finest that can be sent. Raises ValueError for a
    token or mark off the board, two tokens in one spot, and an unknown theme.
    """
    board, kind, theme = scene.board, kind_of(scene.board), palette_key(theme, scene.board)
    say = by_codes(board, say)
    detail = detail or next(kind.details(board, say, theme, unit))
    unit = round(unit * detail.scale)
    plan = layout(board, scene.turns, unit)
    image = kind.picture(board, scene, plan, say, theme, unit, detail.level)
    for part, spot in panel_images(scene, say, plan, theme, final=final):
        image.paste(part, spot)
    return image if scene.watermark is None else add_frame(image, say(scene.watermark), theme)


def draw(scene: Scene, say: Say, *, theme: str = "classic", final: bool = False) -> bytes:
    """Return a scene as PNG; equal scenes in one language give equal bytes.

    With `final`, for the end of a match, the winners' cards get a broad frame and no seat is shown as to act.
    Raises ValueError as `picture` does.
    """
    board, say = scene.board, by_codes(scene.board, say)
    limit = BUDGET if board.armies else LARGE_QUICK_LIMIT if board.large else QUICK_LIMIT
    data = b""
    for detail in kind_of(board).details(board, say, palette_key(theme, board), FULL_UNIT):
        data = encode(picture(scene, say, theme, final=final, detail=detail), limit)
        if len(data) <= BUDGET:
            break
    return data
