"""`/replay`: steps, films, the story, an analysis, dice, proof, records, forks, and positions as text."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.forks import open_fork
from bot.actions.lookback.analyses import analyse_match
from bot.actions.lookback.dice import show_match_dice, show_person_dice
from bot.actions.lookback.films import show_film
from bot.actions.lookback.replay import open_replay
from bot.actions.lookback.story import show_story
from bot.actions.records.exports import ExportFormat, export_match
from bot.actions.records.positions import show_position
from bot.actions.records.verification import show_proof
from bot.context import Context
from bot.inbound.commands.common import (
    MAX_MOVE,
    Choices,
    Menu,
    command,
    complete_finished,
    complete_match,
    game_choices,
    match_here,
    resolve_match,
)
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICES
from games.engine.message import msg
from games.engine.normalization import folded
from matches.lookback.films import MAX_STRETCH

_SUGGESTED = ("all", "turn", "rounds", "moves")


async def complete_any(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest the person's matches, those in progress first."""
    live = await complete_match(ctx, interaction, current)
    return [*live, *await complete_finished(ctx, interaction, current)][:MAX_CHOICES]


async def complete_film(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest which part of a match could be animated."""
    texts = [ctx.readers.default.say(msg(f"bot.film.suggest.{key}")) for key in _SUGGESTED]
    wanted = folded(current)
    return [app_commands.Choice(name=text, value=text) for text in texts if wanted in text]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.replay, ctx, "replay.steps", match=complete_any)
    async def steps(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        move: app_commands.Range[int, 0, 99_999] | None = None,
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await open_replay(ctx, interaction, *found, move)

    @command(menu.replay, ctx, "replay.film", match=complete_any, part=complete_film)
    async def film(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        part: app_commands.Range[str, 1, MAX_STRETCH] = "",
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_film(ctx, interaction, *found, part)

    @command(menu.replay, ctx, "story", match=complete_finished)
    async def story(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_story(ctx, interaction, *found)

    @command(menu.replay, ctx, "analyse", name="analysis", match=complete_finished)
    async def analyse(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await analyse_match(ctx, interaction, *found)

    @command(menu.replay, ctx, "dice", match=complete_finished)
    async def dice(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        person: discord.User | None = None,
    ) -> None:
        await defer(interaction)
        if match is not None and person is not None:
            await _say(ctx, interaction, "dice.refuse.both")
            return
        if match is None and person is None and (here := await match_here(ctx, interaction)) is not None:
            match = here.id
        if match is None:
            await show_person_dice(ctx, interaction, person or interaction.user)
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            await show_match_dice(ctx, interaction, *found)

    @command(menu.replay, ctx, "verify", match=complete_finished)
    async def verify(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        record: discord.Attachment | None = None,
    ) -> None:
        await defer(interaction)
        if record is not None:
            if match is not None:
                await _say(ctx, interaction, "verify.both")
                return
            await show_proof(ctx, interaction, await ctx.readers.of(interaction), record)
        elif (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            await show_proof(ctx, interaction, reader, row)

    @command(menu.replay, ctx, "record.export", name="record", match=complete_finished)
    async def export(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        format: ExportFormat = "text",  # noqa: A002 - the name that people type
        move: app_commands.Range[int, 0, MAX_MOVE] | None = None,
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await export_match(ctx, interaction, *found, format, move)

    @command(menu.replay, ctx, "fork", texts={"friend": "play.friend"}, match=complete_finished)
    async def fork(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        move: app_commands.Range[int, 0, MAX_MOVE] | None = None,
        study: bool = False,
        friend: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        friends: list[discord.User | discord.Member] = [
            f for f in (friend, friend2, friend3) if f is not None
        ]
        await open_fork(ctx, interaction, *found, move=move, friends=friends, study=study)

    @command(menu.replay, ctx, "position")
    @app_commands.choices(game=game_choices(ctx))
    async def position(
        interaction: discord.Interaction[Any],
        text: str = "",
        game: str | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        await show_position(ctx, interaction, game, text, file)


async def _say(ctx: Context, interaction: discord.Interaction[Any], key: str) -> None:
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, Outgoing(reader.say(msg(key))))
