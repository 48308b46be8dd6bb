"""What a position of Domination leads to: chances by imagined matches, from what a seat knows."""

from __future__ import annotations

from math import isclose, sqrt
from typing import Any

import pytest

from games.ai.advice import advise
from games.ai.appraisal import Appraisal, Question, Rated, appraise, source_of
from games.ai.one_ply_values import tempting_actions
from games.ai.players_by_level import Levels
from games.domination.computer import imagined_match
from games.domination.game import COMPUTERS, GAME
from games.domination.rules import judge, opening, options, turns
from games.domination.rules.actions import Action
from games.domination.rules.position import Position, State
from games.engine.dice import Dice, Sealed
from games.engine.game import CHANCE, Expectation, ExpectingPlayer, Seat
from games.engine.levels import MANNERS
from tests.games.domination.helpers import CODES, acted, owner, position
from tests.soak import SEED, SOAK, sampled

SEALED = Sealed(b"outlook" * 5, "C-1", "salt")
MISSION = {"mode": "mission", "setup": "auto"}


def shared(free: str, seats: int, n: int) -> dict[int, str]:
    """Deal all countries but some to the seats in turn, with `n` armies on each."""
    codes = [code for code in CODES if code not in free.split()]
    return {seat: " ".join(f"{code} {n}" for code in codes[seat::seats]) for seat in range(seats)}


def chances(state: State, seat: int, n: int = 6) -> tuple[float, ...]:
    """Each seat's mean chance by so many continuations."""
    found = [imagined_match.imagine(state, seat, Dice(b"test", "", at, "")) for at in range(n)]
    return tuple(sum(each) / n for each in zip(*found, strict=True))


def question(state: State, *also: Action, effort: float = 0.2) -> Question:
    """What the seat whose turn it is may ask."""
    seat = Seat(state.position.turn)
    teams = tuple(range(state.position.info.law.seats))
    return Question(GAME, judge.view(state, seat), seat, teams, also, effort=effort)


def asked(state: State, *also: Action, **how: Any) -> Any:
    """The answer."""
    return appraise(question(state, *also, **how), Levels(), Dice(b"x", "test", 0, ""))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "chosen"), [(2, {}), (3, {}), (3, MISSION), (6, {}), (2, {"mode": "capital"})]
)
def test_a_whole_course_can_be_imagined(seats: int, chosen: dict[str, Any]) -> None:
    state, phases = opening.begin(options.law_of(GAME.setup(seats, chosen))._replace(cap=3)), set[str]()
    seq = 0
    while due := judge.to_act(state.position):
        seat, seq = Seat(min(due)), seq + 1
        known = None if seat == CHANCE else GAME.guess(judge.view(state, seat), seat)
        if known is not None and (seq % 5 == 0 or state.position.phase not in phases):
            phases.add(state.position.phase)
            found = imagined_match.imagine(known, seat, SEALED.dice(seq))
            assert isclose(sum(found), 1.0)
            certain = state.position.phase in {"move", "vote"}  # with what is needed, the match ends there
            assert certain or all(0.0 < each < 1.0 for each in found)
        if seat == CHANCE:
            action = GAME.draw(state, SEALED.dice(seq))
        else:
            action = COMPUTERS["average"].choose(GAME, judge.view(state, seat), seat, SEALED.dice(seq))
        state = turns.play(state, seat, action).state
    assert {"place", "attack", "move"} <= phases


def test_who_holds_more_is_expected_to_win() -> None:
    strong = " ".join(f"{code} 5" for code in CODES[8:])
    state = position(
        {0: strong, 1: " ".join(f"{code} 1" for code in CODES[:8])}, phase="place", pool=9, turn=0
    )
    ahead = chances(state, 0)
    assert ahead[0] > 0.9
    assert chances(state, 1) == pytest.approx(ahead, abs=0.1)


def test_whoever_is_to_move_has_the_better_half() -> None:
    for turn in (0, 1):
        state = position(shared("", 2, 3), phase="place", pool=7, turn=turn)
        assert chances(state, turn)[turn] > 0.55


