"""Maps on their authors' picture and mask: tinted by owner, within the byte budget, and robust."""

from __future__ import annotations

import random
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Area, Ground, Link, Map, Mark, Scene, Token
from render import THEMES, animate, draw, region
from render.backdrop import backdrop
from render.geometry import FULL_UNIT
from render.kinds import layout
from render.themes import palette_key, theme_of
from tests.render.boards import GLYPHS
from tests.render.maps import SEATS
from tests.soak import sampled

pytestmark = pytest.mark.slow

SIZE = (360, 240)
SPOTS = ((60, 60), (180, 60), (300, 60), (60, 180), (180, 180), (300, 180))


def say(message: Msg) -> str:
    return message.key


def png(image: Image.Image) -> bytes:
    with BytesIO() as out:
        image.save(out, "PNG")
        return out.getvalue()


def mask() -> Image.Image:
    """Return the mask of six fields: the upper ones touch each other, the lower ones are apart."""
    image = Image.new("L", SIZE, 255)
    for number, (x, y) in enumerate(SPOTS, 1):
        half = 60 if y < 120 else 40
        image.paste(number, (x - half, y - 40, x + half, y + 40))
    return image


def painted() -> Image.Image:
    """Return a picture of green land with a river in each country."""
    image = Image.new("RGB", SIZE, "#88bbee")
    image.paste("#55aa44", (0, 0), mask().point([0 if value == 255 else 255 for value in range(256)]))
    for x, y in SPOTS:
        ImageDraw.Draw(image).line((x - 30, y - 30, x + 30, y - 30), fill="#112233", width=4)
    return image


def noise(size: tuple[int, int]) -> Image.Image:
    return Image.frombytes("RGB", size, random.Random(3).randbytes(size[0] * size[1] * 3))


def artwork_scene(
    key: str, *, picture: bytes = b"", of: bytes = b"", held: int = 4, there: bool = True
) -> Scene:
    """Return a scene on a map of six areas, of which the first `held` are held."""
    areas = tuple(Area(f"c{n}", (float(x), float(y))) for n, (x, y) in enumerate(SPOTS, 1))
    links = (Link(("c1", "c2")), Link(("c4", "c5")), Link(("c5", "c6"), directed=True))
    board = Map(SIZE, areas, links, seats=2, ground=Ground(key, there, picture, of))
    tokens = tuple(
        Token(area.name, SEATS[n % 2][2], SEATS[n % 2][1], SEATS[n % 2][0], count=n + 1)
        for n, area in enumerate(areas[:held])
    )
    return Scene(board, tokens, (), Msg("now"), glyphs=GLYPHS)


def pixel(data: bytes, what: Scene, x: float, y: float) -> tuple[int, ...]:
    """Return the colour of a picture at a point of the map."""
    assert isinstance(what.board, Map)
    image = Image.open(BytesIO(data)).convert("RGB")
    plan = layout(what.board, 0, FULL_UNIT)
    plan = layout(what.board, 0, round(FULL_UNIT * image.width / plan.width))
    left, top = (0.0, 0.0) if what.board.window is None else what.board.window[:2]
    at = (round(plan.board.x + (x - left) * plan.scale), round(plan.board.y + (y - top) * plan.scale))
    found = image.getpixel(at)
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("theme", sampled(THEMES, ("classic", "contrast")))
def test_areas_are_tinted_by_their_owners_and_keep_their_artwork(theme: str) -> None:
    what = artwork_scene("both", picture=png(painted()), of=png(mask()))
    data = draw(what, say, theme=theme)
    assert data == draw(what, say, theme=theme)
    colours = theme_of(palette_key(theme, what.board))
    plain = {pixel(data, what, x + dx, y + 25) for x, y in SPOTS[:1] for dx in range(-38, -20)}
    assert colours.zone(SEATS[0][1]) in plain
    assert pixel(data, what, 60, 30) not in plain, "the river is still seen"
    assert pixel(data, what, 300, 215) == pixel(data, what, 180, 215), "nobody stands there: the picture"


