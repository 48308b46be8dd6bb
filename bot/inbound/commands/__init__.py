"""Slash commands. Their names are English; their descriptions come from the catalogue."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.context import Context
from bot.inbound.commands import info, look, maps, match, play, settings, watch


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add all commands to the tree, unless it has some already."""
    if tree.get_commands():
        return
    for each in (play, match, look, info, watch, maps, settings):
        each.add(tree, ctx)
