"""`dominium story` and `dominium dice`: a record looked back at in a terminal."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

GAMES = Path(__file__).parents[1] / "games"
POINTS = GAMES / "domination" / "golden" / "3-points.txt"
DRAW = GAMES / "focus" / "golden" / "2.txt"


def test_a_story_with_its_chart(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "story.png"
    result = run("story", str(POINTS), "-o", str(picture))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == (
        "Domination: Blue against Red and Yellow, 36 turns. "
        "Victory for Blue by holdings after the last round."
    )
    assert lines[1] == "Turn 8: Red went from 8 countries to 5 countries, the largest loss in one go."
    assert "- Turn 10: Blue took the lead, and kept it." in lines
    assert any(line.endswith("Dice at least this bad: 1 time in 20.") for line in lines)
    assert lines[-1].startswith(str(picture))
    data = picture.read_bytes()
    assert data[:4] == b"\x89PNG"
    assert len(data) <= 120_000
    assert "`" not in result.output
    assert "**" not in result.output


def test_what_has_no_story(run: Run, tmp_path: Path) -> None:
    assert run("story", str(POINTS), "-o", "story.gif").exit_code == 2
    gone = run("story", str(tmp_path / "gone.txt"))
    assert gone.exit_code == 2
    assert "can't be read" in gone.output


def test_the_dice_of_a_record(run: Run) -> None:
    result = run("dice", str(POINTS))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "The die: 267 rolls"
    assert lines[1].split() == ["1", "2", "3", "4", "5", "6"]
    assert lines[2].split() == ["Red", "14", "13", "16", "16", "15", "7"]
    assert lines[5].split() == ["All", "47", "38", "49", "36", "56", "41"]
    assert lines[6] == "- Expected: each result 44.5 times"
    assert (
        lines[7] == "- Of 100 fair series of 267 rolls, about 27 are at least this uneven: nothing unusual."
    )
    assert lines[8] == "Chi-square 6.42, degrees of freedom 5, p = 0.2678"


def test_a_game_without_dice(run: Run) -> None:
    result = run("dice", str(DRAW))
    assert result.exit_code == 2
    assert "focus is played without dice" in result.output
