"""Finished matches by exact values: a curve of who was how likely to win, worst mistakes, luck.

Pure computation in a thread: a long match has hundreds of turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.loading import load
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
from matches.ports import MatchRow

Say = Callable[[Msg], str]
_SPOKEN = 24
"""The most points of a curve that its alt text says."""
_EVEN = 0.005


@on("analyse")
async def pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """The button under a final board."""
    await defer(interaction)
    if (loaded := await load(ctx, interaction, call.match)) is not None:
        await respond_privately(interaction, await analysed(ctx, *loaded))


async def analysed(ctx: Context, row: MatchRow, reader: Reader) -> Outgoing:
    """Picture and text, or why there are none."""
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
    curve = curve_of(match, found, scene_for(match, None))
    data = await ctx.presenter.pictures.curve(curve, reader)
    picture = (f"{row.id}-curve.png", data, say(alt(found)))
    lines = [say(line) for line in report(match, found)]
    return Outgoing("\n".join([*lines, f"-# `{row.id}`"]), (picture,))


def curve_of(match: Match, found: Analysis, final: Scene) -> WinChart:
    """The curve with each side's worst mistake flagged."""
    first, second = (replace(panel, rows=(), badges=()) for panel in final.panels)
    worst = ((found.mistake(Seat(seat)), seat) for seat in range(2))
    flags = tuple((at, seat) for at, seat in worst if at is not None)
    return WinChart(found.points, (first, second), final.headline, flags, match.game.glyphs)


def report(match: Match, found: Analysis) -> list[Msg]:
    """How it began, how each side played, and what luck had to do with it."""
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
    if abs(found.luck) < _EVEN:
        lines.append(msg("bot.analysis.even"))
    else:
        lucky = Who(0 if found.luck > 0 else 1)
        lines.append(msg("bot.analysis.luck", who=lucky, points=round(100 * abs(found.luck)) or "<1"))
    return lines


def alt(found: Analysis) -> Msg:
    """The curve in words: some of its points, the first and the last among them."""
    last = len(found.points) - 1
    steps = min(last, _SPOKEN)
    spoken = sorted({round(step * last / steps) for step in range(steps + 1)})
    points = tuple(f"{at}: {percent(found.points[at])}" for at in spoken)
    return msg("bot.analysis.alt", who=Who(0), points=points)


def percent(probability: float) -> str:
    """`41 %`; to a tenth where it is next to certain or hopeless, which is shown only for what is."""
    shown = 100 * probability
    if 0 < shown < 1 or 99 < shown < 100:
        return f"{min(max(shown, 0.1), 99.9):.1f} %"
    return f"{round(shown)} %"
