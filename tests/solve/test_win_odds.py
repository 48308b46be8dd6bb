"""How evaluations turn into chances: the fit finds what it was made from, and the command measures a game."""

from __future__ import annotations

from math import exp

import pytest
from click.testing import CliRunner

from games.engine.dice import Dice
from solve.win_odds import fit, main


@pytest.mark.slow
@pytest.mark.parametrize("scale", [120.0, 350.0, 900.0])
def test_the_fit_finds_the_scale(scale: float) -> None:
    dice = Dice(b"odds", "test", 0, "")
    values = [10 * (dice.below(201) - 100) for _ in range(4000)]
    chances = [1 / (1 + exp(-value / scale)) for value in values]
    samples = [
        (value, float(dice.below(10_000) < 10_000 * chance))
        for value, chance in zip(values, chances, strict=True)
    ]
    assert fit(samples) == pytest.approx(scale, rel=0.12)


@pytest.mark.slow
def test_a_game_is_measured() -> None:
    result = CliRunner().invoke(main, ["dominance", "--matches", "2", "--work", "30"])
    assert result.exit_code == 0, result.output
    assert "odds scale" in result.output
    assert "of 2 matches)" in result.output
