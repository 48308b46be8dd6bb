"""Strengths of levels in a terminal, and contests that are kept for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import contest
from games.engine.strengths import FILE_NAME, LevelContest
from tests.cli.conftest import Run


def test_strengths_are_printed_with_intervals_the_weakest_first(run: Run) -> None:
    done = run("strengths", "two-domains")
    assert done.exit_code == 0, done.output
    head, *lines = done.output.splitlines()
    assert head == "two_domains 2, 1400 matches; easy is set to 1500"
    points = [int(line.split()[1]) for line in lines]
    assert points == sorted(points)
    (easy,) = (line.split() for line in lines if line.split()[0] == "easy")
    assert easy[1:] == ["1500", "1500", "to", "1500"]
    found = json.loads(run("strengths", "two-domains", "--json").output)
    assert found["2"]["easy"] == [1500, 1500, 1500]
    assert found["2"]["hard"][1] < found["2"]["hard"][0] < found["2"]["hard"][2]


def test_a_game_without_contests_says_how_to_keep_one(run: Run) -> None:
    done = run("strengths", "toy")
    assert done.exit_code == 2
    assert "contest --keep" in done.output


@pytest.mark.slow
def test_a_contest_is_kept_as_a_line_in_the_folder_of_its_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest, "files", lambda package: tmp_path / package.rpartition(".")[2])
    (tmp_path / "two_domains").mkdir()
    args = ("contest", "two-domains", "easy", "beginner", "--keep", "--json", "--matches")
    shares = []
    for number, seed in ((2, "k"), (2, "m"), (4, "k")):
        done = run(*args, number, "--seed", seed)
        assert done.exit_code == 0, done.output
        shares.append(json.loads(done.output)["share"])
    lines = (tmp_path / "two_domains" / FILE_NAME).read_text("utf-8").splitlines()
    assert [LevelContest(**json.loads(line)) for line in lines] == [
        LevelContest("2", "easy", "beginner", 4, 4 * shares[2], 1, "k"),
        LevelContest("2", "easy", "beginner", 2, 2 * shares[1], 1, "m"),
    ], "the same dice count once"


@pytest.mark.slow
def test_partners_get_their_points_once(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "files", lambda package: tmp_path)
    args = (
        "contest",
        "focus",
        "easy",
        "random",
        "--seats",
        "4",
        "--option",
        "partners=true",
        "--matches",
        "2",
    )
    assert run(*args, "--keep").exit_code == 0
    (line,) = (tmp_path / FILE_NAME).read_text("utf-8").splitlines()
    assert LevelContest(**json.loads(line)) == LevelContest("2v2", "easy", "random", 2, 2, 1, "1")


def test_more_points_than_matches_are_refused() -> None:
    with pytest.raises(ValueError, match="3 points of 2 matches"):
        LevelContest("2", "easy", "beginner", 2, 3)


def test_of_more_than_two_sides_only_contests_of_one_against_others_are_kept(run: Run) -> None:
    done = run("contest", "focus", "easy", "beginner", "--seats", "3", "--matches", "1", "--keep")
    assert done.exit_code == 2
    assert "--alone" in done.output
