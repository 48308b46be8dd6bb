"""Fixtures: tables of at most two or three dice on each side, solved once."""

from __future__ import annotations

from pathlib import Path

import pytest

from solve.solver import Solver
from solve.table_file import MappedTable, write


@pytest.fixture(scope="session")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the table of at most two dice."""
    return _table(tmp_path_factory, 2, 1e-9)


@pytest.fixture(scope="session")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the table of at most three dice."""
    return _table(tmp_path_factory, 3, 1e-7)


@pytest.fixture
def opened(three: Path) -> MappedTable:
    """Return the table of at most three dice, open."""
    return MappedTable(three)


def _table(folder: pytest.TempPathFactory, dice: int, epsilon: float) -> Path:
    path = folder.mktemp("tables") / "small.values"
    solver = Solver(dice, epsilon=epsilon)
    solver.solve()
    write(solver, path)
    return path
