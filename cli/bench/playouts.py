"""Random games through the public interface, against random games of python-chess, in moves per second.

Ours: a random one of the legal actions, judged, applied with its facts, who is next, is it over.
Draws of chance are made by the verifiable dice; they cost time, and do not count as moves.
Theirs: the list of legal moves, a random one, pushed, is it over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import process_time

import chess

from cli.bench.measure import Line, Work, compare
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Json, Setup

TARGETS = {"focus": 4.0, "dominance": 4.5, "dominion": 0.5, "domination": 0.25}
"""What each game is to reach with all its options, where it isn't `TARGET`."""
TARGET = 5.0
MANY_OPTIONS = 8
"""Of a game with more options than this, they are measured with the fewest seats only."""
MANY = 3
"""Of an option with more choices than this, one besides the default is measured."""
OURS, THEIRS = 12_000, 3_000
"""Moves a round: about as long for both. Of a game that needn't be faster than chess, as many as there."""


def our_game(game: AnyGame, setup: Setup, random: Random) -> Iterator[int]:
    """Play one random game; gives the number of facts after each move of a seat."""
    state = game.start(setup).state
    draws = 0
    while acting := game.to_act(state):
        seat = next(iter(acting))
        if seat == CHANCE:
            action = game.draw(state, Dice(random.randbytes(32), "bench", draws, ""))
            draws += 1
        else:
            action = game.pick(game.view(state, seat), seat, random.randrange)
        if game.refuse(state, seat, action) is not None:
            raise AssertionError("a legal action was refused")
        step = game.apply(state, seat, action)
        state = step.state
        game.outcome(state)
        if seat != CHANCE:
            yield len(step.facts)


def chess_game(random: Random) -> Iterator[int]:
    """Play one random game of chess."""
    board = chess.Board()
    while not board.is_game_over(claim_draw=False):
        board.push(random.choice(list(board.legal_moves)))
        yield 1


def rate(games: Callable[[Random], Iterator[int]], moves: int) -> Work:
    """Play whole games until a number of moves is made: moves per second of this process."""

    def work(number: int) -> float:
        random = Random(number)  # noqa: S311 - a benchmark wants the same games every time
        done = 0
        begun = process_time()
        while done < moves:
            for _ in games(random):
                done += 1
        return done / (process_time() - begun)

    return work


def setups() -> Iterator[tuple[AnyGame, Setup]]:
    """Yield each game with each number of seats, by default and with each compatible option in turn."""
    for key in registry.KEYS:
        game = registry.get(key)
        for seats in game.seats:
            changes: list[dict[str, Json]] = [{}]
            few = len(game.options) <= MANY_OPTIONS or seats == game.seats[0]
            for option in game.options if few else ():
                others = [choice for choice in option.choices if choice != option.default]
                shown = others[:1] if len(option.choices) > MANY else others
                changes += [{option.key: choice} for choice in shown]
            for options in changes:
                setup = game.setup(seats, options)
                if game.refuse_setup(setup) is None:
                    yield game, setup


def lines(rounds: int) -> Iterator[Line]:
    """Yield one line for each setup."""
    for game, setup in setups():
        changed = [
            key if value is True else str(value)
            for key, value in setup.options.items()
            if value != game.setup(setup.seats).options[key]
        ]
        target = TARGETS.get(game.key, TARGET)
        yield compare(
            f"random {game.key}, {', '.join([f'{setup.seats} seats', *changed])}, v python-chess",
            "moves/s",
            rate(partial(our_game, game, setup), OURS if target > 1 else THEIRS),
            rate(chess_game, THEIRS),
            rounds=rounds,
            target=target,
            better="more",
        )
