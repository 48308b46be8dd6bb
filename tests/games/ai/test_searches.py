"""The searches: exact where the answer is known, within their work, the same every time, and undisturbing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games.ai.alpha_beta import AlphaBeta
from games.ai.best_reply import BestReply
from games.ai.players import SearchingPlayer, think
from games.ai.playouts import Playouts
from games.ai.thinking import Eyes, Thought, Work
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import Seat
from games.engine.levels import LEVELS, Budget, Level
from games.engine.search import MOVE_MASK, WIN, SearchState
from games.focus.search.state import FocusSearch
from tests.games.ai.heap import Heap, after, chance_to_win
from tests.games.focus.helpers import begin, position
from tests.rows import rows

Think = Callable[[SearchState, int], Thought]


def dice(name: str = "") -> Dice:
    return Dice(b"searches", "test", 0, name)


def alpha_beta(state: SearchState, work: int, depth: int = 60, *, settles: bool = True) -> Thought:
    return AlphaBeta(state, Budget("alpha-beta", work, depth, settles), dice()).think()


def best_reply(state: SearchState, work: int, depth: int = 60, *, settles: bool = True) -> Thought:
    return BestReply(state, Budget("best-reply", work, depth, settles), dice()).think()


def playouts(state: SearchState, work: int) -> Thought:
    return Playouts(state, Budget("playouts", work), dice()).think()


def middle(variant: str, moves: int) -> FocusSearch:
    """A position in the middle of a match, by drawn moves."""
    state, luck = begin(variant), dice(variant)
    game = registry.get("focus")
    for _ in range(moves):
        seat = Seat(state.turn)
        state = game.apply(state, seat, luck.pick(list(game.actions(state, seat)))).state
    found = game.search_state(state, Seat(0), luck)
    assert isinstance(found, FocusSearch)
    return found


def negamax(state: SearchState, depth: int) -> int:
    """Plain search without anything clever, for two teams."""
    if state.repeated():
        return 0
    if depth == 0:
        return state.evaluate(state.turn)
    return max(move_values(state, depth).values())


def move_values(state: SearchState, depth: int) -> dict[int, int]:
    """By move, the value of plain search for the team of the seat to act."""
    seat, values = state.turn, {}
    for move in state.moves():
        state.make(move)
        result = state.result()
        if result is not None:
            values[move] = round((2 * result[seat] - 1) * WIN)
        else:
            ours = state.teams[state.turn] == state.teams[seat]
            values[move] = negamax(state, depth - 1) * (1 if ours else -1)
        state.unmake()
    return values


# --- alpha-beta -----------------------------------------------------------------------------------------


@rows("moves", [0, 9, 30])
@rows("depth", [1, 2])
def test_shallow_searches_are_exact(moves: int, depth: int) -> None:
    state = middle("2", moves)
    assert alpha_beta(state, 10**6, depth, settles=False).value == negamax(state, depth)


def test_hopeless_moves_near_the_end_of_a_line_are_left_out_for_less_than_a_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    states = [middle("2", moves) for moves in (9, 20, 30, 40)]
    found = [alpha_beta(state, 10**6, 4) for state in states]
    monkeypatch.setattr("games.ai.alpha_beta._LEADS", {})
    full = [alpha_beta(state, 10**6, 4) for state in states]
    assert all(abs(one.value - other.value) <= 100 for one, other in zip(found, full, strict=True))
    assert sum(one.work for one in found) < 0.8 * sum(one.work for one in full)


def drawn(game: str, moves: int, at: str = "") -> SearchState:
    """A position of a game for two after some drawn moves, from its beginning or a position as text."""
    rules, luck = registry.get(game), dice(f"{game} {moves}")
    state = position(at, turn="R") if at else rules.start(rules.setup(2)).state
    for _ in range(moves):
        seat = min(rules.to_act(state))
        state = rules.apply(state, seat, luck.pick(list(rules.actions(state, seat)))).state
    found = rules.search_state(state, Seat(0), luck)
    assert found is not None
    return found


@rows("moves", [2, 5, 9, 16])
@pytest.mark.parametrize(
    ("game", "at"),
    [("focus", "c4=RRR c7=GG d7=G h3=R g2=G e5=GR"), ("focus", "d4=RG d6=GGR e5=G f5=RR"), ("dominance", "")],
)
def test_without_pruning_it_is_plain_search(
    game: str, at: str, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody can win at the last ply: a win may be left out there, since its gain needn't be large."""
    state = drawn(game, moves, at)
    monkeypatch.setattr("games.ai.alpha_beta._LEADS", {})
    monkeypatch.setattr("games.ai.alpha_beta._EARLY", 1_000)
    monkeypatch.setattr(type(state), "can_skip", False)
    values = move_values(state, 3)
    found = alpha_beta(state, 10**6, 3, settles=False)
    assert found.depth == 3
    assert found.value == max(values.values()) == values[found.move]


