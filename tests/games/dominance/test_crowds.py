"""Crowded positions at random: each action compared with the literal game, and what may follow it."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from games.dominance.rules import State
from tests.games.dominance import literal
from tests.games.dominance.helpers import BOARD_KEYS, after, legal, position, result, step
from tests.games.dominance.test_against_literal import assert_same, twin
from tests.soak import SOAK

CROWDS = 400 if SOAK else 40
"""Crowds for each board."""
SIEGES = 12 if SOAK else 1
"""Sieges for each space of the one piece."""


def is_calm(board: str, men: dict[str, set[str]]) -> bool:
    """Return whether no piece is dominated."""
    return not any(
        literal.dominated(board, men[literal.other(by)], man) for by, own in men.items() for man in own
    )


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
        if is_calm(board, trial) and len(men[colour]) < 10 and rng.random() < 0.9:
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


def siege(rng: Random, board: str, lone: str) -> State | None:
    """Return a position in which one seat has at most one piece; None if it is over, or none at all.

    The other seat holds most of the spawns, and `lone` is the space of the one piece.
    """
    colour = rng.choice("RB")
    near = [spot for each in literal.SPAWNS[board] for spot in literal.SPOTS[board]
            if literal.apart(board, each, spot) < 3]  # fmt: skip
    many = {spot for spot in literal.SPAWNS[board] if rng.random() < 0.7} - {lone}
    many |= set(rng.sample(near, 9 - len(many))) - {lone}
    men = {colour: {lone} if rng.random() < 0.8 else set(), literal.other(colour): many}
    pool = {by: 10 - len(own) for by, own in men.items()}
    table = literal.LiteralState(board, men, pool, dict.fromkeys("RB", 0), rng.choice("RB"))
    if not is_calm(board, men) or literal.is_locked(table, table.mover) or not literal.moves(table):
        return None
    red, black = (" ".join(sorted(men[by])) for by in "RB")
    return position(red, black, table.mover, board=board)


def nearness(table: literal.LiteralState, colour: str) -> tuple[int, int]:
    """Return how near a colour is to a lock: the spawns that the other holds, and whether it has no piece."""
    foe, own = table.men[literal.other(colour)], table.men[colour]
    held = sum(
        spot in foe or (spot not in own and literal.dominated(table.board, foe, spot))
        for spot in literal.SPAWNS[table.board]
    )
    return (held, not own) if len(own) < 2 and held > 2 else (0, 0)


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_who_is_nearly_locked_out_is_warned_and_who_is_loses(board: str) -> None:
    rng, warned, locks = Random(f"{board} 2"), 0, 0
    for state in (siege(rng, board, lone) for lone in literal.SPOTS[board] for _ in range(SIEGES)):
        if state is None:
            continue
        table = twin(state)
        for text in legal(state):
            expected = literal.play(table, text)
            played, facts = step(state, text)
            assert_same(played, expected)
            found = [fact.msg for fact in facts if fact.msg.key.endswith("warning")]
            if expected.winner or expected.drawn:
                locks += result(played)[0] == "lock"
                assert not found
                continue
            nearer = [by for by in "RB" if nearness(expected, by) > nearness(table, by)]
            assert len(found) == len(nearer), text
            warned += len(found)
    assert warned
    assert locks
