"""Dominance by C. M. Perry: two pieces that support each other take what stands between or beside them."""

from games.dominance.game import GAME

__all__ = ["GAME"]
