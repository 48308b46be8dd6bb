"""The weights of Dominance's evaluation are found from self-play."""

from __future__ import annotations

from math import exp
from random import Random

import pytest
from click.testing import CliRunner

from games.dominance.search.features import FEATURES
from games.dominance.search.weights import WEIGHTS
from solve.dominance_weights import fit, main, samples
from solve.fitting import Sample


@pytest.mark.slow
def test_a_fit_finds_the_weights_that_made_the_samples() -> None:
    random, made = Random(1), []
    truth = {name: 100 - 12 * nth for nth, name in enumerate(FEATURES)}
    for _ in range(3000):
        features = tuple(random.randint(-3, 3) for _ in FEATURES)
        value = sum(truth[name] * count for name, count in zip(FEATURES, features, strict=True))
        made.append(Sample(features, 1 / (1 + exp(-value / 200))))
    found = fit(made)
    assert all(abs(found[name] - truth[name]) <= 1 for name in FEATURES)


@pytest.mark.slow
def test_the_same_seed_plays_the_same_match() -> None:
    one, again, other = (list(samples("hex4", 60, seed)) for seed in (5, 5, 6))
    assert one == again != other
    assert all(0 <= sample.target <= 1 for sample in one)


def test_the_command_prints_a_weight_for_each_feature_in_use() -> None:
    lines = CliRunner().invoke(main, ["--matches", "1", "--work", "60"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(WEIGHTS) == list(FEATURES)
    assert lines[0].split()[1] == "100"
