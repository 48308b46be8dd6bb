"""Tuning: fits find what samples were made from, runs go on where they were, numbers get into their files.

The weights in use come from more matches than a test can play, and from judgement. So what is tested of their
files is that the last step writes exactly such a file, not that it finds these weights.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from math import exp, inf, isfinite
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine import registry
from games.engine.game import AnyGame
from solve.fitting import Estimate, Sample, fit_samples, samples_of, with_errors
from solve.self_play import PlayedMatch, SampleFile, play_level, play_match
from solve.tuning import (
    RECIPES,
    Fitted,
    Recipe,
    fit_recipe,
    odds_text,
    play_on,
    player_of,
    sample_file,
    weights_text,
    with_weights,
)
from solve.win_odds import fit_scale, measure_odds, reliability

SEARCHED = sorted(key for key, recipe in RECIPES.items() if recipe.weights is not None)
EXPECTED = [100, 37, 40, -10, -3, 16, -8]
STORED = Path(__file__).with_name("dominance.samples")
"""From `dominium tune dominance --matches 3 --work 30 --seed sample`."""


def module_of(recipe: Recipe) -> str:
    assert recipe.path is not None
    return recipe.path.read_text(encoding="utf-8")


def played(game: AnyGame, file: SampleFile, number: int, stop_after: int = 99) -> list[PlayedMatch]:
    """Play up to a number of matches into a file, which may hold some; little work for each move."""
    if not file.path.exists():
        file.begin()
    done = file.load()
    play = player_of(game, RECIPES[game.key], game.setup(2), 12, "test")
    for match in play_on(file, tuple(done), number, play, lambda: len(done) >= stop_after):
        done.append(match)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("key", SEARCHED)
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(key: str, tmp_path: Path) -> None:
    game, recipe = registry.get(key), RECIPES[key]
    files = [sample_file(tmp_path / name, game, recipe, game.setup(2), 12, "test") for name in ("one", "two")]
    whole = played(game, files[0], 2)
    assert len(played(game, files[1], 2, stop_after=1)) == 1
    with files[1].path.open("a", encoding="utf-8") as file:
        file.write('{"match":1,"share":')  # killed while it wrote
    assert played(game, files[1], 2) == whole == files[0].load()
    assert files[0].path.read_bytes() == files[1].path.read_bytes()
    assert whole[0].values != whole[1].values
    assert any(each is not None for each in whole[0].features)
    longest = {len(each) for match in whole for each in match.features if each is not None}
    assert recipe.weights is not None
    assert longest == {len(recipe.weights)}


def test_another_seed_plays_other_matches() -> None:
    game = registry.get("focus")
    one, again, other = (play_match(game, game.setup(2), 12, seed, 0) for seed in ("5", "5", "6"))
    assert one == again != other


def test_matches_that_were_played_otherwise_are_refused(tmp_path: Path) -> None:
    game, recipe = registry.get("dominance"), RECIPES["dominance"]
    sample_file(tmp_path, game, recipe, game.setup(2), 12, "test").begin()
    for work, seed, weights in ((13, "test", 100), (12, "toast", 100), (12, "test", 99)):
        other = replace(recipe, weights={**(recipe.weights or {}), "left": weights})
        with pytest.raises(ValueError, match="other settings or weights"):
            sample_file(tmp_path, game, other, game.setup(2), work, seed).load()
    assert sample_file(tmp_path, game, recipe, game.setup(2), 12, "test").load() == []


@pytest.mark.parametrize("line", ["no match", "[]", '{"match": 0}', '{"match": 7}'])
def test_lines_that_are_no_matches_are_refused(tmp_path: Path, line: str) -> None:
    file = SampleFile(tmp_path / "bad.samples", {})
    file.begin()
    with file.path.open("a", encoding="utf-8") as raw:
        raw.write(line + "\n")
    with pytest.raises(ValueError, match="isn't a match"):
        file.load()


def test_half_a_line_is_removed_from_a_file_of_its_own(tmp_path: Path) -> None:
    file = SampleFile(tmp_path / "own.samples", {"seed": "1"})
    file.begin()
    whole = file.path.read_bytes()
    for size in range(len(whole)):
        file.path.write_bytes(whole[:size])
        assert file.load() == []
        assert file.path.read_bytes() == whole, "it was killed in its first line"
    for half in ("{", '{"match"', '{"match":0,"share":'):
        file.path.write_bytes(whole + half.encode())
        assert file.load() == []
        assert file.path.read_bytes() == whole


@pytest.mark.parametrize(
    "text", ["dear diary", '{"seed": "2"', '{"seed": "2"}\n{"mat', '{"seed": "1"}\n# note']
)
def test_files_of_others_are_left_as_they_are(tmp_path: Path, text: str) -> None:
    file = SampleFile(tmp_path / "other.samples", {"seed": "1"})
    file.path.write_text(text)
    with pytest.raises(ValueError, match=r"other settings|its end isn't"):
        file.load()
    assert file.path.read_text() == text


@pytest.mark.parametrize("key", SEARCHED)
def test_a_fit_finds_the_weights_that_made_the_samples(key: str) -> None:
    random, made = Random(1), []
    truth = RECIPES[key].weights or {}
    for _ in range(3000):
        features = tuple(random.randint(-3, 3) for _ in truth)
        value = sum(weight * count for weight, count in zip(truth.values(), features, strict=True))
        made.append(Sample(features, 1 / (1 + exp(-value / 1000))))
    unit = [list(truth).index(name) for name in RECIPES[key].unit]
    size = sum(truth[name] for name in RECIPES[key].unit)
    found = fit_samples(made, unit, size)
    assert sum(found[each] for each in unit) == pytest.approx(size)
    assert all(abs(one - other) <= 5 for one, other in zip(found, truth.values(), strict=True))


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(ValueError, match="no positions"):
        fit_samples([], [0], 100)
    with pytest.raises(ValueError, match="worth nothing"):
        fit_samples([Sample((1,), 0.2)], [0], 100)
    with pytest.raises(ValueError, match="don't win more often"):
        fit_scale([(100, 0.0), (-100, 1.0)])


def test_a_position_counts_by_the_result_and_by_the_value_sixteen_decisions_later() -> None:
    values = (*(0,) * 16, 350, 10**6)
    match = PlayedMatch(0, 0.0, values, ((1,), (2,), (3,), *(None,) * 15), ())
    found = list(samples_of(match, 350))
    assert [each.features for each in found] == [(1,), (2,), (3,)]
    assert [each.target for each in found] == pytest.approx([0.73106 / 2, 0.5, 0.0], abs=1e-5)


def test_errors_are_those_of_independent_matches() -> None:
    random = Random(2)
    items = [random.gauss(0, 1) for _ in range(400)]
    found = with_errors(items, lambda some: [sum(some) / len(some)])[0]
    assert found.error == pytest.approx(1 / 20, rel=0.5)
    assert with_errors(
        items[:1], lambda some: [sum(some) / len(some)] if some else fit_samples([], [0], 1)
    ) == [Estimate(items[0], inf)]


@pytest.mark.parametrize("key", SEARCHED)
def test_the_file_in_use_is_what_writing_its_numbers_gives(key: str) -> None:
    recipe = RECIPES[key]
    text, weights = module_of(recipe), recipe.weights or {}
    same = [Fitted(name, weight, Estimate(weight + 0.3, 1.0)) for name, weight in weights.items()]
    assert weights_text(recipe, text, same) == text
    assert odds_text(text, recipe.scale, recipe.spread) == text
    step = recipe.step
    other = [Fitted(name, weight, Estimate(weight + 2.0 * step, 1.0)) for name, weight in weights.items()]
    changed: dict[str, Any] = {}
    exec(odds_text(weights_text(recipe, text, other), 412.3, 88.8), changed)
    assert changed["WEIGHTS"] == {name: weight + 2 * step for name, weight in weights.items()}
    assert (changed["ODDS_SCALE"], changed["SPREAD"]) == (410.0, 90.0)


def test_a_file_without_the_names_is_left_alone() -> None:
    with pytest.raises(ValueError, match="no line for height"):
        with_weights(module_of(RECIPES["focus"]), {"height": 3})
    with pytest.raises(ValueError, match="no WEIGHTS"):
        with_weights("X = {}\n", {"height": 3})
    with pytest.raises(ValueError, match="no ODDS_SCALE"):
        odds_text("X = 3\n", 1.0, 1.0)


def test_the_last_step_gives_these_weights_for_the_stored_matches(tmp_path: Path) -> None:
    path = Path(shutil.copy(STORED, tmp_path))
    about = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    matches = SampleFile(path, about).load()
    fitted = fit_recipe(replace(RECIPES["dominance"], scale=350.0), matches)
    assert [each.name for each in fitted] == list(RECIPES["dominance"].weights or {})
    assert [round(each.found.value) for each in fitted] == EXPECTED
    assert all(isfinite(each.found.error) for each in fitted)


@pytest.mark.parametrize("scale", [120.0, 900.0])
def test_the_odds_are_those_that_made_the_results(scale: float) -> None:
    random, made = Random(3), []
    for nth in range(1500):
        value = random.randint(-1000, 1000)
        share = float(random.random() < 1 / (1 + exp(-value / scale)))
        made.append(PlayedMatch(nth, share, (value, 10**6), (None, None), ((value, value + 60),)))
    found = measure_odds(made)
    assert found.scale.value == pytest.approx(scale, rel=0.15)
    assert abs(found.scale.value - scale) < 4 * found.scale.error
    assert (found.positions, found.compared, found.spread.value) == (1500, 1500, 60.0)
    bins = [each for each in reliability(made, scale) if each is not None]
    assert sum(each.positions for each in bins) == 1500
    assert all(abs(each.actual - each.predicted) < 4 * each.error for each in bins)
    assert [each.predicted for each in bins] == sorted(each.predicted for each in bins)


@pytest.mark.slow
def test_a_level_without_a_search_is_measured_by_its_evaluation() -> None:
    game = registry.get("domination")
    one, again = (play_level(game, game.setup(2), "beginner", "1", 0) for _ in range(2))
    assert one == again
    assert one.share in (0.0, 1.0)
    assert one.values
    assert set(one.features) == {None}
