"""Fonts come from packages, never from the system, so that every machine draws the same bytes.

Atkinson Hyperlegible (Braille Institute, SIL Open Font License 1.1) is designed for telling letters apart at
small sizes, and covers the languages of western Europe. Noto Sans (Noto Project Authors, same licence) has
the other Latin letters, Greek and Cyrillic. A text is set in the first face that has all its characters.
Other scripts are in neither, or need shaping: `legible` replaces them, so that a box is never drawn.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from math import floor
from threading import Lock, local
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from render.thread_safe_cache import Cache


class Face(NamedTuple):
    """A typeface: its package, its regular and its bold file."""

    package: str
    regular: str
    bold: str
    weights: tuple[int, int] | None = None
    """The weights to choose in files that have an axis for it, regular and bold."""
    kept: int = 64
    """Maximum number of sizes that a thread keeps; each has a copy of the file."""


_NOTO: Final = "files/NotoSans[wdth,wght].ttf"
FACES: Final = (
    Face(
        "fontpkg_atkinson_hyperlegible",
        "files/AtkinsonHyperlegible-Regular.ttf",
        "files/AtkinsonHyperlegible-Bold.ttf",
    ),
    Face("fontpkg_noto_sans", _NOTO, _NOTO, (400, 700), kept=8),
)
"""The faces in order of preference."""

ELLIPSIS = "…"
_FULL_WIDTH = 100
"""Letters that aren't condensed, on the axis of width, in percent."""
_NONCHARACTER = "\U0010fffe"
"""A noncharacter: what a face draws for it is its glyph for missing characters."""

_loading = Lock()
_threads = local()


@lru_cache(maxsize=16)
def _font_file(face: int, bold: bool) -> bytes:
    one = FACES[face]
    return files(one.package).joinpath(one.bold if bold else one.regular).read_bytes()


def _face(face: int, size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """Return a face at `size` pixels. FreeType faces aren't thread-safe, so each thread has its own."""
    loaded: list[dict[tuple[int, bool], ImageFont.FreeTypeFont]] | None = getattr(_threads, "fonts", None)
    if loaded is None:
        loaded = _threads.fonts = [{} for _ in FACES]
    fonts, key = loaded[face], (size, bold)
    if key not in fonts:
        if len(fonts) >= FACES[face].kept:
            fonts.clear()
        with _loading:
            fonts[key] = ImageFont.truetype(
                BytesIO(_font_file(face, bold)), size, layout_engine=ImageFont.Layout.BASIC
            )
        if (weights := FACES[face].weights) is not None:
            fonts[key].set_variation_by_axes([weights[bold], _FULL_WIDTH])
    return fonts[key]


@lru_cache(maxsize=4096)
def has_glyph(face: int, character: str) -> bool:
    """Tell whether the face at index `face` of `FACES` has a glyph for a character that needs no shaping.

    Pillow sets one glyph after the other, from left to right. Letters that join or change places, and marks
    that stand on others, need more than that.
    """
    font = _face(face, 32, False)
    if character.isspace():
        return True
    if _needs_shaping(character):
        return False
    glyph, missing = font.getmask(character), font.getmask(_NONCHARACTER)
    return glyph.size != missing.size or bytes(glyph) != bytes(missing)


def _needs_shaping(character: str) -> bool:
    return (
        unicodedata.category(character)[0] == "M"
        or unicodedata.bidirectional(character) in ("R", "AL")
        or "DEVANAGARI" in unicodedata.name(character, "")
    )


def draws(text: str) -> bool:
    """Tell whether pictures show every letter of `text`, if not always with all its marks."""
    return legible(text).count(ELLIPSIS) <= text.count(ELLIPSIS)


def legible(text: str) -> str:
    """Return `text` as pictures show it, with every character in one face.

    A character that has no glyph is replaced by what it is compatible with (a mathematical letter by the
    letter), else by its letter without marks. Other letters and mathematical symbols become an ellipsis;
    marks, punctuation and emoji are left out.
    """
    return _set(text)[1]


@lru_cache(maxsize=4096)
def _set(text: str) -> tuple[int, str]:
    """Return the index of a text's face, and the text as it is set in it."""
    if text.isascii() and text.isprintable():
        return 0, text
    text = unicodedata.normalize("NFC", text)
    missing: list[int] = []
    for face in range(len(FACES)):
        missing.append(sum(not has_glyph(face, one) for one in text))
        if not missing[face]:
            return face, text
    face = missing.index(min(missing))
    shown = "".join(one if has_glyph(face, one) else _replaced(face, one) for one in text)
    while ELLIPSIS * 2 in shown:
        shown = shown.replace(ELLIPSIS * 2, ELLIPSIS)
    return face, shown.strip() or ELLIPSIS


def _replaced(face: int, character: str) -> str:
    """Return what a face shows for a character that it has no glyph for."""
    for form in ("NFKC", "NFKD"):
        like = unicodedata.normalize(form, character)
        bare = "".join(one for one in like if form == "NFKC" or not unicodedata.combining(one))
        if bare and all(has_glyph(face, one) for one in bare):
            return bare
    category = unicodedata.category(character)
    return ELLIPSIS if category[0] in "LN" or category in ("Sc", "Sm") else ""


def font(text: str, size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the face that sets `legible(text)`, at `size` pixels."""
    return _face(_set(text)[0], size, bold)


@lru_cache(maxsize=4096)
def width(text: str, size: int, *, bold: bool = False) -> float:
    """Return the advance width of `text`, in pixels."""
    face, shown = _set(text)
    return _face(face, size, bold).getlength(shown)


def fit(text: str, max_width: float, size: int, *, min_size: int, bold: bool = False) -> tuple[str, int]:
    """Return `text` and a size down to `min_size` that fits `max_width` pixels; truncate as a last resort."""
    text = legible(text)
    for smaller in range(size, min_size - 1, -1):
        if width(text, smaller, bold=bold) <= max_width:
            return text, smaller
    cut = text.removesuffix(ELLIPSIS)
    while cut and width(cut + ELLIPSIS, min_size, bold=bold) > max_width:
        cut = cut[:-1].rstrip()
    return cut + ELLIPSIS, min_size


def wrap(
    text: str, max_width: float, size: int, *, lines: int, min_size: int, bold: bool = False
) -> tuple[list[str], int]:
    """Return at most `lines` lines that fit `max_width` pixels, and their size; truncate as a last resort."""
    text = legible(text)
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
    nth, text = _set(text)
    face = _face(nth, size, bold)
    left, top, right, bottom = map(floor, face.getbbox(text, anchor=anchor))
    left, top = left - 2, top - 2  # room for rounding
    mask = Image.new("L", (right - left + 3, bottom - top + 3))
    ImageDraw.Draw(mask).text((x - left, y - top), text, font=face, fill=255, anchor=anchor)
    return mask, (left, top)
