"""The defaults of Domination's options: the printed rules, but for the start of two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.domination.game import GAME
from games.domination.rules.options import MAX_ROUNDS
from games.engine import registry


def test_the_printed_rules_end_after_no_number_of_rounds() -> None:
    game = registry.get("domination")
    match_law = game.start(game.setup(3, {})).state.position.info.law
    assert match_law.cap == MAX_ROUNDS
    assert game.start(game.setup(3, {"cap": 20})).state.position.info.law.cap == 20


def test_the_start_of_two_is_even_unless_the_printed_one_is_chosen() -> None:
    assert [own.pool for own in GAME.start(GAME.setup(2)).state.own] == [40, 47]
    assert [own.pool for own in GAME.start(GAME.setup(2, {"even": False})).state.own] == [40, 40]


@pytest.mark.parametrize(
    ("board", "pools"),
    [("world", [[40, 48], [40, 48], [40, 47]]), ("islands", [[16, 24], [16, 19], [16, 19]])],
    ids=("world", "islands"),
)
def test_each_version_keeps_its_even_start(board: str, pools: list[list[int]]) -> None:
    setup = GAME.setup(2, {"map": board})
    starts = [GAME.start(replace(setup, rules=rules)).state for rules in (3, 4, 5)]
    assert [[own.pool for own in state.own] for state in starts] == pools


@pytest.mark.parametrize("seats", [3, 6])
def test_matches_of_more_stored_before_the_start_of_two_was_even_stay_valid(seats: int) -> None:
    usual = GAME.setup(seats)
    assert usual.options["even"] is False
    assert GAME.refuse_setup(usual) is None
    assert GAME.refuse_setup(GAME.setup(seats, {"even": True})) is not None
