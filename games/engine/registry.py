"""Key to game. The one place outside a game's folder that a new game touches: its line in `KEYS`."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from games.engine.game import AnyGame, Game

KEYS = ("focus", "dominance", "two_domains", "dominion", "domination")

_guests: dict[str, AnyGame] = {}


def register(game: AnyGame) -> None:
    """Seat a game that lives elsewhere (the toy game of the tests). Raises ValueError on a taken key."""
    if game.key in KEYS or _guests.setdefault(game.key, game) is not game:
        raise ValueError(f"the key {game.key} is taken")


def package(key: str) -> str:
    """The package in which a game's folder lies; its texts are in `texts/` there. KeyError if unknown."""
    return type(get(key)).__module__.rpartition(".")[0]


@cache
def _load(key: str) -> AnyGame:
    game = import_module(f"games.{key}").GAME
    if not isinstance(game, Game) or game.key != key:
        raise TypeError(f"games.{key} has no GAME of that key")
    return game


def get(key: str) -> AnyGame:
    """The game of that key. Raises KeyError if there is none."""
    if key in KEYS:
        return _load(key)
    return _guests[key]


def all_games() -> tuple[AnyGame, ...]:
    """Every game, in the order in which they are offered, guests last."""
    return (*(_load(key) for key in KEYS), *_guests.values())
