"""Puzzles, played in private: the first answer of a person counts, and no puzzle is offered to them twice.

Nothing about an open puzzle is in memory. Two devices may play at once: the first answer that arrives counts.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.context import Context
from bot.messages.components import Call
from bot.messages.lessons import answer_lines, offered_moves
from bot.messages.outgoing import Outgoing
from bot.messages.puzzles import (
    PuzzlePlace,
    best_move,
    finished_panel,
    puzzle_form,
    puzzle_overview,
    puzzle_panel,
    solved_panel,
    streak,
)
from bot.platform.puzzle_files import shipped_puzzles
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.lessons import Right, answer, played
from games.engine.message import Msg, msg
from games.engine.puzzles import step_of, why
from matches.store.lesson_store import PuzzleResult
from matches.threads import in_thread

_PLACE: Final = r"[a-z_]+\.[0-9a-f]{12}"


async def show_puzzles(ctx: Context, interaction: discord.Interaction[Any], game: str | None = None) -> None:
    """Show a person the next puzzle of a game, or which games have some."""
    await defer(interaction)
    reader = await ctx.readers.of(interaction)
    user = interaction.user.id
    shown = await (_overview(ctx, user, reader) if game is None else _next(ctx, user, game, reader))
    await respond_privately(interaction, shown)


async def _overview(ctx: Context, user: int, reader: Reader) -> Outgoing:
    counts = await in_thread(_counts)
    return puzzle_overview(reader, counts, await ctx.store.puzzles_of(user))


def _counts() -> dict[str, int]:
    found = {game.key: len(shipped_puzzles(game.key)) for game in registry.all_games()}
    return {key: count for key, count in found.items() if count}


async def _next(ctx: Context, user: int, game: str, reader: Reader) -> Outgoing:
    """Return the easiest puzzle that a person hasn't answered yet, or say that there is none."""
    known = await in_thread(shipped_puzzles, game)
    tried = {each.puzzle for each in await ctx.store.puzzles_of(user)}
    key = next((each for each in known if each not in tried), None)
    place = None if key is None else await in_thread(_place, game, key)
    return finished_panel(reader, game) if place is None else await _panel(ctx, place, reader)


def _place(game: str, key: str) -> PuzzlePlace | None:
    puzzle = shipped_puzzles(game).get(key)
    return (
        None
        if puzzle is None
        else PuzzlePlace(registry.get(game), puzzle, step_of(registry.get(game), puzzle))
    )


async def _panel(ctx: Context, place: PuzzlePlace, reader: Reader, note: tuple[str, ...] = ()) -> Outgoing:
    return await puzzle_panel(ctx.presenter, reader, place, await in_thread(offered_moves, place), note)


async def _known(call: Call) -> PuzzlePlace | None:
    """Return the puzzle of a call; None if this version no longer has it."""
    game, _, key = call.arg.partition(".")
    return await in_thread(_place, game, key) if game in registry.KEYS else None


async def _place_of(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, reader: Reader
) -> PuzzlePlace | None:
    """Return the puzzle of a call; if this version no longer has it, show the overview and return None."""
    place = await _known(call)
    if place is None:
        await edit_in_place(interaction, await _overview(ctx, interaction.user.id, reader))
    return place


@on("puzzle")
async def puzzles(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show which games have puzzles."""
    await show_puzzles(ctx, interaction)


@on("puzzle_game", value="[a-z_]+")
async def puzzle_game(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the next puzzle of a game that was chosen."""
    await _go_on(ctx, interaction, call.values[0])


@on("puzzle_next", arg="[a-z_]+")
async def puzzle_next(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the next puzzle of the same game."""
    await _go_on(ctx, interaction, call.arg)


async def _go_on(ctx: Context, interaction: discord.Interaction[Any], wanted: str) -> None:
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    game = wanted if wanted in registry.KEYS else registry.KEYS[0]
    await edit_in_place(interaction, await _next(ctx, interaction.user.id, game, reader))


@on("puzzle_type", arg=_PLACE)
async def puzzle_type(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form to type a move."""
    reader = await ctx.readers.of(interaction)
    if (place := await _known(call)) is not None:
        await interaction.response.send_modal(puzzle_form(reader, place))
        return
    await acknowledge(interaction)
    await edit_in_place(interaction, await _overview(ctx, interaction.user.id, reader))


@on("puzzle_typed", arg=_PLACE, value=".*")
async def puzzle_typed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Judge a move that was typed."""
    await _answered(ctx, interaction, call)


@on("puzzle_move", arg=_PLACE, value=".+")
async def puzzle_move(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Judge a move that was chosen."""
    await _answered(ctx, interaction, call)


@on("puzzle_show", arg=_PLACE)
async def puzzle_show(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the answer; the puzzle counts as tried."""
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    place = await _place_of(ctx, interaction, call, reader)
    if place is not None:
        await _note(ctx, interaction.user.id, place, solved=False)
        right = await in_thread(played, place.game, place.step, place.puzzle.best)
        await _show_right(ctx, interaction, place, right, best_move(place))


async def _answered(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    place = await _place_of(ctx, interaction, call, reader)
    if place is None:
        return
    found = await in_thread(answer, place.game, place.step, call.values[0])
    if not isinstance(found, Msg):  # what isn't a legal move costs nothing
        await _note(ctx, interaction.user.id, place, solved=isinstance(found, Right))
    if isinstance(found, Right):
        await _show_right(ctx, interaction, place, found, msg("puzzle.right"))
    else:
        note = answer_lines(reader, place, found, "puzzle.wrong")
        await edit_in_place(interaction, await _panel(ctx, place, reader, note))


async def _note(ctx: Context, user: int, place: PuzzlePlace, *, solved: bool) -> None:
    result = PuzzleResult(user, place.game.key, place.puzzle.key, solved, ctx.clock.now())
    await ctx.store.note_puzzle(result)


async def _show_right(
    ctx: Context, interaction: discord.Interaction[Any], place: PuzzlePlace, right: Right, head: Msg
) -> None:
    reader = await ctx.readers.of(interaction)
    told = await in_thread(why, place.game, place.puzzle)
    row = streak(await ctx.store.puzzles_of(interaction.user.id))
    shown = await solved_panel(ctx.presenter, reader, place, right, told, head, row)
    await edit_in_place(interaction, shown)
