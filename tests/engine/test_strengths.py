"""Strengths of computer players: found again from points, with honest errors, of levels that exist."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.game import AnyGame
from games.engine.levels import LEVELS
from games.engine.strengths import ANCHOR, START, LevelContest, contests, fit, spelled, strengths
from tests.laws.courses import every_case
from tests.rows import rows

GAMES = registry.all_games()
TRUE = {"beginner": 1200.0, ANCHOR: 1500.0, "average": 1700.0, "hard": 2000.0}


def contest(first: str, second: str, matches: int, rivals: int = 1) -> LevelContest:
    """A contest that gave exactly the points to be expected."""
    weight = 10 ** ((TRUE[second] - TRUE[first]) / 400)
    return LevelContest("2", first, second, matches, matches / (1 + rivals * weight), rivals)


@rows("rivals", [1, 2, 5])
def test_true_strengths_are_found_again(rivals: int) -> None:
    pairs = list(pairwise(TRUE))
    found = fit(contest(b, a, 50_000, rivals) for a, b in pairs)
    assert list(found) == list(TRUE), "the weakest first"
    assert {name: one.points for name, one in found.items()} == pytest.approx(TRUE, abs=1)


def test_errors_are_those_of_the_matches_and_add_up_along_a_chain() -> None:
    few, many = (fit(contest(b, a, n) for a, b in pairwise(TRUE)) for n in (25, 2500))
    assert few[ANCHOR].error == 0
    assert few["average"].error == pytest.approx(10 * many["average"].error, rel=0.05)
    assert many["hard"].error > many["average"].error
    share = 1 / (1 + 10 ** (-200 / 400))
    by_hand = 173.7 / (2500 * share * (1 - share)) ** 0.5
    assert many["average"].error == pytest.approx(by_hand, rel=0.01)


def test_a_clean_sweep_gives_a_wide_interval_and_no_infinity() -> None:
    found = fit([LevelContest("2", "hard", ANCHOR, 20, 20)])["hard"]
    assert 500 < found.points - START < 900
    assert found.error > 200


def test_players_apart_from_the_anchor_are_refused() -> None:
    with pytest.raises(ValueError, match="connected"):
        fit([contest("hard", ANCHOR, 9), contest("average", "beginner", 9)])


def test_contests_are_read_as_they_are_written() -> None:
    for one in contests("two_domains"):
        assert spelled(one).startswith('{"family": "2", "first": "')
    assert contests("toy") == ()
    assert strengths("toy") == {}


@rows("game", GAMES)
def test_strengths_are_of_families_and_players_that_exist_and_rise_with_the_levels(game: AnyGame) -> None:
    cases = [case.setup for case in every_case() if case.key == game.key]
    families = {game.family(setup.seats, setup.options) for setup in cases}
    chosen = [
        {option.key: value}
        for option in game.options
        if option.key in game.families
        for value in option.choices
    ]
    families |= {game.family(seats, options) for seats in game.seats for options in ({}, *chosen)}
    levels, found = Levels(), strengths(game.key)
    assert found.keys() <= families
    for players in found.values():
        ordered = [name for name in (*LEVELS, "perfect") if name in players]
        assert ordered == [name for name in players if name in ordered]
        for name in players:
            search = name.partition(":")[0] in ("alpha-beta", "best-reply", "playouts")
            assert search or name == "perfect" or levels.has(game.key, name) or name in game.benchmarks()


@rows("game", [g for g in GAMES if g.key in registry.KEYS])
def test_most_levels_of_a_game_are_measured_in_its_smallest_match(game: AnyGame) -> None:
    measured = strengths(game.key)[game.family(game.seats[0], {})]
    assert {"beginner", ANCHOR, "average", "hard"} <= measured.keys()