def test_land_without_owner_and_water_are_as_drawn() -> None:
    what = artwork_scene("nobody", picture=png(painted()), of=png(mask()), held=0)
    data = draw(what, say)
    assert pixel(data, what, 180, 125) == (0x88, 0xBB, 0xEE)
    assert pixel(data, what, 90, 80) == (0x55, 0xAA, 0x44)


def test_marks_outline_an_area_on_its_inside() -> None:
    what = artwork_scene("marked", picture=png(painted()), of=png(mask()))
    teal = theme_of("classic").inks["mark"]
    for kind, expected in (("changed", {teal}), ("from", {teal})):
        marked = replace(what, marks=(Mark(kind, "c4"),))  # type: ignore[arg-type] # both are kinds
        assert pixel(draw(marked, say), what, 21.0, 180) in expected
    legal = draw(replace(what, marks=(Mark("legal", "c4"),)), say)
    side = {pixel(legal, what, 21.0, y) for y in range(145, 215, 2)}
    assert teal in side
    assert len(side) > 1, "dashed"


def test_with_a_mask_only_areas_are_linked_where_they_do_not_touch() -> None:
    what = artwork_scene("mask", of=png(mask()), held=0)
    data = draw(what, say)
    groove = theme_of(palette_key("classic", what.board)).drawn_line
    apart = {pixel(data, what, x, y) for x in range(101, 140) for y in range(176, 185)}
    touching = {pixel(data, what, x, 60) for x in range(80, 110)}
    assert groove in apart
    assert groove not in touching
    assert theme_of("classic").sea in apart


def test_with_a_picture_only_there_is_a_disc_for_each_country() -> None:
    what = artwork_scene("picture", picture=png(painted()))
    data = draw(what, say)
    tint = theme_of(palette_key("classic", what.board)).zone(SEATS[0][1])
    near = {pixel(data, what, 60, 60 + dy / 2) for dy in range(-40, 40)}
    assert tint in near
    assert pixel(data, what, 60, 95) == (0x55, 0xAA, 0x44)


@pytest.mark.parametrize("broken", [b"", b"\x89PNG\r\n\x1a\nno", png(mask().resize((7, 7)))])
def test_missing_or_damaged_artwork_leaves_a_map_of_points(broken: bytes) -> None:
    without = artwork_scene("none", there=False)
    damaged = artwork_scene(f"bad {len(broken)}", picture=broken, of=broken)
    assert draw(damaged, say) == draw(without, say)
    assert isinstance(damaged.board, Map)
    assert backdrop(damaged.board, FULL_UNIT, "classic~") is None


def test_even_a_noisy_picture_fits_the_budget() -> None:
    what = artwork_scene("noise", picture=png(noise(SIZE)), of=png(mask()), held=6)
    data = draw(what, say)
    assert len(data) <= 120_000
    assert theme_of("classic~").zone(SEATS[0][1]) in {pixel(data, what, x, 85) for x in range(10, 110)}


def test_a_region_of_artwork_is_drawn() -> None:
    what = artwork_scene("part", picture=png(painted()), of=png(mask()))
    part = region(what, ["c1"])
    assert isinstance(part.board, Map)
    assert part.board.window is not None
    data = draw(part, say)
    assert data != draw(what, say)
    assert theme_of("classic~").zone(SEATS[0][1]) in {pixel(data, part, x, 85) for x in range(10, 50)}


def test_an_animation_has_the_colours_of_the_picture() -> None:
    what = artwork_scene("moving", picture=png(painted()), of=png(mask()))
    data = animate([replace(what, tokens=what.tokens[:2]), what], say)
    with Image.open(BytesIO(data)) as moving:
        moving.seek(1)
        last = moving.convert("RGB").tobytes()
    assert last == Image.open(BytesIO(draw(what, say))).convert("RGB").tobytes()


def test_artwork_is_compared_by_its_key() -> None:
    one, other = artwork_scene("same", picture=b"1"), artwork_scene("same", picture=b"2")
    assert one == other
    assert hash(one.board) == hash(other.board)
    assert one != artwork_scene("same", there=False)
