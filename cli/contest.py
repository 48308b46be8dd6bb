"""Matches between computer players, to measure perfect play against them. The same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from games.ai.levels import Levels
from games.engine.dice import SECRET_BYTES, Dice
from games.engine.game import CHANCE, AnyGame, Oracle, Outcome, Player


@dataclass(frozen=True, slots=True)
class Score:
    """Results of the perfect player against a level: matches, wins, draws, and the median length."""

    level: str
    matches: int
    won: int
    drawn: int
    length: float
    """The median of decisions."""


def contest(game: AnyGame, oracle: Oracle, matches: int) -> Iterator[Score]:
    """Yield the results of the perfect player against each level, itself included, alternating seats."""
    levels = Levels({game.key: oracle})
    perfect = levels.player(game.key, "perfect")
    for level in levels.names(game.key):
        other = levels.player(game.key, level)
        won = drawn = 0
        lengths = []
        for number in range(matches):
            seat = number % 2
            outcome, moves = play(game, (perfect, other) if seat == 0 else (other, perfect), number)
            mine, theirs = outcome.ranks[seat], outcome.ranks[1 - seat]
            won += mine < theirs
            drawn += mine == theirs
            lengths.append(moves)
        yield Score(level, matches, won, drawn, median(lengths))


def play(game: AnyGame, players: tuple[Player, Player], number: int) -> tuple[Outcome, int]:
    """Play one match for two, with dice from its number; return its result and number of decisions."""
    secret = number.to_bytes(SECRET_BYTES, "big")
    state: Any = game.start(game.setup(2)).state
    moves = seq = 0
    while (outcome := game.outcome(state)) is None:
        (seat,) = game.to_act(state)
        dice = Dice(secret, "contest", seq, "")
        seq += 1
        if seat == CHANCE:
            action = game.draw(state, dice)
        else:
            action = players[seat].choose(game, game.view(state, seat), seat, dice)
            moves += 1
        state = game.apply(state, seat, action).state
    return outcome, moves
