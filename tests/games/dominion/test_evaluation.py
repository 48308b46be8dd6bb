"""The evaluation as the careful computer player uses it: what can be taken next, Emperors first."""

from __future__ import annotations

import pytest

from games.ai.players import CarefulPlayer, RandomPlayer
from games.ai.players_by_level import Levels
from games.dominion import judge, turns
from games.dominion.evaluation import evaluate
from games.dominion.position import State
from games.engine import registry
from games.engine.dice import Dice, Sealed
from games.engine.game import CHANCE, Player, Seat
from tests.games.dominion.helpers import N, S, lawful, position, ready
from tests.rows import rows

GAME = registry.get("dominion")


def _chosen(state: State, seat: int = S) -> str:
    """Return the careful player's choice, the same for all dice."""
    view = GAME.view(state, Seat(seat))
    one, other = (
        CarefulPlayer().choose(GAME, view, Seat(seat), Dice(b"", "A", number, "")) for number in range(2)
    )
    assert one == other
    return str(one.text)


def test_an_emperor_is_taken_before_all() -> None:
    assert _chosen(position(p1="Gg7", p0="Eg13 Pd7 Sa10")) == "g7-g13"


def test_a_unit_that_nobody_protects_is_taken_and_a_protected_one_is_not_paid_for_dearly() -> None:
    assert _chosen(position(p1="Gg7", p0="Ag9 Sa10")) == "g7-g9"
    assert _chosen(position(p1="Pg7", p0="Sg9 Rf10 Rh10 Sa10")) != "g7-g9"


def test_the_own_emperor_leaves_a_line_of_fire() -> None:
    state = position(p1="Eg1 Rb4", p0="Gg9 Gf9 Sa10")
    assert _chosen(state) in ("g1-h1", "g1-h2")


def test_peasants_are_recruited_and_walk_home() -> None:
    assert _chosen(position(p1="Ge2 Gi2 Rf4 Re5", p0="Sa10 Sc10", free="g5")).startswith(("f4", "e5"))
    assert _chosen(position(p1="Se2 Si2 pg4", p0="Sa10 Sc10")) == "g4-g3"


def test_answers_to_fate_are_chosen_too() -> None:
    state = position(phase="promote_upper", p1="Gg6 Wh6", p0="Sa10")
    assert _chosen(state) == "promote g6=P"
    assert _chosen(position(phase="demote_upper", p1="Pg6 Wa5", p0="Sa10")) == "demote a5=R"


def test_an_admiral_is_worth_what_the_points_of_the_version_say() -> None:
    by = [evaluate(position(p1="Am3", p0="Sa10", law=lawful(rules=rules)).position, S) for rules in (1, 2)]
    assert 0 < by[1] < by[0]
    general = [
        evaluate(position(p1="Gm3", p0="Sa10", law=lawful(rules=rules)).position, S) for rules in (1, 2)
    ]
    assert general[0] == general[1]


@rows("seats", [2, 3, 4])
def test_the_start_is_even_and_nobody_is_better_than_won(seats: int) -> None:
    place = ready(lawful(seats)).position
    assert abs(evaluate(place, 0)) < 0.05
    for each in range(seats):
        assert -1 < evaluate(place, each) < 1
    out = turns.forfeit(ready(lawful(seats)), Seat(0)).state.position
    assert evaluate(out, 0) == -1.0


def test_a_beaten_rival_counts_even_if_another_is_stronger() -> None:
    law = lawful(3, "east")
    before = position(turn=1, law=law, p0="Eg13 Sf11", p1="Gg7 Se2", p2="Ga5 Pb9 Gc9")
    after = turns.play(before, 1, judge.legal(before.position, 1)[0]).state
    taken = next(action for action in judge.legal(before.position, 1) if action.text == "g7-g13")
    assert evaluate(turns.play(before, 1, taken).state.position, 1) > evaluate(after.position, 1)


def test_sergeants_are_left_to_chance() -> None:
    state = turns.play(turns.begin(lawful()), CHANCE, GAME.decode("throw 6,1")).state
    view = GAME.view(state, Seat(N))
    assert GAME.guess(view, Seat(N)) is None
    found = {CarefulPlayer().choose(GAME, view, Seat(N), Dice(b"", "A", n, "")).text for n in range(9)}
    assert len(found) > 3
    assert Levels().has("dominion", "careful"), "matches of before name it"


@pytest.mark.slow
@pytest.mark.parametrize("careful", [N, S])
def test_it_beats_chance_by_taking_the_emperor(careful: int) -> None:
    players: list[Player] = [RandomPlayer(), RandomPlayer()]
    players[careful] = CarefulPlayer()
    sealed, state = Sealed(bytes(32), "A-1", "salt"), GAME.start(GAME.setup(2)).state
    for seq in range(GAME.max_actions(GAME.setup(2))):
        if not (due := GAME.to_act(state)):
            break
        seat, dice = min(due), sealed.dice(seq)
        view = GAME.view(state, seat)
        action = GAME.draw(state, dice) if seat == CHANCE else players[seat].choose(GAME, view, seat, dice)
        state = GAME.apply(state, seat, action).state
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks[careful] == 1
    assert outcome.why.key == "dominion.outcome.last"