def turns_of(seats: int, seed: int) -> tuple[list[Position], int]:
    """The beginnings of all turns of a match that hard plays with itself, and who won."""
    state, found, seq = GAME.start(GAME.setup(seats)).state, list[Position](), seed * 100_000
    while (outcome := GAME.outcome(state)) is None:
        now = state.position
        begins = now.phase == "place" and now.step == turns.FRESH
        if begins and (not found or found[-1].turn != now.turn):
            found.append(now)
        state = turns.play(state, *acted(state, [COMPUTERS["hard"]] * seats, seq)).state
        seq += 1
    return found, outcome.ranks.index(1)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "n"), sampled([(2, 300), (3, 200), (4, 200), (6, 100)], [(2, 40)]))
def test_chances_come_true(seats: int, n: int) -> None:
    """Of whoever moves first, and of the favourite at any turn: as many win as their chances say."""
    excess, variance = [0.0, 0.0], [0.0, 0.0]
    for at in range(n):
        positions, winner = turns_of(seats, SEED * 1000 + at)
        drawn = Dice(b"come true", f"{seats} {SEED}", at, "").pick(positions)
        for way, now in enumerate((positions[0], drawn)):
            shares = imagined_match.chances(now, now.turn)
            seat = shares.index(max(shares)) if way else now.turn
            excess[way] += (seat == winner) - shares[seat]
            variance[way] += shares[seat] * (1.0 - shares[seat])
    assert all(abs(more) < 3 * sqrt(most) for more, most in zip(excess, variance, strict=True)), excess


def test_a_lead_says_less_with_more_rivals() -> None:
    sure = [
        max(chances(position(shared("", seats, 2) | {0: " ".join(f"{c} 6" for c in CODES[::seats])},
                             phase="place", pool=5, turn=0), 0))
        for seats in (2, 3, 4)
    ]  # fmt: skip
    assert sure == sorted(sure, reverse=True)


def test_a_goal_that_was_reached_is_a_win() -> None:
    codes = " ".join(f"{code} 2" for code in CODES[:-1])
    state = position({0: f"{codes} {CODES[-2]} 9", 1: CODES[-1]}, phase="attack", turn=0)
    found = asked(state)
    assert found.best is not None
    assert found.best.action.kind == "attack"
    assert found.value > 0.95


@pytest.mark.slow
def test_the_best_move_is_found_and_a_bad_one_told() -> None:
    holds = {0: "sia 14 ind 2", 1: "ino 3 ngu 1 wau 1 eau 1"}
    free = "sia ind ino ngu wau eau"
    codes = [code for code in CODES if code not in free.split()]
    holds[0] += " " + " ".join(f"{code} 2" for code in codes[::2])
    holds[1] += " " + " ".join(f"{code} 2" for code in codes[1::2])
    state = position(holds, phase="attack", turn=0)
    idle = GAME.decode("end")
    found = asked(state, idle, effort=0.1 if SOAK else 0.04)
    assert found.best is not None
    (told,) = found.also
    assert told is not None
    assert found.best.action.kind == "attack"
    assert told.shares[0] < found.best.shares[0]
    assert all(0.0 < each.error < 0.3 for each in (told, found.best))


def test_secrets_of_others_change_nothing() -> None:
    holds = shared("", 3, 2)
    worlds = [
        position(holds, None, {1: cards, 0: "jap"}, phase="attack", turn=0)
        for cards in ("ala kam", "per ven")
    ]
    assert asked(worlds[0]) == asked(worlds[1]), "the same question has the same answer, too"
    assert owner(worlds[0], "ala") == owner(worlds[1], "ala")


def test_a_question_that_is_stopped_at_once_still_has_an_answer() -> None:
    state = position(shared("", 2, 3), phase="place", pool=7, turn=0)
    found = appraise(question(state), Levels(), Dice(b"x", "test", 0, ""), lambda: True)
    assert found.best is not None
    assert judge.refuse(state, 0, found.best.action) is None
    assert isclose(sum(found.shares), 1.0)


