"""What people do with lobbies, and what these show."""

from __future__ import annotations

import discord
from simcord.results import InteractionResult

from bot.messages.components import walk_components
from matches.store.rows import MatchRow
from tests.bot.stage import Stage, shown


def labels(message: discord.Message, *, usable: bool = True) -> set[str]:
    """The buttons of a message that can be pressed, or that can't."""
    return {
        child.label
        for child in walk_components(message.components)
        if isinstance(child, discord.Button) and child.label and child.disabled is not usable
    }


async def open_lobby(stage: Stage) -> MatchRow:
    """Return the only open lobby."""
    (row,) = await stage.bot.context.store.by_status("lobby")
    return row


async def panel(stage: Stage, match: str) -> discord.Message:
    """The host's panel of options."""
    return shown(await stage.ann.click(await stage.lobby(match), label="Options"))


async def choose(stage: Stage, panel: discord.Message, value: str, menu: str) -> InteractionResult:
    """Use one of the panel's menus, known by the beginning of its id."""
    ids = [
        str(child.custom_id)
        for child in walk_components(panel.components)
        if str(getattr(child, "custom_id", "")).startswith(f"doms:{menu}:")
    ]
    return await stage.ann.select(panel, [value], custom_id=ids[0])


def menu_with_id(message: discord.Message, ending: str) -> str:
    """The id of the menu whose id ends so."""
    return next(
        str(child.custom_id)
        for child in walk_components(message.components)
        if str(getattr(child, "custom_id", "")).endswith(f":{ending}")
    )
