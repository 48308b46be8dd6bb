"""Slash commands, a few to a file. Descriptions come from the catalogue; names are the English words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.commands import info, look, maps, match, play, settings, watch

if TYPE_CHECKING:
    from bot.app import Dominium


def add(app: Dominium) -> None:
    """Add every command to the client's tree, once."""
    if app.tree.get_commands():
        return
    for room in (play, match, look, info, watch, maps, settings):
        room.add(app)
