"""From files to a map that can be stored: pictures and masks are measured, checked and encoded again."""

from __future__ import annotations

import io
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, PngImagePlugin

from atlases import LoadedMap, Upload, load, pictures
from atlases.pictures import Mask
from games.domination.maps import map_json
from games.domination.maps.map_file import ParsedMapFile, parse
from games.engine.message import Msg
from locales import Catalogue
from tests.atlases.files import (
    SIZE,
    drawn,
    encoded,
    forged,
    mask_image,
    palette_mask,
    small_files,
    uploads,
    zipped,
)
from tests.games.domination.mapfiles import PICTURES as PICTURED
from tests.games.domination.mapfiles import SMALL, atlas, grid, tube
from tests.rows import rows
from tests.soak import examples

CATALOGUE = Catalogue(strict=True, games=())
PLACES = tuple((country.name, *country.at) for country in atlas(SMALL, PICTURED).countries)


def good(files: dict[str, bytes]) -> LoadedMap[ParsedMapFile]:
    found = load(uploads(files), parse)
    assert isinstance(found, LoadedMap), found
    return found


def wrong(files: dict[str, bytes]) -> list[str]:
    found = load(uploads(files), parse)
    assert isinstance(found, tuple)
    return [CATALOGUE.say(one) for one in found]


def checked(image: Image.Image, kind: str = "PNG", **options: object) -> Mask | list[str]:
    """What is found of a mask."""
    found = pictures.mask("m.gif", encoded(image, kind, **options), PLACES)
    return [CATALOGUE.say(one) for one in found] if isinstance(found, tuple) else found


def pixels(data: bytes | None) -> bytes:
    assert data is not None
    return Image.open(io.BytesIO(data)).tobytes()


def test_a_whole_map_comes_through() -> None:
    found = good(small_files())
    assert found.parsed.title == "Two Lakes"
    assert found.notes == ()
    assert pixels(found.picture) == pixels(drawn())
    assert pixels(found.mask) == mask_image().tobytes()
    packed = load([Upload("x.zip", zipped(small_files()))], parse)
    assert isinstance(packed, LoadedMap)
    assert packed == found
    assert map_json.load(packed.parsed.to_json()) == found.parsed.atlas


@pytest.mark.parametrize("files", [tube(), grid(12, 75, 7), grid(16, 254, 40)])
def test_a_map_without_pictures_comes_through(files: dict[str, str]) -> None:
    found = good({name: text.encode("latin-1") for name, text in files.items()})
    assert (found.picture, found.mask) == (None, None)


def test_a_mask_alone_and_a_picture_alone() -> None:
    files = small_files()
    mask = good({name: data for name, data in files.items() if name != "two_lakes.png"})
    assert (mask.picture, mask.mask is None, mask.parsed.atlas.size) == (None, False, SIZE)
    picture = good({name: data for name, data in files.items() if not name.endswith("gif")})
    assert (picture.mask, picture.picture is None, picture.parsed.atlas.size) == (None, False, SIZE)


def test_errors_of_texts_and_pictures_come_together() -> None:
    files = {**small_files(), "two_lakes.png": b"no picture"}
    files["small.map"] = files["small.map"].replace(b"4 1 5", b"4 1 7")
    found = load(uploads(files), parse)
    assert isinstance(found, tuple)
    assert [one.key for one in found] == ["maps.picture", "domination.map.line"]


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG"])
def test_pictures_are_written_anew(kind: str) -> None:
    found = pictures.picture("x", drawn(kind, comment=b"secret") + b"secret tail")
    assert isinstance(found, bytes)
    assert b"secret" not in found
    image = Image.open(io.BytesIO(found))
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", SIZE)


def test_what_a_camera_writes_is_left_out() -> None:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Author", "secret", zip=False)
    exif = Image.Exif()
    exif[0x010E] = "secret"
    found = pictures.picture("x.png", drawn("PNG", pnginfo=notes, exif=exif))
    assert isinstance(found, bytes)
    assert b"secret" not in found


def test_a_see_through_picture_lies_on_white() -> None:
    found = pictures.picture("x.png", encoded(Image.new("RGBA", (2, 1), (255, 0, 0, 0))))
    assert isinstance(found, bytes)
    assert pixels(found) == b"\xff" * 6


@pytest.mark.slow
def test_a_noisy_picture_is_kept_as_jpeg_within_the_limit() -> None:
    noise = Image.effect_noise((1300, 1300), 120)
    image = Image.merge("RGB", (noise, noise.rotate(90), noise.rotate(180)))
    found = pictures.picture("x.jpg", encoded(image, "JPEG", quality=70))
    assert isinstance(found, bytes)
    assert len(found) <= 4 * 2**20
    assert Image.open(io.BytesIO(found)).format == "JPEG"


@pytest.mark.parametrize(
    "data", [drawn(size=(2001, 10)), drawn("GIF", (10, 2001)), forged(60_000, 60_000), forged(10_000, 10_000)]
)
def test_a_picture_that_is_too_wide_is_refused_by_its_header(data: bytes) -> None:
    found = wrong({**small_files(), "two_lakes.png": data})
    assert found == ["two_lakes.png is too large. The limit is 2000 pixels in width and height."]


@rows(
    "data",
    [
        b"",
        b"GIF89a",
        b"\x89PNG\r\n\x1a\n",
        drawn()[:-40],
        drawn("JPEG")[:300],
        forged(*SIZE),
        encoded(Image.new("RGB", SIZE), "BMP"),
        encoded(Image.new("RGB", SIZE), "TIFF"),
        encoded(Image.new("RGB", SIZE), "WEBP"),
    ],
)
def test_what_is_no_picture(data: bytes) -> None:
    found = wrong({**small_files(), "two_lakes.png": data})
    assert found == ["two_lakes.png can't be read as a picture. Use PNG, GIF or JPEG."]


