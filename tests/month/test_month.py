"""Months by their seeds: three in `make test`, three hundred in a soak, from DOMINIUM_SEED on."""

from __future__ import annotations

import pytest

from tests.month.script import Size, play
from tests.soak import SEED, sampled

pytestmark = [
    pytest.mark.slow,
    # A crash closes no connection in good order.
    pytest.mark.filterwarnings("ignore:Unclosed c:ResourceWarning"),
]


@pytest.mark.parametrize("seed", sampled(range(SEED * 1000, SEED * 1000 + 300), (1, 2, 3)))
def test_a_month(seed: int) -> None:
    found, _ = play(seed)
    assert found.moves > 100
    assert found.late, "clocks have run"


def test_a_seed_plays_the_same_month_again() -> None:
    assert play(7, Size(days=4, tables=5, guilds=3)) == play(7, Size(days=4, tables=5, guilds=3))
