"""Pictures and masks, decoded within limits, checked, and encoded again: nothing is kept as it was sent.

The size in a file's header is looked at before a pixel is decoded. All of this blocks, up to about a second
for the largest: run it in a thread.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from PIL import Image, ImageChops

from atlases.bundle import visible
from atlases.limits import MOST_BYTES, MOST_SCANS, WIDEST
from games.engine.message import Msg, msg

Size: TypeAlias = tuple[int, int]
NOWHERE: Final = 255
"""What a mask has where no country is."""
_FORMATS: Final = ("PNG", "GIF", "JPEG")
_SCAN: Final = b"\xff\xda"
_MODES: Final = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA"))
"""Eight bits for each channel, or fewer."""
_QUALITIES: Final = (90, 75, 50)
_NAMED: Final = 8


@dataclass(frozen=True, slots=True)
class Mask:
    """An 8-bit grey PNG: each pixel is the number of its country from 1, or NOWHERE."""

    data: bytes = field(repr=False)
    notes: tuple[Msg, ...] = ()


class _NotTakenError(Exception):
    """Raised for a picture that is refused; carries the message."""

    def __init__(self, what: Msg) -> None:
        super().__init__(what.key)
        self.what = what


def size_of(name: str, data: bytes) -> Size | Msg:
    """Return width and height in pixels as the header has them, or why the picture isn't taken."""
    try:
        return _open(name, data).size
    except _NotTakenError as error:
        return error.what


def picture(name: str, data: bytes) -> bytes | Msg:
    """Return the picture without whatever else was in its file: PNG, or JPEG where that is too large.

    Transparent parts become white.
    """
    try:
        image = _decoded(name, data)
    except _NotTakenError as error:
        return error.what
    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        ground = Image.new("RGBA", image.size, "white")
        ground.alpha_composite(image.convert("RGBA"))
        image = ground
    image = image.convert("RGB")
    written = _written(image, "PNG", compress_level=6)
    for quality in _QUALITIES:
        if len(written) > MOST_BYTES:
            written = _written(image, "JPEG", quality=quality)
    return written


def mask(name: str, data: bytes, places: Sequence[tuple[str, int, int]]) -> Mask | tuple[Msg, ...]:
    """Return a mask for countries by number from 1, each with its name and the point where its armies stand.

    Refused if it is not grey, has numbers of no country, or lacks one; what else is odd is noted.
    """
    try:
        image = _grey(name, _decoded(name, data))
    except _NotTakenError as error:
        return (error.what,)
    shown, notes = visible(name), []
    counts = image.histogram()
    if counts[0]:
        notes.append(msg("maps.mask.zero", file=shown, n=counts[0]))
        image = image.point([NOWHERE, *range(1, 256)])
    errors = [
        msg("maps.mask.value", file=shown, value=value, n=counts[value], at=_first(image, value))
        for value in range(len(places) + 1, NOWHERE)
        if counts[value]
    ]
    if len(errors) > _NAMED:
        rest = len(errors) - _NAMED
        errors = [*errors[:_NAMED], msg("maps.mask.values", file=shown, n=rest)]
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
    """Return the picture with its header read, within the limits."""
    shown = visible(name)
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _NotTakenError(msg("maps.wide", file=shown, most=WIDEST)) from error
    except Exception as error:
        # Decoders raise what they like at bytes that are no picture.
        raise _NotTakenError(msg("maps.picture", file=shown)) from error
    if max(image.size) > WIDEST:
        raise _NotTakenError(msg("maps.wide", file=shown, most=WIDEST))
    if image.format != "PNG" and image.format != "GIF" and data.count(_SCAN) > MOST_SCANS:
        raise _NotTakenError(msg("maps.picture", file=shown))
    return image


def _decoded(name: str, data: bytes) -> Image.Image:
    """Return the picture, its first frame, whole."""
    image = _open(name, data)
    size = image.size
    try:
        image.load()
    except Exception as error:
        # As above: broken, cut off, or a decoder's own limit.
        raise _NotTakenError(msg("maps.picture", file=visible(name))) from error
    if image.size != size:  # a frame that is larger than its picture
        raise _NotTakenError(msg("maps.picture", file=visible(name)))
    return image


def _grey(name: str, image: Image.Image) -> Image.Image:
    """Return the values of a mask; transparent pixels are no country."""
    shown = visible(name)
    if image.format not in ("PNG", "GIF"):
        raise _NotTakenError(msg("maps.mask.blurred", file=shown))
    if image.mode not in _MODES:
        raise _NotTakenError(msg("maps.mask.depth", file=shown))
    if image.mode == "L" and "transparency" not in image.info:
        return image
    red, green, blue, alpha = image.convert("RGBA").split()
    solid = alpha.point([0] * 128 + [255] * 128)
    for other in (green, blue):
        apart = ImageChops.multiply(ImageChops.difference(red, other), solid)
        if (box := apart.getbbox()) is not None:
            raise _NotTakenError(msg("maps.mask.coloured", file=shown, at=f"{box[0]},{box[1]}"))
    return Image.composite(red, Image.new("L", image.size, NOWHERE), solid)


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
    return tuple(names) if len(names) <= _NAMED else (*names[:_NAMED], "…")
