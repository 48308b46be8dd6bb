"""The games by their keys. A new game is added to `KEYS` here, and nowhere else outside its folder."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from games.engine.game import AnyGame, Game

KEYS = ("focus", "dominance", "two_domains", "dominion", "domination")

_registered: dict[str, AnyGame] = {}


def register(game: AnyGame) -> None:
    """Add a game from another package, such as the tests' toy game. Raises ValueError if its key is taken."""
    if game.key in KEYS or _registered.setdefault(game.key, game) is not game:
        raise ValueError(f"the key {game.key} is taken")


def package(key: str) -> str:
    """Return the package of a game, whose texts are in its `texts/`. Raises KeyError for an unknown key."""
    return type(get(key)).__module__.rpartition(".")[0]


@cache
def _load(key: str) -> AnyGame:
    game = import_module(f"games.{key}").GAME
    if not isinstance(game, Game) or game.key != key:
        raise TypeError(f"games.{key} has no GAME of that key")
    return game


def get(key: str) -> AnyGame:
    """Return the game with that key. Raises KeyError if there is none."""
    if key in KEYS:
        return _load(key)
    return _registered[key]


def all_games() -> tuple[AnyGame, ...]:
    """Return all games in the order in which they are offered, those from `register` last."""
    return (*(_load(key) for key in KEYS), *_registered.values())
