"""A side that is ahead goes near the enemy's pieces and trades, the more the longer nothing has happened."""

from __future__ import annotations

from random import Random

import pytest

from games.ai.players import SearchingPlayer
from games.ai.players_by_level import Levels
from games.dominance import GAME
from games.dominance.board import iter_bits
from games.dominance.rules import State
from games.dominance.search.state import FULL, SETS_IN, DominanceSearch, pressure
from games.dominance.search.tables import TARGET, get_tables
from games.engine.dice import Dice
from games.engine.game import Seat
from games.engine.levels import Budget, Level
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER
from matches.thinking.jobs import AppraisalJob
from matches.thinking.questions import answer_question
from matches.thinking.turns import Patience
from tests.games.dominance.helpers import BOARD_KEYS, position
from tests.games.dominance.test_search_state import searched, sparse
from tests.soak import SOAK


def ahead(quiet: int) -> State:
    """Red to move, with four men against two; the next loss loses for Black."""
    return position("f2 f4 d4 c4", "b1 b2", "R", lost={"R": 6, "B": 8}, quiet=quiet)


def gains(search: DominanceSearch) -> dict[int, int]:
    return {packed & MOVE_MASK: packed >> MOVE_BITS for packed in search.scored()}


@pytest.mark.parametrize("board", BOARD_KEYS)
def test_gains_are_exact_under_pressure_and_all_can_be_taken_back(board: str) -> None:
    random, tried = Random(board), 0
    for _ in range(4000 if SOAK else 400):
        if (state := sparse(random, board)) is None or state.outcome is not None:
            continue
        search = searched(state)
        before = (search.key, search.evaluate(0), sorted(search.moves()))
        usual = gains(search)
        search.press()
        assert (search.key, search.evaluate(0), sorted(search.moves())) == before
        if gains(search) == usual:
            continue
        tried += 1
        search = search.copy()  # as searches do
        made = 0
        while search.turn != OVER and made < 5:
            seat, now, key = search.turn, search.evaluate(search.turn), search.key
            for packed in [*search.scored(), *search.noisy()]:
                search.make(packed & MOVE_MASK)
                if search.turn != OVER:
                    assert search.evaluate(seat) == now + (packed >> MOVE_BITS)
                search.unmake()
                assert (search.turn, search.key, search.evaluate(seat)) == (seat, key, now)
            search.make(random.choice(search.noisy() or search.scored()) & MOVE_MASK)
            made += 1
    assert tried > 10


def test_only_who_is_ahead_presses_and_only_after_a_while() -> None:
    behind = position("b1 b2", "f2 f4 d4 c4", "R", lost={"R": 8, "B": 6}, quiet=FULL)
    for state, presses in ((ahead(FULL), True), (ahead(SETS_IN), False), (behind, False)):
        search = searched(state)
        usual = gains(search)
        assert search.press() is presses
        assert (gains(search) != usual) is presses


def test_a_step_nearer_is_worth_more_the_longer_nothing_has_happened() -> None:
    tables, state = get_tables("hex4"), ahead(0)
    found = [pressure(tables, 0, state.men[1], quiet) for quiet in (SETS_IN + 10, FULL, FULL + 30)]
    little, full, beyond = (each for each in found if each is not None)
    assert full.places == beyond.places
    assert max(full.places.values()) > max(little.places.values()) > 0
    foes = list(iter_bits(state.men[1]))
    steps = tables.features.distances
    by_distance = sorted(full.places, key=lambda bit: sum(steps[bit][foe] for foe in foes))
    assert full.places[by_distance[0]] > full.places[by_distance[-1]] == 0
    assert all(full.places[TARGET[number]] >= gain >> MOVE_BITS for number, gain in full.gains.items())


def test_pieces_that_run_are_cornered_with_little_work() -> None:
    """Twelve and more plies ahead there is a win; this search sees five."""
    little = Budget("alpha-beta", 3_000)
    players = (SearchingPlayer(Level(little, little, 60.0)), Levels({}).player("dominance", "careful"))
    state, played = ahead(40), 0
    while state.outcome is None:
        seat = Seat(state.turn)
        action = players[seat].choose(GAME, state, seat, Dice(b"x" * 32, "corner", played, str(seat)))
        state, played = GAME.apply(state, seat, action).state, played + 1
    assert state.outcome.ranks == (1, 2)


@pytest.mark.slow
def test_who_follows_hints_corners_them_too() -> None:
    careful, state, played = Levels({}).player("dominance", "careful"), ahead(40), 0
    while state.outcome is None:
        seat, played = Seat(state.turn), played + 1
        if seat == 0:
            job = AppraisalJob(
                "ann", GAME, GAME.rules, state, seat, (0, 1), b"x" * 32, tempting=2, effort=0.05
            )
            found = answer_question(job, Levels({}), Patience.of()).best
            assert found is not None
            action = found.action
        else:
            action = careful.choose(GAME, state, seat, Dice(b"x" * 32, "corner", played, ""))
        state = GAME.apply(state, seat, action).state
    assert state.outcome.ranks == (1, 2)
