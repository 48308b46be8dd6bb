"""Expert: legal with all options, deterministic, within its budget, stopped at once, and blind to secrets."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import pytest

from cli.matchups import placings, play
from games.domination.computer.foresight import Foreseeing, Foresight
from games.domination.computer.imagined_match import ImaginedMatch
from games.domination.computer.planning_player import Planning
from games.domination.computer.position_model import Strategy
from games.domination.game import COMPUTERS
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.domination.rules import judge, opening
from games.engine.dice import Dice
from games.engine.game import CHANCE, InterruptiblePlayer, Seat
from tests.games.domination.helpers import GAME, SEALED, acted, position
from tests.games.domination.test_computer_players import CAPITAL, HOUSE, MISSION, ONE_WAY, law, played, shared
from tests.soak import sampled

pytestmark = pytest.mark.slow


def foreseeing(**budget: int) -> Foreseeing:
    return Foreseeing(Strategy(), Foresight(**budget), Planning(Strategy()))


QUICK = foreseeing(work=60, opening_work=60)
"""Expert with a small budget."""
HASTY = foreseeing(work=30, attack_work=15, opening_work=30, rounds=1, choices=2)
"""Expert with hardly any, for whole matches."""
COURSES: dict[str, tuple[Any, int, dict[str, Any]]] = {
    "draft": (WORLD, 2, {}),
    "neutral": (WORLD, 2, {"neutral": True}),
    "house rules": (ISLANDS, 2, HOUSE),
    "mission": (WORLD, 3, MISSION),
    "one way": (ONE_WAY, 4, {"setup": "deal"}),
    "fixed": (WORLD, 5, {"cards": "fixed", "setup": "auto"}),
    "capital": (ISLANDS, 6, CAPITAL),
}


@pytest.mark.parametrize("course", COURSES)
def test_expert_is_legal_with_all_options(course: str) -> None:
    atlas, seats, options = COURSES[course]
    players = [HASTY, *[COMPUTERS["easy"]] * (seats - 1)]
    end, done = played(opening.begin(law(atlas, seats, **options)), players)
    assert end.position.info.outcome is not None
    assert {action.kind for seat, action in done if seat == 0} >= {"place", "attack"}


@cache
def secret(seats: int) -> Any:
    """Return the state in which all seats place armies in secret."""
    state, _ = played(
        opening.begin(law(WORLD, seats, setup="deal")),
        [QUICK] * seats,
        lambda now: now.position.phase == "setup",
    )
    return state


def test_expert_is_deterministic() -> None:
    front = position(
        {0: "chn 14 ind 1 afg 1", **shared("chn ind afg", (1, 2), 3)}, turn=0, phase="place", pool=5
    )
    for state in (front, secret(2)):
        choices = [acted(state, [QUICK] * 3, 1, Seat(0)) for _ in range(2)]
        assert choices[0] == choices[1]


def count_turns(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of turns of each continuation."""
    counted: list[int] = []
    plain = Foreseeing._continued

    def continued(self: Foreseeing, game: Any, state: Any, *rest: Any) -> float:
        counted.append(rest[2])
        return plain(self, game, state, *rest)

    monkeypatch.setattr(Foreseeing, "_continued", continued)
    return counted


@pytest.mark.parametrize("seats", [2, 3])
def test_the_budget_is_kept(monkeypatch: pytest.MonkeyPatch, seats: int) -> None:
    turns = count_turns(monkeypatch)
    for work in sampled((60, 240), (60,)):
        player = foreseeing(work=work, opening_work=work)
        for state in (
            secret(seats),
            position(
                {0: "chn 14 ind 1 afg 1", **shared("chn ind afg", (1, 2), 3)}, turn=0, phase="place", pool=5
            ),
        ):
            turns.clear()
            acted(state, [player] * 3, 1, Seat(0))
            assert work / 3 < sum(turns) <= work


def test_with_many_seats_expert_plays_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, expert = count_turns(monkeypatch), COMPUTERS["expert"]
    acted(secret(4), [expert] * 4, 1, Seat(0))
    assert not turns


def test_expert_beats_three_hard_ones() -> None:
    setup, players = GAME.setup(4, {}), [COMPUTERS["expert"], COMPUTERS["hard"]]
    matches, won = sampled(range(40), range(8)), 0.0
    for n in matches:
        placing = placings(setup, alone=True)[n % 4]
        won += play(GAME, setup, players, placing, f"many {n // 4}").points(setup)
    assert won > 0.4 * len(matches), "a fair share would be a quarter"


@pytest.mark.parametrize("phase", ["place", "attack", "setup"])
def test_expert_stops_when_told_to(monkeypatch: pytest.MonkeyPatch, phase: str) -> None:
    turns = count_turns(monkeypatch)
    holds = {0: "chn 14 ind 1 afg 1", **shared("chn ind afg", (1, 2), 3)}
    state = (
        secret(3) if phase == "setup" else position(holds, phase=phase, pool=3 * (phase == "place"), turn=0)
    )
    expert = COMPUTERS["expert"]
    assert isinstance(expert, InterruptiblePlayer)
    for asked in (0, 60, 2000):
        turns.clear()
        answers = iter([False] * asked)
        stop = partial(next, answers, True)
        action = expert.decide(GAME, judge.view(state, 0), Seat(0), SEALED.dice(1), stop)
        assert judge.refuse(state, 0, action) is None
        assert len(turns) <= asked


def test_what_rivals_place_in_secret_changes_nothing() -> None:
    start = secret(2)
    after = [start]
    for at in (0, -1):
        held = start.position.held(1)[at]
        own = start.own[1]
        spread = tuple(own.pool * (n == held) for n in range(len(start.position.owner)))
        after.append(start.with_secrets(1, own._replace(pool=0, spread=spread)))
    choices = [acted(state, [QUICK] * 2, 1, Seat(0)) for state in after]
    assert choices[0] == choices[1] == choices[2]


def test_imagined_matches_end_with_a_winner() -> None:
    left = position({0: shared("ala", (0,), 9)[0], 1: "ala 1"}, turn=0, phase="place", pool=30)
    match = ImaginedMatch(judge.view(left, 0), 0, Strategy(), Dice(b"test", "", 1, ""))
    match.play_turn(30)
    assert match.winner == 0
    assert match.share() == 1.0


@pytest.mark.parametrize("course", ["mission", "capital", "neutral"])
def test_imagined_matches_keep_to_the_rules(course: str) -> None:
    atlas, seats, options = COURSES[course]
    state, _ = played(
        opening.begin(law(atlas, seats, **options, cap=9)), [COMPUTERS["easy"]] * seats,
        lambda now: now.position.phase == "attack",
    )  # fmt: skip
    seat = state.position.turn
    match = ImaginedMatch(judge.view(state, seat), seat, Strategy(), Dice(b"test", "", 2, ""))
    match.play_turn(0)
    for _ in range(3 * seats):
        match.play_turns(1)
        now = match.position
        assert min(now.armies) >= 1
        assert min(now.info.cards) >= 0
        assert 0.0 <= match.share() <= 1.0
        assert all(now.owner.count(each) for each in now.living())
    assert seat != CHANCE
