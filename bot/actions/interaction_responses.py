"""Respond to interactions, and show in a deferred answer how far something long is.

`Discord <https://discord.com/developers/docs/interactions/receiving-and-responding>`_ expects one initial
response within three seconds, then takes follow-ups. Only these messages can be private.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import discord

from bot.messages.outgoing import Outgoing
from matches.long_work import Run

_UNKNOWN_MESSAGE = 10008
QUICK: Final = 1.5
"""Seconds to wait for a result before progress is shown."""
EVERY: Final = 4.0
"""Seconds between two edits of the progress."""
_PATIENCE: Final = 13 * 60.0
"""Seconds for which progress is shown: Discord takes edits for a quarter of an hour."""
_CLOSED: Final = frozenset((10008, 10015, 50027))
"""Discord's codes for a message, a webhook or a token that is gone."""


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


def is_dismissed(error: discord.HTTPException) -> bool:
    """Return whether an edit failed because the person has dismissed the answer."""
    return error.code in _CLOSED


async def edit_answer(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    """Edit the answer to an interaction."""
    await interaction.edit_original_response(**outgoing.edit_fields())


async def show_progress(
    interaction: discord.Interaction[Any],
    run: Run,
    state: Callable[[], object],
    message: Callable[[bool], Outgoing],
    wanted: Callable[[], bool] = lambda: True,
) -> bool:
    """Show how far a run is until it ends or isn't wanted; return False if that takes too long.

    `message` is made whenever `state` has changed; its argument is whether it takes too long. Lets errors of
    Discord through.
    """
    end = time.monotonic() + _PATIENCE
    shown, ended = None, await run.wait(QUICK)
    while not ended and wanted():
        late, now = time.monotonic() >= end, state()
        if late or now != shown:
            shown = now
            await edit_answer(interaction, message(late))
        if late:
            return False
        ended = await run.wait(EVERY)
    return True
