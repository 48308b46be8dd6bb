"""The search state of Focus in sparse positions, where matches end, circle and leave seats with nothing."""

from __future__ import annotations

from operator import mul
from random import Random

import pytest

from games.engine.dice import Dice
from games.engine.game import Seat
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, shares
from games.focus import GAME
from games.focus.board import SPACES
from games.focus.rules import State, legal
from games.focus.search.state import FocusSearch
from games.focus.search.weights import WEIGHTS
from tests.games.focus.helpers import after, position
from tests.soak import examples

DICE = Dice(b"", "", 0, "")
COLOURS = {2: "RG", 3: "RGB", 4: "GBYR"}


def searched(state: State) -> FocusSearch:
    return GAME.search_state(state, Seat(0), DICE)


def same(search: FocusSearch, state: State) -> None:
    """Assert that a state that was made by moves is the one that is read from the position."""
    fresh = searched(state)
    assert search.turn == fresh.turn == (OVER if state.outcome else state.turn)
    assert search.key == fresh.key
    assert search.repeated() == fresh.repeated()
    assert search.result() == fresh.result()
    if state.outcome is not None:
        assert search.result() == shares(state.outcome.ranks, state.variant.teams)
        return
    assert {GAME.encode(search.action(move)) for move in search.moves()} == {
        action.text for action in legal(state, state.turn)
    }
    assert [search.evaluate(seat) for seat in range(state.variant.seats)] == [
        fresh.evaluate(seat) for seat in range(state.variant.seats)
    ]


def sparse(random: Random, seats: int, *, partners: bool, fast: bool) -> State | None:
    """A position of few piles; None if it is no position of a match."""
    colours = COLOURS[seats]
    spaces = random.sample(SPACES, random.randint(2, 6))
    piles = {space: "".join(random.choices(colours, k=random.choice((1, 1, 2, 5)))) for space in spaces}
    hands = {colour: random.choice((0, 0, 0, 0, 0, 1)) for colour in colours}
    try:
        return position(
            " ".join(f"{space}={pile}" for space, pile in piles.items()),
            turn=random.choice(colours),
            seats=seats,
            partners=partners,
            fast=fast,
            reserve=hands,
        )
    except ValueError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "partners", "fast"),
    [(2, False, False), (2, False, True), (3, False, False), (3, False, True),
     (4, False, False), (4, False, True), (4, True, False)],
)  # fmt: skip
def test_sparse_positions_are_played_to_their_ends(seats: int, partners: bool, fast: bool) -> None:
    random = Random(seats * 4 + partners * 2 + fast)
    ends: set[str | None] = set()
    played = 0
    while played < examples(6):
        state = sparse(random, seats, partners=partners, fast=fast)
        if state is None:
            continue
        played += 1
        search, first = searched(state), state
        made = 0
        start = (search.key, search.turn, search.moves())
        while state.outcome is None:
            value, mover = search.evaluate(search.turn), search.turn
            gains = {packed & MOVE_MASK: packed >> MOVE_BITS for packed in search.scored()}
            # Going back and forth gives repetitions, and long quiet plays.
            actions = legal(state, state.turn)
            move = search.find(actions[0] if random.random() < 0.6 else random.choice(actions))
            state = GAME.apply(state, Seat(state.turn), search.action(move)).state
            search.make(move)
            made += 1
            if search.turn != OVER:
                assert search.evaluate(mover) == value + gains[move]
            if made % 5 == 0 or state.outcome:
                same(search, state)
        ends.add(state.ended)
        for _ in range(made):
            search.unmake()
        assert (search.key, search.turn, search.moves()) == start
        same(search, first)
    assert len(ends) > 1, "the sample has several kinds of ends"


def test_a_position_that_returns_is_known_and_the_third_time_is_a_draw() -> None:
    state = position("a3=R h6=G", turn="R")
    search = searched(state)
    round_trip = ("a3-a4", "h6-h5", "a4-a3", "h5-h6")
    for nth, text in enumerate(round_trip * 2, 1):
        assert search.turn != OVER
        search.make(search.find(GAME.decode(text)))
        assert search.repeated() == (nth >= 4)
        same(search, after(state, *(round_trip * 2)[:nth]))
    assert search.result() == (0.5, 0.5)
    search.unmake()
    assert search.result() is None
    again = searched(after(state, *round_trip, *round_trip[:3]))
    again.make(again.find(GAME.decode("h5-h6")))
    assert again.turn == OVER, "what came before the search counts"


def test_two_routes_lead_to_one_key() -> None:
    state = position("a3=R d5=R h6=G g2=G", turn="R")
    one, two = searched(state), searched(state)
    for text in ("a3-a4", "h6-h5", "d5-d6", "g2-g3"):
        one.make(one.find(GAME.decode(text)))
    for text in ("d5-d6", "g2-g3", "a3-a4", "h6-h5"):
        two.make(two.find(GAME.decode(text)))
    assert one.key == two.key
    two.skip_to(1)
    assert one.key != two.key


def test_captures_tell_positions_of_a_fast_game_apart() -> None:
    piles, more = "a3=R h6=G", {"fast": True, "turn": "R"}
    some = searched(position(piles, captured={"R": {"G": 2}}, **more))  # type: ignore[arg-type]
    none = searched(position(piles, **more))  # type: ignore[arg-type]
    assert some.key != none.key
    assert some.evaluate(0) > none.evaluate(0)


def test_recaptures_are_noisy() -> None:
    state = after(position("d4=RR d6=G e6=GG h6=R", turn="R"), "d4-d6")
    search = searched(state)
    before = searched(position("d4=RR d6=G e6=GG h6=R", turn="R"))
    before.make(before.find(GAME.decode("d4-d6")))
    assert [GAME.encode(before.action(packed & MOVE_MASK)) for packed in before.noisy()] == ["e6-d6"]
    assert search.noisy() == [], "what came before the search isn't remembered as noise"


def test_short_moves_near_the_last_one_are_seen_most_easily() -> None:
    search = searched(position("d4=R d5=G a3=RRRR h6=G", turn="R"))
    seen = {GAME.encode(search.action(move)): search.visibility(move) for move in search.moves()}
    assert seen["d4-d5"] > seen["d4-c4"] > seen["a3-e3"]


def test_the_evaluation_is_the_sum_of_the_features_by_weight() -> None:
    random = Random(5)
    state = GAME.start(GAME.setup(2)).state
    state = GAME.apply(state, min(GAME.to_act(state)), GAME.draw(state, DICE)).state
    search, seen = searched(state), set()
    while search.turn != OVER:
        counts = search.features()
        assert search.evaluate(0) == sum(map(mul, WEIGHTS.values(), counts))
        seen |= {nth for nth, count in enumerate(counts) if count}
        search.make(random.choice(sorted(search.scored())[-5:]) & MOVE_MASK)
    assert seen == set(range(len(WEIGHTS)))
