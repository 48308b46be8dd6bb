"""Games without a search state of their own are searched through `apply`, with dice and three seats too."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from games.ai.players import SearchingPlayer
from games.ai.players_by_level import Levels
from games.engine.dice import Dice
from games.engine.fields import Json
from games.engine.game import CHANCE, NOBODY, ONLY_SEAT, Outcome, Seat, Step
from games.engine.message import Msg, msg
from games.engine.open_game import LEVELS, OpenGame, OpenSearch
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER, WIN, shares
from tests.rows import rows
from tests.soak import SOAK
from tests.three.game import Claim, State, Three

GOAL = 7


class Racing(NamedTuple):
    """How far each of three seats is, whose turn it is, and what the die shows; 0 before it is thrown."""

    at: tuple[int, ...] = (0, 0, 0)
    turn: Seat = Seat(0)
    die: int = 0

    @property
    def outcome(self) -> Outcome | None:
        """The first at the goal has won; the others follow by their distance."""
        if max(self.at) < GOAL:
            return None
        return Outcome(tuple(1 + sum(other > own for other in self.at) for own in self.at), msg("over"))


class Race(OpenGame[Racing, Claim]):
    """Throw a die, and go on by it or send another back by it. Teams are given, or everyone plays alone."""

    key, seats, chance = "race", (3,), True
    # What a search doesn't ask for.
    look = Three.look
    read = Three.read  # type: ignore[assignment]
    scene = Three.scene  # type: ignore[assignment]
    forfeit = Three.forfeit  # type: ignore[assignment]
    decode = Three.decode
    restore = Three.restore  # type: ignore[assignment]
    max_actions = Three.max_actions

    def __init__(self, *teams: int) -> None:
        self._teams = teams

    def teams_of(self, state: Racing) -> tuple[int, ...]:
        return self._teams or super().teams_of(state)

    def start(self, setup: object) -> Step[Racing]:
        return Step(Racing())

    def to_act(self, state: Racing) -> frozenset[Seat]:
        return NOBODY if state.outcome else ONLY_SEAT[state.turn if state.die else CHANCE]

    def refuse(self, state: Racing, seat: Seat, action: Claim) -> Msg | None:
        return None if action in [*self.actions(state, seat)] else msg("no")

    def actions(self, view: Racing, seat: Seat) -> Iterator[Claim]:
        yield from (Claim(text) for text in ("123" if seat == CHANCE else "abc"))

    def apply(self, state: Racing, seat: Seat, action: Claim) -> Step[Racing]:
        if seat == CHANCE:
            return Step(state._replace(die=int(action.text)))
        whom = "abc".index(action.text)
        step = state.die if whom == seat else -state.die
        at = tuple(max(0, far + step * (each == whom)) for each, far in enumerate(state.at))
        return Step(Racing(at, Seat((seat + 1) % 3)))

    def evaluate(self, view: Racing, seat: Seat) -> float:
        return 2 * view.at[seat] / GOAL - 1

    def dump(self, state: Racing) -> Json:
        return {"at": list(state.at), "turn": state.turn, "die": state.die}


def dice(name: str) -> Dice:
    return Dice(b"open", "game", 0, name)


@pytest.mark.parametrize("teams", [(), (0, 1, 0)])
def test_a_search_follows_the_game_with_dice_and_three_seats(teams: tuple[int, ...]) -> None:
    game, luck = Race(*teams), dice("follow")
    state = Racing()
    search = game.search_state(state, Seat(0), luck)
    assert isinstance(search, OpenSearch)
    trail: list[tuple[int, int, list[int]]] = []
    while state.outcome is None and len(trail) < 200:
        seat = next(iter(game.to_act(state)))
        assert search.turn == seat
        assert search.key == OpenSearch(game, state).key
        moves = [draw for draw, _ in search.chances()] if seat == CHANCE else search.moves()
        assert [search.action(move) for move in moves] == [*game.actions(state, seat)]
        values = [search.evaluate(each) for each in range(3)]
        if teams:
            assert values[0] == values[2] == -values[1]
        if seat != CHANCE:
            for packed in search.scored():
                other = pickle.loads(pickle.dumps(search))
                other.make(packed & MOVE_MASK)
                gain = packed >> MOVE_BITS
                if (result := other.result()) is not None:
                    assert values[seat] + gain == round((2 * result[seat] - 1) * WIN)
                else:
                    assert values[seat] + gain == other.evaluate(seat)
        move = luck.pick(moves) if seat == CHANCE or luck.below(3) == 0 else moves[seat]
        trail.append((search.key, search.turn, values))
        state = game.apply(state, seat, search.action(move)).state
        search.make(move)
    assert state.outcome is not None
    assert search.turn == OVER
    assert search.result() == shares(state.outcome.ranks, search.teams)
    for seen in reversed(trail):
        search.unmake()
        assert (search.key, search.turn, [search.evaluate(each) for each in range(3)]) == seen


@rows("teams", [(), (0, 1, 0)])
@rows("level", ["average", "hard"])
def test_levels_win_at_once_where_they_can(level: str, teams: tuple[int, ...]) -> None:
    game = Race(*teams)
    for seat in (Seat(0), Seat(1), Seat(2)):
        at = tuple(GOAL - 2 if each == seat else GOAL - 3 for each in range(3))
        chosen = SearchingPlayer(LEVELS[level]).choose(game, Racing(at, seat, 2), seat, dice("win"))
        assert chosen.text == "abc"[seat]


@pytest.mark.slow
def test_the_smallest_game_has_the_levels_and_loses_to_nobody() -> None:
    game = Three()
    assert Levels().names("three") == tuple(LEVELS)
    for nth in range(12 if SOAK else 1):
        luck, state = dice(f"match {nth}"), State()
        expert = Seat(nth % 2)
        while state.outcome is None:
            name = "hard" if state.turn == expert else "easy"
            action = Levels().player("three", name).choose(game, state, state.turn, luck)
            state = game.apply(state, state.turn, action).state
        assert state.outcome.ranks[expert] == 1
