"""`dominium solve`: a small table from nothing, checked, refused, interrupted; and without NumPy."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from cli import solve as module
from solve import run as room
from solve.run import TimeEstimate
from solve.solver import Progress
from tests.cli.conftest import Run

pytestmark = pytest.mark.slow


def test_a_table_is_written_checked_and_told_of(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "small.values"
    result = run("solve", "two-domains", "--dice", 2, "-o", path, "--epsilon", 1e-6)
    assert result.exit_code == 0, result.output
    assert "2 v 2         1,296" in result.output
    assert "1,332 positions" in result.output
    assert "all villages: the first player wins with 0.5067" in result.output
    assert [entry.name for entry in path.parent.iterdir()] == ["small.values"]
    again = run("solve", "two-domains", "--check", path)
    assert again.exit_code == 0, again.output
    assert again.output in result.output


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "No such file"),
        (b"", "is empty"),
        (b"GIF89a" * 1000, "not a table of the values of Two Domains"),
    ],
)
def test_a_bad_table_is_refused_with_its_reason(
    run: Run, tmp_path: Path, data: bytes | None, reason: str
) -> None:
    path = tmp_path / "bad.values"
    if data is not None:
        path.write_bytes(data)
    result = run("solve", "two-domains", "--check", path)
    assert result.exit_code == 2
    assert reason in result.output


def test_matches_against_each_computer_player_are_told_of(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "small.values"
    assert run("solve", "two-domains", "--dice", 2, "-o", path, "--epsilon", 1e-4).exit_code == 0
    told = run("solve", "two-domains", "--check", path, "--matches", 6)
    lines = [line for line in told.output.splitlines() if line.startswith("perfect v ")]
    assert lines[0].startswith("perfect v beginner: won ")
    assert lines[-1].startswith("perfect v perfect: won ")
    assert all(" of 6, drawn " in line for line in lines)


def test_a_table_is_packed_and_compared(run: Run, tmp_path: Path) -> None:
    table, packed = tmp_path / "small.values", tmp_path / "small.packed"
    missing = run("solve", "two-domains", "-o", table, "--pack", packed)
    assert missing.exit_code == 2
    assert "small.values can't be read" in missing.output
    assert run("solve", "two-domains", "--dice", 2, "-o", table, "--epsilon", 1e-6).exit_code == 0
    result = run("solve", "two-domains", "-o", table, "--pack", packed)
    assert result.exit_code == 0, result.output
    assert "2 v 2      24" in result.output
    assert "5,000 random positions: values differ by " in result.output
    assert result.output.endswith(f"{packed}: 0.0 MB\n")
    table.write_bytes(table.read_bytes()[:-1])
    assert (
        "can't be used: the table is incomplete"
        in run("solve", "two-domains", "-o", table, "--pack", packed).output
    )


def test_what_hangs_on_endless_play_is_told(run: Run) -> None:
    result = run("solve", "two-domains", "--dice", 2, "--bounds", "--epsilon", 1e-6)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[1].split()[:5] == ["2", "v", "2", "1,296", "0"]
    assert "Stalling against a single die is left out" in result.output


def test_ctrl_c_stops_and_the_same_command_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small.values"
    ask = ("solve", "two-domains", "--dice", 2, "-o", path, "--epsilon", 1e-6)
    plain = TimeEstimate.seconds_left

    def impatient(pace: TimeEstimate, now: Progress) -> float:
        if now.sweep == 20:
            os.kill(os.getpid(), signal.SIGINT)
        return plain(pace, now)

    monkeypatch.setattr(room.TimeEstimate, "seconds_left", impatient)
    before = signal.getsignal(signal.SIGINT)  # whoever runs the tests in the background ignores it
    stopped = run(*ask)
    assert stopped.exit_code == 2
    assert "resumes from here" in stopped.output
    assert signal.getsignal(signal.SIGINT) is before
    assert [entry.name for entry in (tmp_path / "small.values.work").iterdir()] == ["2-2.half.npz"]
    gone_on = run(*ask)
    assert gone_on.exit_code == 0, gone_on.output
    assert not (tmp_path / "small.values.work").exists()


def test_what_cannot_be_done_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "focus is too large" in run("solve", "focus").output
    assert "Use -o to say" in run("solve", "two-domains", "--dice", 3).output
    monkeypatch.delitem(sys.modules, "solve.run")
    monkeypatch.delattr("solve.run")
    monkeypatch.setitem(sys.modules, "solve.solver", None)
    with pytest.raises(ModuleNotFoundError):
        module.solving()
    monkeypatch.delitem(sys.modules, "solve.solver")
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = run("solve", "two-domains")
    assert result.exit_code == 2
    assert "needs NumPy" in result.output


def test_the_time_left_is_told_as_people_do() -> None:
    assert [module.for_how_long(seconds) for seconds in (3, 600, 7200)] == [
        "about a minute",
        "about 10 minutes",
        "about 2.0 hours",
    ]
    pace = TimeEstimate(2, 1e-6)
    for sweep in range(1, 41):
        left = pace.seconds_left(Progress(2, 2, 0, sweep, 0.5**sweep, sweep * 1.0))
    assert left < 2.0
