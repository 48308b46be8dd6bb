"""Dominion: Ancient Art of War (2003): armies, strongholds and fate on a board of four Territories."""

from games.dominion.game import GAME

__all__ = ["GAME"]
