"""The progress of something long in the deferred answer to whom asked for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import discord

from bot.messages.outgoing import Outgoing
from matches.waiting import Run

QUICK: Final = 1.5
"""Seconds to wait for a result before progress is shown."""
EVERY: Final = 4.0
"""Seconds between two edits of the progress."""
_PATIENCE: Final = 13 * 60.0
"""Seconds for which progress is shown: Discord takes edits for a quarter of an hour."""
_CLOSED: Final = frozenset((10008, 10015, 50027))
"""Discord's codes for a message, a webhook or a token that is gone."""


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

    `message` is made whenever `state` has changed; its argument says that it takes too long. Lets errors of
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
