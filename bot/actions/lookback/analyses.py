"""Analyse finished matches: the chart, how each seat played, and the mistakes one by one, with boards.

The analysis runs in the background (`matches.lookback.analyses`) while a private message shows its progress.
It can be left alone, stopped, or asked for again, also after a restart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import (
    acknowledge,
    defer,
    edit_answer,
    edit_in_place,
    is_dismissed,
    show_progress,
)
from bot.actions.lookback.retries import retry_button
from bot.actions.match_access import load_match
from bot.context import Context
from bot.messages.analyses import build_chart, chart_alt_text, mistake_text, mistakes_of, report
from bot.messages.components import Call, CallButton
from bot.messages.hints import differences
from bot.messages.names import as_code, seat_names
from bot.messages.outgoing import File, Outgoing
from bot.messages.scenes import scene_for, with_text_board
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.ai.analysis import Analysis, Mistake, mistake_reasons
from games.engine.game import AnyGame
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.scene import Mark
from matches.long_work import in_thread
from matches.lookback.analyses import AnalysisRun
from matches.results import Refused
from matches.store.rows import MatchRow


@on("analyse")
async def show_analysis(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Answer the button under a final board; in a private analysis, go back to its first page."""
    if call.arg == "back":
        await acknowledge(interaction)
    else:
        await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await analyse_match(ctx, interaction, *loaded)


async def analyse_match(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader
) -> None:
    """Show the analysis of a match in the deferred answer, or its progress until it is there."""
    found = await _analysis(ctx, interaction, row, reader)
    if found is not None:
        await edit_answer(interaction, await analysis_message(ctx, row, reader, found))


