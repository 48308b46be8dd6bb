"""Learn from one's mistakes: those of an analysed match as puzzles, one after another, in private.

Each is the board before the mistake, as its seat knew it. The better move that the analysis found solves it,
or one with the same idea. Nothing is kept: buttons and menus carry the match and the number of the mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.actions.handlers import NUMBER, on
from bot.actions.interaction_responses import acknowledge, edit_answer
from bot.actions.match_access import load_match
from bot.context import Context
from bot.messages.analyses import mistake_text, mistakes_of
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.lessons import (
    answer_lines,
    answered_scene,
    move_menu,
    offered_moves,
    task_scene,
    typed_form,
    with_board,
)
from bot.messages.names import as_code, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.ai.analysis import Analysis, Mistake, mistake_reasons
from games.engine.game import AnyGame
from games.engine.lessons import Answer, Right, Wrong, answer, played, position_of
from games.engine.match import Match, walk
from games.engine.message import Msg, msg
from games.engine.puzzles import alike
from games.engine.teaching import LessonStep
from matches.long_work import in_thread, long_in_thread
from matches.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class Retry:
    """One of a person's mistakes, to be done better."""

    row: MatchRow
    game: AnyGame
    step: LessonStep
    mistake: Mistake
    at: int
    """Its number among those of the seat, from 0."""
    of: int
    """How many there are."""


async def own_mistakes(
    ctx: Context, row: MatchRow, reader: Reader, found: Analysis
) -> list[tuple[Match, Mistake]]:
    """Return the reader's mistakes, each with the match before it; not those with too much hidden."""
    mine = [each for each in mistakes_of(found) if each.seat == reader.seat]
    if not mine:
        return []
    match = await ctx.service.queries.at(row.id, row.version)
    return await long_in_thread(_before, match, mine)


def _before(match: Match, mistakes: Sequence[Mistake]) -> list[tuple[Match, Mistake]]:
    """Return the mistakes that aren't too hidden, each with the match before it, in one pass over the log."""
    wanted, found = {each.seq - 1 for each in mistakes}, dict[int, Match]()
    for past, _ in walk(match.log[: max(wanted) + 1]):
        if past.seq in wanted:
            found[past.seq] = past
    listed = [(found[each.seq - 1], each) for each in mistakes]
    return [
        (past, each)
        for past, each in listed
        if past.game.guess(past.game.view(past.state, each.seat), each.seat) is not None
    ]


async def retry_button(
    ctx: Context, row: MatchRow, reader: Reader, found: Analysis
) -> tuple[CallButton, ...]:
    """Return the button to the mistakes of the reader as puzzles; none without mistakes."""
    count = len(await own_mistakes(ctx, row, reader, found))
    if not count:
        return ()
    return (_button(row, reader, "retry", "bot.retry.button.begin", 0, STYLE.primary, n=count),)


def step_of(match: Match, mistake: Mistake) -> LessonStep:
    """Return the position before a mistake, as its seat knew it, as a step."""
    game, seat = match.game, mistake.seat
    known = game.guess(game.view(match.state, seat), seat)
    rules = match.setup.rules
    accepts = alike(game, known, seat, mistake.actions[1])
    return LessonStep(
        str(mistake.seq), game.dump(known), seat, match.setup.seats, accepts=accepts, rules=rules
    )


