"""What an analysis lists as mistakes are mistakes: both moves are played on to the end, hard against hard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice, repeat
from math import sqrt
from typing import Any, NamedTuple

import pytest

from games.ai.analysis import Judged, effort_for, mistakes_among, significant
from games.ai.appraisal import appraise
from games.ai.decisions import decisions_of
from games.ai.players_by_level import Levels
from games.ai.valued import Question, Rated
from games.domination.game import GAME
from games.domination.rules.position import State, View
from games.engine.dice import Dice, Sealed
from games.engine.game import CHANCE, Seat
from games.engine.match import Change, Match, begin, play
from games.engine.search import shares
from tests.games.domination.helpers import position
from tests.soak import SEED, SOAK

LEVELS = Levels()
HARD = LEVELS.player(GAME.key, "hard")
MATCHES = {2: 30, 4: 5}
PLAYED_ON = 100 if SOAK else 5


def chosen(state: Any, seat: Seat, dice: Dice) -> Any:
    """What hard does."""
    return HARD.choose(GAME, GAME.view(state, seat), seat, dice)


def result(state: Any, seat: Seat, dice: Dice) -> float:
    """What a seat gets if hard plays on for all."""
    while (outcome := GAME.outcome(state)) is None:
        mover = min(GAME.to_act(state))
        action = GAME.draw(state, dice) if mover == CHANCE else chosen(state, mover, dice)
        state = GAME.apply(state, mover, action).state
    return shares(outcome.ranks, tuple(range(len(outcome.ranks))))[seat]


def played(seed: str, seats: int) -> Match:
    """A match of hard with itself."""
    sealed = Sealed(seed.encode(), "M-LIST", "salt")
    match = begin(GAME, GAME.setup(seats), sealed).match
    while not match.ending:
        seat = min(match.to_act)
        change = play(match, seat, chosen(match.state, seat, Dice(b"listed", seed, match.seq, "")), sealed)
        assert isinstance(change, Change)
        match = change.match
    return match


def judged(match: Match) -> list[Judged]:
    """The appraisals of decisions, as an analysis makes them."""
    decisions = decisions_of(match)
    effort = effort_for(len(decisions))
    return [
        Judged(
            each, appraise(each.question(match, "hard", effort), LEVELS, Dice(b"listed", "", each.seq, ""))
        )
        for each in decisions
    ]


class Mistake(NamedTuple):
    """What was claimed of a listed mistake, and what came of it; each with its standard error."""

    claim: float
    error: float
    loss: float
    spread: float


def tried(states: Iterator[Any], seat: Seat, rated: Rated, best: Any) -> Mistake:
    """Play on from the better move and from the one played, from one state after the other."""
    assert rated.behind is not None
    lost = list[float]()
    for n, state in enumerate(islice(states, PLAYED_ON)):
        pair = [GAME.apply(state, seat, move).state for move in (best, rated.action)]
        better, worse = (
            result(after, seat, Dice(b"played on", GAME.encode(rated.action), n, each))
            for after, each in zip(pair, "ab", strict=True)
        )
        lost.append(better - worse)
    mean = sum(lost) / len(lost)
    spread = sqrt(sum((loss - mean) ** 2 for loss in lost) / (len(lost) - 1) / len(lost))
    return Mistake(rated.behind.loss, rated.behind.error, mean, spread)


class TestHardAgainstHard:
    """Only a soak has the hours: hard makes few mistakes, and what they cost shows in many matches only."""

    __test__ = SOAK

    @pytest.mark.parametrize("seats", MATCHES)
    def test_what_is_listed_is_real_and_cost_what_is_claimed(self, seats: int) -> None:
        found: list[Mistake] = []
        for n in range(MATCHES[seats]):
            for each in mistakes_among(judged(played(f"listed {SEED} {n}", seats))):
                assert each.played is not None
                assert each.appraisal.best is not None
                decision = each.decision
                best = each.appraisal.best.action
                found.append(tried(repeat(decision.state), decision.seat, each.played, best))
        assert found
        assert sum(each.loss > 0.0 for each in found) >= 0.8 * len(found)
        excess = sum(each.claim - each.loss for each in found) / len(found)
        assert abs(excess) < 3 * sqrt(sum(each.error**2 + each.spread**2 for each in found)) / len(found)


def let_go(effort: float) -> Question:
    """Blue has one army left, and cards for a large set: red ends the turn instead of taking both."""
    state = position({0: "ala 8", 1: "kam"}, {"cap": 12}, {1: "bra afg con egy *1"}, traded=7, round=9)
    seat, end = Seat(0), GAME.decode("end")
    return Question(GAME, GAME.view(state, seat), seat, (0, 1), (end,), effort=effort, consults=False)


@pytest.mark.slow
def test_a_loss_is_measured_with_many_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    hands, deal = list[tuple[int, ...]](), GAME.guess

    def dealt(view: View, seat: Seat, dice: Dice | None = None) -> State | None:
        found = deal(view, seat, dice)
        assert found is not None
        hands.append(found.own[1].hand)
        return found

    monkeypatch.setattr(type(GAME), "guess", staticmethod(dealt))
    appraise(let_go(0.04), LEVELS, Dice(b"listed", "hands", 0, ""))
    assert len(hands) > 30
    assert len(set(hands)) > len(hands) / 4, "each hand is met by two moves, and the first guess is one"
    assert all(len(hand) == 5 for hand in hands)


@pytest.mark.slow
def test_a_win_that_is_let_go_is_listed_with_what_it_costs() -> None:
    """Red can't know which cards blue has, so the truth is that of all hands."""
    question = let_go(0.3 if SOAK else 0.1)
    found = appraise(question, LEVELS, Dice(b"listed", "blunder", 0, ""))
    rated = found.also[0]
    assert rated is not None
    assert rated.behind is not None
    assert found.best is not None
    assert significant([rated.behind.evidence] + [0.0] * 9) == {0}, "among ten moves, too"
    dealt = (GAME.guess(question.view, question.seat, Dice(b"dealt", "", n, "")) for n in count())
    truth = tried(dealt, question.seat, rated, found.best.action)
    assert abs(truth.claim - truth.loss) < 3 * sqrt(truth.error**2 + truth.spread**2)
