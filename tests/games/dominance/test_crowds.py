"""Crowded positions at random: each action compared with the literal game, and what may follow it."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from games.dominance.rules import State
from tests.games.dominance import literal
from tests.games.dominance.helpers import BOARD_KEYS, after, legal, position
from tests.games.dominance.test_against_literal import assert_same, twin
from tests.soak import SOAK

CROWDS = 400 if SOAK else 40
"""Crowds for each board."""


def crowd(rng: Random, board: str) -> State | None:
    """Return a position with many pieces close together; None if it happens to be over, or none at all."""
    spots = literal.SPOTS[board]
    middle, reach = rng.choice(list(spots)), rng.choice((1, 2, 2, 3))
    near = [spot for spot in spots if literal.apart(board, middle, spot) <= reach]
    near += [spot for spot in literal.SPAWNS[board] if spot not in near and rng.random() < 0.4]
    men: dict[str, set[str]] = {"R": set(), "B": set()}
    for spot in rng.sample(near, len(near)):
        colour = rng.choice("RB")
        trial = men | {colour: men[colour] | {spot}}
        calm = not any(
            literal.dominated(board, trial[literal.other(by)], man)
            for by, own in trial.items()
            for man in own
        )
        if calm and len(men[colour]) < 10 and rng.random() < 0.9:
            men = trial
    lost = {colour: rng.randrange(min(9, 11 - len(own))) for colour, own in men.items()}
    pool = {colour: 10 - len(own) - lost[colour] for colour, own in men.items()}
    table = literal.LiteralState(board, men, pool, lost, rng.choice("RB"))
    if literal.is_locked(table, table.mover) or not literal.moves(table):
        return None
    red, black = (" ".join(sorted(men[colour])) for colour in "RB")
    quiet = rng.choice((0, 7, 98, 99))
    return position(red, black, table.mover, lost=lost, board=board, quiet=quiet)


@cache
def crowds(board: str) -> list[State]:
    """Return the crowds of a board."""
    rng, found = Random(f"{board} 1"), list[State]()
    while len(found) < CROWDS:
        if (state := crowd(rng, board)) is not None:
            found.append(state)
    return found


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_every_action_does_what_the_literal_game_does(board: str) -> None:
    trades = set()
    for state in crowds(board):
        table = twin(state)
        table.quiet = state.quiet
        assert sorted(legal(state)) == sorted(literal.moves(table))
        for text in legal(state):
            played, expected = after(state, text), literal.play(table, text)
            assert_same(played, expected)
            if not (expected.winner or expected.drawn):
                assert sorted(legal(played)) == sorted(literal.moves(expected))
            me = "RB".index(table.mover)
            trades.add((played.lost[1 - me] - state.lost[1 - me], played.lost[me] - state.lost[me]))
    assert {(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)} <= trades, "who takes two may fall too"


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_some_actions_on_it_is_still_the_same(board: str) -> None:
    rng = Random(board)
    for state in crowds(board)[::2]:
        table, played = twin(state), state
        table.quiet = state.quiet
        for _ in range(12):
            if table.winner or table.drawn:
                break
            text = rng.choice(legal(played))
            played, table = after(played, text), literal.play(table, text)
            assert_same(played, table)
