"""Terms of a match that its host sets in the lobby besides the rules, such as whom it is for."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.lobby.lobby_panel import hosted_lobby, refresh_panel
from bot.context import Context
from bot.messages.components import Call, CallForm, FormField
from games.engine.message import msg
from matches.store.rows import Terms
from matches.watching import DELAYS

_FIELDS = ("kept", "least", "most")
_LONGEST = 4
"""Digits of a percentage or a rating."""


@on("delay")
async def delay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose how late others see a match, while it is in its lobby."""
    chosen = next((each for each in DELAYS if str(each) == call.arg), 0)
    result = await ctx.service.lobbies.set_delay(
        call.match, interaction.user.id, chosen, request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)


@on("rated")
async def rated(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose whether a match is to count for ratings, while it is in its lobby."""
    result = await ctx.service.lobbies.set_rated(
        call.match, interaction.user.id, rated=call.arg == "yes", request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)


@on("hints_allowed")
async def allow(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Allow hints in a match, or forbid them, while it is in its lobby."""
    result = await ctx.service.lobbies.allow_hints(
        call.match, interaction.user.id, allowed=call.arg == "yes", request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)


@on("terms")
async def terms(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open the form in which the host chooses whom a lobby is for."""
    if (found := await hosted_lobby(ctx, interaction, call)) is None:
        return
    row, say = found[0], found[1].say
    fields = [
        FormField(
            key,
            say(msg(f"bot.lobby.terms.form.{key}")),
            say(msg("bot.lobby.terms.form.anyone")),
            str(getattr(row.lobby.terms, key) or ""),
            say(msg(f"bot.lobby.terms.form.{key}_help")),
            required=False,
        )
        for key in _FIELDS
    ]
    title = say(msg("bot.lobby.terms.form.title"))
    form = CallForm(Call("terms_typed", row.id, -1), title, *fields, longest=_LONGEST)
    await interaction.response.send_modal(form)


@on("terms_typed")
async def typed_terms(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take the form; what is no number asks for something that nobody can fit, and is refused as that."""
    typed = [text.strip().removesuffix("%").strip() for text in (*call.values, "", "", "")[:3]]
    numbers = [int(text) if text.isascii() and text.isdigit() else -1 if text else 0 for text in typed]
    result = await ctx.service.lobbies.set_terms(
        call.match, interaction.user.id, Terms(*numbers), request=f"i{interaction.id}"
    )
    await refresh_panel(ctx, interaction, call, result)
