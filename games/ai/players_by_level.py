"""The computer players of each game, by the name of their level.

Names are stored with matches, so that they can't be changed. A level may become unavailable, such as when
its table of values is deleted; the strongest level that is left then plays its seats. Games with search
states have five levels that search. Games with an estimate of all values have four that misjudge them,
and above them `perfect`, or `expert` as long as exact values are missing. `random` and `careful`, which
all of these had before, are no longer offered there, and still play the seats that they were given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.ai.players import CarefulPlayer, FalliblePlayer, PerfectPlayer, RandomPlayer, SearchingPlayer
from games.engine import registry
from games.engine.game import AnyGame, Game, Oracle, Player, Seat


class Levels:
    """The available computer players, given the oracles that were found, by the key of their game.

    The text of a level is `ai.level.{name}`.
    """

    def __init__(self, oracles: Mapping[str, Oracle] | None = None) -> None:
        self._oracles = dict(oracles or {})
        self._random = RandomPlayer()
        self._careful = CarefulPlayer()
        self._perfect = {game: PerfectPlayer(oracle) for game, oracle in self._oracles.items()}

    def names(self, game: str) -> tuple[str, ...]:
        """Return the levels that a game offers, weakest first."""
        return tuple(self._players(game))

    def has(self, game: str, name: str) -> bool:
        """Return whether a level can be played: it is offered, or was once."""
        return name in self._players(game) or name in self._retired(game)

    def player(self, game: str, name: str) -> Player:
        """Return the player of a level, or the strongest one if the level is no longer available."""
        players = self._players(game)
        strongest = players[next(reversed(players))]
        return players.get(name) or self._retired(game).get(name) or strongest

    def oracle(self, game: str) -> Oracle | None:
        """Return the exact values of a game; None if they aren't available."""
        return self._oracles.get(game)

    @property
    def solved(self) -> frozenset[str]:
        """The keys of the games whose exact values are available."""
        return frozenset(self._oracles)

    @property
    def judged(self) -> frozenset[str]:
        """The keys of the games whose positions can be judged: by exact values, a search, or moves tried."""
        able = (game for game in registry.all_games() if game.levels() or _can_look_ahead(game))
        return self.solved.union(game.key for game in able)

    def _players(self, game: str) -> dict[str, Player]:
        players: dict[str, Player] = dict(registry.get(game).computers())
        if not players:
            players |= self._searching(game) or self._judging(game) or self._simple(game)
        if game in self._perfect:
            players["perfect"] = self._perfect[game]
        return players

    def _judging(self, game: str) -> dict[str, Player]:
        judgements, looks = registry.get(game).judgements(), registry.get(game).estimate()
        if not judgements or looks is None:
            return {}
        values = self._oracles.get(game, looks)
        players: dict[str, Player] = {
            name: FalliblePlayer(values, looks, judgement) for name, judgement in judgements.items()
        }
        return players if game in self._oracles else players | {"expert": PerfectPlayer(looks, exact=False)}

    def _searching(self, game: str) -> dict[str, Player]:
        return {name: SearchingPlayer(level) for name, level in registry.get(game).levels().items()}

    def _simple(self, game: str) -> dict[str, Player]:
        players: dict[str, Player] = {"random": self._random}
        if _can_look_ahead(registry.get(game)):
            players["careful"] = self._careful
        return players

    def _retired(self, game: str) -> dict[str, Player]:
        """Return the players of levels that matches of a game may name though they aren't offered."""
        if registry.get(game).computers():
            return {}
        players = self._simple(game)
        if game in self._perfect and registry.get(game).judgements():
            players["expert"] = self._perfect[game]  # given a seat while exact values were missing
        return players


def _can_look_ahead(game: AnyGame) -> bool:
    """Return whether moves can be tried before they are made, at least in part of a match."""
    return not game.hidden or type(game).guess is not Game.guess


def probability(oracle: Oracle, view: Any, seat: Seat, to_act: frozenset[Seat]) -> float | None:
    """Return a seat's probability of winning a two-player game under best play by both.

    None for a position that the oracle doesn't hold.
    """
    mover = seat if seat in to_act else min(to_act)
    values = oracle.appraise(view, mover)
    if not values:
        return None
    best = max(value for _, value in values)
    return best if mover == seat else 1.0 - best
