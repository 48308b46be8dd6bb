"""Ratings find out how strong people are, and predict what they will do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import sqrt
from random import Random

import pytest
from openskill.models import BradleyTerryPart

from games.engine.strengths import SCALE
from matches.standing.ratings import (
    START,
    chances,
    computer_ratings,
    expected,
    is_provisional,
    likely_strength,
    suggested,
    updated,
)
from matches.standing.simulation import calibrated, simulate
from matches.store.rows import Conditions, MatchRow, Provenance, SeatRow
from matches.store.standing import Rating
from tests.matches.standing.logs import row

_BETA = SCALE / sqrt(2)
STRONG, WEAK = Rating(1_800_000, 90_000, 40), Rating(1_500_000, 90_000, 40)
LEVELS = ("beginner", "easy", "average", "hard", "perfect")
GAME = ("two_domains", "2")


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


@pytest.mark.parametrize("seed", range(20))
def test_sides_are_rated_as_by_a_model_that_copies_them(seed: int) -> None:
    dice = Random(seed)
    model = BradleyTerryPart(mu=1500.0, sigma=350.0, beta=_BETA, tau=4.0, window_size=100)
    for _ in range(50):
        sides = [
            [
                Rating(
                    dice.randrange(400_000, 2_900_000), dice.randrange(40_000, 350_001), dice.randrange(90)
                )
                for _ in range(dice.choice((1, 1, 2, 3)))
            ]
            for _ in range(dice.randint(2, 6))
        ]
        places = [dice.randint(1, len(sides)) for _ in sides]
        teams = [[model.rating(one.mu / 1000, one.sigma / 1000) for one in side] for side in sides]
        rated = model.rate(teams, ranks=[float(place) for place in places])
        assert updated(sides, places) == [
            [
                Rating(round(new.mu * 1000), round(new.sigma * 1000), old.matches + 1)
                for new, old in zip(after, before, strict=True)
            ]
            for after, before in zip(rated, sides, strict=True)
        ]


def test_threads_rate_at_the_same_time() -> None:
    """Each has scratch of its own."""
    sides = [[[Rating(1_500_000 + number, 90_000)], [WEAK]] for number in range(200)]
    alone = [updated(each, (1, 2)) for each in sides]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda each: updated(each, (1, 2)), sides)) == alone


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


def met(level: str, *, won: bool) -> MatchRow:
    """A friendly match of person 1 against a computer."""
    seats = (SeatRow(0, "computer", level=level), SeatRow(1, "person", 1, "P1"))
    ranks = (2, 1) if won else (1, 2)
    made = row(None, 1, ranks=ranks, rated=False)
    return replace(made, game="two_domains", seats=seats, options={})


def after(*matches: MatchRow, rating: Rating | None = None) -> Rating:
    """What they say about person 1."""
    return likely_strength(*GAME, 1, rating, matches)


def level(likely: Rating) -> str | None:
    """The level that suits."""
    return suggested(*GAME, likely, LEVELS)


def test_nothing_is_known_of_someone_who_has_finished_nothing() -> None:
    assert after() == START
    assert after(rating=Rating(1_720_000, 80_000, 30)) == Rating(1_720_000, 80_000, 30)


def test_a_friendly_match_counts_like_a_rated_one_would() -> None:
    easy = computer_ratings(*GAME)["easy"]
    assert after(met("easy", won=True)) == updated([[START], [easy]], (1, 2))[0][0]


def test_who_wins_is_led_up_level_by_level_and_who_loses_down() -> None:
    assert level(START) == "easy"
    likely, climbed = START, []
    for _ in range(40):
        climbed.append(now := level(likely) or "")
        likely = likely_strength(*GAME, 1, likely, [met(now, won=True)])
    assert list(dict.fromkeys(climbed)) == ["easy", "average", "hard", "perfect"]
    assert level(after(*[met("easy", won=False)] * 4)) == "beginner"


def test_a_rating_suggests_the_level_nearest_to_it() -> None:
    for name, strength in computer_ratings(*GAME).items():
        if name in LEVELS:
            assert level(Rating(strength.mu + 20_000, 60_000, 20)) == name
            assert abs(chances(*GAME, Rating(strength.mu, 60_000))[name] - 0.5) < 0.01


def test_matches_that_say_nothing_about_a_level_are_left_out() -> None:
    one = met("easy", won=True)
    for other in (
        replace(one, conditions=Conditions(rated=True)),  # its rating has it already
        replace(one, provenance=Provenance("study")),
        replace(one, game="focus"),
        replace(one, result=None),
        met("unheard", won=True),
        row(1, 2, ranks=(1, 2), game="two_domains", options={}, rated=False),
    ):
        assert after(other) == START


def test_nothing_is_suggested_where_nothing_was_measured() -> None:
    assert suggested("toy", "2", START, ("random",)) is None
    assert chances("toy", "2", START) == {}
