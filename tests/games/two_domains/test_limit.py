"""The house rules: the limit of completed actions, resigning, and what counts as an action.

In version 1 of the rules more dice win at the limit, so that just waiting against a single king, which has no
turns, is a certain win. In version 2 the limit is a draw.
"""

from __future__ import annotations

from random import Random
from typing import Literal

import pytest

from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.actions import GATHER, ROLLS
from games.two_domains.rules import LIMIT, State
from tests.games.two_domains.helpers import after, begin, position, result, seat_to_act
from tests.rows import rows


def test_the_bound_is_the_first_draw_and_two_entries_for_each_of_500_actions() -> None:
    assert LIMIT == 500
    assert GAME.max_actions(GAME.setup(2)) == 1001


ENDS = [
    ("22222", "2222", "grow 1", None, "dice", (1, 2)),
    ("2222", "22222", "gather", 3, "dice", (2, 1)),
    ("22222", "22222", "gather", 3, "even", (1, 1)),
    ("12356", "22222", "battle", None, "dice", (1, 2)),
    ("2233", "1", "grow 1", None, "dice", (1, 2)),
    ("12336", "1", "battle", 2, "emptied", (1, 2)),
    ("13266", "2222", "gather", 1, "civil_war", (2, 1)),
    ("16", "1", "battle", 1, "dice", (2, 1)),
]
"""The mover's line, the other one, an action and its roll; how it ends in version 1 if it is the last."""


@rows("rules", [1, 2])
@rows("mine, theirs, text, roll, why, ranks", ENDS)
def test_the_500th_action_ends_the_game(
    mine: str, theirs: str, text: str, roll: int | None, why: str, ranks: tuple[int, int], rules: int
) -> None:
    state = after(position(mine, theirs, rules=rules, completed=LIMIT - 1), text, roll)
    counted = why in ("dice", "even")
    assert state.completed == LIMIT
    assert result(state) == (("limit", (1, 1)) if counted and rules == 2 else (why, ranks))
    before = after(position(mine, theirs, rules=rules, completed=LIMIT - 2), text, roll)
    assert bool(GAME.to_act(before)) == counted


def waited(state: State, seed: int) -> State:
    """Return the end of a match in which the one with more dice only gathers."""
    random = Random(seed)
    waiter = seat_to_act(state)
    while GAME.to_act(state):
        assert GAME.to_act(state) == {waiter}, "a single king has no turn"
        state = after(state, "gather", random.choice(ROLLS).n)
    return state


@pytest.mark.parametrize("line", ["16", "16346"])
def test_waiting_against_a_single_king_won_and_wins_no_more(line: str) -> None:
    for seed in range(10):
        turn = ("red", "blue")[seed % 2]
        won = (1, 2) if turn == "red" else (2, 1)
        assert result(waited(position(line, "1", turn, rules=1), seed)) == ("dice", won)
        assert result(waited(position(line, "1", turn, rules=2), seed)) == ("limit", (1, 1))


def test_every_position_of_a_match_knows_its_version() -> None:
    for rules in (1, 2):
        state = begin(rules=rules)
        states = [state, GAME.apply(state, Seat(0), GATHER).state, after(state, "gather", 4)]
        states += [position("16", "1", rules=rules), after(position("16", "1", rules=rules), "battle", 1)]
        assert [each.rules for each in states] == [rules] * 5


def test_an_action_counts_when_its_roll_is_done_and_a_skipped_turn_never() -> None:
    begun = GAME.apply(begin(), Seat(0), GATHER).state
    assert begun.completed == 0
    assert after(position("2233", "1", completed=7), "grow 1").completed == 8


Why = Literal["resign", "timeout"]


@rows("why", ["resign", "timeout"])
@rows("seat", [0, 1])
def test_resigning_at_any_moment_gives_the_game_to_the_other(seat: int, why: Why) -> None:
    for state in (
        GAME.start(GAME.setup(2)).state,
        begin(),
        GAME.apply(begin(), Seat(0), GATHER).state,
        position("2233", "1"),
    ):
        over = GAME.forfeit(state, Seat(seat), why).state
        assert result(over) == ("left", (2, 1) if seat == 0 else (1, 2))
        assert GAME.load(GAME.dump(over), GAME.rules) == over
        with pytest.raises(ValueError, match="can't resign"):
            GAME.forfeit(over, Seat(1 - seat), why)


def test_nothing_is_drawn_where_no_dice_are_due() -> None:
    with pytest.raises(ValueError, match="draws nothing"):
        GAME.draw(begin(), GAME)  # type: ignore[arg-type]  # the dice are not reached
    assert list(GAME.actions(begin(), CHANCE)) == []
