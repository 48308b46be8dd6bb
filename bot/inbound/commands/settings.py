"""`/settings`: a person's settings, vacations, privacy and blocks; and "Block" in a person's menu (Apps)."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

import render
from bot.actions.absence import vacation_text
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.people.blocks import block, blocks_panel
from bot.actions.people.data_exports import export_data
from bot.actions.people.erasures import ask_first, privacy_panel
from bot.actions.people.ping_settings import take_typed
from bot.actions.people.settings_panel import settings_panel
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.inbound.commands.common import Choices, Menu, command, describe, subgroup
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICES
from games.engine.message import Msg, msg
from matches.absence.vacations import DAYS_A_YEAR
from matches.clocks import zones
from matches.long_work import in_thread
from matches.results import Refused
from matches.store.standing import Seen


async def complete_zone(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest time zones."""
    names = await in_thread(zones.zone_names)  # they are read from files the first time
    found = zones.suggest_zones(current[: zones.MAX_TYPED], names)
    return [app_commands.Choice(name=zone, value=zone) for zone in found[:MAX_CHOICES]]


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""
    themes = [app_commands.Choice(name=theme, value=theme) for theme in render.THEMES]
    languages = [app_commands.Choice(name=code, value=code) for code in ctx.readers.catalogue.languages]

    @command(
        menu.settings,
        ctx,
        "settings.me",
        texts={"zone": "pings.zone", "quiet": "pings.quiet", "digest": "pings.digest"},
        zone=complete_zone,
    )
    @app_commands.choices(theme=themes, language=languages)
    async def me(
        interaction: discord.Interaction[Any],
        theme: str | None = None,
        board: Literal["picture", "text"] | None = None,
        language: str | None = None,
        zone: str | None = None,
        quiet: str | None = None,
        digest: str | None = None,
        standing: Seen | None = None,
    ) -> None:
        user = interaction.user.id
        made = await ctx.preferences.get("user", user)
        given = {"theme": theme, "board": board, "language": language, "standing": standing}
        made.update({key: value for key, value in given.items() if value is not None})
        await ctx.preferences.save("user", user, made)
        reader = await ctx.readers.of(interaction)
        why = await take_typed(ctx, user, zone=zone, quiet=quiet, digests=digest)
        note = "" if why is None else reader.say(why)
        await respond_privately(interaction, await settings_panel(ctx, user, reader, note))

    _add_vacation(subgroup(menu.settings, ctx, "vacation"), ctx)

    @command(menu.settings, ctx, "privacy")
    async def privacy(
        interaction: discord.Interaction[Any], do: Literal["export", "erase"] | None = None
    ) -> None:
        if do == "export":
            await export_data(ctx, interaction)
            return
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        user = interaction.user.id
        panel = await ask_first(ctx, reader, user) if do == "erase" else privacy_panel(reader, user)
        await respond_privately(interaction, panel)

    @command(menu.settings, ctx, "settings.blocks")
    async def blocks(interaction: discord.Interaction[Any]) -> None:
        await respond_privately(interaction, await blocks_panel(ctx, interaction))

    async def block_person(interaction: discord.Interaction[Any], user: discord.User) -> None:
        note = await block(ctx, interaction.user.id, user)
        await respond_privately(interaction, await blocks_panel(ctx, interaction, note))

    menu.tree.add_command(app_commands.ContextMenu(name=describe(ctx, "block"), callback=block_person))


def _add_vacation(group: app_commands.Group, ctx: Context) -> None:
    async def answer(interaction: discord.Interaction[Any], first: Msg | None = None) -> None:
        reader = await ctx.readers.of(interaction)
        text = await vacation_text(ctx, interaction.user.id, reader, first)
        await respond_privately(interaction, Outgoing(text))

    @command(group, ctx, "vacation.take")
    async def take(
        interaction: discord.Interaction[Any], days: app_commands.Range[int, 1, DAYS_A_YEAR]
    ) -> None:
        result = await ctx.service.vacations.begin(interaction.user.id, days)
        if isinstance(result, Refused):
            reader = await ctx.readers.of(interaction)
            await respond_privately(interaction, Outgoing(await refusal_text(ctx, result, reader, None)))
            return
        await answer(interaction)

    @command(group, ctx, "vacation.end")
    async def end(interaction: discord.Interaction[Any]) -> None:
        ended = await ctx.service.vacations.end(interaction.user.id)
        await answer(interaction, msg("bot.vacation.ended") if ended else None)

    @command(group, ctx, "vacation.show")
    async def show(interaction: discord.Interaction[Any]) -> None:
        await answer(interaction)

    @command(group, ctx, "vacation.automatic")
    async def automatic(interaction: discord.Interaction[Any], switch: Literal["on", "off"]) -> None:
        await ctx.service.vacations.set_automatic(interaction.user.id, switch == "on")
        ctx.preferences.forget("user", interaction.user.id)
        await answer(interaction)
