"""`dominium analyse`: a match played by hand, weighed by an oracle of which every answer is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli import analyse as module
from games.ai.analysis import analyse
from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Match
from games.engine.record import export
from games.focus import GAME as FOCUS
from games.two_domains import GAME
from solve.solver import Solver
from solve.table_file import write
from tests.cli.conftest import Run

SEALED = Sealed(bytes(32), "T-TEST", "salt")
WORTH = {"gather": 0.5, "grow 1": 0.4, "grow 2": 0.25, "grow 3": 0.1}
GOLDEN = Path(__file__).parents[1] / "games"


class Told:
    """An oracle that values actions by their texts."""

    def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
        """The values told, 0 for other actions."""
        return tuple((action, WORTH.get(action.text, 0.0)) for action in GAME.actions(view, seat))


def played() -> Match:
    """Six moves: Red's worst is the third of all, Blue makes none but the best; then Blue resigns."""
    change: Any = engine.begin(GAME, GAME.setup(2), SEALED)
    (red,) = change.match.to_act
    texts = ("gather", "gather", "grow 3", "gather", "grow 1", "gather")
    for text in texts:
        match = change.match
        (seat,) = match.to_act
        found: Any = GAME.parse(match.state, seat, text)
        change = engine.play(match, seat, found.action, SEALED)
        assert isinstance(change, Change)
    change = engine.leave(change.match, Seat(1 - red), "resign", SEALED)
    assert isinstance(change, Change)
    return change.match


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of that match."""
    path = tmp_path / "match.txt"
    path.write_text(export(played().log), encoding="utf-8")
    return path


def told(game: Any, path: Path | None) -> Levels:
    return Levels({GAME.key: Told()})


def test_a_mistake_is_the_best_action_less_the_played_one() -> None:
    match = played()
    found = analyse(match, told(GAME, None), "told")
    assert found is not None
    (first,) = (seat for seat in found.seats if seat.mistakes)
    other = found.seats[1 - first.seat]
    assert len(found.points) == 7
    assert {point[0] for point in found.points[:-1]} == {0.5}
    assert found.points[-1][first.seat] == 1.0
    worst = first.mistakes[0]
    assert (worst.played, worst.value, worst.best, worst.best_value) == ("grow 3", 0.1, "gather", 0.5)
    assert (worst.turn, match.log[worst.seq].data) == (3, "grow 3")
    assert [mistake.played for mistake in first.mistakes] == ["grow 3", "grow 1"]
    assert other.mistakes == ()
    assert ((first.best, first.moves), (other.best, other.moves)) == ((1, 3), (3, 3))


def test_it_tells_mistakes_and_draws_the_curve(
    run: Run, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "levels_for", told)
    picture = tmp_path / "curve.png"
    result = run("analyse", record, "-o", picture)
    assert result.exit_code == 0, result.output
    assert "By exact values." in result.output
    assert "For 1 of 3 moves I found nothing better.\n" in result.output
    assert "Worst: Move 3, grow 3 (10 %); gather was worth 50 %.\n" in result.output
    assert "Move 5, grow 1 (40 %); gather was worth 50 %.\n" in result.output
    assert "for all 3 moves I found nothing better.\n" in result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run("analyse", record, "-o", tmp_path / "curve.gif").exit_code == 2
    assert run("analyse", record, "-o", tmp_path / "no" / "curve.png").exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_without_exact_values_is_searched(run: Run, tmp_path: Path, seats: int) -> None:
    record, picture = tmp_path / "focus.txt", tmp_path / "chart.png"
    change: Any = engine.begin(FOCUS, FOCUS.setup(seats), SEALED)
    for _ in range(6):
        match = change.match
        (seat,) = match.to_act
        action = next(iter(FOCUS.actions(match.state, seat)))
        change = engine.play(match, seat, action, SEALED)
    for seat in range(1, seats):
        change = engine.leave(change.match, Seat(seat), "resign", SEALED)
    record.write_text(export(change.match.log), encoding="utf-8")
    result = run("analyse", record, "--level", "easy", "--effort", "0.1", "-o", picture)
    assert result.exit_code == 0, result.output
    assert "These are estimates" in result.output
    assert result.output.count("accuracy") + result.output.count("I found nothing better") >= seats
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_what_cannot_be_weighed_is_said(
    run: Run, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    focus = next((GOLDEN / "focus" / "golden").glob("*.txt"))
    assert "focus has no exact values" in run("analyse", focus, "--table", tmp_path / "none").output
    missing = run("analyse", record, "--table", tmp_path / "none.values")
    assert missing.exit_code == 2
    assert "dominium solve two-domains computes it" in missing.output
    (tmp_path / "bad.values").write_bytes(b"bad")
    assert "not a table of the values" in run("analyse", record, "--table", tmp_path / "bad.values").output
    small = Solver(2, epsilon=1e-4)
    small.solve()
    write(small, tmp_path / "small.values")
    result = run("analyse", record, "--table", tmp_path / "small.values")
    assert result.exit_code == 0
    assert "These are estimates" in result.output, "the table doesn't hold these positions"
    begun = engine.begin(GAME, GAME.setup(2), SEALED).match
    record.write_text(export(begun.log), encoding="utf-8")
    monkeypatch.setattr(module, "levels_for", told)
    assert "is still in progress" in run("analyse", record).output
    left = engine.leave(begun, Seat(0), "resign", SEALED)
    assert isinstance(left, Change)
    record.write_text(export(left.match.log), encoding="utf-8")
    assert "ended before the first move" in run("analyse", record).output
