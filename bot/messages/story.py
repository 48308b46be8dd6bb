"""The story of a match as messages: two lines under the result, the whole story, and its chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.messages.names import seat_names
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.game import AnyGame
from games.engine.lookback import MaterialChart
from games.engine.message import Msg, Who, msg
from games.engine.scene import Scene
from matches.lookback.story import Story
from matches.store.rows import MatchRow

_ALT_POINTS: Final = 30
"""Maximum number of points that the alt text of a chart lists, of all seats together."""
_MOST_FLAGS: Final = 6
_FLAGGED: Final = frozenset(
    (
        "story.out.by",
        "story.out.alone",
        "story.loss",
        "story.loss_survived",
        "story.lead.taken",
        "story.lead.kept",
    )
)
"""The turning points that show in what seats have."""


def story_at_end(row: MatchRow, story: Story, reader: Reader) -> str:
    """Return the two lines under a match's result."""
    names = seat_names(row, reader)
    return "\n".join(reader.say(line, names) for line in story.at_end)


def story_text(story: Story, say: Callable[[Msg], str], room: int = MAX_CONTENT) -> str:
    """Return the whole story in at most `room` characters: the least important turning points are dropped."""
    points = [point for point in story.points if point.text != story.short[1]]
    while True:
        lines_of_points = [f"- {say(point.text)}" for point in points]
        lines = [f"**{say(story.short[0])}**", say(story.short[1]), *lines_of_points]
        text = "\n".join([*lines, *(f"-# {say(note)}" for note in story.notes)])
        if len(text) <= room or not points:
            return text[:room]
        points.remove(min(points, key=lambda point: point.weight))


def material_chart(game: AnyGame, story: Story, final: Scene) -> MaterialChart | None:
    """Return the chart of a story; None if there is nothing to draw. `final` is the picture of the end."""
    points, headline = _drawn(game, story)
    if not points:
        return None
    panels = sorted(final.panels, key=lambda panel: panel.seat)
    flags = {
        (point.turn, point.seat)
        for point in sorted(story.points, key=lambda point: -point.weight)[:_MOST_FLAGS]
        if point.seat is not None and point.text.key in _FLAGGED and point.turn < len(points)
    }
    return MaterialChart(
        points,
        tuple(replace(panel, rows=(), badges=()) for panel in panels),
        headline,
        tuple(sorted((at, int(seat)) for at, seat in flags)),
        game.glyphs,
    )


def _drawn(game: AnyGame, story: Story) -> tuple[tuple[tuple[float, ...], ...], Msg]:
    """Return what a chart shows by seat, at the start and after each turn, and its title.

    That is what counts in the game; where it never changed, the chances of winning in per cent.
    """
    points, what = story.material, msg(f"{game.key}.material")
    if len(set(points)) < 2 and story.chances:
        points = tuple(tuple(round(100 * chance, 1) for chance in row) for row in story.chances)
        what = msg("story.chart.chances")
    key = "story.chart.moves" if game.actions_are_moves else "story.chart.turns"
    return points, msg(key, what=what)


def chart_alt(game: AnyGame, story: Story) -> Msg:
    """Return the chart of a story in words: evenly spaced points, including the first and the last."""
    points, title = _drawn(game, story)
    seats, last = len(points[0]), len(points) - 1
    steps = min(last, max(2, _ALT_POINTS // seats))
    turns = sorted({round(step * last / max(1, steps)) for step in range(steps + 1)})
    curves = tuple(
        msg(
            "story.chart.curve",
            who=Who(seat),
            points=tuple(f"{at}: {points[at][seat]:g}" for at in turns),
        )
        for seat in range(seats)
    )
    return msg("story.chart.alt", title=title, curves=curves)
