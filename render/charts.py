"""The chart of a match, as its kind is drawn."""

from __future__ import annotations

from collections.abc import Callable

from games.engine.lookback import MaterialChart, ShareChart, WinChart
from games.engine.message import Msg
from render.material_chart import draw_material_chart
from render.share_chart import draw_share_chart
from render.win_chart import draw_win_chart


def draw_chart(
    chart: WinChart | ShareChart | MaterialChart, say: Callable[[Msg], str], *, theme: str = "classic"
) -> bytes:
    """Return a chart as PNG. Raises ValueError as the functions for each kind do."""
    if isinstance(chart, MaterialChart):
        return draw_material_chart(chart, say, theme=theme)
    if isinstance(chart, WinChart):
        return draw_win_chart(chart, say, theme=theme)
    return draw_share_chart(chart, say, theme=theme)
