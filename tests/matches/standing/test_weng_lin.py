"""Ratings find out how strong people are, and predict what they will do."""

from __future__ import annotations

import pytest

from matches.standing.simulation import calibrated, simulate
from matches.standing.weng_lin import START, expected, is_provisional, updated
from matches.store.standing_rows import Rating

STRONG, WEAK = Rating(1_800_000, 90_000, 40), Rating(1_500_000, 90_000, 40)


def test_whoever_wins_gains_and_whoever_loses_loses() -> None:
    ((one,), (other,)) = updated([[START], [START]], (1, 2))
    assert one.mu - START.mu == START.mu - other.mu > 100_000
    assert one.sigma == other.sigma < START.sigma
    assert (one.matches, other.matches) == (1, 1)


def test_an_expected_result_says_little_and_a_surprise_much() -> None:
    ((kept,), _) = updated([[STRONG], [WEAK]], (1, 2))
    ((lost,), _) = updated([[STRONG], [WEAK]], (2, 1))
    assert 0 < 3 * (kept.mu - STRONG.mu) < STRONG.mu - lost.mu


def test_a_draw_brings_two_closer_and_equals_nowhere() -> None:
    ((strong,), (weak,)) = updated([[STRONG], [WEAK]], (1, 1))
    assert strong.mu < STRONG.mu
    assert weak.mu > WEAK.mu
    ((one,), (other,)) = updated([[START], [START]], (1, 1))
    assert (one.mu, other.mu) == (START.mu, START.mu)


def test_team_mates_gain_by_how_little_is_known_of_them() -> None:
    (winners, losers) = updated([[START, STRONG], [WEAK, START]], (1, 2))
    assert winners[0].mu - START.mu > winners[1].mu - STRONG.mu > 0
    assert losers[1].mu - START.mu < losers[0].mu - WEAK.mu < 0


@pytest.mark.parametrize("places", [(1, 2, 3), (2, 2, 1), (1, 1, 1), (3, 1, 1)])
def test_the_order_of_sides_is_no_matter(places: tuple[int, ...]) -> None:
    sides = [[STRONG], [WEAK], [START]]
    found = dict(zip("abc", updated(sides, places), strict=True))
    turned = updated(sides[::-1], places[::-1])
    for one, other in zip(found.values(), turned[::-1], strict=True):
        assert abs(one[0].mu - other[0].mu) <= 1
        assert abs(one[0].sigma - other[0].sigma) <= 1


def test_differences_mean_what_they_mean_in_elo() -> None:
    sure = [Rating(mu, 0) for mu in (1_700_000, 1_500_000)]
    assert expected(*sure) == pytest.approx(0.76, abs=0.001)
    assert expected(STRONG, WEAK) + expected(WEAK, STRONG) == pytest.approx(1)
    assert expected(Rating(STRONG.mu, 300_000), WEAK) < expected(STRONG, WEAK), "less is known"


def test_a_rating_is_provisional_for_about_fifteen_matches() -> None:
    one, played = START, 0
    while is_provisional(one):
        ((one,), _), played = updated([[one], [one]], (1, 2) if played % 2 else (2, 1)), played + 1
    assert 13 <= played <= 17


@pytest.mark.parametrize("sides", [[], [[START]], [[START], []]])
def test_there_is_no_match_of_one_side(sides: list[list[Rating]]) -> None:
    with pytest.raises(ValueError, match="two sides"):
        updated(sides, [1] * len(sides))


@pytest.mark.parametrize(("seats", "team"), [(2, 1), (3, 1), (4, 1), (6, 1), (4, 2)])
def test_simulated_people_are_found_out_and_predicted(seats: int, team: int) -> None:
    found = simulate(seats, team, people=40, matches=40, seed=seats * 10 + team)
    assert found.correlation > (0.8 if team > 1 else 0.88)
    assert bool(found.pairs) is (team == 1)
    for low in (0.5, 0.6, 0.7, 0.8):
        one = calibrated(found.pairs, low, low + 0.1)
        if one is not None:
            assert abs(one.predicted - one.observed) < 0.08 + 2 * one.error, one


def test_calibration_takes_each_pair_from_the_side_of_the_stronger() -> None:
    pairs = [(0.7, True), (0.3, True), (0.25, False), (0.9, True)]
    one = calibrated(pairs, 0.7, 0.8)
    assert one is not None
    assert one.pairs == 3
    assert one.observed == pytest.approx(2 / 3)
    assert one.predicted == pytest.approx((0.7 + 0.7 + 0.75) / 3)
    assert calibrated(pairs, 0.5, 0.6) is None
