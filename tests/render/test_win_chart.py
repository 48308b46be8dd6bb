"""The win chart: shares by colour, marked mistakes, and matches of any length."""

from __future__ import annotations

import pytest

from games.engine.message import msg
from render import THEMES
from render import draw_win_chart as draw_curve
from render.chart_frame import WIDTH
from render.geometry import FULL_UNIT
from render.themes import theme_of
from render.win_chart import HEIGHT
from tests.render.boards import say
from tests.render.hexes_and_lines import curve
from tests.render.test_picture import count_pixels, decoded, is_near
from tests.rows import rows

pytestmark = pytest.mark.slow

SIZE = (round(FULL_UNIT * WIDTH), round(FULL_UNIT * HEIGHT))


@pytest.mark.parametrize("theme", THEMES)
def test_the_first_seats_share_is_below_the_line(theme: str) -> None:
    image = decoded(draw_curve(curve((0.8,) * 9), say, theme=theme))
    assert image.size == SIZE
    inks = theme_of(theme).inks
    middle = (image.height + 100) // 2
    assert count_pixels(image.crop((100, middle, 800, image.height)), inks["red"]) > 20_000
    assert count_pixels(image.crop((100, 140, 800, 180)), inks["red"]) == 0
    assert count_pixels(image.crop((100, 140, 800, 180)), inks["black"]) > 20_000
    assert is_near(image.getpixel((500, image.height - 70)), inks["red"]) or theme_of(theme).patterns


def test_the_larger_the_share_the_larger_the_area() -> None:
    red = theme_of("classic").inks["red"]
    areas = [
        count_pixels(decoded(draw_curve(curve((share,) * 3), say)), red)
        for share in (0.0, 0.1, 0.5, 0.9, 1.0)
    ]
    assert areas == sorted(areas)
    assert areas[-1] > areas[0] + 150_000


@pytest.mark.parametrize("theme", THEMES)
def test_mistakes_are_marked_where_they_were_made(theme: str) -> None:
    points = (0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.6, 0.6, 0.6)
    mark = theme_of(theme).inks["mark"]
    plain = decoded(draw_curve(curve(points), say, theme=theme))
    early = decoded(draw_curve(curve(points, ((2, 0),)), say, theme=theme))
    late = decoded(draw_curve(curve(points, ((5, 1),)), say, theme=theme))
    half = plain.width // 2
    left, right = (0, 0, half, plain.height), (half, 0, plain.width, plain.height)
    assert count_pixels(early.crop(left), mark) > count_pixels(plain.crop(left), mark) + 200
    assert count_pixels(early.crop(right), mark) == count_pixels(plain.crop(right), mark)
    assert count_pixels(late.crop(right), mark) > count_pixels(plain.crop(right), mark) + 200
    assert count_pixels(late.crop(left), mark) == count_pixels(plain.crop(left), mark)


@pytest.mark.parametrize("length", [1, 2, 3, 50, 501, 4000])
def test_matches_of_any_length_are_drawn_small(length: int) -> None:
    points = tuple(0.5 + 0.4 * ((nth * 7919) % 100 - 50) / 50 for nth in range(length))
    of = curve(points, ((0, 0), (length - 1, 1)), msg("wins", who="a name of some length " * 9))
    data = draw_curve(of, say)
    assert decoded(data).size == SIZE
    assert len(data) <= 64_000
    assert draw_curve(of, say) == data


@rows(
    "points, flags, what",
    [
        ((), (), "needs a point"),
        ((0.5, 1.2), (), "point 1 isn't a probability: 1.2"),
        ((float("nan"),), (), "point 0 isn't a probability"),
        ((0.5, 0.5), ((2, 0),), "seat 0 at point 2"),
        ((0.5, 0.5), ((0, 2),), "seat 2 at point 0"),
    ],
)
def test_an_invalid_curve_is_refused_by_name(
    points: tuple[float, ...], flags: tuple[tuple[int, int], ...], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        draw_curve(curve(points, flags), say)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="neon"):
        draw_curve(curve((0.5,)), say, theme="neon")
