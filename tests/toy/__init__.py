"""Three Walkers: a toy game for the tests that has everything difficult about games, in few lines."""

from tests.toy.game import GAME

__all__ = ["GAME"]