def test_analyses_from_before_are_made_anew() -> None:
    assert source_of(GAME, Levels(), "hard").endswith("-imagined")


def test_what_looks_good_and_what_a_hint_compares_are_different_ideas() -> None:
    state = position({0: "ala 12 nwt 3 bra 9", 1: "kam 2 naf 3 ven"})
    seat = Seat(0)
    found = tempting_actions(GAME, judge.view(state, seat), seat, 4, Dice(b"x", "test", 0, ""))
    assert len({(each.kind, each.a, each.b) for each in found}) == len(found) == 4
    battles = [GAME.decode(f"attack ala kam {stop}") for stop in ("until 1", "until 3", "x 1")]
    rated = [
        Rated(each, (0.9 - n / 10, 0.1 + n / 10), 0.1)
        for n, each in enumerate((*battles, GAME.decode("end")))
    ]
    told = advise(GAME, state, Appraisal(seat, rated[0], (), tuple(rated[1:])))
    assert told is not None
    assert told.rival is not None
    assert told.rival.action == GAME.decode("end"), "not the same battle with another stop"
    assert GAME.idea(GAME.decode("move 3")) != GAME.idea(GAME.decode("move 4"))


def hopeless(hope: Expectation | None) -> bool:
    """Return whether a strong computer would call a turn hopeless, with dice in play."""
    return hope is not None and hope.share + 2 * hope.error < 0.25 * MANNERS["hard"].resigns_below


def test_a_beaten_seat_expects_nothing_and_an_even_one_half() -> None:
    dice = Dice(b"hope", "", 0, "")
    lost = position({0: "ala 40", 1: "nwt 2"}, turn=1, phase="place", pool=3, step=0)
    assert hopeless(imagined_match.expect(judge.view(lost, 1), 1, dice))
    even = position(shared("", 2, 3), turn=1, phase="place", pool=7, step=0)
    hope = imagined_match.expect(judge.view(even, 1), 1, dice)
    assert hope is not None
    assert 0.2 < hope.share < 0.95
    assert hope.error > 0.05


@pytest.mark.parametrize(
    ("seats", "more"),
    [
        (2, {"phase": "attack"}),
        (2, {"phase": "place", "pool": 3, "step": 1}),
        (3, {"phase": "place", "pool": 3, "step": 0}),
        (2, {"phase": "place", "pool": 3, "step": 0, "law": {"mode": "mission"}}),
    ],
    ids=["attack", "placed", "three seats", "missions"],
)
def test_nothing_is_expected_within_a_turn_among_many_and_with_missions(
    seats: int, more: dict[str, Any]
) -> None:
    state = position(shared("", seats, 2), turn=0, **more)
    assert imagined_match.expect(judge.view(state, 0), 0, Dice(b"hope", "", 0, "")) is None


@pytest.mark.slow
@pytest.mark.parametrize("level", ["average", "hard"])
def test_no_winner_was_ever_without_hope_and_losers_are(level: str) -> None:
    """At the beginning of each turn of whole matches of a level with itself."""
    player, despair = COMPUTERS[level], {True: 0, False: 0}
    assert isinstance(player, ExpectingPlayer)
    for nth in range(50 if SOAK else 1):
        state, felt, seq = GAME.start(GAME.setup(2)).state, list[tuple[int, bool]](), 0
        while (outcome := GAME.outcome(state)) is None:
            seat = Seat(min(GAME.to_act(state)))
            dice, seq = Dice(f"hope {nth}".encode(), "", seq, str(seat)), seq + 1
            if seat == CHANCE:
                action = GAME.draw(state, dice)
            else:
                action, hope = player.weigh(GAME, judge.view(state, seat), seat, dice)
                felt.append((seat, hopeless(hope)))
            state = GAME.apply(state, seat, action).state
        for who, lost in felt:
            despair[outcome.ranks[who] == 1] += lost
    assert despair[True] == 0
    assert despair[False] > 0
