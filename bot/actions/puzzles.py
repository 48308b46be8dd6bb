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
from bot.messages.outgoing import Outgoing
from bot.messages.puzzles import (
    DAILY,
    PuzzlePlace,
    best_move,
    finished_panel,
    puzzle_form,
    puzzle_moves,
    puzzle_overview,
    puzzle_panel,
    puzzle_place,
    solved_panel,
    streak,
    wrong_lines,
)
from bot.platform.puzzle_files import shipped_puzzles
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.lessons import Right, answer, played
from games.engine.message import Msg, msg
from games.engine.puzzles import expected_share
from matches.long_work import in_thread
from matches.store.lessons import PuzzleResult

_DAILY: Final = r"[a-z_]+\.[0-9a-f]{12}\.[0-9]{1,6}"
_PLACE: Final = r"[a-z_]+\.[0-9a-f]{12}(\.[0-9]{1,6})?"


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
    counts = {each.puzzle: (each.tries, each.solves) for each in await ctx.store.puzzle_counts(game)}

    def ease(key: str) -> tuple[float, str]:
        return -expected_share(known[key].difficulty, *counts.get(key, (0, 0))), key

    key = min((each for each in known if each not in tried), key=ease, default=None)
    place = None if key is None else await puzzle_place(ctx.store, game, key)
    return finished_panel(reader, game) if place is None else await _panel(ctx, place, reader)


async def _panel(ctx: Context, place: PuzzlePlace, reader: Reader, note: tuple[str, ...] = ()) -> Outgoing:
    return await puzzle_panel(ctx.presenter, reader, place, await in_thread(puzzle_moves, place), note)


async def _known(ctx: Context, call: Call) -> PuzzlePlace | None:
    """Return the puzzle of a call; None if this version no longer has it."""
    game, key, *number = call.arg.split(".")
    return await puzzle_place(ctx.store, game, key, int(*number))


async def _place_of(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, reader: Reader
) -> PuzzlePlace | None:
    """Return the puzzle of a call; if this version no longer has it, show the overview and return None."""
    place = await _known(ctx, call)
    if place is None:
        await edit_in_place(interaction, await _overview(ctx, interaction.user.id, reader))
    return place


@on("puzzle")
async def puzzles(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show which games have puzzles."""
    await show_puzzles(ctx, interaction)


@on(DAILY, arg=_DAILY)
async def puzzle_daily(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the daily puzzle of a server to one person, to be solved in private."""
    await defer(interaction)
    reader, user = await ctx.readers.of(interaction), interaction.user.id
    if (place := await _known(ctx, call)) is None:
        await respond_privately(interaction, await _overview(ctx, user, reader))
        return
    latest = await ctx.store.daily_puzzles(interaction.guild_id or 0, 1)
    tried = {each.puzzle for each in await ctx.store.puzzles_of(user)}
    note: tuple[str, ...] = ()
    if not any(each.n == place.daily for each in latest):
        note = (reader.say(msg("puzzle.daily.over")),)
    elif place.puzzle.key in tried:
        note = (reader.say(msg("puzzle.daily.tried")),)
    await respond_privately(interaction, await _panel(ctx, place, reader, note))


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
    if (place := await _known(ctx, call)) is not None:
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
        place = await _note(ctx, interaction, place, solved=False)
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
        place = await _note(ctx, interaction, place, solved=isinstance(found, Right))
    if isinstance(found, Right):
        await _show_right(ctx, interaction, place, found, msg("puzzle.right"))
    else:
        note = await in_thread(wrong_lines, reader, place, found)
        await edit_in_place(interaction, await _panel(ctx, place, reader, note))


async def _note(
    ctx: Context, interaction: discord.Interaction[Any], place: PuzzlePlace, *, solved: bool
) -> PuzzlePlace:
    """Keep an answer, and return the puzzle as people have fared with it since."""
    result = PuzzleResult(interaction.user.id, place.game.key, place.puzzle.key, solved, ctx.clock.now())
    guild = interaction.guild_id
    await ctx.store.note_puzzle(result, (guild, place.daily) if guild and place.daily else None)
    return await puzzle_place(ctx.store, place.game.key, place.puzzle.key, place.daily) or place


async def _show_right(
    ctx: Context, interaction: discord.Interaction[Any], place: PuzzlePlace, right: Right, head: Msg
) -> None:
    reader = await ctx.readers.of(interaction)
    user, guild = interaction.user.id, interaction.guild_id
    if place.daily and guild:
        row = await ctx.store.daily_streak(guild, place.daily, user)
    else:
        row = streak(await ctx.store.puzzles_of(user))
    shown = await solved_panel(ctx.presenter, reader, place, right, head, row)
    await edit_in_place(interaction, shown)
