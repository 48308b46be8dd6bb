"""Respond to interactions.

`Discord <https://discord.com/developers/docs/interactions/receiving-and-responding>`_ expects one initial
response within three seconds, then takes follow-ups. Only these messages can be private.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import discord

from bot.messages.outgoing import Outgoing

_UNKNOWN_MESSAGE = 10008


async def respond_privately(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    """Send a message that only the person who asked can see."""
    if interaction.response.is_done():
        await interaction.followup.send(ephemeral=True, **outgoing.fields())
    else:
        await interaction.response.send_message(ephemeral=True, **outgoing.fields())


async def defer(interaction: discord.Interaction[Any]) -> None:
    """Announce a private answer, unless the interaction already has a response."""
    if not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True, thinking=True)


async def acknowledge(interaction: discord.Interaction[Any]) -> None:
    """Acknowledge a button press without a message, as its effect shows in the channel."""
    if not interaction.response.is_done():
        await interaction.response.defer()


async def dismiss(interaction: discord.Interaction[Any]) -> None:
    """Delete the private message that the component belongs to."""
    await acknowledge(interaction)
    with contextlib.suppress(discord.NotFound):  # its reader has dismissed it
        await interaction.delete_original_response()


async def edit_in_place(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    """Replace the private message that the component belongs to. A layout stays one, and keeps its colour."""
    shown = interaction.message
    if shown is not None and shown.flags.components_v2:
        outgoing = replace(outgoing, layout=True, accent=outgoing.accent or _accent(shown))
    fields = outgoing.edit_fields()
    if interaction.response.is_done():
        await interaction.edit_original_response(**fields)
    else:
        await interaction.response.edit_message(**fields)


def _accent(layout: discord.Message) -> int | None:
    boxes = (each for each in layout.components if isinstance(each, discord.Container))
    return next((box.accent_colour.value for box in boxes if box.accent_colour is not None), None)


async def settle_question(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    """Replace a public question by its answer; if its message was deleted meanwhile, answer privately."""
    try:
        await edit_in_place(interaction, outgoing)
    except discord.NotFound as error:
        if error.code != _UNKNOWN_MESSAGE:
            raise
        await respond_privately(interaction, outgoing)