def test_a_jpeg_with_very_many_passes_is_not_decoded() -> None:
    data = drawn("JPEG", progressive=True)
    start = data.rindex(b"\xff\xda")
    bomb = data[:start] + data[start:-2] * 70 + data[-2:]
    found = wrong({**small_files(), "two_lakes.png": bomb})
    assert found == ["two_lakes.png can't be read as a picture. Use PNG, GIF or JPEG."]


def test_a_frame_larger_than_its_picture() -> None:
    data = bytearray(drawn("GIF"))
    at = data.index(b"\x2c")
    data[at + 5 : at + 9] = (60_000).to_bytes(2, "little") * 2
    found = pictures.picture("x.gif", bytes(data))
    assert isinstance(found, Msg)


@rows(
    "image, kind",
    [
        (mask_image(), "PNG"),
        (mask_image(), "GIF"),
        (palette_mask(), "GIF"),
        (palette_mask(), "PNG"),
        (mask_image().convert("RGB"), "PNG"),
        (mask_image().convert("RGBA"), "PNG"),
    ],
)
def test_a_mask_has_the_value_of_each_country(image: Image.Image, kind: str) -> None:
    found = checked(image, kind)
    assert isinstance(found, Mask)
    assert (pixels(found.data), found.notes) == (mask_image().tobytes(), ())


def test_what_can_be_seen_through_is_no_country() -> None:
    image = mask_image().convert("RGBA")
    image.paste((1, 200, 3, 0), (0, 0, 10, 10))
    found = checked(image)
    assert isinstance(found, Mask)
    assert pixels(found.data) == mask_image().tobytes()


def test_zero_is_no_country() -> None:
    image = mask_image()
    image.paste(0, (0, 0, 3, 1))
    found = checked(image)
    assert isinstance(found, Mask)
    assert pixels(found.data) == mask_image().tobytes()
    assert [CATALOGUE.say(one) for one in found.notes] == [
        "m.gif: 3 pixels have the value 0, which isn't a country."
    ]


def test_armies_outside_of_their_country_are_noted() -> None:
    image = mask_image()
    image.paste(255, (38, 28, 43, 33))
    found = checked(image)
    assert isinstance(found, Mask)
    assert [CATALOGUE.say(one) for one in found.notes] == [
        "m.gif: the armies of one country stand outside it: 1 High Moor."
    ]


def painted(value: int, *boxes: tuple[int, int, int, int]) -> Image.Image:
    """The mask with a value painted over some of it."""
    image = mask_image()
    for box in boxes:
        image.paste(value, box)
    return image


NO_PIXELS = (
    "m.gif: 6 countries have no pixels: 1 High Moor, 2 St. Anne's, 3 Elm & Oak, 4 Low Moor, 5 Ferry, and "
    "6 Land's End."
)


@rows(
    "image, errors",
    [
        (
            painted(7, (5, 4, 6, 6), (2, 5, 3, 6)),
            ["m.gif: 3 pixels have the value 7, which isn't a country, the first at 5,4."],
        ),
        (painted(254, (0, 0, 1, 1)), ["m.gif: one pixel has the value 254, which isn't a country, at 0,0."]),
        (painted(255, (20, 10, 60, 50)), ["m.gif: one country has no pixels: 1 High Moor."]),
        (
            Image.new("L", SIZE, 255),
            [NO_PIXELS],
        ),
        (
            Image.new("RGB", SIZE, (1, 2, 1)),
            ["m.gif: a mask must be grey, but the pixel at 0,0 is coloured."],
        ),
        (mask_image().convert("I;16"), ["m.gif: a mask must have 8 bits per pixel."]),
    ],
)
def test_a_mask_that_is_wrong(image: Image.Image, errors: list[str]) -> None:
    assert checked(image) == errors


def test_a_mask_of_noise_names_a_few_values() -> None:
    image = mask_image()
    image.putdata([(at * 7) % 256 for at in range(SIZE[0] * SIZE[1])])
    found = checked(image)
    assert isinstance(found, list)
    assert len(found) == 9
    assert found[-1] == "m.gif: 240 more values aren't countries."


def test_a_jpeg_is_no_mask() -> None:
    assert checked(mask_image(), "JPEG") == [
        "m.gif: a mask must be a PNG or a GIF. A JPEG changes the values of its pixels."
    ]


def test_a_hidden_text_that_unpacks_to_much_is_not_taken() -> None:
    body = b"zTXtnote\0\0" + zlib.compress(bytes(20_000_000), 9)
    chunk = (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    data = drawn()
    assert isinstance(pictures.picture("x.png", data), bytes)
    assert isinstance(pictures.picture("x.png", data[:33] + chunk + data[33:]), Msg)


WHOLE = {kind: drawn(kind, (16, 12)) for kind in ("PNG", "GIF", "JPEG")}


@settings(max_examples=examples(60))
@given(
    st.sampled_from(sorted(WHOLE)),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=6),
    st.integers(0, 40),
)
def test_any_bytes_are_a_picture_or_a_message(kind: str, changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(WHOLE[kind])
    for at, value in changes:
        data[at % len(data)] = value
    broken = bytes(data[: len(data) - cut])
    assert isinstance(pictures.picture("x", broken), bytes | Msg)
    assert isinstance(pictures.mask("x", broken, PLACES), Mask | tuple)
    assert isinstance(pictures.size_of("x", broken), tuple | Msg)
