"""Fonts come from a package, never from the system, so that every machine draws the same bytes.

Atkinson Hyperlegible (Braille Institute, SIL Open Font License 1.1) is designed for telling letters apart at
small sizes, and covers the Latin languages. For another script, add a font to `FACES`: a text is set in the
first face that has all of its characters.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from math import floor
from threading import Lock, local

from PIL import Image, ImageDraw, ImageFont

from render.cache import Cache

FACES: tuple[tuple[str, str, str], ...] = (
    (
        "fontpkg_atkinson_hyperlegible",
        "files/AtkinsonHyperlegible-Regular.ttf",
        "files/AtkinsonHyperlegible-Bold.ttf",
    ),
)
"""Package, regular file and bold file of each face, in order of preference."""

ELLIPSIS = "…"
_NONCHARACTER = "\U0010fffe"
"""A noncharacter: what a face draws for it is its glyph for missing characters."""

_loading = Lock()
_threads = local()


@lru_cache(maxsize=16)
def _font_file(face: int, bold: bool) -> bytes:
    package, regular, heavy = FACES[face]
    return files(package).joinpath(heavy if bold else regular).read_bytes()


def _face(face: int, size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """Return a face at `size` pixels. FreeType faces aren't thread-safe, so each thread has its own."""
    fonts: dict[tuple[int, int, bool], ImageFont.FreeTypeFont] | None = getattr(_threads, "fonts", None)
    if fonts is None or len(fonts) > 64:
        fonts = _threads.fonts = {}
    key = (face, size, bold)
    if key not in fonts:
        with _loading:
            fonts[key] = ImageFont.truetype(
                BytesIO(_font_file(face, bold)), size, layout_engine=ImageFont.Layout.BASIC
            )
    return fonts[key]


@lru_cache(maxsize=4096)
def has_glyph(face: int, character: str) -> bool:
    """Tell whether the face at index `face` of `FACES` has a glyph for a character."""
    font = _face(face, 32, False)
    if character.isspace():
        return True
    glyph, missing = font.getmask(character), font.getmask(_NONCHARACTER)
    return glyph.size != missing.size or bytes(glyph) != bytes(missing)


def font(text: str, size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the first face that has every character of `text`, else the first face, at `size` pixels."""
    for face in range(len(FACES)):
        if all(has_glyph(face, character) for character in text):
            return _face(face, size, bold)
    return _face(0, size, bold)


@lru_cache(maxsize=4096)
def width(text: str, size: int, *, bold: bool = False) -> float:
    """Return the advance width of `text`, in pixels."""
    return font(text, size, bold=bold).getlength(text)


def fit(text: str, max_width: float, size: int, *, min_size: int, bold: bool = False) -> tuple[str, int]:
    """Return `text` and a size down to `min_size` that fits `max_width` pixels; truncate as a last resort."""
    for smaller in range(size, min_size - 1, -1):
        if width(text, smaller, bold=bold) <= max_width:
            return text, smaller
    cut = text
    while cut and width(cut + ELLIPSIS, min_size, bold=bold) > max_width:
        cut = cut[:-1].rstrip()
    return cut + ELLIPSIS, min_size


def wrap(
    text: str, max_width: float, size: int, *, lines: int, min_size: int, bold: bool = False
) -> tuple[list[str], int]:
    """Return at most `lines` lines that fit `max_width` pixels, and their size; truncate as a last resort."""
    for smaller in range(size, min_size - 1, -1):
        broken = _break(text, max_width, smaller, bold)
        if len(broken) <= lines and all(width(line, smaller, bold=bold) <= max_width for line in broken):
            return broken, smaller
    broken = _break(text, max_width, min_size, bold)
    head, tail = broken[: lines - 1], " ".join(broken[lines - 1 :])
    return [
        fit(line, max_width, min_size, min_size=min_size, bold=bold)[0] for line in (*head, tail)
    ], min_size


def _break(text: str, max_width: float, size: int, bold: bool) -> list[str]:
    """Return lines broken between words, and inside words only in scripts other than ASCII."""
    if width(whole := " ".join(text.split()), size, bold=bold) <= max_width:
        return [whole]
    broken: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold=bold) <= max_width:
            line = longer
            continue
        if line:
            broken.append(line)
        line = word
        while not line.isascii() and width(line, size, bold=bold) > max_width:
            cut = max(
                1, next(n for n in range(len(line)) if width(line[: n + 1], size, bold=bold) > max_width)
            )
            broken.append(line[:cut])
            line = line[cut:]
    return [*broken, line] if line or not broken else broken


def write(
    image: Image.Image,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: tuple[int, int, int],
    *,
    bold: bool = False,
    anchor: str = "lm",
) -> None:
    """Write `text` on an RGB image at `at`; `anchor` as in Pillow's documentation, "Text anchors"."""
    (x, y), (left, top) = at, (floor(at[0]), floor(at[1]))
    key = text, size, bold, anchor, x - left, y - top
    mask, (dx, dy) = _masks.get(key, lambda: _mask(*key))
    image.paste(colour, (left + dx, top + dy), mask)


_masks: Cache[tuple[str, int, bool, str, float, float], tuple[Image.Image, tuple[int, int]]] = Cache(2000)


def _mask(
    text: str, size: int, bold: bool, anchor: str, x: float, y: float
) -> tuple[Image.Image, tuple[int, int]]:
    """Return the letters of a text at a fraction of a pixel as a mask, and where its corner lies."""
    face = font(text, size, bold=bold)
    left, top, right, bottom = map(floor, face.getbbox(text, anchor=anchor))
    left, top = left - 2, top - 2  # room for rounding
    mask = Image.new("L", (right - left + 3, bottom - top + 3))
    ImageDraw.Draw(mask).text((x - left, y - top), text, font=face, fill=255, anchor=anchor)
    return mask, (left, top)
