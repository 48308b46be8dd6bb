"""Three in a Row: the smallest game that keeps all the laws, made as docs/adding-a-game.md says."""

from tests.three.game import GAME

__all__ = ["GAME"]
