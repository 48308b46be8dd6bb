"""Stopping and resuming: whenever it stops, the table gets the same bytes."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from solve.checkpoints import Checkpoints
from solve.solver import Solver, StoppedError
from solve.table_file import write
from tests.soak import SOAK

pytestmark = pytest.mark.slow

EPSILON = 1e-4
KILLED = """
import os, signal, sys
from pathlib import Path
from solve.solver import Solver
from solve.checkpoints import Checkpoints

def tell(now):
    if (now.own, now.other, now.sweep) == (3, 3, 30):
        os.kill(os.getpid(), signal.SIGKILL)

saved = Checkpoints(Path(sys.argv[1]), {})
Solver(3, epsilon=1e-4, checkpoints=saved, on_progress=tell, save_every=0.0).solve()
"""


def solved(folder: Path | None, path: Path, dice: int, stop_after: int | None = None) -> bytes:
    """Return the bytes of a table, solved in pieces of `stop_after` sweeps if given."""
    while True:
        sweeps = count(1)
        solver = Solver(
            dice,
            epsilon=EPSILON,
            checkpoints=Checkpoints(folder, {}),
            should_stop=lambda sweeps=sweeps: next(sweeps) == stop_after,  # type: ignore[misc]  # a fresh counter
        )
        try:
            solver.solve()
        except StoppedError:
            continue
        write(solver, path)
        return path.read_bytes()


@pytest.fixture(scope="module")
def three_at_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a table of three dice, solved without a stop."""
    return solved(None, tmp_path_factory.mktemp("three") / "a", 3)


def test_stopped_again_and_again_it_writes_the_same_table(tmp_path: Path, three_at_once: bytes) -> None:
    assert solved(tmp_path / "3", tmp_path / "b", 3, 61 if SOAK else 181) == three_at_once
    assert solved(tmp_path / "2", tmp_path / "c", 2, 11) == solved(None, tmp_path / "d", 2)


def test_killed_it_goes_on_and_writes_the_same_table(tmp_path: Path, three_at_once: bytes) -> None:
    work = tmp_path / "work"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(work)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert sorted(path.name for path in work.iterdir()) == ["2-2.npz", "3-2.npz", "3-3.half.npz"]
    seen: list[int] = []
    solver = Solver(
        3, epsilon=EPSILON, checkpoints=Checkpoints(work, {}), on_progress=lambda now: seen.append(now.sweep)
    )
    solver.solve()
    assert seen[0] == 31
    write(solver, tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == three_at_once


def test_what_is_damaged_or_of_other_work_is_worked_out_again(tmp_path: Path) -> None:
    right = solved(tmp_path / "work", tmp_path / "a", 2)
    assert Checkpoints(tmp_path / "work", {"epsilon": 1}).load("2-2") is None
    saved = tmp_path / "work" / "2-2.npz"
    whole = saved.read_bytes()
    for damaged in (b"", whole[:-100], b"PK" + whole[2:500], whole.replace(b"\x3f", b"\x3e", 50)):
        saved.write_bytes(damaged)
        assert Checkpoints(tmp_path / "work", {}).load("2-2") is None
        assert solved(tmp_path / "work", tmp_path / "b", 2) == right
    Checkpoints(tmp_path / "work", {}).clear()
    assert not (tmp_path / "work").exists()
