"""Lessons, played in private: a step is shown, answered by a menu or typed, and what was solved is kept.

Nothing about an open lesson is in memory. Two devices may play at once: progress never goes back.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.handlers import NUMBER, on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.context import Context
from bot.messages.components import Call
from bot.messages.lessons import (
    LessonPlace,
    answer_lines,
    lesson_moves,
    move_form,
    overview,
    right_panel,
    solved_steps,
    step_panel,
    taught_games,
)
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.lessons import Right, answer
from matches.long_work import in_thread
from matches.store.lessons import LessonProgress

_STEP: Final = rf"[a-z_]+\.{NUMBER}"


async def show_lessons(ctx: Context, interaction: discord.Interaction[Any], game: str | None = None) -> None:
    """Show a person the step of a game at which they stopped, or all lessons with their progress."""
    await defer(interaction)
    reader = await ctx.readers.of(interaction)
    if game is None:
        shown = overview(reader, await _progress(ctx, interaction.user.id))
    else:
        shown = await _resumed(ctx, interaction.user.id, game, reader)
    await respond_privately(interaction, shown)


async def _progress(ctx: Context, user: int) -> dict[str, LessonProgress]:
    return {each.game: each for each in await ctx.store.lessons_of(user)}


async def _resumed(ctx: Context, user: int, key: str, reader: Reader) -> Outgoing:
    """Return the first step that a person hasn't solved; the first of all if they know them all."""
    game = next((each for each in taught_games() if each.key == key), taught_games()[0])
    done = solved_steps(game, (await _progress(ctx, user)).get(game.key))
    return await _step(ctx, LessonPlace(game, done % len(game.lessons)), reader)


async def _step(ctx: Context, place: LessonPlace, reader: Reader, note: tuple[str, ...] = ()) -> Outgoing:
    return await step_panel(ctx.presenter, reader, place, await in_thread(lesson_moves, place), note)


def place_of(call: Call) -> LessonPlace:
    """Return the place that a call carries, as near as there is one in this version."""
    key, _, at = call.arg.partition(".")
    game = next((each for each in taught_games() if each.key == key), taught_games()[0])
    return LessonPlace(game, min(int(at), len(game.lessons) - 1))


async def show_step(ctx: Context, call: Call, reader: Reader) -> Outgoing:
    """Return the step that a call carries."""
    return await _step(ctx, place_of(call), reader)


@on("learn")
async def learn(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show all lessons."""
    await show_lessons(ctx, interaction)


@on("learn_game", value="[a-z_]+")
async def learn_game(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Go on with the lessons of a game."""
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    await edit_in_place(interaction, await _resumed(ctx, interaction.user.id, call.values[0], reader))


@on("learn_step", arg=_STEP)
async def learn_step(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a step."""
    await acknowledge(interaction)
    await edit_in_place(interaction, await _step(ctx, place_of(call), await ctx.readers.of(interaction)))


@on("learn_type", arg=_STEP)
async def learn_type(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form to type a move."""
    reader = await ctx.readers.of(interaction)
    await interaction.response.send_modal(move_form(reader, place_of(call)))


@on("learn_typed", arg=_STEP, value=".*")
async def learn_typed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Judge a move that was typed."""
    await _answered(ctx, interaction, call)


@on("learn_move", arg=_STEP, value=".+")
async def learn_move(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Judge a move that was chosen."""
    await _answered(ctx, interaction, call)


async def _answered(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    await acknowledge(interaction)
    place, reader = place_of(call), await ctx.readers.of(interaction)
    found = await in_thread(answer, place.game, place.step, call.values[0])
    if not isinstance(found, Right):
        note = answer_lines(reader, place, found)
        await edit_in_place(interaction, await _step(ctx, place, reader, note))
        return
    user, now = interaction.user.id, ctx.clock.now()
    await ctx.store.note_lesson(LessonProgress(user, place.game.key, place.step.key, place.at, now))
    await edit_in_place(interaction, await right_panel(ctx.presenter, reader, place, found))
