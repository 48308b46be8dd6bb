"""Domination, the world conquest of yura.net, with rules by Conway Hui."""

from games.domination.game import GAME

__all__ = ["GAME"]