def test_partners_search_as_two_teams() -> None:
    state = middle("partners", 20)
    assert alpha_beta(state, 10**6, 2, settles=False).value == negamax(state, 2)


@rows("left", range(2, 17))
def test_a_game_that_is_known_is_solved(left: int) -> None:
    found = alpha_beta(Heap(left), 10**5)
    assert (found.value > 0) == (left % 4 != 0)
    if left % 4:
        assert found.move == left % 4, "leave a multiple of four"
    assert abs(found.value) >= WIN - left


@rows("left", range(2, 10))
def test_draws_are_averaged(left: int) -> None:
    found = alpha_beta(Heap(left, coins=True), 10**7, 12)
    best = chance_to_win(left, coins=True)
    assert after(left - found.move, coins=True) == pytest.approx(best)
    assert found.value / WIN == pytest.approx(2 * best - 1, abs=1e-3)


def test_a_win_in_three_is_seen_and_its_line_told() -> None:
    state = registry.get("focus").search_state(position("d4=R d5=G d6=R", turn="R"), Seat(0), dice())
    assert state is not None
    found = alpha_beta(state, 10**5)
    assert found.value == WIN - 1
    assert found.line[0] == found.move


def test_a_recapture_is_seen_beyond_the_last_ply() -> None:
    piles = "c4=RRR c7=GG d7=G h3=R g2=G"
    state = registry.get("focus").search_state(position(piles, turn="R"), Seat(0), dice())
    assert state is not None
    greedy = alpha_beta(state, 10**5, 1, settles=False)
    wary = alpha_beta(state, 10**5, 1)
    assert str(state.action(greedy.move).text) == "c4-c7"
    assert wary.value < greedy.value


# --- best reply -----------------------------------------------------------------------------------------


def test_one_ply_of_best_reply_takes_the_best_evaluation() -> None:
    state = middle("3", 12)
    seat, values = state.turn, []
    for move in state.moves():
        state.make(move)
        values.append(state.evaluate(seat))
        state.unmake()
    assert best_reply(state, 10**6, 1, settles=False).value == max(values)


@pytest.mark.parametrize(("variant", "moves"), [("3", 12), ("4", 12), ("3 fast", 20)])
def test_two_plies_of_best_reply_are_exact(variant: str, moves: int) -> None:
    state = middle(variant, moves)
    seat = state.turn
    best = -WIN
    for move in state.moves():
        state.make(move)
        worst = WIN
        turn = state.turn
        for other in range(len(state.teams)):
            if other == seat or not state.can_move(other):
                continue
            if other != turn:
                state.skip_to(other)
            for reply in state.moves():
                state.make(reply)
                result = state.result()
                value = state.evaluate(seat) if result is None else round((2 * result[seat] - 1) * WIN)
                worst = min(worst, value)
                state.unmake()
            if other != turn:
                state.unmake()
        best = max(best, worst)
        state.unmake()
    assert best_reply(state, 10**6, 2, settles=False).value == best


# --- playouts -------------------------------------------------------------------------------------------


@rows("left", [2, 3, 5, 6, 7, 9])
def test_playouts_prove_wins(left: int) -> None:
    found = playouts(Heap(left), 3_000)
    assert found.move == left % 4
    assert found.value == WIN


@pytest.mark.parametrize("left", [4, 8])
def test_playouts_prove_losses(left: int) -> None:
    assert playouts(Heap(left), 5_000).value == -WIN


def test_playouts_prove_for_three_seats() -> None:
    assert playouts(Heap(3, seats=3), 500).move == 3


@pytest.mark.parametrize("left", [4, 5, 6, 7])
def test_playouts_sample_draws(left: int) -> None:
    found = playouts(Heap(left, coins=True), 3_000)
    assert after(left - found.move, coins=True) == pytest.approx(chance_to_win(left, coins=True), abs=0.05)


# --- all of them ----------------------------------------------------------------------------------------

SEARCHES = [
    pytest.param(alpha_beta, "2", 3_000, id="alpha-beta"),
    pytest.param(best_reply, "3", 3_000, id="best-reply"),
    pytest.param(playouts, "3", 150, id="playouts"),
]


@pytest.mark.parametrize(("search", "variant", "work"), SEARCHES)
def test_a_search_is_the_same_every_time_and_leaves_the_state_alone(
    search: Think, variant: str, work: int
) -> None:
    state = middle(variant, 10)
    before = (
        state.key,
        state.turn,
        state.moves(),
        [state.evaluate(seat) for seat in range(len(state.teams))],
    )
    first = search(state, work)
    assert search(state, work) == first
    assert first.move in state.moves()
    assert 0 < first.work <= work + 100, "asked once for a list of moves at the latest"
    after_it = (state.key, state.turn, state.moves(), [state.evaluate(s) for s in range(len(state.teams))])
    assert after_it == before


