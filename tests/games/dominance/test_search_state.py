"""The search state of Dominance in sparse positions, where attacks, locks, passes and draws are."""

from __future__ import annotations

from random import Random

import pytest

from games.dominance import GAME
from games.dominance.board import BOARDS, names_of
from games.dominance.rules import QUIET_LIMIT, State, legal
from games.dominance.search.state import DominanceSearch
from games.dominance.search.weights import FEATURES, WEIGHTS
from games.engine.dice import Dice
from games.engine.game import Seat
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, shares
from tests.games.dominance.helpers import BOARD_KEYS, after, begin, position
from tests.soak import examples

DICE = Dice(b"", "", 0, "")


def searched(state: State) -> DominanceSearch:
    return GAME.search_state(state, Seat(0), DICE)


def same(search: DominanceSearch, state: State) -> None:
    """Assert that a state that was made by moves is the one that is read from the position."""
    fresh = searched(state)
    assert search.turn == fresh.turn == (OVER if state.outcome else state.turn)
    assert search.key == fresh.key
    assert search.repeated() == fresh.repeated()
    assert search.result() == fresh.result()
    assert search.evaluate(0) == -search.evaluate(1) == fresh.evaluate(0)
    if state.outcome is not None:
        assert search.result() == shares(state.outcome.ranks, (0, 1))
        return
    assert {search.action(move) for move in search.moves()} == set(legal(state, state.turn))
    assert sorted(search.noisy()) == sorted(fresh.noisy())


def sparse(random: Random, board: str) -> State | None:
    """A position close to its end; None if it is no position of a match."""
    near = [*names_of(BOARDS[board].spawns), *random.sample(names_of(BOARDS[board].spaces), 12)]
    men = random.sample(list(dict.fromkeys(near)), random.randint(1, 9))
    cut = random.randint(0, min(2, len(men)))
    red, black = (" ".join(side) for side in (men[:cut], men[cut:])[:: random.choice((1, -1))])
    lost = {code: random.choice((0, 5, 7, 8)) for code in "RB"}
    quiet = random.choice((0, QUIET_LIMIT - 3))
    try:
        return position(red, black, random.choice("RB"), board=board, lost=lost, quiet=quiet)
    except ValueError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARD_KEYS)
def test_sparse_positions_are_followed_to_their_ends(board: str) -> None:
    random, met = Random(board), set()
    for _ in range(examples(120)):
        if (state := sparse(random, board)) is None:
            continue
        search = searched(state)
        same(search, state)
        states = [state]
        while state.outcome is None and len(states) < 8:
            for packed in [*search.scored(), *search.noisy()]:
                now, seat = search.evaluate(search.turn), search.turn
                before = (search.turn, search.key, search.evaluate(0), search.repeated())
                search.make(packed & MOVE_MASK)
                same(search, GAME.apply(state, Seat(seat), search.action(packed & MOVE_MASK)).state)
                if search.turn != OVER:
                    assert search.evaluate(seat) == now + (packed >> MOVE_BITS)
                search.unmake()
                assert (search.turn, search.key, search.evaluate(0), search.repeated()) == before
            # Attacks are preferred, so that losses come early.
            move = random.choice(search.noisy() or search.scored()) & MOVE_MASK
            state = GAME.apply(state, Seat(search.turn), search.action(move)).state
            search.make(move)
            states.append(state)
        met.add(state.ended)
        for earlier in reversed(states[:-1]):
            search.unmake()
            same(search, earlier)
    assert {"nine", "quiet"} <= met


def followed(state: State, *texts: str) -> DominanceSearch:
    """Make the actions of some texts, comparing each position with the judge's, and back and forth again."""
    search, states = searched(state), [state]
    for text in texts:
        state = after(states[-1], text)
        search.make(search.find(GAME.decode(text)))
        same(search, state)
        states.append(state)
    for earlier in reversed(states[:-1]):
        search.unmake()
        same(search, earlier)
    for text in texts:
        search.make(search.find(GAME.decode(text)))
    same(search, states[-1])
    return search


def test_a_seat_that_can_do_nothing_passes() -> None:
    search = followed(position("a2 b1 a4 g1 g4 c2 e5", "a1", quiet=5), "e5-e6", "e6-f5")
    assert search.turn == 0


def test_a_position_that_comes_back_through_passes_is_known() -> None:
    state = position("a2 b1 a4 g1 g4 c2 e5", "a1")
    search = followed(state, "e5-e6", "e6-e5")
    assert search.repeated()
    assert followed(state, "e5-e6", "e6-e5", "e5-e6", "e6-e5").result() == (0.5, 0.5)


def test_a_lock_wins_even_on_the_last_quiet_action() -> None:
    state = position("a1 a4 g1 f4 e5", "d1", quiet=QUIET_LIMIT - 1)
    assert followed(state, "e5-f5").result() == (1.0, 0.0)
    assert followed(state, "e5-d6").result() == (0.5, 0.5)


def test_an_unknown_action_is_refused() -> None:
    search = searched(begin())
    with pytest.raises(ValueError, match="isn't possible now"):
        search.find(GAME.decode("a1-a2"))


def test_attacks_are_easier_to_see_than_quiet_moves() -> None:
    search = searched(position("b2 e4 c1", "c3 c4"))
    attacks = {packed & MOVE_MASK for packed in search.noisy()}
    assert attacks
    for move in attacks:
        source = move >> 7
        calm = [other for other in search.moves() if other >> 7 == source and other not in attacks]
        assert all(search.visibility(move) > search.visibility(other) for other in calm)


def test_the_evaluation_is_the_sum_of_the_features_by_weight() -> None:
    search = searched(position("b2 e4 c1", "c3 c4"))
    counts = dict(zip(FEATURES, search.features(), strict=True))
    assert (counts["left"], counts["in_play"], counts["first_four"]) == (0, 1, 1)
    assert search.evaluate(0) == sum(WEIGHTS[name] * count for name, count in counts.items())


def test_features_of_a_position_that_is_counted_by_hand() -> None:
    counts = dict(zip(FEATURES, searched(position("b2 d4", "")).features(), strict=True))
    assert counts["guarded"] == 1, "c3, between them"
    assert counts["near_spawns"] == 1, "b2, next to a1"
    assert counts["first_two"] == 2


def test_no_position_is_worth_a_win() -> None:
    best = searched(position("a1 a4 b2 c3 d4 e4 c4 d5 g1 g4", "", lost={"B": 8}))
    assert 0 < best.evaluate(0) < WIN // 2
