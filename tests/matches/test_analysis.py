"""Finished matches by exact values: what counts as a mistake, what is luck, and what can't be weighed."""

from __future__ import annotations

from typing import Any

import pytest

from games.ai.analysis import BEST_MOVE_TOLERANCE, Analysis, analyse
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Kind, Match, begin
from tests.matches.test_levels import opinion

RISING = opinion(10, 20, 30, 40, 50, 60)
SEALED = Sealed(b"a" * 32, "W-ANA", "salt")
ANN, BOB = Seat(0), Seat(1)


def begun(seats: int = 2) -> Match:
    game = registry.get("toy")
    return begin(game, game.setup(seats), SEALED).match


def done(change: object) -> Match:
    assert isinstance(change, Change), change
    return change.match


def card(match: Match, seat: Seat, which: Any) -> Match:
    """Put down the highest or lowest card."""
    action = match.game.decode(f"card {which(match.state.hands[seat])}")
    return done(engine.play(match, seat, action, SEALED))


def played() -> Match:
    """Ann always puts down her best card, Bob his worst."""
    match = begun()
    while not match.ending:
        match = card(card(match, ANN, max), BOB, min)
    return match


def weighed(match: Match) -> Analysis:
    found = analyse(match, RISING)
    assert found is not None
    return found


def test_each_decision_is_weighed_against_the_best_one() -> None:
    match = played()
    found = weighed(match)
    assert [move.seat for move in found.moves] == [ANN, BOB, ANN, BOB]
    plays = [entry.seq for entry in match.log if entry.kind is Kind.PLAY]
    assert [move.seq for move in found.moves] == plays
    hand = begun().state.hands
    first, second = found.moves[:2]
    assert first.played == first.best == f"card {max(hand[ANN])}"
    assert first.loss == 0
    assert (second.played, second.best) == (f"card {min(hand[BOB])}", f"card {max(hand[BOB])}")
    assert second.value == pytest.approx(min(hand[BOB]) / 10)
    assert second.loss == pytest.approx((max(hand[BOB]) - min(hand[BOB])) / 10)
    assert found.best(ANN) == (2, 2)
    assert found.mistake(ANN) is None
    assert found.best(BOB) == (0, 2)
    worst = max((1, 3), key=lambda n: found.moves[n].loss)
    assert found.mistake(BOB) == worst


def test_points_are_the_first_seats_and_end_with_the_result() -> None:
    match = played()
    found = weighed(match)
    assert len(found.points) == len(found.moves) + 1
    assert found.points[0] == found.moves[0].best_value
    assert found.points[1] == pytest.approx(1 - found.moves[1].best_value)
    assert match.ending is not None
    assert match.ending.outcome is not None
    ranks = match.ending.outcome.ranks
    assert found.points[-1] == (0.5 if ranks == (1, 1) else float(ranks[0] == 1))


def test_what_was_not_decided_is_luck() -> None:
    """From the first point to the last: less the own mistakes, plus the other's, and the rest is luck."""
    found = weighed(played())
    lost = [sum(move.loss for move in found.moves if move.seat == seat) for seat in (ANN, BOB)]
    assert found.luck == pytest.approx(found.points[-1] - found.points[0] + lost[0] - lost[1])


def test_resigning_is_no_luck() -> None:
    match = card(begun(), ANN, max)
    match = done(engine.leave(match, BOB, "resign", SEALED))
    found = weighed(match)
    assert found.points == (found.moves[0].best_value, 1.0)
    assert found.luck == 0
    drawn = card(begun(), ANN, max)
    for seat in (ANN, BOB):
        drawn = done(engine.offer_draw(drawn, seat, SEALED))
    assert weighed(drawn).points[-1] == 0.5
    assert weighed(drawn).luck == 0


def test_what_was_taken_back_is_forgotten() -> None:
    match = card(begun(), ANN, min)
    match = done(engine.take_back(match, ANN, 1, SEALED))
    match = card(match, ANN, max)
    undone = done(engine.take_back(match, ANN, 2, SEALED))
    for each, best in ((match, (1, 1)), (undone, (0, 1))):
        over = done(engine.leave(each, BOB, "resign", SEALED))
        found = weighed(over)
        assert len(found.moves) == 1
        assert found.best(ANN) == best, "the first move stands again where its undoing was undone"


def test_the_rounding_of_a_table_is_no_mistake() -> None:
    class Rounded:
        """Every card is worth the same, nearly."""

        def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...]:
            actions = registry.get("toy").actions(view, seat)
            return tuple((action, 0.5 + BEST_MOVE_TOLERANCE / 2 * n) for n, action in enumerate(actions))

    found = analyse(played(), Rounded())
    assert found is not None
    assert found.best(BOB) == (2, 2)
    assert found.mistake(BOB) is None


def test_what_can_not_be_analysed() -> None:
    assert analyse(card(begun(), ANN, max), RISING) is None, "still on"
    assert analyse(done(engine.abort(begun(), SEALED)), RISING) is None
    assert analyse(done(engine.leave(begun(), ANN, "resign", SEALED)), RISING) is None, "nobody moved"
    three = begun(3)
    for seat in (ANN, BOB):
        three = done(engine.leave(three, seat, "resign", SEALED))
    assert analyse(three, RISING) is None

    class Ignorant:
        """Knows nothing."""

        def appraise(self, view: Any, seat: Seat) -> None:
            return None

    assert analyse(played(), Ignorant()) is None
