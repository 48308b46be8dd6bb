"""The chart of a rating: in each theme its own, wider where less is known, and what is refused."""

from __future__ import annotations

import io
from math import nan

import pytest
from PIL import Image

from games.engine.message import Msg, msg
from render import THEMES, RatingChart, draw_rating_chart
from render.themes import theme_of
from tests.rows import rows

POINTS = tuple((1500 + 12 * n - n * n / 3, max(80.0, 350 - 20 * n)) for n in range(20))


def say(text: Msg) -> str:
    return text.key


def drawn(*points: tuple[float, float], theme: str = "classic") -> Image.Image:
    png = draw_rating_chart(RatingChart(points, msg("head")), say, theme=theme)
    return Image.open(io.BytesIO(png)).convert("RGB")


def in_band(picture: Image.Image) -> int:
    """Number of pixels of the band."""
    band = theme_of("classic").marked_space(1)
    return sum(count for count, colour in picture.getcolors(1 << 18) or () if colour == band)


@pytest.mark.parametrize("theme", THEMES)
def test_equal_charts_give_equal_bytes_and_each_theme_its_own(theme: str) -> None:
    chart = RatingChart(POINTS, msg("head"))
    assert draw_rating_chart(chart, say, theme=theme) == draw_rating_chart(chart, say, theme=theme)
    others = {draw_rating_chart(chart, say, theme=other) for other in THEMES if other != theme}
    assert draw_rating_chart(chart, say, theme=theme) not in others


def test_the_band_is_as_wide_as_the_uncertainty() -> None:
    wide, narrow = (in_band(drawn((1500, 350), (1500, sigma))) for sigma in (350, 50))
    assert narrow > 1000
    assert wide > 1.5 * narrow


def test_thousands_of_matches_fit() -> None:
    assert drawn(*POINTS * 200).size == drawn(*POINTS).size


@rows("wrong", [(), ((1500, 350),), ((1500, 350), (nan, 3)), ((1500, 350), (1500, -1))])
def test_what_is_no_rating_is_refused(wrong: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="two ratings"):
        drawn(*wrong)
