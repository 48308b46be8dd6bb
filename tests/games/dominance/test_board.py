"""The boards as data: what the specification says of them, and that the engine asks their graph only."""

from __future__ import annotations

import pytest

from games.dominance import GAME, actions
from games.dominance import board as boards
from games.dominance.board import BIT, BOARDS, NAME, PLANS, SPACES, iter_bits, names_of, to_mask
from games.engine.scene import Grid, Hexes
from tests.games.dominance import literal
from tests.games.dominance.helpers import BOARD_KEYS, after, begin, legal, position, result, seat_to_act
from tests.rows import rows


@rows("board", BOARD_KEYS)
def test_spaces_and_spawns_are_those_of_the_specification(board: str) -> None:
    plan = PLANS[board]
    assert set(plan.adjacent) == set(literal.SPOTS[board]) == plan.shape.places
    assert plan.spawns == literal.SPAWNS[board]
    assert plan.shape.special == set(plan.spawns)
    assert len(plan.adjacent) == {"hex4": 37, "hex5": 61, "sq7": 49}[board]


@rows("board", BOARD_KEYS)
def test_neighbours_are_mutual_and_those_of_the_coordinates(board: str) -> None:
    adjacent = PLANS[board].adjacent
    for one in adjacent:
        for other in adjacent:
            assert (other in adjacent[one]) == literal.touches(board, one, other)
            assert (other in adjacent[one]) == (one in adjacent[other])


@rows("board", BOARD_KEYS)
def test_opposite_pairs_are_those_of_the_coordinates(board: str) -> None:
    adjacent, found = PLANS[board].adjacent, set()
    for one, space, other in PLANS[board].opposite:
        assert literal.between(board, one, space, other)
        found.add((space, frozenset((one, other))))
    for space, near in adjacent.items():
        for one in near:
            for other in near:
                across = literal.between(board, one, space, other)
                assert ((space, frozenset((one, other))) in found) == (one != other and across)


@rows(
    "space, near",
    [
        ("d4", "c3 c4 d3 d5 e3 e4"),
        ("a1", "a2 b1 b2"),
        ("a4", "a3 b4 b5"),
        ("a2", "a1 a3 b2 b3"),
        ("d1", "c1 d2 e1"),
        ("g4", "f4 f5 g3"),
    ],
)
def test_neighbours_on_the_small_board(space: str, near: str) -> None:
    assert PLANS["hex4"].adjacent[space] == tuple(near.split())


@rows(
    "board, space, pairs",
    [
        ("hex4", "d4", 9), ("hex4", "a1", 2), ("hex4", "d1", 2), ("hex4", "a2", 4), ("hex5", "e5", 9),
        ("hex5", "i5", 2), ("hex5", "i4", 4), ("sq7", "d4", 16), ("sq7", "a1", 3), ("sq7", "a4", 7),
    ],
)  # fmt: skip
def test_the_number_of_guarding_pairs(board: str, space: str, pairs: int) -> None:
    assert len(BOARDS[board].pairs[BIT[space]]) == pairs


def test_the_number_of_all_pairs() -> None:
    assert {key: sum(map(len, board.pairs.values())) for key, board in BOARDS.items()} == {
        "hex4": 19 * 9 + 12 * 4 + 6 * 2,
        "hex5": 37 * 9 + 18 * 4 + 6 * 2,
        "sq7": 25 * 16 + 20 * 7 + 4 * 3,
    }


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_two_pieces_dominate_what_the_coordinates_say(board: str) -> None:
    built, spots = BOARDS[board], literal.SPOTS[board]
    for one in spots:
        for other in spots:
            if one < other:
                found = set(names_of(built.guarded(to_mask((one, other)))))
                assert found == {s for s in spots if literal.dominated(board, {one, other}, s)}


def test_a_space_has_one_bit_whatever_the_board() -> None:
    assert len(SPACES) == len(set(BIT.values()))
    assert [NAME[bit] for bit in iter_bits(to_mask(SPACES))] == list(SPACES)
    assert all(board.spaces == to_mask(PLANS[key].adjacent) for key, board in BOARDS.items())


def test_shapes_are_drawn_as_what_they_are() -> None:
    assert PLANS["hex4"].shape == Hexes((4, 5, 6, 7, 6, 5, 4), frozenset(("a1", "a4", "g1", "g4")))
    assert PLANS["hex5"].shape == Hexes((5, 6, 7, 8, 9, 8, 7, 6, 5), frozenset(("a1", "a5", "i1", "i5")))
    assert PLANS["sq7"].shape == Grid(7, 7, special=frozenset(("a1", "a7", "g1", "g7")))


def test_squares_touch_at_their_corners_and_lie_opposite_across_them() -> None:
    state = after(position("c3 e4", "d4", board="sq7"), "e4-e5")
    assert state.lost == (0, 1)
    state = after(position("c4 d6", "d4", board="sq7"), "d6-d5")
    assert state.lost == (0, 1)
    state = after(position("c3 d6", "d4", board="sq7"), "d6-d5")
    assert state.lost == (0, 0)


# --- another board is another graph --------------------------------------------------------------------


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a board for no real game: four spaces in a row, all of them spawns, nothing opposite."""
    row = ("a1", "a2", "a3", "a4")
    near = {s: tuple(t for t in row if abs(int(s[1]) - int(t[1])) == 1) for s in row}
    plan = boards.BoardPlan(Hexes((4,), frozenset(row)), near, (), row)
    for space in row:
        monkeypatch.setitem(actions.SPAWN, space, actions.spawn(space))
    for one in row:
        for other in near[one]:
            monkeypatch.setitem(actions.MOVE, (one, other), actions.move(one, other))
    board = boards.build("line", plan)
    monkeypatch.setitem(BOARDS, "line", board)
    monkeypatch.setitem(actions.MOVES, "line", actions.moves_of(board))
    return "line"


def test_neither_can_do_anything_on_a_full_board(line: str) -> None:
    state = after(begin("hex4")._replace(board=line), "+a1", "+a2", "+a3")
    assert legal(state) == ["+a4"]
    state = after(state, "+a4")
    assert result(state) == ("stuck", (1, 1))
    assert GAME.load(GAME.dump(state), 1) == state
    scene = GAME.scene(state, None)
    assert [panel.state for panel in scene.panels] == ["drawn", "drawn"]
    assert GAME.evaluate(state, seat_to_act(begin())) == 0.0
