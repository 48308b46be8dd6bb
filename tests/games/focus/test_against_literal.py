"""The engine against the literal game of `literal`: the same moves, the same positions, the same counts."""

from __future__ import annotations

from random import Random

import pytest

from cli.perft import count
from games.focus import GAME
from games.focus.board import to_piles
from games.focus.rules import State
from tests.games.focus import literal
from tests.games.focus.helpers import VARIANTS, begin, greedy, legal, position, seat_to_act
from tests.rows import rows
from tests.soak import SOAK

pytestmark = pytest.mark.slow

PERFT = {
    ("2", 0): (68, 4460, 299912),
    ("2", 1): (68, 4460, 299912),
    ("3", 0): (16, 240, 3360),
    ("4", 0): (44, 1895, 80983),
    ("partners", 0): (44, 1895, 80983),
}
"""Nodes by depth, by variant and first seat."""

LATE = {
    "2": ("b3=RGRG f3=GRR h3=R d5=RGGRG c8=GR", "G", {"reserve": {"G": 1, "R": 1}}),
    "3": ("b3=RGBRG f3=GBRB h3=R d5=BGGRG c8=GR", "B", {"reserve": {"G": 1, "B": 1}}),
    "4": ("d5=BG a3=R h4=Y d4=YBGRB e5=GGBYR", "G", {"reserve": {"R": 1}}),
    "partners": ("d5=BG a3=R h4=Y d4=YBGRB e5=GGBYR", "G", {"reserve": {"R": 1}}),
}
"""Positions with tall piles, hidden pieces and reserves: passes, captures and gifts are few turns away."""

PERFT_LATE = {
    "2": (76, 5246, 223743),
    "3": (64, 416, 32180),
    "4": (8, 114, 377),
    "partners": (8, 114, 585),
}


def twin(state: State) -> literal.LiteralState:
    """Return the same position on the literal table."""
    variant, colours = state.variant, state.variant.colours
    piles: dict[str, list[str]] = {space: [] for space in literal.spaces()}
    piles |= {space: list(pile) for space, pile in to_piles(state.board).items()}
    return literal.LiteralState(
        list(colours),
        variant.fast,
        variant.partners,
        piles,
        colours[seat_to_act(state)],
        dict(zip(colours, state.reserve, strict=True)),
        {
            c: list("".join(d * n for d, n in zip(colours, row, strict=True)))
            for c, row in zip(colours, state.captured, strict=True)
        },
        [c for c, left in zip(colours, state.thirteenth, strict=True) if left],
    )


def assert_same(state: State, table: literal.LiteralState) -> None:
    """Assert that both agree on everything."""
    colours = state.variant.colours
    assert to_piles(state.board) == {s: "".join(p) for s, p in table.piles.items() if p}
    assert dict(zip(colours, state.reserve, strict=True)) == table.reserve
    for colour, row in zip(colours, state.captured, strict=True):
        assert list(row) == [table.taken[colour].count(other) for other in colours]
    for seat, colour in enumerate(colours):
        tops = {s for s, p in table.piles.items() if p and p[-1] == colour}
        assert state.controls[seat].bit_count() == len(tops)


def late(variant: str) -> State:
    """Return the late position of a variant."""
    piles, turn, more = LATE[variant]
    return position(piles, turn, VARIANTS[variant][0], partners=variant == "partners", **more)


@pytest.mark.parametrize(("variant", "first"), PERFT)
def test_perft_of_the_start(variant: str, first: int) -> None:
    state = begin(variant, first)
    assert tuple(count(GAME, state, depth, None) for depth in (1, 2, 3)) == PERFT[variant, first]


@pytest.mark.parametrize(("variant", "first"), PERFT)
def test_perft_of_the_start_by_the_literal_game(variant: str, first: int) -> None:
    seats = VARIANTS[variant][0]
    table = literal.lay(seats, literal.PLAYERS[seats][first], partners=variant == "partners")
    assert tuple(literal.count(table, depth) for depth in (1, 2, 3)) == PERFT[variant, first]


@rows("variant", LATE)
def test_perft_of_a_late_position(variant: str) -> None:
    state = late(variant)
    assert tuple(count(GAME, state, depth, None) for depth in (1, 2, 3)) == PERFT_LATE[variant]


@pytest.mark.parametrize("variant", LATE)
def test_perft_of_a_late_position_by_the_literal_game(variant: str) -> None:
    table = twin(late(variant))
    assert tuple(literal.count(table, depth) for depth in (1, 2, 3)) == PERFT_LATE[variant]


@pytest.mark.parametrize("style", ["random", "greedy", "mixed"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games_are_the_same_in_both_implementations(variant: str, style: str) -> None:
    seats, options = VARIANTS[variant]
    for seed in range(2 if SOAK else 1):
        random = Random(f"{variant} {style} {seed}")
        first = random.randrange(seats)
        state = begin(variant, first)
        table = literal.lay(seats, literal.PLAYERS[seats][first], **options)
        assert_same(state, table)
        while GAME.to_act(state):
            assert state.variant.colours[seat_to_act(state)] == table.mover
            assert sorted(legal(state)) == sorted(literal.moves(table))
            thoughtful = style == "greedy" or (style == "mixed" and random.random() < 0.7)
            action = (
                greedy(state, random)
                if thoughtful
                else random.choice(list(GAME.actions(state, seat_to_act(state))))
            )
            text = GAME.format(state, action)
            state = GAME.apply(state, seat_to_act(state), action).state
            table = literal.play(table, text)
            assert_same(state, table)
            won = state.ended in ("domination", "captures", "ten")
            assert (table.winner is not None) is won
            assert not won or state.variant.colours[state.turn] == table.winner
