"""The chart of what counts in a match: a line for each seat that isn't told by colour alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.lookback import MaterialChart
from games.engine.message import msg
from render import THEMES, draw_chart, draw_material_chart
from render.charts import step_for
from render.themes import theme_of
from tests.render.boards import say
from tests.render.hexes_and_lines import curve
from tests.render.test_picture import count_pixels, decoded
from tests.render.test_share_chart import INKS
from tests.rows import rows

MOST_BYTES = 120_000


def chart(seats: int, points: tuple[tuple[float, ...], ...], *flags: tuple[int, int]) -> MaterialChart:
    """A chart of so many seats."""
    plain = curve((0.5,))
    panels = tuple(
        replace(plain.seats[0], seat=nth, ink=ink)  # type: ignore[arg-type] # one of the inks
        for nth, ink in zip(range(seats), INKS, strict=False)
    )
    return MaterialChart(points, panels, msg("wins", who=msg("red")), flags, plain.glyphs)


def steps(seats: int, length: int) -> tuple[tuple[float, ...], ...]:
    """Lines that go up and down, each at its own height."""
    return tuple(tuple(3.0 * seat + (turn + seat) % 3 for seat in range(seats)) for turn in range(length))


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_each_seat_has_its_line_in_every_theme(seats: int, theme: str) -> None:
    data = draw_material_chart(chart(seats, steps(seats, 300)), say, theme=theme)
    assert len(data) <= MOST_BYTES
    image = decoded(data)
    for ink in INKS[:seats]:
        assert count_pixels(image, theme_of(theme).inks[ink]) > 200  # type: ignore[index] # one of the inks


def test_lines_differ_without_their_colours() -> None:
    """Two seats of one colour at the same height in turn: the second one's line is dashed."""
    drawn = []
    for points in (((9.0, 1.0),) * 30, ((1.0, 9.0),) * 30):
        made = chart(2, points)
        same = tuple(replace(panel, ink="red") for panel in made.seats)
        drawn.append(decoded(draw_material_chart(replace(made, seats=same), say)))
    red = theme_of("classic").inks["red"]
    top = (100, 150, 880, 260)
    solid, dashed = (count_pixels(picture.crop(top), red) for picture in drawn)
    assert 0 < dashed < 0.9 * solid


def test_lines_at_the_edges_are_fully_visible() -> None:
    made = draw_material_chart(chart(2, ((0.0, 10.0),) * 30), say)
    middle = draw_material_chart(chart(2, ((2.0, 8.0),) * 30), say)
    for ink in INKS[:2]:
        colour = theme_of("classic").inks[ink]  # type: ignore[index] # one of the inks
        edge, inside = (count_pixels(decoded(data), colour) for data in (made, middle))
        assert edge > 0.9 * inside


def test_moments_are_marked() -> None:
    mark = theme_of("classic").inks["mark"]
    plain = decoded(draw_material_chart(chart(3, steps(3, 9)), say))
    flagged = decoded(draw_material_chart(chart(3, steps(3, 9), (4, 1), (4, 2), (8, 0)), say))
    assert count_pixels(plain, mark) == 0
    assert count_pixels(flagged, mark) > 100


@rows("most, step", [(1, 1), (6, 1), (7, 2), (12, 2), (13, 5), (42, 10), (61, 20), (0.5, 1)])
def test_lines_across_the_plot_are_few(most: float, step: int) -> None:
    assert step_for(most) == step


def test_a_match_without_turns_and_one_without_material() -> None:
    assert draw_chart(chart(2, ((0.0, 0.0),)), say)[:4] == b"\x89PNG"


@rows(
    "points, flags, why",
    [
        ((), (), "needs a point"),
        (((1.0,),), (), "each of 2 seats"),
        (((1.0, -1.0),), (), "each of 2 seats"),
        (((1.0, float("nan")),), (), "each of 2 seats"),
        (((1.0, 1.0),), ((1, 0),), "off the chart"),
        (((1.0, 1.0),), ((0, 2),), "off the chart"),
    ],
)
def test_what_cant_be_drawn(
    points: tuple[tuple[float, ...], ...], flags: tuple[tuple[int, int], ...], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        draw_material_chart(chart(2, points, *flags), say)
