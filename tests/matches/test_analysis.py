"""Finished matches looked back at: what counts as a mistake, what is luck, and what can't be judged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.ai.analysis import (
    BEST_MOVE_TOLERANCE,
    Analysis,
    Judged,
    accuracy_of,
    analyse,
    effort_for,
    glance,
    summarise,
)
from games.ai.analysis_json import dump_analysis, load_analysis
from games.ai.decisions import decisions_of
from games.ai.players_by_level import Levels
from games.ai.valued import Appraisal, Rated
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Kind, Match, begin
from tests.matches.test_players_by_level import opinion

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


def weighed(match: Match, oracle: Any = RISING) -> Analysis:
    found = analyse(match, Levels({"toy": oracle}), "1-exact")
    assert found is not None
    return found


def test_each_decision_is_weighed_against_the_best_one() -> None:
    match = played()
    found = weighed(match)
    ann, bob = found.seats
    hands = begun().state.hands
    assert (ann.best, ann.moves, ann.mistakes, ann.accuracy) == (2, 2, (), 100.0)
    assert (bob.best, bob.moves) == (0, 2)
    assert len(bob.mistakes) == 2
    assert bob.mistakes[0].loss >= bob.mistakes[1].loss
    plays = [entry.seq for entry in match.log if entry.kind is Kind.PLAY]
    assert {mistake.seq for mistake in bob.mistakes} == {plays[1], plays[3]}
    (first,) = (mistake for mistake in bob.mistakes if mistake.seq == plays[1])
    assert (first.played, first.best) == (f"card {min(hands[BOB])}", f"card {max(hands[BOB])}")
    assert first.value == pytest.approx(min(hands[BOB]) / 10)
    assert first.loss == pytest.approx((max(hands[BOB]) - min(hands[BOB])) / 10)
    assert (first.turn, first.error, first.line[0]) == (2, 0.0, (BOB, first.best))
    assert bob.accuracy == pytest.approx(sum(accuracy_of(each.loss) for each in bob.mistakes) / 2)


def test_points_end_with_the_result_and_add_up() -> None:
    match = played()
    found = weighed(match)
    assert len(found.points) == len(found.errors) == 5
    assert found.exact
    assert all(sum(point) == pytest.approx(1.0) for point in found.points)
    assert match.ending is not None
    assert match.ending.outcome is not None
    ranks = match.ending.outcome.ranks
    assert found.points[-1][0] == (0.5 if ranks == (1, 1) else float(ranks[0] == 1))


def rated(action: Any, share: float, error: float) -> Rated:
    return Rated(action, (share, 1.0 - share), error, exact=not error)


def told(match: Match, *shares: tuple[float, float], error: float = 0.0) -> Analysis:
    """An analysis in which Ann's shares before and after each decision are given."""
    judged = [
        Judged(
            each, Appraisal(each.seat, rated(each.action, now, error), (), (rated(each.action, then, error),))
        )
        for each, (now, then) in zip(decisions_of(match), shares, strict=True)
    ]
    return summarise(match, judged, "told")


def test_what_chance_adds_is_luck_and_nothing_else_is() -> None:
    match = played()
    assert [each.chance for each in decisions_of(match)] == [False, True, False, True]
    found = told(match, (0.5, 0.5), (0.6, 0.4), (0.7, 0.7), (0.7, 0.7))
    ann, bob = found.seats
    assert found.points[-1] == (0.0, 1.0)
    assert ann.luck == pytest.approx((0.7 - 0.4) + (0.0 - 0.7))
    assert bob.luck == pytest.approx(0.4)
    assert ann.luck_error == 0.0


def test_estimated_luck_has_an_error() -> None:
    found = told(played(), (0.5, 0.5), (0.6, 0.4), (0.7, 0.7), (0.7, 0.7), error=0.1)
    assert found.seats[0].luck_error == pytest.approx(0.075 * 2**0.5)


def test_a_loss_within_two_errors_is_no_mistake() -> None:
    match = played()
    shares = (0.5, 0.4), (0.5, 0.5), (0.5, 0.5), (0.5, 0.5)
    assert told(match, *shares).seats[0].mistakes
    assert told(match, *shares, error=0.05).seats[0].mistakes
    assert not told(match, *shares, error=0.08).seats[0].mistakes, "less than two errors"
    careful = told(match, *shares, error=0.2).seats[0]
    assert careful.mistakes == ()
    assert careful.best == 1, "that it isn't the best move found is said all the same"


