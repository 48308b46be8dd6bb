"""`dominium tune`: a run from start to file, stopped and resumed, refused, and without NumPy."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cli import tune as module
from solve import self_play, tuning
from tests.cli.conftest import Run


@pytest.fixture
def weights_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the module of Dominance's weights, which `--write` changes instead of the real one."""
    recipe = tuning.RECIPES["dominance"]
    assert recipe.path is not None
    path = Path(shutil.copy(recipe.path, tmp_path / "weights.py"))
    monkeypatch.setattr(tuning, "RECIPES", {**tuning.RECIPES, "dominance": replace(recipe, path=path)})
    return path


@pytest.mark.slow
def test_weights_and_odds_are_told_and_written_when_asked(
    run: Run, tmp_path: Path, weights_file: Path
) -> None:
    before = weights_file.read_text(encoding="utf-8")
    ask = ("tune", "dominance", "--matches", 8, "--work", 20, "--seed", "a", "--out", tmp_path)
    first = run(*ask)
    assert first.exit_code == 0, first.output
    head, *rows = first.output.splitlines()[1:]
    assert head.split() == ["feature", "now", "fitted", "±", "error"]
    assert [row.split()[0] for row in rows] == list(tuning.RECIPES["dominance"].weights or {})
    assert rows[0].split()[1:3] == ["100", "100.0"]
    assert weights_file.read_text(encoding="utf-8") == before
    again = run(*ask, "--resume", "--write")
    assert again.exit_code == 0, again.output
    assert again.output.startswith(first.output)
    changed = weights_file.read_text(encoding="utf-8")
    for row in rows:
        name, _, fitted, _ = row.split()
        (weight,) = re.findall(rf'^    "{name}": (-?\d+),$', changed, re.MULTILINE)
        assert int(weight) == pytest.approx(float(fitted), abs=0.56), "rounded from what is printed rounded"
    odds = run(*ask, "--resume", "--odds", "--write")
    assert odds.exit_code == 0, odds.output
    assert "of 8 matches)" in odds.output
    assert "by the first, second and last third" in odds.output
    assert odds.output.count("predicted        positions") == 2
    assert weights_file.read_text(encoding="utf-8") != changed


@pytest.mark.slow
def test_ctrl_c_stops_after_a_match_and_resume_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ("tune", "focus", "--matches", 3, "--work", 12, "--out")
    plain = self_play.play_match

    def interrupted(game: object, setup: object, work: int, seed: str, nth: int) -> object:
        if nth == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return plain(game, setup, work, seed, nth)  # type: ignore[arg-type]

    monkeypatch.setattr(tuning, "play_match", interrupted)
    before = signal.getsignal(signal.SIGINT)  # whoever runs the tests in the background ignores it
    stopped = run(*ask, tmp_path / "one")
    assert stopped.exit_code == 2
    assert "Stopped after 2 of 3 matches" in stopped.output
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.setattr(tuning, "play_match", plain)
    assert "is there already" in run(*ask, tmp_path / "one").output
    run(*ask, tmp_path / "one", "--resume")
    run(*ask, tmp_path / "two")
    one, two = ((tmp_path / name / "focus.samples").read_bytes() for name in ("one", "two"))
    assert one == two
    assert one.count(b"\n") == 4


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("two-domains",), "two_domains has nothing to tune. Choose from: focus, dominance"),
        (("domination",), "domination has no weights that can be fitted. Use --odds."),
        (("domination", "--odds", "--write"), "--write is for games with a search"),
        (("focus", "--option", "fast=true", "--write"), "--write is for games with a search"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, tmp_path: Path, asked: tuple[str, ...], told: str) -> None:
    result = run("tune", *asked, "--out", tmp_path)
    assert result.exit_code == 2
    assert told in result.output


def test_files_that_cannot_be_used_are_refused(run: Run, tmp_path: Path) -> None:
    ask = ("tune", "focus", "--odds", "--matches", 1, "--work", 12, "--resume", "--out")
    path = tmp_path / "focus.samples"
    assert run(*ask, tmp_path).exit_code == 0
    text = path.read_text(encoding="utf-8")
    swapped = {"0.0": "1.0", "1.0": "0.0"}
    path.write_text(re.sub(r'(?<="share":)[01].0', lambda share: swapped[share[0]], text))
    result = run(*ask, tmp_path)
    assert result.exit_code == 2
    assert "higher values don't win more often in them. More of them may help." in result.output
    path.write_text("{}\n")
    assert "other settings or weights" in run(*ask, tmp_path).output
    (tmp_path / "blocked").write_text("")
    result = run(*ask, tmp_path / "blocked")
    assert result.exit_code == 2
    assert "blocked" in result.output


def test_without_numpy_it_says_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("solve.tuning", "solve.fitting", "solve.win_odds"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "solve.self_play", None)
        with pytest.raises(ModuleNotFoundError):
            module.tuning()
    monkeypatch.delitem(sys.modules, "solve.fitting", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = run("tune", "focus")
    assert result.exit_code == 2
    assert "needs NumPy" in result.output
