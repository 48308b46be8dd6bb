"""Search states are held to the judge: same moves, same successors, same ends; and what is undone is undone.

For every game that offers them, from sampled positions of every set-up. A game whose search state lists only
moves worth a look is held to legality instead of completeness.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import pytest

from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Game, Seat, Setup
from games.engine.levels import LEVELS
from games.engine.match import Change, Match, leave, play
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, SearchState, shares
from tests.laws.courses import Course, Stop, course, every_case
from tests.soak import SOAK

GAMES = [game for game in registry.all_games() if type(game).search_state is not Game.search_state]
CASES = [case for case in every_case() if case.game in GAMES]
STOPS = 60 if SOAK else 5
"""Positions of a match that are looked at."""
PLIES = 3 if SOAK else 2
PLIES_FOLLOWED = 1000 if SOAK else 150
MOST = 5_000 if SOAK else 150
"""Nodes of each perft: larger trees are left out."""


@pytest.fixture(params=[pytest.param(case, id=str(case)) for case in CASES])
def played(request: pytest.FixtureRequest) -> Course:
    return course(request.param, "random")


def dice(name: str) -> Dice:
    return Dice(b"search", "law", 0, name)


def searched(game: AnyGame, state: Any) -> SearchState:
    """The search state of a position, from the view of a seat that is to act."""
    seat = max(min(game.to_act(state), default=Seat(0)), Seat(0))
    made = game.search_state(game.view(state, seat), seat, dice("state"))
    assert made is not None
    return made


def searchable(played: Course) -> list[Stop]:
    """The stops from the first on that can be searched: before, a game may have to be set up in secret."""
    stops = [*played.stops]
    while not is_searchable(stops[0]):
        del stops[0]
    return stops


def is_searchable(stop: Stop) -> bool:
    game, state = stop.match.game, stop.match.state
    seat = max(min(game.to_act(state), default=Seat(0)), Seat(0))
    return game.search_state(game.view(state, seat), seat, dice("state")) is not None


def some(played: Course, count: int) -> Iterator[Stop]:
    """Stops at which seats are to act, from the first that can be searched on."""
    first = searchable(played)[0].match.log[-1].seq
    return (stop for stop in played.some(count) if stop.match.log[-1].seq >= first)


def sampled(played: Course) -> Iterator[Match]:
    """Positions of the course, its beginning and end, and what becomes of some once seats have left."""
    stops = searchable(played)
    for stop in (stops[0], *stops[1 :: max(1, len(stops) // STOPS)], stops[-2], stops[-1]):
        if len(stop.match.to_act) < 2 and stop.match.ending is None:
            yield stop.match
    for stop in some(played, 2):
        match = stop.match
        playing = [
            seat for seat in range(match.setup.seats) if seat not in match.game.eliminated(match.state)
        ]
        for seat in playing[:-2]:
            change = leave(match, Seat(seat), "resign", played.sealed)
            assert isinstance(change, Change)
            match = change.match
            if match.ending is not None:
                break
            if len(match.to_act) == 1:
                yield match


class Sight(NamedTuple):
    """All that a search can see of a state."""

    turn: int
    key: int
    repeated: bool
    result: tuple[float, ...] | None
    values: tuple[int, ...]
    moves: tuple[int, ...]
    noisy: tuple[int, ...]


def seen(state: SearchState) -> Sight:
    over = state.turn == OVER
    if over:
        moves: list[int] = []
    elif state.turn == CHANCE:
        moves = [draw for draw, _ in state.chances()]
    else:
        moves = state.moves()
    values = () if over else tuple(state.evaluate(seat) for seat in range(len(state.teams)))
    noisy = tuple(sorted(state.noisy())) if state.turn >= 0 else ()
    return Sight(state.turn, state.key, state.repeated(), state.result(), values, tuple(sorted(moves)), noisy)


def agree(game: AnyGame, setup: Setup, state: Any, search: SearchState) -> None:
    """Assert that a search state says what the judge says of a position."""
    outcome, acting = game.outcome(state), game.to_act(state)
    assert search.teams == setup.teams
    if outcome is not None:
        assert search.turn == OVER
        assert search.result() == shares(outcome.ranks, setup.teams)
        return
    assert search.result() is None
    assert {search.turn} == acting
    seat = Seat(search.turn)
    legal = list(game.actions(game.view(state, seat), seat))
    if seat == CHANCE:
        moves = [draw for draw, _ in search.chances()]
        assert all(weight > 0 for _, weight in search.chances())
    else:
        moves = search.moves()
        assert sorted(move & MOVE_MASK for move in search.scored()) == sorted(moves)
        assert {move & MOVE_MASK for move in search.noisy()} <= set(moves)
        assert all(0 <= search.visibility(move) <= 100 for move in moves)
        assert search.can_move(int(seat)) or not search.can_skip
    actions = [search.action(move) for move in moves]
    assert len(set(moves)) == len(moves) == len(set(actions)) > 0
    assert all(0 <= move <= MOVE_MASK for move in moves)
    assert set(actions) == set(legal) if search.complete else set(actions) <= set(legal)
    assert [search.find(action) for action in actions[:3]] == moves[:3]


def test_there_are_search_states() -> None:
    assert {"focus", "dominance", "dominion"} <= {game.key for game in GAMES}


def test_nothing_is_hidden_where_a_state_can_be_searched_for_sure(played: Course) -> None:
    """Once a match can be searched, it always can be; before that, a seat can't know all of it."""
    first = searchable(played)[0].match.log[-1].seq
    assert all(is_searchable(stop) for stop in played.stops if stop.match.log[-1].seq >= first)
    assert first <= 1 + 2 * played.case.seats


