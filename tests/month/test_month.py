"""Months by their seeds, 450 of them in a soak, from DOMINIUM_SEED on; in `make test` three shorter times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.month.month import TABLES
from tests.month.script import Size, play
from tests.soak import SEED, SOAK, sampled

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
]


def _size(whole: int, short: int) -> int:
    return whole if SOAK else short


@pytest.mark.parametrize("seed", sampled(range(SEED * 1000, SEED * 1000 + 300), (1,)))
def test_a_month(seed: int) -> None:
    found, _ = play(seed, Size(days=_size(30, 5), tables=_size(TABLES, 24)))
    assert found.moves > 40
    assert found.late, "clocks have run"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEED * 1000 + 300, SEED * 1000 + 400))
def test_a_month_with_three_shards(seed: int) -> None:
    found, _ = play(seed, Size(days=15, tables=20, shards=3))
    assert found.moves > 20


@pytest.mark.parametrize("seed", sampled(range(SEED * 1000 + 400, SEED * 1000 + 450), (5,)))
def test_a_month_on_postgresql(postgres: PostgresServer, seed: int) -> None:
    size = Size(days=_size(10, 2), tables=_size(15, 10), shards=2, database=postgres.database())
    found, _ = play(seed, size)
    assert found.moves > 15


@pytest.mark.soak
def test_a_seed_plays_the_same_month_again() -> None:
    size = Size(days=2, tables=5, guilds=3)
    assert play(7, size) == play(7, size)
