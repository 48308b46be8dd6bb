"""Matches between computer players: turned seats, the same on every run, honest intervals, kind refusals."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any, cast

import pytest

from cli import contest, matchups
from cli.contest import find_player, row, summarise
from cli.matchups import ContestMatch, fair_share, matches, placings, play, wilson
from cli.terminal import sole_writer
from games.ai.players import SearchingPlayer
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.game import Setup
from games.engine.levels import Budget
from tests.cli.conftest import Run


def told(run: Run, *args: object) -> dict[str, Any]:
    result = run("contest", *args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


@pytest.mark.parametrize(
    ("points", "count", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_are_wilsons(points: float, count: int, low: float, high: float) -> None:
    assert wilson(points, count) == pytest.approx((low, high), abs=5e-4)


def test_nothing_is_known_without_matches() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("teams", "alone", "expected", "fair"),
    [
        ((0, 1), False, [(0, 1), (1, 0)], 1 / 2),
        ((0, 1, 0, 1), False, [(0, 1, 0, 1), (1, 0, 1, 0)], 1 / 2),
        ((0, 1, 2), True, [(0, 1, 1), (1, 0, 1), (1, 1, 0)], 1 / 3),
        ((0, 1, 2), False, [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], 1 / 2),
    ],
)
def test_seats_are_turned(
    teams: tuple[int, ...], *, alone: bool, expected: list[tuple[int, ...]], fair: float
) -> None:
    setup = Setup(len(teams), teams, {})
    places = placings(setup, alone=alone)
    assert places == expected
    assert fair_share(setup, places) == pytest.approx(fair)


def test_a_summary_counts_for_the_first_player() -> None:
    setup = Setup(2, (0, 1), {})
    done = [
        ContestMatch((0, 1), (1, 2), 10, (1.0, 4.0), (5, 4), (0.5, 3.0)),
        ContestMatch((1, 0), (1, 1), 30, (2.0, 4.0), (5, 4), (1.5, 2.0)),
        ContestMatch((0, 1), (2, 1), 20, (3.0, 4.0), (5, 4), (1.0, 1.0)),
        ContestMatch((0, 1), (1, 2), 50, (4.0, 4.0), (5, 4), (1.0, 1.0)),
    ]
    found = summarise(setup, done, 0.5)
    assert (found.matches, found.won, found.drawn, found.lost) == (4, 2, 1, 1)
    assert (found.share, found.fair, found.decisions) == (0.625, 0.5, 25)
    assert found.by_seat == ((2.0, 3), (0.5, 1))
    assert (found.seconds, found.slowest) == ((0.5, 1.0), (1.5, 3.0))
    shares = f"62.5 ({100 * found.low:.1f} to {100 * found.high:.1f})"
    assert row("one two", found) == f"| `one two` | 4 | 2 | 1 | 1 | {shares} | 2 of 3, 0.5 of 1 |"


def test_each_players_time_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]

    class Slow:
        def __init__(self, seconds: float) -> None:
            self.seconds = seconds

        def choose(self, game: Any, view: Any, seat: Any, dice: Any) -> Any:
            now[0] += self.seconds
            return next(iter(game.actions(view, seat)))

    monkeypatch.setattr(matchups, "perf_counter", lambda: now[0])
    game = registry.get("two_domains")
    players: Any = (Slow(1.0), Slow(3.0))
    found = play(game, game.setup(2), players, (1, 0), "seed")
    assert found.seconds == (found.moves[0] * 1.0, found.moves[1] * 3.0)
    assert found.slowest == (1.0, 3.0)
    assert sum(found.moves) == found.decisions
    assert min(found.moves) > 0


def test_a_search_has_a_work_and_perhaps_a_depth() -> None:
    game = registry.get("focus")
    for text, work, depth in (("best-reply:5000", 5000, 60), ("alpha-beta:300:2", 300, 2)):
        player = find_player(game, Levels(), text)
        assert isinstance(player, SearchingPlayer)
        assert player.level.two == Budget(cast("Any", text.split(":")[0]), work, depth)


@pytest.mark.slow
def test_each_pair_of_matches_has_the_same_dice() -> None:
    game, levels = registry.get("focus"), Levels()
    setup = game.setup(2)
    players = [levels.player("focus", "careful")] * 2
    one, two, three, _ = matches(game, setup, players, 4, "seed")
    assert (one.ranks, one.decisions) == (two.ranks, two.decisions), "the same player on both sides"
    assert one.points(setup) + two.points(setup) == 1.0
    assert (one.ranks, one.decisions) != (three.ranks, three.decisions)
    again = play(game, setup, players, (0, 1), "seed 0")
    assert (again.ranks, again.decisions) == (one.ranks, one.decisions)


@pytest.mark.slow
def test_careful_beats_random_and_the_seed_decides_all(run: Run) -> None:
    found = told(run, "focus", "careful", "random", "--matches", 6, "--seed", "a")
    assert found["won"] == 6
    assert found["share"] == 1.0
    assert (found["low"], found["high"]) == pytest.approx((0.6097, 1.0), abs=1e-3)
    assert found["fair"] == 0.5
    kept = ("matches", "won", "drawn", "lost", "decisions")
    again = told(run, "focus", "careful", "random", "--matches", 6, "--seed", "a")
    other = told(run, "focus", "careful", "random", "--matches", 6, "--seed", "b")
    assert [found[key] for key in kept] == [again[key] for key in kept]
    assert [found[key] for key in kept] != [other[key] for key in kept]


def test_one_player_against_several_of_the_other(run: Run) -> None:
    found = told(run, "focus", "careful", "random", "--seats", 3, "--alone", "--matches", 3)
    assert found["fair"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["share"] > found["fair"]


def test_games_with_dice_and_simultaneous_choices_are_played(run: Run) -> None:
    assert told(run, "toy", "random", "random", "--matches", 4)["matches"] == 4
    assert told(run, "two-domains", "careful", "random", "--matches", 2)["matches"] == 2


@pytest.mark.slow
def test_searches_can_be_named_by_their_work(run: Run) -> None:
    result = run("contest", "focus", "alpha-beta:300:2", "careful", "--matches", 2)
    assert result.exit_code == 0, result.output
    first, second, third = result.output.splitlines()
    assert first == "alpha-beta:300:2 v careful: won 2, drawn 0, lost 0"
    assert second == (
        "100.0% of the points of 2 matches, 95% confidence 34.2% to 100.0%; equal players would get 50.0%; "
        "by seat 1 of 1, 1 of 1"
    )
    assert third.startswith("median length ")


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (
            ("focus", "perfect", "careful"),
            "focus has no level 'perfect'. Choose from: random, careful, beginner",
        ),
        (
            ("domination", "perfect", "hard"),
            "no level 'perfect'. Choose from: beginner, easy, average, hard, expert, greedy, keeper, ",
        ),
        (("focus", "alpha-beta:0", "careful"), "no level 'alpha-beta:0'"),
        (("focus", "alpha-beta:x", "careful"), "no level 'alpha-beta:x'"),
        (("focus", "easy:5", "careful"), "no level 'easy:5'"),
        (("toy", "alpha-beta:5", "random"), "toy has no search yet."),
        (("focus", "careful", "random", "--seats", "9"), "not for 9"),
        (("chess", "careful", "random"), "There is no game chess"),
    ],
)
def test_what_doesnt_exist_is_refused_with_what_does(run: Run, args: tuple[str, ...], why: str) -> None:
    result = run("contest", *args)
    assert result.exit_code == 2
    assert why in result.output


def test_ctrl_c_ends_after_the_current_match(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = matchups.play

    def interrupted(*args: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return plain(*args)

    monkeypatch.setattr(matchups, "play", interrupted)
    found = told(run, "focus", "random", "random", "--matches", 50)
    assert found["matches"] == 1


@pytest.mark.slow
def test_several_players_meet_in_a_table(run: Run) -> None:
    args = ("contest", "domination", "beginner,easy", "keeper,brawler", "--matches", "2")
    lines = run(*args).output.splitlines()
    assert lines[:2] == [
        "| players | matches | won | drawn | lost | points, % | by seat |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    pairs = ["beginner keeper", "beginner brawler", "easy keeper", "easy brawler"]
    assert [line.split(" | ")[0] for line in lines[2:]] == [f"| `{pair}`" for pair in pairs]
    one = told(run, "domination", "easy", "brawler", "--matches", 2)
    assert f"| {one['won']} | {one['drawn']} | {one['lost']} |" in lines[-1]
    assert all(count == 1 for _, count in one["by_seat"])


@pytest.mark.slow
def test_predictions_are_compared_with_what_happens(run: Run) -> None:
    result = run("contest", "domination", "hard", "easy", "--matches", "2", "--predictions")
    assert "| predicted | chance, % | times | mean, % | came true, % |" in result.output
    assert "| continent | 90 to 100 |" in result.output
    assert "predict nothing" in run("contest", "focus", "easy", "easy", "--predictions").output


def test_two_contests_have_one_table(run: Run) -> None:
    args = ("contest", "two-domains", "careful,random", "random", "--matches", "1")
    lines = run(*args).output.splitlines()
    assert [line.split(" | ")[0] for line in lines] == [
        "| players",
        "| ---",
        "| `careful random`",
        "| `random random`",
    ]


def test_a_contest_is_made_in_parts(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "matches.jsonl"
    args = ("two-domains", "careful", "random", "--seed", "parts")
    counts = ("won", "drawn", "lost", "by_seat", "decisions")
    whole = told(run, *args, "--matches", 6)
    assert told(run, *args, "--matches", 3, "--resume", file)["matches"] == 3
    file.write_bytes(file.read_bytes()[:-20])  # as after kill -9
    other = told(run, "two-domains", "random", "careful", "--matches", 1, "--resume", file)
    assert other["matches"] == 1, "matches of others in the same file aren't taken"
    parts = told(run, *args, "--matches", 6, "--resume", file)
    assert [parts[key] for key in counts] == [whole[key] for key in counts]
    monkeypatch.setattr(matchups, "play", None)
    assert told(run, *args, "--matches", 6, "--resume", file) == parts, "nothing is played twice"


def test_one_process_at_a_time_plays_into_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    args = ("contest", "two-domains", "careful", "random", "--matches", 1, "--resume", file)
    with sole_writer(file):
        result = run(*args)
        assert result.exit_code == 2
        assert "Wait until it ends" in result.output
        assert file.read_bytes() == b""
    assert run(*args).exit_code == 0


def test_a_file_of_something_else_is_left_alone(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("notes", "utf-8")
    result = run("contest", "two-domains", "careful", "random", "--matches", 1, "--resume", file)
    assert result.exit_code == 2
    assert "its end isn't that of a match" in result.output
    assert file.read_text("utf-8") == "notes"


def test_a_stopped_contest_isnt_kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[object] = []
    plain = matchups.play

    def interrupted(*args: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return plain(*args)

    monkeypatch.setattr(contest, "_keep", lambda *args: kept.append(args))
    args = ("two-domains", "careful", "random", "--matches", 2, "--keep", "--resume", tmp_path / "matches")
    with monkeypatch.context() as patched:
        patched.setattr(matchups, "play", interrupted)
        assert told(run, *args)["matches"] == 1
    assert not kept
    assert told(run, *args)["matches"] == 2
    assert len(kept) == 1