def test_a_search_state_is_the_judges_position_and_so_are_its_successors(played: Course) -> None:
    game, setup = played.case.game, played.case.setup
    for match in sampled(played):
        search = searched(game, match.state)
        agree(game, setup, match.state, search)
        before = seen(search)
        seat = next(iter(match.to_act))
        for move in before.moves[:: 1 if SOAK else max(1, len(before.moves) // 12)]:
            after = game.apply(match.state, seat, search.action(move)).state
            search.make(move)
            agree(game, setup, after, search)
            fresh = searched(game, after)
            assert seen(search)[:6] == seen(fresh)[:6], "made and read positions are the same"
            search.unmake()
            assert seen(search) == before, "what is undone leaves nothing behind"


def test_gains_are_what_evaluations_become(played: Course) -> None:
    game = played.case.game
    for match in sampled(played):
        search = searched(game, match.state)
        seat = search.turn
        if seat == CHANCE:
            continue
        now = search.evaluate(seat)
        values = [search.evaluate(each) for each in range(len(search.teams))]
        assert all(abs(value) < WIN // 2 for value in values)
        if len(set(search.teams)) == 2:
            assert values[search.teams.index(0)] == -values[search.teams.index(1)]
        for packed in [*search.scored(), *search.noisy()] if search.exact_gains else []:
            search.make(packed & MOVE_MASK)
            if search.turn != OVER:
                assert search.evaluate(seat) == now + (packed >> MOVE_BITS)
            search.unmake()
        for packed in search.scored() if search.bounding_gains else []:
            search.make(packed & MOVE_MASK)
            if search.turn != OVER:
                assert search.evaluate(seat) <= now + (packed >> MOVE_BITS)
            search.unmake()
        before = seen(search)
        search.press()
        assert seen(search)._replace(noisy=()) == before._replace(noisy=())


def test_equal_positions_have_equal_keys_and_others_have_not(played: Course) -> None:
    game = played.case.game
    sights: dict[int, tuple[Any, ...]] = {}
    dumps: dict[str, int] = {}
    for match in sampled(played):
        seat = next(iter(match.to_act))
        legal = list(game.actions(game.view(match.state, seat), seat))
        for action in [None, *legal[:: 1 if SOAK else 3]]:
            state = match.state if action is None else game.apply(match.state, seat, action).state
            if game.outcome(state) is not None:
                continue
            search = searched(game, state)
            sight = seen(search)
            same = sights.setdefault(search.key, (sight.turn, sight.moves, sight.values))
            assert same == (sight.turn, sight.moves, sight.values), "equal keys, different positions"
            text = json.dumps(game.dump(state), sort_keys=True)
            assert dumps.setdefault(text, search.key) == search.key
    assert len(set(dumps.values())) > 1


@pytest.mark.slow
def test_a_key_is_the_same_by_whatever_route(played: Course) -> None:
    """Two moves of one seat and those of the others between them, in both orders."""
    game = played.case.game
    for match in sampled(played):
        if CHANCE in match.to_act:
            continue
        found: dict[tuple[Any, ...], int] = {}
        seat = next(iter(match.to_act))
        first = list(game.actions(game.view(match.state, seat), seat))[:5]
        for one, two in permutations(first, 2):
            search, state = searched(game, match.state), match.state
            for chosen in (one, None, two):
                if search.turn < 0:
                    break
                legal = list(game.actions(game.view(state, Seat(search.turn)), Seat(search.turn)))
                action = legal[-1] if chosen is None else chosen
                if action not in legal:
                    break
                state = game.apply(state, Seat(search.turn), action).state
                search.make(search.find(action))
                assert search.key == searched(game, state).key, "made and read positions have one key"
            else:
                if search.turn >= 0:
                    sight = seen(search)
                    look = (sight.turn, sight.moves, sight.values, game.scene(game.view(state, None), None))
                    assert found.setdefault(look, search.key) == search.key


def judged(game: AnyGame, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for seat in game.to_act(state):
        for action in game.actions(game.view(state, seat), seat):
            total += 1 if depth == 1 else judged(game, game.apply(state, seat, action).state, depth - 1)
    return total


def counted(search: SearchState, depth: int) -> int:
    if search.turn == OVER:
        return 0
    moves = [draw for draw, _ in search.chances()] if search.turn == CHANCE else search.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        search.make(move)
        total += counted(search, depth - 1)
        search.unmake()
    return total


def test_both_count_the_same_trees(played: Course) -> None:
    game = played.case.game
    for match in sampled(played):
        search = searched(game, match.state)
        if not search.complete:
            continue
        before = seen(search)
        for depth in range(1, PLIES + 1):
            nodes = counted(search, depth)
            assert seen(search) == before
            if nodes > MOST:
                break
            assert nodes == judged(game, match.state, depth)


@pytest.mark.slow
def test_a_whole_match_is_followed_and_taken_back(played: Course) -> None:
    game, setup = played.case.game, played.case.setup
    stops = searchable(played)
    search = searched(game, stops[0].match.state)
    before = [seen(search)]
    acted = [stop for stop in stops[1:] if stop.match.ending is None or game.outcome(stop.match.state)]
    begun = stops[0].match.log[-1].seq
    for nth, stop in enumerate(acted):
        entry = stop.match.log[-1]
        if entry.seq <= begun + len(before) - 1 or search.turn == OVER:
            break
        search.make(search.find(game.decode(entry.data)))
        before.append(seen(search))
        if nth % 25 == 0 or search.turn == OVER:
            agree(game, setup, stop.match.state, search)
    assert search.turn == OVER
    for sight in reversed(before[:-1]):
        search.unmake()
        assert seen(search) == sight


def worth(search: SearchState, seat: int, move: int) -> float:
    """What a move leads to for a seat; the most if it wins."""
    search.make(move)
    result = search.result()
    value = search.evaluate(seat) if result is None else 2 * WIN * result[seat] - WIN
    search.unmake()
    return value


def drawn_move(search: SearchState, luck: Dice) -> int:
    return luck.pick([draw for draw, weight in search.chances() for _ in range(weight)])


@pytest.mark.slow
def test_matches_of_the_strong_and_the_weak_are_followed_to_their_ends(played: Course) -> None:
    """One team plays the best evaluation, the others anything."""
    game, setup = played.case.game, played.case.setup
    luck = dice(str(played.case))
    for nth, stop in enumerate(some(played, 2)):
        search, state = searched(game, stop.match.state), stop.match.state
        for ply in range(PLIES_FOLLOWED):
            if search.turn == OVER:
                break
            if search.turn == CHANCE:
                move = drawn_move(search, luck)
            elif setup.teams[search.turn] == setup.teams[nth % setup.seats]:
                move = max(search.moves(), key=lambda move: worth(search, search.turn, move))
            else:
                move = luck.pick(search.moves())
            state = game.apply(state, Seat(search.turn), search.action(move)).state
            search.make(move)
            if ply % 20 == 0 or search.turn == OVER:
                agree(game, setup, state, search)
                assert seen(searched(game, state))[:5] == seen(search)[:5]
            assert (search.turn == OVER) == (game.outcome(state) is not None)


def test_copies_and_pickles_are_independent(played: Course) -> None:
    game = played.case.game
    for match in sampled(played):
        search = searched(game, match.state)
        before = seen(search)
        for other in (search.copy(), pickle.loads(pickle.dumps(search))):
            assert seen(other) == before
            other.make(before.moves[-1])
            after = seen(other)
            assert seen(search) == before
            search.make(before.moves[-1])
            assert seen(search) == after
            search.unmake()


def test_the_turn_can_be_given_to_others(played: Course) -> None:
    game = played.case.game
    for match in sampled(played):
        search = searched(game, match.state)
        if not search.can_skip or search.turn == CHANCE:
            continue
        before = seen(search)
        for seat in range(len(search.teams)):
            if seat != search.turn and search.can_move(seat):
                search.skip_to(seat)
                assert search.turn == seat
                assert seen(search).values == before.values
                move = search.moves()[0]
                search.make(move)
                search.unmake()
                search.unmake()
                assert seen(search) == before


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_levels_are_named_in_order_and_think_more_and_more(game: AnyGame) -> None:
    levels = game.levels()
    assert tuple(levels) == LEVELS
    for name, level in levels.items():
        assert 0 <= level.oversight <= 100, name
        assert level.seconds > 0
        assert min(level.two.work, level.more.work, level.two.depth, level.more.depth) > 0
    weaker = list(levels.values())
    assert all(one.oversight >= two.oversight for one, two in pairwise(weaker))


def test_the_toy_game_has_none() -> None:
    toy = registry.get("toy")
    assert toy.search_state(toy.view(toy.start(toy.setup(2)).state, None), Seat(0), dice("toy")) is None
    assert toy.levels() == {}


def test_a_match_that_is_played_on_is_still_agreed_on(played: Course) -> None:
    """The moves that a search state offers are legal in the match itself."""
    stop = next(some(played, 3))
    search = searched(stop.match.game, stop.match.state)
    for move in search.moves()[:3]:
        assert isinstance(play(stop.match, Seat(search.turn), search.action(move), played.sealed), Change)
