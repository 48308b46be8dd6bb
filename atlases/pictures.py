"""Decode pictures and masks within limits, check them, and encode them anew: no sent file is stored.

The size in a file's header is checked before a pixel is decoded. Everything here blocks, up to about a second
for the largest pictures: run it in a thread.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from PIL import Image, ImageChops

from atlases.bundle import MAX_BYTES, MAX_SCANS, MAX_SIDE, RefusedFileError, visible
from games.engine.message import Msg, msg

Size: TypeAlias = tuple[int, int]
NO_COUNTRY: Final = 255
"""The value of a mask's pixels outside all countries."""
_FORMATS: Final = ("PNG", "GIF", "JPEG")
_SCAN: Final = b"\xff\xda"
_MODES: Final = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA"))
"""Pillow's modes with at most eight bits a channel."""
_QUALITIES: Final = (90, 75, 50)
"""JPEG qualities to try for pictures that are too large as PNG."""
_MAX_NAMED: Final = 8
"""Maximum number of countries or errors that are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class Mask:
    """An 8-bit grey PNG: each pixel is the number of its country, from 1, or NO_COUNTRY."""

    data: bytes = field(repr=False)
    notes: tuple[Msg, ...] = ()


def size_of(name: str, data: bytes) -> Size | Msg:
    """Return width and height in pixels from the header, or why the picture is refused."""
    try:
        return _open(name, data).size
    except RefusedFileError as error:
        return error.what


def picture(name: str, data: bytes) -> bytes | Msg:
    """Return the picture encoded anew, without metadata: as PNG, or as JPEG if that is too large.

    Transparent parts become white.
    """
    try:
        image = _decoded(name, data)
    except RefusedFileError as error:
        return error.what
    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        ground = Image.new("RGBA", image.size, "white")
        ground.alpha_composite(image.convert("RGBA"))
        image = ground
    image = image.convert("RGB")
    written = _written(image, "PNG", compress_level=6)
    for quality in _QUALITIES:
        if len(written) > MAX_BYTES:
            written = _written(image, "JPEG", quality=quality)
    return written


def mask(name: str, data: bytes, places: Sequence[tuple[str, int, int]]) -> Mask | tuple[Msg, ...]:
    """Return a mask for `places`, each a country's name and the point of its armies, numbered from 1.

    Errors if it isn't grey, has a value of no country, or lacks a country; anything else odd is noted.
    """
    try:
        image = _grey(name, _decoded(name, data))
    except RefusedFileError as error:
        return (error.what,)
    shown, notes = visible(name), []
    counts = image.histogram()
    if counts[0]:
        notes.append(msg("maps.mask.zero", file=shown, n=counts[0]))
        image = image.point([NO_COUNTRY, *range(1, 256)])
    errors = [
        msg("maps.mask.value", file=shown, value=value, n=counts[value], at=_first(image, value))
        for value in range(len(places) + 1, NO_COUNTRY)
        if counts[value]
    ]
    if len(errors) > _MAX_NAMED:
        rest = len(errors) - _MAX_NAMED
        errors = [*errors[:_MAX_NAMED], msg("maps.mask.values", file=shown, n=rest)]
    lost = [f"{number} {place}" for number, (place, _, _) in enumerate(places, 1) if not counts[number]]
    if lost:
        errors.append(msg("maps.mask.lost", file=shown, n=len(lost), which=_some(lost)))
    if errors:
        return tuple(errors)
    width, height = image.size
    astray = [
        f"{number} {place}"
        for number, (place, x, y) in enumerate(places, 1)
        if not (x < width and y < height and image.getpixel((x, y)) == number)
    ]
    if astray:
        notes.append(msg("maps.mask.astray", file=shown, n=len(astray), which=_some(astray)))
    return Mask(_written(image, "PNG", compress_level=9), tuple(notes))


def _open(name: str, data: bytes) -> Image.Image:
    """Return the picture with its header read and checked."""
    shown = visible(name)
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise RefusedFileError(msg("maps.wide", file=shown, most=MAX_SIDE)) from error
    except Exception as error:
        # Decoders raise various kinds of errors for bytes that aren't a picture.
        raise RefusedFileError(msg("maps.picture", file=shown)) from error
    if max(image.size) > MAX_SIDE:
        raise RefusedFileError(msg("maps.wide", file=shown, most=MAX_SIDE))
    if image.format != "PNG" and image.format != "GIF" and data.count(_SCAN) > MAX_SCANS:
        raise RefusedFileError(msg("maps.picture", file=shown))
    return image


def _decoded(name: str, data: bytes) -> Image.Image:
    """Return the first frame of the picture, decoded."""
    image = _open(name, data)
    size = image.size
    try:
        image.load()
    except Exception as error:
        # As above: broken, truncated, or beyond a decoder's own limit.
        raise RefusedFileError(msg("maps.picture", file=visible(name))) from error
    if image.size != size:  # the frame is larger than in the header
        raise RefusedFileError(msg("maps.picture", file=visible(name)))
    return image


def _grey(name: str, image: Image.Image) -> Image.Image:
    """Return the values of a mask as one channel; transparent pixels become NO_COUNTRY."""
    shown = visible(name)
    if image.format not in ("PNG", "GIF"):
        raise RefusedFileError(msg("maps.mask.blurred", file=shown))
    if image.mode not in _MODES:
        raise RefusedFileError(msg("maps.mask.depth", file=shown))
    if image.mode == "L" and "transparency" not in image.info:
        return image
    red, green, blue, alpha = image.convert("RGBA").split()
    solid = alpha.point([0] * 128 + [255] * 128)
    for other in (green, blue):
        apart = ImageChops.multiply(ImageChops.difference(red, other), solid)
        if (box := apart.getbbox()) is not None:
            raise RefusedFileError(msg("maps.mask.coloured", file=shown, at=f"{box[0]},{box[1]}"))
    return Image.composite(red, Image.new("L", image.size, NO_COUNTRY), solid)


def _first(image: Image.Image, value: int) -> str:
    """Return the topmost pixel of a value, as `x,y`."""
    found = image.point([255 if one == value else 0 for one in range(256)])
    box = found.getbbox()
    if box is None:
        return ""
    row = found.crop((0, box[1], image.width, box[1] + 1)).getbbox()
    return f"{row[0] if row else 0},{box[1]}"


def _written(image: Image.Image, kind: str, **options: int) -> bytes:
    clean = Image.new(image.mode, image.size)
    clean.paste(image)  # without comments, profiles, places and times
    with io.BytesIO() as out:
        clean.save(out, kind, **options)
        return out.getvalue()


def _some(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names) if len(names) <= _MAX_NAMED else (*names[:_MAX_NAMED], "…")
