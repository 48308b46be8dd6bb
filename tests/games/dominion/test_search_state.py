"""The search state of Dominion in sparse positions, where Emperors fall and points are counted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.ai.alpha_beta import AlphaBeta
from games.ai.best_reply import BestReply
from games.ai.players import SearchingPlayer
from games.dominion import GAME, judge
from games.dominion.board import NAMES
from games.dominion.game import LEVELS
from games.dominion.position import EMPEROR, Law, State, find_piece
from games.dominion.search.state import DominionSearch
from games.dominion.search.weights import BEATEN, FALL, WEIGHTS
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.engine.levels import Budget
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, shares
from tests.games.dominion.helpers import N, S, act, lawful, position
from tests.soak import examples

DICE = Dice(b"", "", 0, "")


def searched(state: State) -> DominionSearch:
    found = GAME.search_state(GAME.view(state, Seat(0)), Seat(0), DICE)
    assert found is not None
    return found


def same(search: DominionSearch, state: State) -> None:
    """Assert that a state that was made by moves is the one that is read from the position."""
    fresh, place = searched(state), state.position
    assert search.turn == fresh.turn
    assert search.key == fresh.key
    assert search.result() == fresh.result()
    if place.outcome is not None:
        assert search.turn == OVER
        assert search.result() == shares(place.outcome.ranks, place.law.camps)
        return
    seat = next(iter(judge.to_act(place)))
    moves = search.moves() if seat >= 0 else [draw for draw, _ in search.chances()]
    assert {search.action(move) for move in moves} == set(judge.legal(place, seat))
    for each in range(len(search.teams)):
        assert search.evaluate(each) == fresh.evaluate(each)
        assert abs(search.evaluate(each)) < WIN // 2


def sparse(random: Random, law: Law) -> State | None:
    """A position of few pieces close together; None if it is no position of a match."""
    files, ranks = random.choice(
        (("abcdefg", range(3, 9)), ("defghij", range(4, 10)), ("defghij", range(1, 6)))
    )
    squares = [f"{file}{rank}" for file in files for rank in ranks]
    random.shuffle(squares)
    pieces: dict[str, Any] = {}
    for seat in range(len(law.sides)):
        kinds = ["E", *(["P"] if random.random() < 0.6 else []), *random.choices("GAWXRSSSSp", k=5)]
        pieces[f"p{seat}"] = " ".join(f"{kind}{squares.pop()}" for kind in kinds)
    free = " ".join(squares.pop() for _ in range(3))
    late = {"round": random.choice((1, 70, 118)), "quiet": random.choice((0, 20, 58))}
    try:
        return position(turn=random.randrange(len(law.sides)), free=free, law=law, **pieces, **late)
    except ValueError:
        return None


LAWS = {
    "strict": lawful(),
    "kind": lawful(succession="kind", fate=2),
    "sure": lawful(succession="sure", straddle="orth"),
    "sticks": lawful(succession="kind", sticks="sticks", fate=2),
    "three": lawful(3, succession="kind", fate=2),
    "four": lawful(4, fate=2),
    "allied": lawful(4, allied=True, succession="sure"),
}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_sparse_positions_are_followed_to_their_ends(law: Law) -> None:
    random, met = Random(str(law)), set()
    played = 0
    while played < examples(6):
        if (state := sparse(random, law)) is None:
            continue
        played += 1
        search, states = searched(state), [state]
        same(search, state)
        while state.position.outcome is None and len(states) < 60:
            seat = search.turn
            if seat == CHANCE:
                move = random.choice([draw for draw, _ in search.chances()])
            else:
                check_gains(search)
                # Emperors are taken where they can be, so that teams fall.
                move = (
                    max(search.scored()) & MOVE_MASK
                    if random.random() < 0.3
                    else random.choice(search.moves())
                )
            met.add(state.position.phase)
            state = GAME.apply(state, Seat(seat), search.action(move)).state
            search.make(move)
            same(search, state)
            states.append(state)
        met.add(state.position.phase)
        for earlier in reversed(states[:-1]):
            search.unmake()
            same(search, earlier)
    assert {"over", "fate", "promote_lower", "peasant"} <= met
    assert ("heir" if law.succession == "sure" else "succession") in met


def check_gains(search: DominionSearch) -> None:
    """Assert that no move adds more than its gain."""
    seat = search.turn
    now = search.evaluate(seat)
    for packed in search.scored():
        search.make(packed & MOVE_MASK)
        if search.turn != OVER:
            assert search.evaluate(seat) <= now + (packed >> MOVE_BITS), search.action(
                packed & MOVE_MASK
            ).text
        search.unmake()


def made(state: State, *texts: str) -> DominionSearch:
    """The search state after actions, compared with the judge at each."""
    search = searched(state)
    for text in texts:
        search.make(search.find(GAME.decode(text)))
        state = act(state, text)
        same(search, state)
    return search


def test_peasants_are_recruited_contested_and_armed() -> None:
    state = position(S, "e5", p1="Sd5 Sf4 Sg2 Si2")
    assert made(state, "f4-f5").features() != searched(state).features()
    armed = made(position(S, p1="pe4 Sg2 Si2"), "e4-e3")
    assert dict(zip(WEIGHTS, armed.features(), strict=True))["soldier"] == -3


def test_a_surrounded_unit_is_turned() -> None:
    ring = "Gf8 Gf7 Wf6 Wg6 Ag8 Ah6 Ph7 Sh9"
    made(position(S, p0="Rg7", p1=ring), "h9-h8")
    made(position(S, p0="Gg7", p1=ring), "h9-h8")


def presumed(state: State) -> DominionSearch:
    search = searched(state)
    search.presume()
    return search


def test_a_search_passes_over_fate() -> None:
    search = presumed(position(S, p1="Sg4"))
    search.make(search.find(GAME.decode("g4-g5")))
    assert search.turn == N
    search.unmake()
    assert search.turn == S


@pytest.mark.parametrize("succession", ["strict", "kind"])
def test_a_search_takes_it_for_granted_that_no_heir_succeeds(succession: str) -> None:
    state = position(S, p0="Eg13 Pa13", p1="Gg4", law=lawful(succession=succession))
    search = presumed(state)
    search.make(search.find(GAME.decode("g4-g13")))
    assert search.result() == (0.0, 1.0)
    search.unmake()
    assert (search.turn, search.result()) == (S, None)
    pending = presumed(act(state, "g4-g13"))
    assert pending.turn == CHANCE
    pending.make(pending.chances()[0][0])
    assert pending.result() == (0.0, 1.0)


def test_a_sure_heir_plays_on() -> None:
    search = presumed(position(S, p0="Eg13 Pa13", p1="Gg4", law=lawful(succession="sure")))
    search.make(search.find(GAME.decode("g4-g13")))
    assert (search.turn, search.result()) == (N, None)
    assert search.evaluate(S) > 0
    assert "stay" in {search.action(move).text for move in search.moves()}


def test_an_emperor_who_fell_costs_more_than_any_unit() -> None:
    state = position(S, p0="Eg13 Pa13", p1="Gg4")
    before, after = searched(state).evaluate(S), searched(act(state, "g4-g13")).evaluate(S)
    assert after - before > FALL["strict"] // 2 > WEIGHTS["prince"]


def test_without_a_lead_the_evaluation_is_the_sum_of_the_features_by_weight() -> None:
    search = searched(position(S, p0="Eg13 Gc9 Se7", p1="Eg1 Gk5 Sd2"))
    features = dict(zip(WEIGHTS, search.features(), strict=True))
    assert features["general"] == features["soldier"] == 0
    assert features["hunt_lower"] != 0
    assert search.evaluate(N) == sum(WEIGHTS[name] * count for name, count in features.items())


def test_a_lead_counts_more_when_less_is_left_and_near_the_end() -> None:
    few, many = (
        {"p0": "Eg13 Ga9", "p1": "Eg1 Ga5 Sb5"},
        {"p0": "Eg13 Ga9 Gm9 Ak9", "p1": "Eg1 Ga5 Sb5 Gm5 Ak5"},
    )
    lead = WEIGHTS["soldier"]

    def beyond(pieces: dict[str, Any], **more: Any) -> int:
        search = searched(position(S, **pieces, **more))
        features = dict(zip(WEIGHTS, search.features(), strict=True))
        assert features["soldier"] == -1
        return search.evaluate(S) + sum(WEIGHTS[name] * count for name, count in features.items())

    assert 0 < beyond(many) < beyond(few) < lead * 2
    assert beyond(few, round=140) > beyond(few, round=80) > beyond(few)
    assert beyond(few, quiet=55) == beyond(few, round=140)


def test_who_is_out_counts_least() -> None:
    search = searched(position(S, law=lawful(3), out=[2]))
    assert search.evaluate(2) < BEATEN // 2
    assert search.evaluate(0) > 0


def test_what_is_taken_is_seen_more_easily_than_a_long_quiet_move() -> None:
    search = searched(position(S, p0="Eg13 Sc4", p1="Gg4"))
    seen = {search.action(move).text: search.visibility(move) for move in search.moves()}
    assert seen["g4-c4"] > seen["g4-f4"] > seen["g4-a4"] if "g4-a4" in seen else seen["g4-m4"]
    assert seen["g4-g13"] == 100


def test_the_same_position_has_the_same_moves_in_the_same_order() -> None:
    state = position(S, "e5 g7", p0="Eg13 Sc4 Rc9", p1="Gg4 Sd2 Re2")
    one, two = searched(state), searched(state)
    one.make(one.moves()[3])
    one.unmake()
    assert one.scored() == two.scored() == one.copy().scored()


# --- searching -------------------------------------------------------------------------------------------


def best(state: State, work: int = 3000) -> str:
    return (
        searched(state).action(AlphaBeta(searched(state), Budget("alpha-beta", work), DICE).think().move).text
    )


def threats(state: State, seat: int) -> list[int]:
    """The squares from which a seat's Emperor could be taken."""
    place = state.position
    return judge.threats(place, seat, find_piece(place.board, seat, EMPEROR))


