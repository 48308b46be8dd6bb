"""Commands about clocks: `/match claim`, `pause` and `resume`, and `/settings vacation`."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.absence import vacation_text
from bot.actions.interaction_responses import respond_privately
from bot.actions.play.move_answers import refusal_text
from bot.actions.play.offers import respond_with_outcome
from bot.context import Context
from bot.inbound.commands.common import Menu, command, complete_match, resolve_match, subgroup
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from matches.absence.vacations import DAYS_A_YEAR
from matches.results import Refused


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.match, ctx, "claim", match=complete_match)
    async def claim(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            id_, user = found[0].id, interaction.user.id
            result = await ctx.service.time_up.claim(id_, user, request=f"i{interaction.id}")
            done = msg("bot.claim.done", match=id_)
            await respond_with_outcome(ctx, interaction, id_, result, done)

    @command(menu.match, ctx, "pause", match=complete_match)
    async def pause(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            id_, user = found[0].id, interaction.user.id
            result = await ctx.service.pauses.ask(id_, user, request=f"i{interaction.id}")
            paused = not isinstance(result, Refused) and result.match.talk.paused
            done = msg("bot.pause.done" if paused else "bot.pause.asked", match=id_)
            await respond_with_outcome(ctx, interaction, id_, result, done)

    @command(menu.match, ctx, "resume", match=complete_match)
    async def resume(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            id_, user = found[0].id, interaction.user.id
            result = await ctx.service.pauses.resume(id_, user, request=f"i{interaction.id}")
            await respond_with_outcome(ctx, interaction, id_, result, msg("bot.pause.ended", match=id_))

    _add_vacation(subgroup(menu.settings, ctx, "vacation"), ctx)


def _add_vacation(group: app_commands.Group, ctx: Context) -> None:
    async def tell(interaction: discord.Interaction[Any], first: Msg | None = None) -> None:
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
        await tell(interaction)

    @command(group, ctx, "vacation.end")
    async def end(interaction: discord.Interaction[Any]) -> None:
        ended = await ctx.service.vacations.end(interaction.user.id)
        await tell(interaction, msg("bot.vacation.ended") if ended else None)

    @command(group, ctx, "vacation.show")
    async def show(interaction: discord.Interaction[Any]) -> None:
        await tell(interaction)

    @command(group, ctx, "vacation.automatic")
    async def automatic(interaction: discord.Interaction[Any], switch: Literal["on", "off"]) -> None:
        await ctx.service.vacations.set_automatic(interaction.user.id, switch == "on")
        ctx.preferences.forget("user", interaction.user.id)
        await tell(interaction)
