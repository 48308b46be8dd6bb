"""The draw rules and the ways to leave: what this host adds to the booklet."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.game import CHANCE, Seat, Why
from games.focus import GAME
from games.focus.rules import State
from tests.games.focus.helpers import VARIANTS, after, begin, greedy, position, result, seat_to_act, turn
from tests.rows import rows


def forfeit(state: State, colour: str, why: Why = "resign") -> tuple[State, list[str]]:
    """Let a colour resign; return the position after it, and the keys of its facts."""
    step = GAME.forfeit(state, Seat(state.variant.seat_of[colour]), why)
    return step.state, [fact.msg.key.removeprefix("focus.fact.") for fact in step.facts]


# --- repetition -----------------------------------------------------------------------------------------

APART = "a3=R h6=G"
ROUND = ("a3-a4", "h6-h5", "a4-a3", "h5-h6")


def test_the_third_time_is_a_draw_and_the_start_counts_once() -> None:
    state = after(position(APART, turn="R"), *ROUND, *ROUND[:3])
    assert GAME.outcome(state) is None
    assert result(after(state, ROUND[3])) == ("repetition", (1, 1))


def test_the_same_board_with_another_seat_to_act_is_another_position() -> None:
    # Two pieces go out together and come back one by one: five turns of Red for four of Green.
    start = position("c3=RR h6=G", turn="R")
    out_and_back = ("c3-e3", "h6-h5", "e3-d3", "h5-h6", "e3-d3", "h6-h5", "d3-c3", "h5-h6", "d3-c3")
    state = after(start, *out_and_back)
    assert state.board == start.board
    assert turn(state) == "G"
    assert state.past.count(state.past[-1]) == 1


def test_another_reserve_is_another_position() -> None:
    # Green drops a piece and gets one back from the bottom: the board changes, the hand does not.
    start = position("d4=GGGGG a3=R", turn="G", reserve={"G": 1})
    state = after(start, "+d4", "a3-a4", "+d4", "a4-a3")
    assert state.reserve == (0, 1)
    assert result(after(state, "+d4", "a3-a4", "+d4", "a4-a3"))[0] == "repetition"


def test_a_capture_makes_the_past_irrelevant() -> None:
    state = after(position("a3=R h6=G d4=RG d5=RGGGR", turn="R"), *ROUND)
    assert len(state.past) == 5
    state = after(state, "a3-a4", "d4-d5")
    assert (len(state.past), state.quiet) == (1, 0)


def test_both_reasons_at_once_name_the_repetition() -> None:
    state = after(position(APART, turn="R", quiet=52), *ROUND, *ROUND)
    assert state.quiet == 60
    assert result(state)[0] == "repetition"


# --- no capture -----------------------------------------------------------------------------------------


@rows("variant, limit", [("2", 60), ("3", 90), ("4", 120), ("partners", 120)])
def test_thirty_turns_for_each_seat_without_a_capture(variant: str, limit: int) -> None:
    seats = VARIANTS[variant][0]
    piles = {2: "d4=R e5=G", 3: "d4=R e5=G c3=B", 4: "d4=R e5=G c3=B f6=Y"}[seats]
    start = position(piles, turn="R", seats=seats, partners=variant == "partners", quiet=limit - 2)
    state = after(start, "d4-d5")
    assert GAME.outcome(state) is None
    state = after(state, {"G": "e5-f5", "B": "c3-c4"}[turn(state)])
    assert result(state) == ("quiet", (1,) * seats)
    assert dict(GAME.outcome(state).why.values)["n"] == limit  # type: ignore[union-attr]  # it is over


def test_a_capture_begins_the_count_again_and_a_reserve_gained_does_not() -> None:
    gain = after(position("d5=G d4=GRRRR a3=R", turn="G", quiet=20), "d5-d4")
    assert (gain.reserve, gain.quiet) == ((0, 1), 21)
    capture = after(position("d5=G d4=RRRRR a3=R", turn="G", quiet=20), "d5-d4")
    assert capture.quiet == 0


def test_a_gift_to_the_partner_does_not_begin_the_count_again() -> None:
    state = after(position("d5=G d4=YBGRB a3=R", turn="G", seats=4, partners=True, quiet=7), "d5-d4")
    assert state.quiet == 8


def test_passes_are_not_counted() -> None:
    state = after(position("d5=G d4=B a3=R c8=Y", turn="G", seats=4, quiet=3), "d5-d4")
    assert (turn(state), state.quiet) == ("Y", 4)


def test_a_win_on_the_last_quiet_turn_is_a_win() -> None:
    assert result(after(position("d5=R d4=G", turn="R", quiet=59), "d5-d4"))[0] == "domination"


def test_who_can_play_shares_the_draw_and_who_is_stuck_does_not() -> None:
    start = position("a3=G h3=BY d5=R", turn="G", seats=4, quiet=119)
    state = after(start, "a3-a4")
    assert result(state) == ("quiet", (1, 4, 1, 1))


def test_partners_share_a_draw_even_if_one_is_stuck() -> None:
    start = position("a3=G h3=BY d5=R", turn="G", seats=4, partners=True, quiet=119)
    state = after(start, "a3-a4")
    assert result(state) == ("quiet", (1, 1, 1, 1))


def test_every_random_game_ends_within_the_bound() -> None:
    for variant, (seats, options) in VARIANTS.items():
        random, state, turns = Random(variant), begin(variant), 1
        while GAME.to_act(state):
            actions = list(GAME.actions(state, seat_to_act(state)))
            state = GAME.apply(state, seat_to_act(state), random.choice(actions)).state
            turns += 1
        assert turns <= GAME.max_actions(GAME.setup(seats, options))


# --- leaving --------------------------------------------------------------------------------------------


@rows("why", ["resign", "timeout"])
@rows("leaver, ranks", [("R", (2, 1)), ("G", (1, 2))])
def test_two_players_the_other_wins(why: Why, leaver: str, ranks: tuple[int, ...]) -> None:
    state, said = forfeit(begin("2"), leaver, why)
    assert result(state) == ("standing", ranks)
    assert said == []


def test_three_players_the_others_play_on() -> None:
    state, said = forfeit(after(begin("3"), "+a3", "+c1", "+h6"), "R")
    assert said == ["stays"]
    assert turn(state) == "G"
    state = after(state, "c1-d1")
    assert turn(state) == "B"
    state = after(state, "h6-h5")
    assert turn(state) == "G"


def test_leaving_out_of_turn_changes_nobodys_turn() -> None:
    state, _ = forfeit(begin("4", 0), "Y")
    assert turn(state) == "G"
    assert len(state.past) == 1


def test_three_players_two_leave() -> None:
    state, _ = forfeit(begin("3"), "G")
    state, _ = forfeit(state, "R")
    assert result(state) == ("standing", (2, 2, 1))


def test_leaving_leaves_the_only_one_who_can_play_as_the_winner() -> None:
    state, _ = forfeit(position("a3=R b4=BG", turn="G", seats=3), "R")
    assert result(state) == ("standing", (3, 1, 2))


def test_a_seat_that_resigned_no_longer_counts_as_an_opponent() -> None:
    start, _ = forfeit(position("d5=R d4=G a3=B", turn="R", seats=3), "B")
    state = after(start, "d5-d4")
    assert result(state) == ("domination", (1, 2, 3))


def test_the_next_who_can_play_acts_and_who_cannot_passes() -> None:
    state, said = forfeit(position("d5=G a3=YB h3=R c8=Y", turn="G", seats=4), "G")
    assert turn(state) == "B"
    assert said == ["stays"]
    state, said = forfeit(position("d5=G a3=BY h3=R", turn="G", seats=4), "G")
    assert turn(state) == "Y"
    assert said == ["stays", "pass"]


def test_a_resigned_colour_is_still_captured_and_still_counts_towards_ten() -> None:
    start = position(
        "d5=R d4=GGGGG a3=G h3=B", turn="R", seats=3, fast=True, captured={"R": {"G": 7}}, reserve={"R": 2}
    )
    start, _ = forfeit(start, "G")
    state = after(start, "d5-d4")
    assert state.captured[0][1] == 8
    assert result(state)[0] == "ten"


def test_a_resigned_colour_no_longer_counts_as_each_opponent() -> None:
    taken = {"R": {"G": 0, "B": 3}}
    start = position("d5=R a3=G h3=B e6=B", turn="B", seats=3, fast=True, captured=taken)
    start, _ = forfeit(start, "G")
    assert GAME.outcome(start) is None
    state = after(start, "h3-h4")
    assert GAME.outcome(state) is None
    assert result(after(state, "d5-d6")) == ("captures", (1, 3, 2))


def test_partners_lose_together() -> None:
    for leaver, ranks in (("G", (2, 1, 2, 1)), ("Y", (2, 1, 2, 1)), ("B", (1, 2, 1, 2)), ("R", (1, 2, 1, 2))):
        state, _ = forfeit(begin("partners"), leaver)
        assert result(state) == ("standing", ranks)


def test_the_resigned_share_no_draw() -> None:
    start, _ = forfeit(position("a3=G h3=B d5=R c8=Y", turn="G", seats=4, quiet=119), "Y")
    assert result(after(start, "a3-a4")) == ("quiet", (1, 1, 4, 1))


def test_leaving_before_chance_named_the_first_player() -> None:
    start = GAME.start(GAME.setup(3)).state
    state, _ = forfeit(start, "R")
    assert GAME.to_act(state) == {CHANCE}
    assert {GAME.format(state, a) for a in GAME.actions(state, CHANCE)} == {"first G", "first B"}


def test_leaving_twice_or_after_the_end_is_refused() -> None:
    state, _ = forfeit(begin("3"), "G")
    with pytest.raises(ValueError, match="resign"):
        forfeit(state, "G")
    over, _ = forfeit(begin("2"), "G")
    with pytest.raises(ValueError, match="resign"):
        forfeit(over, "R")


def test_a_position_that_comes_again_by_resignation_counts() -> None:
    start = position("a3=R h6=G d1=B", turn="R", seats=3)
    state = after(start, "a3-a4", "h6-h5", "d1-e1", "a4-a3", "h5-h6", "e1-d1")
    assert len(state.past) == 7
    state, _ = forfeit(state, "R")
    assert (turn(state), len(state.past)) == ("G", 8)


@pytest.mark.slow
def test_greedy_games_end_by_domination() -> None:
    for variant in ("2", "3", "4", "partners"):
        random, state = Random(1), begin(variant)
        while GAME.to_act(state):
            state = GAME.apply(state, seat_to_act(state), greedy(state, random)).state
        assert result(state)[0] == "domination"
