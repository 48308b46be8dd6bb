"""The weights of Dominion's evaluation are looked for by self-play."""

from __future__ import annotations

from math import exp
from random import Random

import pytest
from click.testing import CliRunner

from games.dominion.search.weights import WEIGHTS
from solve.dominion_weights import fit, main, samples
from solve.fitting import Sample


def test_a_fit_finds_the_weights_that_made_the_samples() -> None:
    random, made = Random(1), []
    for _ in range(3000):
        features = tuple(random.randint(-3, 3) for _ in WEIGHTS)
        value = sum(weight * count for weight, count in zip(WEIGHTS.values(), features, strict=True))
        made.append(Sample(features, 1 / (1 + exp(-value / 1000))))
    found = fit(made)
    assert found["general"] == WEIGHTS["general"]
    assert all(abs(found[name] - weight) <= 4 for name, weight in WEIGHTS.items())


@pytest.mark.slow
def test_the_same_seed_plays_the_same_match() -> None:
    one, again, other = (list(samples(60, seed)) for seed in (5, 5, 6))
    assert one == again != other
    assert all(0 <= sample.target <= 1 for sample in one)


@pytest.mark.slow
def test_the_command_prints_a_weight_for_each_feature() -> None:
    lines = CliRunner().invoke(main, ["--matches", "2", "--work", "60"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(WEIGHTS)
