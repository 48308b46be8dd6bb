"""The games' own computer players: orders a second, seconds a game, and the longest turn.

Random games of python-chess give the scale.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles
from time import perf_counter

from cli.bench.measure import Line, Work, compare, limit
from cli.bench.playouts import THEIRS, chess_game, rate
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat

SEATS = 4
AT_LEAST = {"hard": 0.01, "expert": 0.0002}
"""Minimum ratio of a level's orders a second to random moves of python-chess a second."""
TURN = {"hard": 1.0, "expert": 15.0}
"""Seconds that a turn may take at the 99th percentile; expert thinks while people do something else."""
A_GAME = {"hard": 60.0, "expert": 120.0}
"""Seconds that a game may take in which all seats are played by a level."""


@dataclass
class _Watch:
    """What was measured in all games: orders, games, and the length of each turn in seconds."""

    orders: int = 0
    games: int = 0
    turns: list[float] = field(default_factory=list)


def _game(game: AnyGame, level: str, number: int, watch: _Watch) -> None:
    """Play one game, every seat at the same level."""
    player = game.computers()[level]
    random = Random(number)  # noqa: S311 - a benchmark wants the same games every time
    state = game.start(game.setup(SEATS)).state
    seq, last, begun = 0, CHANCE, perf_counter()
    while acting := game.to_act(state):
        seat = Seat(min(acting))
        dice = Dice(random.randbytes(32), "bench", seq, "")
        seq += 1
        if seat == CHANCE:
            action = game.draw(state, dice)
        else:
            if seat != last:
                now = perf_counter()
                watch.turns.append(now - begun)
                last, begun = seat, now
            action = player.choose(game, game.view(state, seat), seat, dice)
            watch.orders += 1
        if game.refuse(state, seat, action) is not None:
            raise AssertionError("a computer was refused")
        state = game.apply(state, seat, action).state
    watch.games += 1


def _pace(game: AnyGame, level: str, watch: _Watch) -> Work:
    def work(number: int) -> float:
        before, begun = watch.orders, perf_counter()
        _game(game, level, number, watch)
        return (watch.orders - before) / (perf_counter() - begun)

    return work


def lines(rounds: int) -> Iterator[Line]:
    """Yield three lines for each measured level of each game that has computer players of its own."""
    for key in registry.KEYS:
        game = registry.get(key)
        for level in AT_LEAST if SEATS in game.seats else ():
            if level not in game.computers():
                continue
            watch = _Watch()
            name = f"{level} {key}, {SEATS} seats"
            pace = compare(
                f"{name}, v random python-chess",
                "orders/s",
                _pace(game, level, watch),
                rate(chess_game, THEIRS),
                rounds=rounds,
                target=AT_LEAST[level],
                better="more",
            )
            yield pace
            a_game = watch.orders / watch.games
            yield limit(f"{name}, a game ({a_game:,.0f} orders)", "s", a_game / pace.ours, A_GAME[level])
            p99 = quantiles(watch.turns, n=100)[98]
            yield limit(f"{name}, a turn at p99", "s", p99, TURN[level])
