"""Packing: what is read back is the table within the rounding, equal rows are kept once, odd ones fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.two_domains import GAME
from games.two_domains.packed_table import PackedTable, read_packed
from solve.packing import FINE, PackedBlock, compare_packed, decompose, rounded_factors, write_packed
from solve.table_file import MappedTable, texts
from tests.soak import SOAK

pytestmark = pytest.mark.slow


@pytest.fixture
def packed(opened: MappedTable, tmp_path: Path) -> Path:
    """Return the packed table of at most three dice."""
    path = tmp_path / "small.packed"
    write_packed(opened, path, lambda block: None)
    return path


def test_every_value_is_read_back_within_the_rounding(opened: MappedTable, packed: Path) -> None:
    oracle = GAME.oracle(memoryview(packed.read_bytes()))
    assert isinstance(oracle, PackedTable)
    gaps = []
    for mine in texts(3)[:: 17 if SOAK else 151]:
        for theirs in texts(3):
            exact, seen = opened.table.value(mine, theirs), oracle.value(mine, theirs)
            assert exact is not None
            assert seen is not None
            gaps.append(abs(exact - seen))
    assert max(gaps) < 2e-3
    assert sum(gaps) / len(gaps) < 2e-4
    for mine in texts(3):
        assert oracle.value(mine, "1") == opened.table.value(mine, "1"), "single dice are exact"


def test_blocks_are_told_of_as_they_are_packed(opened: MappedTable, tmp_path: Path) -> None:
    told: list[PackedBlock] = []
    write_packed(opened, tmp_path / "small.packed", told.append)
    assert [(block.own, block.other) for block in told] == [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)]
    assert all(block.mean < 2e-4 and block.most < 2e-3 for block in told)
    assert sum(block.bytes for block in told) == len(
        read_packed(memoryview((tmp_path / "small.packed").read_bytes()))[1]
    )


def test_the_same_table_gives_the_same_file(opened: MappedTable, packed: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.packed"
    write_packed(opened, again, lambda block: None)
    assert again.read_bytes() == packed.read_bytes()


def test_a_comparison_finds_what_is_off(opened: MappedTable, packed: Path, tmp_path: Path) -> None:
    good = compare_packed(opened, packed, 300, 1)
    assert good.sampled == 300
    assert good.mean < 2e-4
    assert good.loss < 1e-4

    class Worse(MappedTable):
        """Values that are off by two hundredths in the largest block."""

        def array(self, own: int, other: int) -> Any:
            values = super().array(own, other)
            return values + np.float32(0.02) if (own, other) == (3, 3) else values

    path = tmp_path / "worse.packed"
    write_packed(Worse(tmp_path_of(opened, tmp_path)), path, lambda block: None)
    assert compare_packed(opened, path, 300, 1).most > 0.015


def tmp_path_of(opened: MappedTable, folder: Path) -> Path:
    """Return a copy of a table."""
    path = folder / "copy.values"
    path.write_bytes(bytes(opened.table._table))
    return path


def test_the_largest_singular_values_are_found() -> None:
    random = np.random.default_rng(5)
    left, right = random.standard_normal((300, 12)), random.standard_normal((12, 400))
    matrix = ((left * 0.5 ** np.arange(12)) @ right).astype(np.float32)
    _, exact, _ = np.linalg.svd(matrix)
    u, sizes, v = decompose(matrix, 20)
    assert sizes[:12] == pytest.approx(exact[:12], rel=1e-3)
    assert np.abs((u * sizes) @ v.T - matrix).max() < 1e-3 * exact[0]


def test_rounding_stays_within_16_bits_however_fine() -> None:
    values = np.full((40, 30), 0.9, np.float32)
    a, b, shifts = rounded_factors(values, FINE / 1e3)
    assert np.abs(a).max() > 10_000
    product = (a.astype(np.float64) * 2.0 ** -np.array(shifts)) @ b.astype(np.float64).T
    assert np.abs(product - 0.9).max() < 1e-4
