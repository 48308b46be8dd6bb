"""`dominium puzzles`: found by a seed, stopped and resumed, from records too, and refused where need be."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli import puzzles as module
from cli.records import load
from games.ai.puzzle_search import Found, self_play
from games.engine import registry
from games.engine.puzzles import read_puzzles, step_of
from tests.cli.conftest import Run

GOLDEN = Path(__file__).parents[1] / "games" / "two_domains" / "golden"
ASK = ("puzzles", "make", "two-domains", "--seed", "a", "--out")


@pytest.mark.slow
def test_a_seed_gives_the_same_puzzles_again(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = run(*ASK, tmp_path / name, "--count", 3)
        assert done.exit_code == 0, done.output
        assert "3 puzzles from" in done.output
    one, two = ((tmp_path / name).read_text(encoding="utf-8") for name in ("one", "two"))
    assert one == two
    game = registry.get("two_domains")
    origin, found = read_puzzles(game, one)
    assert (origin.seed, origin.game, len(found)) == ("a", "two_domains", 3)
    for each in found:
        assert each.best in step_of(game, each).accepts
        assert each.margin >= 0.1
    other = run("puzzles", "make", "two-domains", "--seed", "b", "--count", 3, "--out", tmp_path / "three")
    assert other.exit_code == 0
    assert (tmp_path / "three").read_text(encoding="utf-8").splitlines()[1:] != one.splitlines()[1:]


@pytest.mark.slow
def test_ctrl_c_stops_after_a_match_and_the_same_command_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = self_play

    def interrupted(game: Any, setup: Any, levels: Any, seed: str, number: int) -> Iterator[Found]:
        if number == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return plain(game, setup, levels, seed, number)

    monkeypatch.setattr(module, "self_play", interrupted)
    stopped = run(*ASK, tmp_path / "one", "--count", 8)
    assert stopped.exit_code == 2
    assert "of 8. The same command goes on." in stopped.output
    assert json.loads((tmp_path / "one").read_text().splitlines()[0])["matches"] == 2
    monkeypatch.setattr(module, "self_play", plain)
    assert run(*ASK, tmp_path / "one", "--count", 8).exit_code == 0
    assert run(*ASK, tmp_path / "two", "--count", 8).exit_code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_records_are_looked_through_first(run: Run, tmp_path: Path) -> None:
    record = next(GOLDEN.glob("*.txt"))
    done = run(*ASK, tmp_path / "one", "--count", 2, "--record", record)
    assert done.exit_code == 0, done.output
    _, found = read_puzzles(registry.get("two_domains"), (tmp_path / "one").read_text(encoding="utf-8"))
    match = load(record).match
    assert [each for each in found if each.source.startswith(f"{match.id}.")]
    focus = next((GOLDEN.parents[1] / "focus" / "golden").glob("*.txt"))
    assert "isn't a match of two_domains" in run(*ASK, tmp_path / "two", "--record", focus).output


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("domination", "--seats", 3), "Puzzles are positions of two teams"),
        (("focus", "--seats", 3), "Puzzles are positions of two teams"),
        (("focus", "--record", "nowhere.txt"), "nowhere.txt can't be read"),
        (("two-domains", "--out", "blocked/file"), "can't be"),
        (("two-domains", "--out", "damaged"), "damaged can't be used: line 1: "),
        (("two-domains", "--out", "other"), "was made with seed z and work 4000"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, tmp_path: Path, asked: tuple[Any, ...], told: str) -> None:
    (tmp_path / "blocked").write_text("")
    (tmp_path / "damaged").write_text("{}\n")
    (tmp_path / "other").write_text('{"game": "two_domains", "seed": "z", "work": 4000, "matches": 1}\n')
    done = run("puzzles", "make", *asked, "--count", 1)
    assert done.exit_code == 2
    assert told in done.output
