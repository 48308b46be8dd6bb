"""Focus, sold as Domination: the stacking game by Sid Sackson for two, three, four players or two pairs."""

from games.focus.game import GAME

__all__ = ["GAME"]
