"""Analyse finished matches by exact values: win probability, worst mistakes, luck.

The analysis runs in a worker thread: a long match has hundreds of turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.loading import load_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.messages.scenes import scene_for
from bot.messages.seats import seat_names
from bot.platform.readers import Reader
from games.ai.analysis import Analysis, analyse
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, Who, msg
from games.engine.scene import Scene, WinChart
from matches.rows import MatchRow

Say = Callable[[Msg], str]
_ALT_POINTS = 24
"""Maximum number of points that the alt text of a curve lists."""
_NO_LUCK = 0.005
"""Luck below this change of win probability counts as none."""


@on("analyse")
async def show_analysis(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Answer the button under a final board."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await respond_privately(interaction, await analysis_message(ctx, *loaded))


async def analysis_message(ctx: Context, row: MatchRow, reader: Reader) -> Outgoing:
    """Return the analysis as picture and text, or why there is none."""
    match = await ctx.service.queries.at(row.id, row.version)
    names = seat_names(row, reader)

    def say(message: Msg) -> str:
        return reader.say(message, names)

    oracle = ctx.service.levels.oracle(row.game)
    if match.ending is None:
        return Outgoing(say(msg("bot.analysis.live", match=row.id)))
    if oracle is None:
        return Outgoing(say(msg("bot.analysis.none", game=msg(f"{row.game}.title"))))
    found = await asyncio.to_thread(analyse, match, oracle)
    if found is None:
        return Outgoing(say(msg("bot.analysis.unknown", match=row.id)))
    curve = build_curve(match, found, scene_for(match, None))
    data = await ctx.presenter.pictures.curve(curve, reader)
    picture = (f"{row.id}-curve.png", data, say(curve_alt_text(found)))
    lines = [say(line) for line in report(match, found)]
    return Outgoing("\n".join([*lines, f"-# `{row.id}`"]), (picture,))


def build_curve(match: Match, found: Analysis, final: Scene) -> WinChart:
    """Return the win-probability curve, with each side's worst mistake flagged."""
    first, second = (replace(panel, rows=(), badges=()) for panel in final.panels)
    worst = ((found.mistake(Seat(seat)), seat) for seat in range(2))
    flags = tuple((at, seat) for at, seat in worst if at is not None)
    return WinChart(found.points, (first, second), final.headline, flags, match.game.glyphs)


def report(match: Match, found: Analysis) -> list[Msg]:
    """Return the sentences of the analysis: the start, how each side played, the influence of luck."""
    lines = [msg("bot.analysis.start", who=Who(0), percent=percent(found.points[0]))]
    for seat in map(Seat, range(2)):
        best, moves = found.best(seat)
        at = found.mistake(seat)
        if at is None:
            lines.append(msg("bot.analysis.flawless", who=Who(seat), n=moves))
            continue
        move = found.moves[at]
        lines.append(
            msg(
                "bot.analysis.mistake",
                who=Who(seat),
                best=best,
                n=moves,
                move=at + 1,
                played=as_code(move.played),
                value=percent(move.value),
                better=as_code(move.best),
                most=percent(move.best_value),
            )
        )
    if abs(found.luck) < _NO_LUCK:
        lines.append(msg("bot.analysis.even"))
    else:
        lucky = Who(0 if found.luck > 0 else 1)
        lines.append(msg("bot.analysis.luck", who=lucky, points=round(100 * abs(found.luck)) or "<1"))
    return lines


def curve_alt_text(found: Analysis) -> Msg:
    """Return the curve in words: evenly spaced points, including the first and the last."""
    last = len(found.points) - 1
    steps = min(last, _ALT_POINTS)
    spoken = sorted({round(step * last / steps) for step in range(steps + 1)})
    points = tuple(f"{at}: {percent(found.points[at])}" for at in spoken)
    return msg("bot.analysis.alt", who=Who(0), points=points)


def percent(probability: float) -> str:
    """Return `41 %`, with tenths below 1 and above 99: 0 % and 100 % are only shown if exact."""
    shown = 100 * probability
    if 0 < shown < 1 or 99 < shown < 100:
        return f"{min(max(shown, 0.1), 99.9):.1f} %"
    return f"{round(shown)} %"