def test_resigning_is_no_luck() -> None:
    match = card(begun(), ANN, max)
    match = done(engine.leave(match, BOB, "resign", SEALED))
    found = weighed(match)
    assert found.points[-1] == (1.0, 0.0)
    assert len(found.points) == 2
    assert not found.seats[0].luck
    drawn = card(begun(), ANN, max)
    for seat in (ANN, BOB):
        drawn = done(engine.offer_draw(drawn, seat, SEALED))
    assert weighed(drawn).points[-1] == (0.5, 0.5)
    assert not weighed(drawn).seats[0].luck


def test_what_was_taken_back_is_forgotten() -> None:
    match = card(begun(), ANN, min)
    match = done(engine.take_back(match, ANN, 1, SEALED))
    match = card(match, ANN, max)
    undone = done(engine.take_back(match, ANN, 2, SEALED))
    for each, best in ((match, (1, 1)), (undone, (0, 1))):
        over = done(engine.leave(each, BOB, "resign", SEALED))
        ann = weighed(over).seats[0]
        assert (ann.best, ann.moves) == best, "the first move stands again where its undoing was undone"


def test_a_move_made_by_the_clock_blames_nobody() -> None:
    match = begun()
    action = match.game.decode(f"card {min(match.state.hands[ANN])}")
    match = done(engine.play_default(match, ANN, SEALED, action))
    match = card(match, BOB, min)
    match = done(engine.leave(match, BOB, "resign", SEALED))
    ann, bob = weighed(match).seats
    assert (ann.moves, ann.defaults, ann.mistakes, ann.accuracy) == (0, 1, (), None)
    assert (bob.moves, bob.defaults) == (1, 0)


def test_a_seat_that_changes_hands_goes_on() -> None:
    match = card(begun(), ANN, max)
    match = done(engine.substitute(match, BOB, "computer", SEALED))
    match = card(match, BOB, max)
    match = done(engine.leave(match, BOB, "resign", SEALED))
    assert [seat.moves for seat in weighed(match).seats] == [1, 1]


def test_the_rounding_of_a_table_is_no_mistake() -> None:
    class Rounded:
        """Every card is worth the same, nearly."""

        def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...]:
            actions = registry.get("toy").actions(view, seat)
            return tuple((action, 0.5 + BEST_MOVE_TOLERANCE / 20 * n) for n, action in enumerate(actions))

    bob = weighed(played(), Rounded()).seats[1]
    assert (bob.best, bob.moves, bob.mistakes) == (2, 2, ())


def test_what_can_not_be_analysed() -> None:
    levels = Levels({"toy": RISING})
    assert analyse(card(begun(), ANN, max), levels, "") is None, "still on"
    assert analyse(done(engine.abort(begun(), SEALED)), levels, "") is None
    assert analyse(done(engine.leave(begun(), ANN, "resign", SEALED)), levels, "") is None, "nobody moved"


def test_what_could_not_be_thought_about_counts_for_nobody() -> None:
    match = played()
    judged = [Judged(each, glance(each, match)) for each in decisions_of(match)]
    found = summarise(match, judged, "none")
    assert found.points[0] == (0.5, 0.5)
    assert found.errors[0] > 0.2
    for seat in found.seats:
        assert (seat.moves, seat.unjudged, seat.accuracy, seat.luck) == (0, 2, None, None)


def test_three_have_a_share_each() -> None:
    match = begun(3)
    match = card(match, ANN, max)
    match = done(engine.leave(match, ANN, "resign", SEALED))
    match = done(engine.leave(match, BOB, "resign", SEALED))
    found = weighed(match)
    assert found.points[-1] == (0.0, 0.0, 1.0)
    assert not found.exact
    assert [seat.moves + seat.unjudged for seat in found.seats] == [1, 0, 0]


def test_it_comes_back_as_it_was_kept() -> None:
    for found in (weighed(played()), told(played(), *[(0.123456, 0.1)] * 4, error=0.01)):
        kept = load_analysis(json.loads(json.dumps(dump_analysis(found))))
        for now, then in zip(kept.points, found.points, strict=True):
            assert now == pytest.approx(then, abs=1e-5)
        assert kept.teams == found.teams
        assert [seat.moves for seat in kept.seats] == [seat.moves for seat in found.seats]
        assert [each.line for each in kept.seats[1].mistakes] == [
            each.line for each in found.seats[1].mistakes
        ]
        assert load_analysis(dump_analysis(kept)) == kept


@pytest.mark.parametrize("data", [None, {}, {"version": 2}, [], {"version": 1, "teams": [0, 1]}])
def test_what_is_no_analysis_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"no analysis|version"):
        load_analysis(data)
    whole: Any = dump_analysis(weighed(played()))
    with pytest.raises(ValueError, match="fit together"):
        load_analysis(whole | {"points": []})


def test_long_matches_get_less_work_for_each_move() -> None:
    assert effort_for(10) == 1.0
    assert effort_for(200) == 0.5
    assert 0 < effort_for(100_000) < 0.05