def test_an_emperor_is_taken_at_once() -> None:
    assert best(position(S, p0="Eg13 Pa13 Gb4", p1="Gg4 Pb6")) == "g4-g13"


def test_an_attacked_emperor_is_brought_to_safety() -> None:
    state = position(S, p0="Ea13 Gg11 Sc5", p1="Eg1 Ab4")
    assert threats(state, S)
    assert not threats(act(state, best(state)), S)


def test_who_is_behind_takes_a_peasant_before_the_points_are_counted() -> None:
    pieces: dict[str, Any] = {"p0": "Ea13 Gb13 Gc13 Ad13", "p1": "Em1 Sg4"}
    state = position(S, "f5", **pieces, quiet=59, round=90)
    assert best(state) == "g4-f5"
    calm = searched(state)
    calm.presume()
    calm.make(calm.find(GAME.decode("g4-g5")))
    assert calm.result() == (1.0, 0.0)


class Undrawn(DominionSearch):
    """Draws nothing."""

    __slots__ = ()

    def chances(self) -> Sequence[tuple[int, int]]:
        raise AssertionError("a search looked into a throw of Fate")


def test_searches_look_into_no_throw_of_fate() -> None:
    two = position(S, p0="Ea13 Gg11", p1="Eg1 Ab4")
    found = AlphaBeta(Undrawn.from_position(two.position), Budget("alpha-beta", 2000), DICE).think()
    assert found.depth >= 3
    three = position(S, p0="Ea13 Gg11", p1="Em7 Gm1", p2="Eg1", law=lawful(3))
    found = BestReply(Undrawn.from_position(three.position), Budget("best-reply", 2000), DICE).think()
    assert found.depth >= 3


def test_one_of_three_brings_an_attacked_emperor_to_safety() -> None:
    state = position(1, p0="Eg13 Gc7", p1="Em7 Pc9", p2="Eg1 Sa2", law=lawful(3))
    assert threats(state, 1)
    thought = BestReply(searched(state), Budget("best-reply", 3000), DICE).think()
    assert not threats(act(state, searched(state).action(thought.move).text), 1)


def test_sergeants_are_the_usual_ones() -> None:
    state = GAME.start(GAME.setup(2)).state
    throw = next(iter(GAME.actions(GAME.view(state, None), CHANCE)))
    state = GAME.apply(state, CHANCE, throw).state
    view = GAME.view(state, Seat(0))
    assert GAME.search_state(view, Seat(0), DICE) is None
    action = SearchingPlayer(LEVELS["beginner"]).choose(GAME, view, Seat(0), DICE)
    assert action == GAME.default(view, Seat(0))
    assert (NAMES[action.a], NAMES[action.b]) == ("f11", "h11")