@on("retry", arg=NUMBER)
async def show_retry(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show one of the person's mistakes as a puzzle."""
    if (opened := await _open(ctx, interaction, call)) is not None:
        await edit_answer(interaction, await _panel(ctx, *opened))


@on("retry_type", arg=NUMBER)
async def retry_type(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form to type a move."""
    reader = await ctx.readers.of(interaction)
    typed = Call("retry_typed", call.match, call.seq, call.arg)
    await interaction.response.send_modal(typed_form(typed, msg("bot.retry.form"), reader))


@on("retry_typed", arg=NUMBER, value=".*")
async def retry_typed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Judge a move that was typed."""
    await _answered(ctx, interaction, call)


@on("retry_move", arg=NUMBER, value=".+")
async def retry_move(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Judge a move that was chosen."""
    await _answered(ctx, interaction, call)


@on("retry_show", arg=NUMBER)
async def retry_show(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the better move."""
    if (opened := await _open(ctx, interaction, call)) is None:
        return
    retry, reader = opened
    best = await in_thread(played, retry.game, retry.step, retry.mistake.actions[1])
    move = f"`{as_code(retry.mistake.best, 60)}`"
    await edit_answer(interaction, await _solved(ctx, retry, reader, best, msg("bot.retry.best", move=move)))


async def _answered(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    if (opened := await _open(ctx, interaction, call)) is None:
        return
    retry, reader = opened
    found = await in_thread(answer, retry.game, retry.step, call.values[0])
    if isinstance(found, Right):
        shown = await _solved(ctx, retry, reader, found, msg("puzzle.right"))
    else:
        shown = await _panel(ctx, retry, reader, _wrong_lines(retry, reader, found))
    await edit_answer(interaction, shown)


async def _open(
    ctx: Context, interaction: discord.Interaction[Any], call: Call
) -> tuple[Retry, Reader] | None:
    """Return the mistake that a call names, or None if the person was shown why there is none."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return None
    row, reader = loaded
    found = await ctx.service.analyses.kept(row)
    mine = [] if found is None else await own_mistakes(ctx, row, reader, found)
    if mine:
        at = min(int(call.arg), len(mine) - 1)
        match, mistake = mine[at]
        step = await in_thread(step_of, match, mistake)
        return Retry(row, match.game, step, mistake, at, len(mine)), reader
    await edit_answer(interaction, Outgoing(reader.say(msg("bot.retry.none", match=row.id))))
    return None


async def _panel(ctx: Context, retry: Retry, reader: Reader, note: tuple[str, ...] = ()) -> Outgoing:
    moves = await in_thread(offered_moves, retry)
    task = msg("bot.retry.task", move=f"`{as_code(retry.mistake.played, 60)}`")
    text = [_head(retry, reader), *note, reader.say(task), f"-# `{retry.row.id}`"]
    menu = Call("retry_move", retry.row.id, retry.row.version, str(retry.at))
    items: tuple[Any, ...] = (
        move_menu(menu, moves, reader),
        _button(retry.row, reader, "retry_type", "learn.button.type", retry.at, STYLE.primary),
        _button(retry.row, reader, "retry_show", "puzzle.button.show", retry.at),
        *_ways_on(retry, reader, STYLE.secondary),
    )
    return await with_board(ctx.presenter, reader, task_scene(retry), "\n".join(text), items)


async def _solved(ctx: Context, retry: Retry, reader: Reader, right: Right, head: Msg) -> Outgoing:
    """Return the board after the better move, and why it is better than what was played."""
    game, step, names = retry.game, retry.step, seat_names(retry.row, reader)
    why = await in_thread(mistake_reasons, game, position_of(game, step), retry.mistake)
    text = [_head(retry, reader), reader.say(head), reader.say(mistake_text(game, retry.mistake), names)]
    text += [f"- {reader.say(each.sentence, names)}" for each in why]
    text.append(f"-# `{retry.row.id}`")
    items = _ways_on(retry, reader, STYLE.primary)
    return await with_board(ctx.presenter, reader, answered_scene(retry, right), "\n".join(text), items)


def _wrong_lines(retry: Retry, reader: Reader, found: Answer) -> tuple[str, ...]:
    """Return what to say of another move: it may be good, but it isn't the one that was found."""
    if not isinstance(found, Wrong):
        return answer_lines(reader, retry, found)
    names = seat_names(retry.row, reader)
    lines: Sequence[Msg] = [
        msg("bot.retry.other", move=f"`{as_code(found.move, 60)}`"),
        *(
            msg("bot.retry.better", said=each.sentence) if each.good else each.sentence
            for each in found.reasons
        ),
    ]
    return tuple(f"> {reader.say(each, names)}" for each in lines)


def _head(retry: Retry, reader: Reader) -> str:
    return reader.say(msg("bot.retry.head", at=retry.at + 1, n=retry.of))


def _ways_on(retry: Retry, reader: Reader, style: discord.ButtonStyle) -> tuple[CallButton, ...]:
    overview = CallButton.make(
        Call("analyse", retry.row.id, retry.row.version, "back"), reader.say(msg("bot.button.overview"))
    )
    if retry.at + 1 == retry.of:
        return (overview,)
    return _button(retry.row, reader, "retry", "bot.retry.button.next", retry.at + 1, style), overview


def _button(
    row: MatchRow,
    reader: Reader,
    verb: str,
    label: str,
    at: int,
    style: discord.ButtonStyle = STYLE.secondary,
    **values: int,
) -> CallButton:
    return CallButton.make(Call(verb, row.id, row.version, str(at)), reader.say(msg(label, **values)), style)
