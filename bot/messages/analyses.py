"""An analysis in words and as a chart: how each seat played, what it cost, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.messages.names import as_code
from games.ai.analysis import Analysis, Mistake, SeatReport, sides_of
from games.engine.game import AnyGame
from games.engine.lookback import ShareChart, WinChart
from games.engine.match import Match
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Panel, Scene

_ALT_POINTS: Final = 24
"""Maximum number of points that the alt text of a chart lists; fewer for more sides."""
_KINDS: Final = {"imagined": "imagined", "moves": "rough"}
"""The sentence for where values come from, by the last word of the source; of searches it is a number."""
_NO_LUCK: Final = 0.005
"""Luck below this share of the match counts as none."""
_SURE: Final = 2.0
"""Standard errors that luck must exceed to be ascribed to a side."""


def mistakes_of(found: Analysis) -> tuple[Mistake, ...]:
    """Return the mistakes of all seats in the order in which they were made."""
    return tuple(sorted((each for seat in found.seats for each in seat.mistakes), key=lambda each: each.seq))


# --- the chart ------------------------------------------------------------------------------------------


def build_chart(game: AnyGame, found: Analysis, final: Scene) -> WinChart | ShareChart:
    """Return the chart of a match: areas for two sides, lines for more; each seat's worst mistake flagged.

    `final` is the picture of the end, of which headline and seats are shown.
    """
    panels = {panel.seat: replace(panel, rows=(), badges=()) for panel in final.panels}
    sides = sides_of(found.teams)
    shown = tuple(_side_panel(tuple(panels[seat] for seat in seats)) for seats in sides)
    worst = [report.mistakes[0] for report in found.seats if report.mistakes]
    if len(sides) == 2:
        flags = tuple(
            (each.turn - 1, shown[0 if each.seat in sides[0] else 1].seat) for each in _one_a_turn(worst)
        )
        return WinChart(
            tuple(point[sides[0][0]] for point in found.points),
            (shown[0], shown[1]),
            final.headline,
            flags,
            game.glyphs,
            () if found.exact else found.errors,
            tuple(sorted({each.turn - 1 for each in mistakes_of(found)} - {at for at, _ in flags})),
        )
    points = tuple(tuple(point[seats[0]] for seats in sides) for point in found.points)
    place = {seat: nth for nth, seats in enumerate(sides) for seat in seats}
    marked = tuple((each.turn - 1, place[each.seat]) for each in worst)
    return ShareChart(points, shown, final.headline, marked, game.glyphs)


def _one_a_turn(worst: list[Mistake]) -> Iterator[Mistake]:
    seen: set[int] = set()
    for each in worst:
        if each.turn not in seen:
            seen.add(each.turn)
            yield each


def _side_panel(panels: tuple[Panel, ...]) -> Panel:
    """Return one panel for the seats of a side, with all their names."""
    if len(panels) == 1:
        return panels[0]
    return replace(panels[0], name=msg("bot.analysis.side", names=tuple(panel.name for panel in panels)))


def chart_alt_text(found: Analysis) -> Msg:
    """Return the chart in words: evenly spaced points, including the first and the last."""
    sides = sides_of(found.teams)
    last = len(found.points) - 1
    shown = sides[:1] if len(sides) == 2 else sides
    steps = min(last, _ALT_POINTS // len(shown))
    turns = sorted({round(step * last / max(1, steps)) for step in range(steps + 1)})
    curves = tuple(
        msg(
            "bot.analysis.curve",
            who=tuple(map(Who, seats)),
            points=tuple(f"{at}: {percent(found.points[at][seats[0]])}" for at in turns),
        )
        for seats in shown
    )
    return msg("bot.analysis.alt", curves=curves)


# --- the text -------------------------------------------------------------------------------------------


def report(match: Match, found: Analysis) -> list[Msg]:
    """Return the sentences of the analysis: how sure it is, how each seat played, the influence of luck."""
    if not any(seat.moves for seat in found.seats):
        return [msg("bot.analysis.nothing")]
    lines = [msg("bot.analysis.exact") if found.exact else _uncertainty(found)]
    for seat in found.seats:
        lines += _seat_lines(match.game, seat)
    return lines + _luck_lines(found)


def _uncertainty(found: Analysis) -> Msg:
    errors = [error for error in found.errors if error]
    kind = _KINDS.get(found.source.rpartition("-")[2], "estimate")
    return msg(f"bot.analysis.{kind}", points=_points_words(sum(errors) / len(errors)))


def _seat_lines(game: AnyGame, seat: SeatReport) -> Iterator[Msg]:
    who = Who(seat.seat)
    if seat.accuracy is not None:
        if seat.best == seat.moves:
            yield msg("bot.analysis.flawless", who=who, n=seat.moves)
        else:
            accuracy = f"{seat.accuracy:.0f}"
            yield msg("bot.analysis.seat", who=who, n=seat.moves, best=seat.best, accuracy=accuracy)
        if seat.mistakes:
            yield msg("bot.analysis.worst", mistake=mistake_text(game, seat.mistakes[0]))
    elif not seat.unjudged and not seat.defaults:
        yield msg("bot.analysis.no_moves", who=who)
    if seat.unjudged:
        yield msg("bot.analysis.unjudged", who=who, n=seat.unjudged)
    if seat.defaults:
        yield msg("bot.analysis.defaults", who=who, n=seat.defaults)


def mistake_text(game: AnyGame, mistake: Mistake) -> Msg:
    """Return a mistake in a sentence: the move, what it was worth, and what would have been better."""
    values: dict[str, Value] = {
        "number": msg("bot.analysis.move" if game.actions_are_moves else "bot.analysis.turn", n=mistake.turn),
        "played": as_code(mistake.played),
        "value": percent(mistake.value),
        "better": as_code(mistake.best),
        "most": percent(mistake.best_value),
    }
    if not mistake.error:
        return msg("bot.analysis.mistake", **values)
    lost, error = _points(mistake.loss), _points(mistake.error)
    return msg("bot.analysis.mistake_about", lost=lost, error=error, **values)


def _luck_lines(found: Analysis) -> list[Msg]:
    sides = [seats[0] for seats in sides_of(found.teams)]
    luck = [found.seats[seat].luck for seat in sides]
    error = found.seats[0].luck_error
    known = [each for each in luck if each is not None]
    if not known:
        return []
    if max(map(abs, known)) < _NO_LUCK:
        return [msg("bot.analysis.even")]
    if max(map(abs, known)) <= _SURE * error:
        return [msg("bot.analysis.unclear_luck", points=_points_words(error))]
    lucky = max(range(len(known)), key=lambda nth: known[nth])
    who = tuple(map(Who, sides_of(found.teams)[lucky]))
    if error:
        return [msg("bot.analysis.luck_about", who=who, points=_points(known[lucky]), error=_points(error))]
    return [msg("bot.analysis.luck", who=who, points=_points_words(known[lucky]))]


def _points(share: float) -> str:
    """Return a share as percentage points."""
    return str(round(100 * abs(share)) or "<1")


def _points_words(share: float) -> Msg:
    """Return a share as percentage points in words."""
    n = round(100 * abs(share))
    return msg("bot.analysis.points", n=n) if n else msg("bot.analysis.points_few")


def percent(probability: float) -> str:
    """Return `41 %`, with tenths below 1 and above 99: 0 % and 100 % are only shown if exact."""
    shown = 100 * probability
    if 0 < shown < 1 or 99 < shown < 100:
        return f"{min(max(shown, 0.1), 99.9):.1f} %"
    return f"{round(shown)} %"
