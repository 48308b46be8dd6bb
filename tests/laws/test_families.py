"""Laws of the families of set-ups, by which matches share a rating."""

from __future__ import annotations

import pytest

from games.engine import registry
from games.engine.game import AnyGame, spell
from tests.laws.courses import every_case

GAMES = registry.all_games()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_what_a_game_counts_apart_are_closed_options_of_its_own(game: AnyGame) -> None:
    options = {option.key: option for option in game.options}
    assert len(set(game.families)) == len(game.families)
    for key in game.families:
        assert not options[key].open, "an open option would make families without end"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_families_are_told_apart_by_sides_and_these_options_alone(game: AnyGame) -> None:
    families, decisive = [], []
    for setup in (case.setup for case in every_case() if case.key == game.key):
        families.append(game.family(setup.seats, setup.options))
        sizes = tuple(map(setup.teams.count, sorted(set(setup.teams))))
        decisive.append((sizes, *(spell(setup.options[key]) for key in game.families)))
        assert game.family(setup.seats, dict(sorted(setup.options.items(), reverse=True))) == families[-1]
    assert len(set(families)) == len(set(decisive)) == len(set(zip(families, decisive, strict=True)))
    assert all(family.isascii() and len(family) < 60 for family in families)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_lengths_of_matches_are_those_of_families_that_exist(game: AnyGame) -> None:
    cases = [case.setup for case in every_case() if case.key == game.key]
    families = {game.family(setup.seats, setup.options) for setup in cases}
    assert game.lengths.keys() <= families
    for setup in cases:
        most = game.lengths.get(game.family(setup.seats, setup.options), 1)
        assert 0 < most <= game.max_actions(setup)


def test_options_that_a_match_does_not_name_have_their_defaults() -> None:
    for game in GAMES:
        assert game.family(game.seats[0], {}) == game.family(game.seats[0], game.setup(game.seats[0]).options)


@pytest.mark.parametrize(
    ("game", "seats", "options", "family"),
    [
        ("focus", 2, {}, "2"),
        ("focus", 4, {"partners": True}, "2v2"),
        ("focus", 3, {"fast": True}, "3 fast=true"),
        ("domination", 4, {"mode": "mission", "cards": "fixed"}, "4 mode=mission"),
        ("dominance", 2, {"board": "sq7"}, "2 board=sq7"),
        ("two_domains", 2, {}, "2"),
    ],
)
def test_families_by_example(game: str, seats: int, options: dict[str, object], family: str) -> None:
    assert registry.get(game).family(seats, options) == family  # type: ignore[arg-type] # any JSON
