"""The chart of three or more sides: a line for each that isn't told by colour alone, at any length."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.lookback import ShareChart, WinChart
from games.engine.message import msg
from games.engine.scene import Panel
from render import THEMES, draw_share_chart, draw_win_chart
from render.chart_frame import thinned
from render.themes import theme_of
from tests.render.boards import say
from tests.render.hexes_and_lines import curve
from tests.render.test_picture import count_pixels, decoded
from tests.rows import rows

INKS = ("red", "black", "green", "blue", "yellow", "purple")


def chart(sides: int, points: tuple[tuple[float, ...], ...], *flags: tuple[int, int]) -> ShareChart:
    """A chart of so many sides."""
    plain = curve((0.5,))
    panels = tuple(
        replace(plain.seats[0], seat=nth, ink=ink)  # type: ignore[arg-type] # one of the inks
        for nth, ink in zip(range(sides), INKS, strict=False)
    )
    return ShareChart(points, panels, msg("wins", who=msg("red")), flags, plain.glyphs)


def even(sides: int, length: int) -> tuple[tuple[float, ...], ...]:
    return ((1 / sides,) * sides,) * length


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sides", [3, 4, 5, 6])
def test_each_side_has_its_line_and_its_name(sides: int, theme: str) -> None:
    image = decoded(draw_share_chart(chart(sides, even(sides, 20)), say, theme=theme))
    for ink in INKS[:sides]:
        assert count_pixels(image, theme_of(theme).inks[ink]) > 200  # type: ignore[index] # one of the inks


def test_lines_differ_without_their_colours() -> None:
    """Two sides of one colour: their lines differ by dashes."""
    points = ((0.9, 0.05, 0.05),) * 30, ((0.05, 0.9, 0.05),) * 30
    pictures = []
    for shares in points:
        made = chart(3, shares)
        same: tuple[Panel, ...] = tuple(replace(panel, ink="red") for panel in made.sides)
        pictures.append(decoded(draw_share_chart(replace(made, sides=same), say)))
    red = theme_of("classic").inks["red"]
    top = (100, 150, 880, 190)
    solid, dashed = (count_pixels(picture.crop(top), red) for picture in pictures)
    assert dashed < 0.9 * solid


def test_mistakes_are_marked() -> None:
    mark = theme_of("classic").inks["mark"]
    plain = decoded(draw_share_chart(chart(3, even(3, 9)), say))
    flagged = decoded(draw_share_chart(chart(3, even(3, 9), (2, 0), (2, 1)), say))
    assert count_pixels(flagged, mark) > count_pixels(plain, mark) + 300


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 2, 121, 122, 900, 4000])
def test_any_length_is_drawn_small(length: int) -> None:
    data = draw_share_chart(chart(6, even(6, length), (0, 0), (length - 1, 5)), say)
    assert len(data) <= 64_000
    assert draw_share_chart(chart(6, even(6, length), (0, 0), (length - 1, 5)), say) == data


@rows(
    "points, flags, what",
    [
        ((), (), "needs a point"),
        (((0.5, 0.5),), (), "point 0 isn't shares of 3 sides"),
        (((0.5, 0.5, 0.5),), (), "point 0 isn't shares"),
        (((1.5, -0.5, 0.0),), (), "point 0 isn't shares"),
        (even(3, 2), ((2, 0),), "side 0 at point 2"),
        (even(3, 2), ((0, 3),), "side 3 at point 0"),
    ],
)
def test_an_invalid_chart_is_refused_by_name(
    points: tuple[tuple[float, ...], ...], flags: tuple[tuple[int, int], ...], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        draw_share_chart(chart(3, points, *flags), say)


@rows("length", [1, 2, 10, 120, 121, 122, 123, 1000])
def test_thinning_keeps_both_ends_and_the_mean(length: int) -> None:
    values = [n / 1000 for n in range(length)]
    found = thinned(values, 120)
    assert len(found) <= 122
    assert [value for _, value in found[:: max(1, len(found) - 1)]][:2] == [values[0], values[-1]][
        : min(2, length)
    ]
    assert [place for place, _ in found] == sorted(place for place, _ in found)
    for place, value in found:
        assert value == pytest.approx(place * (length - 1) / 1000, abs=0.01)


def test_uncertain_values_have_a_band() -> None:
    plain = curve((0.5,) * 20)
    assert isinstance(plain, WinChart)
    red = theme_of("classic").inks["red"]
    exact = count_pixels(decoded(draw_win_chart(plain, say)), red)
    vague = count_pixels(decoded(draw_win_chart(replace(plain, errors=(0.2,) * 20), say)), red)
    assert vague < exact - 20_000