@on("mistake")
async def show_mistake(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show one of the mistakes, with the board before it."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    found = await _analysis(ctx, interaction, row, reader)
    if found is None:
        return
    if not mistakes_of(found) or not call.arg.isdecimal():
        await edit_answer(interaction, await analysis_message(ctx, row, reader, found))
        return
    at = min(int(call.arg), len(mistakes_of(found)) - 1)
    await edit_answer(interaction, await mistake_message(ctx, row, reader, found, at))


@on("analysis_stop")
async def stop_analysis(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Stop waiting for an analysis; it ends unless someone else waits for it."""
    reader = await ctx.readers.of(interaction)
    ctx.service.analyses.leave(call.match, interaction.user.id)
    await edit_in_place(interaction, Outgoing(reader.say(msg("bot.analysis.stopped", match=call.match))))


# --- waiting --------------------------------------------------------------------------------------------


async def _analysis(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader
) -> Analysis | None:
    """Return the analysis of a match, made now if need be; None if the person was shown why there is none."""
    found = await ctx.service.analyses.kept(row)
    if found is not None:
        return found
    if row.game not in ctx.service.levels.judged:
        why = msg("bot.analysis.none", game=msg(f"{row.game}.title"))
        await edit_answer(interaction, Outgoing(reader.say(why)))
        return None
    if (many := ctx.operation.throttle.refuse("analysis", interaction.user.id)) is not None:
        await edit_answer(interaction, Outgoing(reader.say(many)))
        return None
    run = await ctx.service.analyses.start(row, interaction.user.id)
    if isinstance(run, Refused):
        await edit_answer(interaction, Outgoing(reader.say(run.why)))
        return None
    try:
        return await _follow(interaction, row, reader, run)
    except discord.HTTPException as error:
        if not is_dismissed(error):
            raise
        ctx.service.analyses.leave(row.id, interaction.user.id)  # the message was dismissed
        return None


async def _follow(
    interaction: discord.Interaction[Any], row: MatchRow, reader: Reader, run: AnalysisRun
) -> Analysis | None:
    """Show the progress of an analysis until it ends, and return it; None if nothing is left to show."""

    def message(late: bool) -> Outgoing:
        if not late:
            return progress_message(row, reader, run)
        text = msg("bot.analysis.late", match=row.id, done=run.done, n=run.total)
        return Outgoing(reader.say(text), items=_waiting_buttons(row, reader))

    def is_wanted() -> bool:
        return interaction.user.id in run.waiting

    if not await show_progress(interaction, run, lambda: (run.done, run.total), message, is_wanted):
        return None
    if run.found is None and is_wanted():
        failed = reader.say(msg("bot.analysis.failed", match=row.id))
        await edit_answer(interaction, Outgoing(failed, items=_waiting_buttons(row, reader)[:1]))
    return run.found if is_wanted() else None


def progress_message(row: MatchRow, reader: Reader, run: AnalysisRun) -> Outgoing:
    """Return how far an analysis is, with buttons to stop it and to look again."""
    text = msg("bot.analysis.begun", match=row.id)
    if run.total:
        text = msg("bot.analysis.progress", match=row.id, done=run.done, n=run.total)
    return Outgoing(reader.say(text), items=_waiting_buttons(row, reader))


def _waiting_buttons(row: MatchRow, reader: Reader) -> tuple[CallButton, ...]:
    return (
        CallButton.make(Call("analyse", row.id, row.version, "back"), reader.say(msg("bot.button.analyse"))),
        CallButton.make(Call("analysis_stop", row.id, row.version), reader.say(msg("bot.button.stop"))),
    )


# --- what is shown --------------------------------------------------------------------------------------


async def analysis_message(ctx: Context, row: MatchRow, reader: Reader, found: Analysis) -> Outgoing:
    """Return the analysis as picture and text, with a button to its mistakes."""
    match = await ctx.service.queries.at(row.id, row.version)
    names = seat_names(row, reader)

    def say(message: Msg) -> str:
        return reader.say(message, names)

    chart = build_chart(match.game, found, scene_for(match, None))
    picture: File = (
        f"{row.id}-analysis.png",
        await ctx.presenter.pictures.chart(chart, reader),
        say(chart_alt_text(found)),
    )
    lines = [say(line) for line in report(match, found)]
    text = "\n".join([*lines, f"-# `{row.id}`"])
    mistakes = len(mistakes_of(found))
    items: tuple[CallButton, ...] = ()
    if mistakes:
        label = reader.say(msg("bot.button.mistakes", n=mistakes))
        items = (CallButton.make(Call("mistake", row.id, row.version, "0"), label),)
        items += await retry_button(ctx, row, reader, found)
    return Outgoing(text, (picture,), items)


async def mistake_message(ctx: Context, row: MatchRow, reader: Reader, found: Analysis, at: int) -> Outgoing:
    """Return a mistake: the board before it with the played and the better move marked, and what they say."""
    mistakes = mistakes_of(found)
    mistake = mistakes[at]
    match = await ctx.service.queries.at(row.id, mistake.seq - 1)
    names = seat_names(row, reader)
    head = msg("bot.analysis.step", at=at + 1, n=len(mistakes), who=names(mistake.seat))
    lines = [reader.say(head), reader.say(mistake_text(match.game, mistake), names)]
    why = await in_thread(mistake_reasons, match.game, match.state, mistake)
    lines += [f"- {reader.say(each, names)}" for each in differences(why, mistake.best, mistake.played)]
    if len(mistake.line) > 1:
        moves = tuple(
            f"{match.game.look(match.setup, seat).symbol} `{as_code(text)}`" for seat, text in mistake.line
        )
        lines.append(reader.say(msg("bot.analysis.line", moves=moves)))
    text = "\n".join([*lines, reader.say(msg("bot.analysis.legend")), f"-# `{row.id}`"])[:MAX_CONTENT]
    scene = scene_for(match, reader.seat, marks=mistake_marks(match, mistake))
    items = _step_buttons(row, reader, at, len(mistakes))
    if reader.text:
        content, files = with_text_board(scene, reader, text)
        return Outgoing(content, files, items)
    return Outgoing(text, (await ctx.presenter.pictures.file(scene, reader, f"{row.id}-{at}.png"),), items)


def mistake_marks(match: Match, mistake: Mistake) -> tuple[Mark, ...]:
    """Return marks of the played move, as in boards after a move, and of the better one as a hint."""
    game, view = match.game, match.game.view(match.state, mistake.seat)
    played, better = (game.action_marks(view, action) for action in _actions(game, mistake))
    shown = tuple(replace(mark, kind="to") if mark.kind == "legal" else mark for mark in played)
    hints = dict.fromkeys(mark.at for mark in better if mark.kind in ("from", "legal"))
    return (*shown, *(Mark("hint", place) for place in hints))


def _actions(game: AnyGame, mistake: Mistake) -> tuple[Any, Any]:
    played, better = mistake.actions
    return game.decode(played), game.decode(better)


def _step_buttons(row: MatchRow, reader: Reader, at: int, count: int) -> tuple[CallButton, ...]:
    def step(key: str, to: int) -> CallButton:
        there = 0 <= to < count
        call = Call("mistake", row.id, row.version, str(to) if there else key)
        return CallButton.make(call, reader.say(msg(f"bot.button.{key}")), disabled=not there)

    back = CallButton.make(
        Call("analyse", row.id, row.version, "back"), reader.say(msg("bot.button.overview"))
    )
    return step("previous", at - 1), step("next", at + 1), back
