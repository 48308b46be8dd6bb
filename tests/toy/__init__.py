"""Three Walkers: a toy game that lives in the tests and has whatever makes a game difficult, in few lines."""

from tests.toy.game import GAME

__all__ = ["GAME"]
