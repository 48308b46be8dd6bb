"""Slash commands, a few to a file. Descriptions come from the catalogue; names are the English words."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.context import Context
from bot.inbound.commands import info, look, maps, match, play, settings, watch


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add every command to the tree, once."""
    if tree.get_commands():
        return
    for each in (play, match, look, info, watch, maps, settings):
        each.add(tree, ctx)