@pytest.mark.parametrize(("search", "variant", "work"), SEARCHES)
def test_hardly_any_work_still_gives_a_move(search: Think, variant: str, work: int) -> None:
    state = middle(variant, 10)
    assert search(state, 1).move in state.moves()


@pytest.mark.parametrize("method", ["alpha-beta", "best-reply", "playouts"])
def test_a_search_stops_when_it_is_told_to(method: Any) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked >= 3

    budget = Budget(method, 10**9)
    state = middle("2" if method == "alpha-beta" else "3", 10)
    found = think(state, Level(budget, budget, 1.0), dice(), stop)
    assert asked == 3
    assert found.work < 3_000
    assert found.move in state.moves()


def test_the_only_move_needs_no_thought() -> None:
    for search in (alpha_beta, best_reply, playouts):
        found = search(Heap(1), 10**6)
        assert (found.move, found.value, found.work) == (1, 0, 0)


# --- what weak levels see -------------------------------------------------------------------------------


def test_obvious_moves_are_always_seen_and_hidden_ones_by_chance() -> None:
    state, seen = Heap(9), {1: 0, 2: 0, 3: 0}
    for nth in range(300):
        for packed in Eyes(50, dice(str(nth))).visible(state, state.scored()):
            seen[packed & MOVE_MASK] += 1
    assert seen[1] == 300
    assert 180 < seen[2] < 240, "70 percent"
    assert 120 < seen[3] < 180, "50 percent"


def test_what_is_overlooked_stays_so_during_a_decision() -> None:
    state, eyes = Heap(9), Eyes(50, dice("a"))
    assert len({tuple(eyes.visible(state, state.scored())) for _ in range(5)}) == 1


def test_at_least_one_move_is_seen() -> None:
    state = Heap(9)
    assert [Eyes(100, dice(str(n))).visible(state, [3]) for n in range(20)] == [[3]] * 20


def test_a_weak_level_overlooks_the_winning_move_at_times() -> None:
    weak = Level(Budget("alpha-beta", 500), Budget("alpha-beta", 500), 1.0, oversight=100)
    moves = [think(Heap(7), weak, dice(str(nth))).move for nth in range(30)]
    assert 3 not in moves, "it is never seen"
    assert think(Heap(7), replace(weak, oversight=0), dice()).move == 3


def test_slack_varies_among_good_moves_only() -> None:
    state = middle("2", 10)
    budget = Budget("alpha-beta", 10**5, 1, settles=False)
    values = {}
    for move in state.moves():
        seat = state.turn
        state.make(move)
        values[move] = state.evaluate(seat)
        state.unmake()
    best = max(values.values())
    chosen = {think(state, Level(budget, budget, 1.0, slack=60), dice(str(n))).move for n in range(40)}
    assert {values[move] >= best - 60 for move in chosen} == {True}
    assert len(chosen) > 1


# --- the player -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_level_plays_legal_moves_and_can_be_sent_away(seats: int) -> None:
    game = registry.get("focus")
    state = begin(str(seats))
    for name in LEVELS[:3]:
        player = SearchingPlayer(game.levels()[name])
        assert pickle.loads(pickle.dumps(player)) == player
        action = player.choose(game, state, Seat(state.turn), dice(name))
        assert game.refuse(state, Seat(state.turn), action) is None
        state = game.apply(state, Seat(state.turn), action).state


def test_without_a_search_state_it_looks_one_move_ahead() -> None:
    toy = registry.get("toy")
    state = toy.start(toy.setup(2)).state
    while min(acting := toy.to_act(state)) < 0:
        state = toy.apply(state, min(acting), toy.draw(state, dice())).state
    seat = min(acting)
    view = toy.view(state, seat)
    level = Level(Budget("alpha-beta", 10), Budget("alpha-beta", 10), 1.0)
    assert SearchingPlayer(level).choose(toy, view, seat, dice()) in set(toy.actions(view, seat))


def test_work_is_asked_about_every_few_hundred_moves() -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(work.done)
        return False

    work = Work(10_000, stop)
    while work.done < 2_000:
        work.check()
        work.done += 1
    assert asked == list(range(256, 2_000, 256))


def test_a_move_may_be_left_out() -> None:
    state = middle("2", 12)
    budget = Budget("alpha-beta", 10**6, 2)
    first = AlphaBeta(state, budget, dice()).think()
    second = AlphaBeta(state, budget, dice(), without=first.move).think()
    assert second.move != first.move
    assert second.move in state.moves()
    assert second.value <= first.value
