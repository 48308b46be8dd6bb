"""Answers to interactions: one first answer, private, whatever was said before; the rest follows up."""

from __future__ import annotations

import contextlib
from typing import Any

import discord

from bot.presenter import Outgoing


async def private(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    """Answer only to the person who asked."""
    if interaction.response.is_done():
        await interaction.followup.send(ephemeral=True, **outgoing.fields())
    else:
        await interaction.response.send_message(ephemeral=True, **outgoing.fields())


async def thinking(interaction: discord.Interaction[Any]) -> None:
    """Say that an answer is being made, before three seconds are over. Once is enough."""
    if not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True, thinking=True)


async def quiet(interaction: discord.Interaction[Any]) -> None:
    """Take note of a press whose effect shows in the channel."""
    if not interaction.response.is_done():
        await interaction.response.defer()


async def done_with(interaction: discord.Interaction[Any]) -> None:
    """Put away the private message on which the component lies: it has served its purpose."""
    await quiet(interaction)
    with contextlib.suppress(discord.NotFound):  # its reader was quicker
        await interaction.delete_original_response()


async def instead(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    """Replace the private message on which the component lies."""
    fields = outgoing.fields()
    fields["attachments"] = fields.pop("files")
    fields.setdefault("view", None)
    if interaction.response.is_done():
        await interaction.edit_original_response(**fields)
    else:
        await interaction.response.edit_message(**fields)
