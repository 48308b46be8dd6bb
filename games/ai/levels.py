"""Which computer players a game has, by name. The names are stored with matches: they stay for ever.

What a level needs may be gone tomorrow; a seat that was promised it is then played by the best there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.ai.careful import CarefulPlayer
from games.ai.perfect import PerfectPlayer
from games.ai.random import RandomPlayer
from games.engine import registry
from games.engine.game import AnyGame, Game, Oracle, Player, Seat


class Levels:
    """The computer players that there are, given the oracles that were found, by the key of their game.

    The text of a level is `ai.level.{name}`.
    """

    def __init__(self, oracles: Mapping[str, Oracle] | None = None) -> None:
        self._oracles = dict(oracles or {})
        self._random = RandomPlayer()
        self._careful = CarefulPlayer()
        self._perfect = {game: PerfectPlayer(oracle) for game, oracle in self._oracles.items()}

    def names(self, game: str) -> tuple[str, ...]:
        """The levels of a game, weakest first."""
        return tuple(self._players(game))

    def player(self, game: str, name: str) -> Player:
        """The player of a level; the strongest there is if that one isn't there any more."""
        players = self._players(game)
        return players[name] if name in players else players[next(reversed(players))]

    def oracle(self, game: str) -> Oracle | None:
        """The exact values of a game, if they are known."""
        return self._oracles.get(game)

    @property
    def known(self) -> frozenset[str]:
        """The games whose exact values are known."""
        return frozenset(self._oracles)

    def _players(self, game: str) -> dict[str, Player]:
        players: dict[str, Player] = dict(registry.get(game).computers())
        if not players:
            players["random"] = self._random
            if _foresees(registry.get(game)):
                players["careful"] = self._careful
        if game in self._perfect:
            players["perfect"] = self._perfect[game]
        return players


def _foresees(game: AnyGame) -> bool:
    """Whether moves can be tried before they are made, at least in part of a match."""
    return not game.hidden or type(game).guess is not Game.guess


def probability(oracle: Oracle, view: Any, seat: Seat, to_act: frozenset[Seat]) -> float | None:
    """A seat's probability to win a game of two when both play best; None where the oracle doesn't know."""
    mover = seat if seat in to_act else min(to_act)
    values = oracle.appraise(view, mover)
    if not values:
        return None
    best = max(value for _, value in values)
    return best if mover == seat else 1.0 - best
