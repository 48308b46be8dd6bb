"""The engine against the literal game of `literal`: the same actions, the same positions, the same counts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cli.perft import count
from games.dominance import GAME
from games.dominance.board import names_of
from games.dominance.rules import State
from tests.games.dominance import literal
from tests.games.dominance.helpers import BOARD_KEYS, after, begin, greedy, legal, position, seat_to_act
from tests.rows import rows
from tests.soak import SOAK

pytestmark = pytest.mark.slow

PERFT = {
    "hex4": (4, 12, 60, 312, 2336),
    "hex5": (4, 12, 60, 312, 2340),
    "sq7": (4, 12, 60, 312, 2628),
}
"""Nodes by depth from the empty board."""

LATE: dict[str, tuple[str, str, dict[str, Any]]] = {
    "hex4": ("d4 e3 e5 e6 f5 g3", "b3 b4 c1 d1 d5 f2", {"lost": {"R": 4, "B": 4}}),
    "hex5": ("b5 c1 d6 e4 e5 e7 h2", "d1 e8 f3 f5 g1 g4 h1 i5", {"lost": {"R": 3, "B": 2}}),
    "sq7": ("a1 a7 b1 d4 e5 f7 g5", "c3 f4 f6 g1", {"lost": {"R": 3, "B": 5}}),
}
"""Positions in close contact: attacks, guards and trades are one or two actions away."""

PERFT_LATE = {"hex4": (19, 392, 7553), "hex5": (31, 878, 25564), "sq7": (27, 476, 13889)}


def late(board: str) -> State:
    """Return the late position on a board."""
    red, black, more = LATE[board]
    return position(red, black, board=board, **more)


def twin(state: State) -> literal.LiteralState:
    """Return the same position on the literal table."""
    table = literal.LiteralState(
        state.board,
        {colour: set(names_of(men)) for colour, men in zip("RB", state.men, strict=True)},
        dict(zip("RB", state.pools, strict=True)),
        dict(zip("RB", state.lost, strict=True)),
        "RB"[seat_to_act(state)],
    )
    table.seen.append(literal.here(table))
    return table


def assert_same(state: State, table: literal.LiteralState) -> None:
    """Assert that both agree on everything."""
    for seat, colour in enumerate("RB"):
        men = set(names_of(state.men[seat]))
        assert men == table.men[colour]
        assert state.pools[seat] == table.pool[colour]
        assert state.lost[seat] == table.lost[colour]
        spots = literal.SPOTS[state.board]
        assert set(names_of(state.guarded[seat])) == {
            s for s in spots if literal.dominated(state.board, men, s)
        }
    winner = None if state.ended in (None, "repetition", "quiet", "stuck") else "RB"[state.turn]
    assert table.winner == winner
    assert table.drawn == (state.ended if state.ended and winner is None else None)
    if state.ended is None:
        assert table.mover == "RB"[state.turn]
        assert table.quiet == state.quiet


@rows("board", BOARD_KEYS)
def test_perft_of_the_start(board: str) -> None:
    state = begin(board)
    assert tuple(count(GAME, state, depth, None) for depth in (1, 2, 3, 4, 5)) == PERFT[board]


@rows("board", BOARD_KEYS)
def test_perft_of_the_start_by_the_literal_game(board: str) -> None:
    table = literal.lay(board)
    assert tuple(literal.count(table, depth) for depth in (1, 2, 3, 4)) == PERFT[board][:4]


@rows("board", BOARD_KEYS)
def test_perft_of_a_late_position(board: str) -> None:
    state = late(board)
    assert tuple(count(GAME, state, depth, None) for depth in (1, 2, 3)) == PERFT_LATE[board]


@rows("board", BOARD_KEYS)
def test_perft_of_a_late_position_by_the_literal_game(board: str) -> None:
    table = twin(late(board))
    assert tuple(literal.count(table, depth) for depth in (1, 2)) == PERFT_LATE[board][:2]


@pytest.mark.parametrize("style", ["random", "mixed"])
@pytest.mark.parametrize("board", BOARD_KEYS)
def test_whole_games_are_the_same_in_both_implementations(board: str, style: str) -> None:
    for seed in range(2 if SOAK else 1):
        random = Random(f"{board} {style} {seed}")
        state, table = begin(board), literal.lay(board)
        assert_same(state, table)
        while GAME.to_act(state):
            texts = legal(state)
            assert sorted(texts) == sorted(literal.moves(table))
            if style == "mixed" and random.random() < 0.3:
                text = GAME.format(state, greedy(state, random))
            else:
                text = random.choice(texts)
            state, table = after(state, text), literal.play(table, text)
            assert_same(state, table)
