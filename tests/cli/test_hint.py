"""`dominium hint`: the three steps of a hint, for a position of a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.match import Change
from games.engine.record import export
from tests.cli.conftest import Run

pytestmark = pytest.mark.slow


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a match of Two Domains that was resigned after a move."""
    game, sealed = registry.get("two_domains"), Sealed(bytes(32), "T-TEST", "salt")
    match = engine.begin(game, game.setup(2), sealed).match
    for _ in range(2):
        seat = min(match.to_act)
        change = engine.play(match, seat, next(iter(game.actions(match.state, seat))), sealed)
        assert isinstance(change, Change)
        match = change.match
    change = engine.leave(match, min(match.to_act), "resign", sealed)
    assert isinstance(change, Change)
    path = tmp_path / "match.txt"
    path.write_text(export(change.match.log), encoding="utf-8")
    return path


def test_the_three_steps_are_printed(run: Run, record: Path) -> None:
    lines = run("hint", str(record), "--entry", "2").output.splitlines()
    assert lines[0].startswith(("Look at", "Compare your moves"))
    assert lines[1].startswith("The move: ")
    assert "exactly one king" in lines[2]
    assert any("chance of winning" in line for line in lines[3:])
    assert not any("`" in line or "*" in line for line in lines)


@pytest.mark.parametrize(
    ("entry", "says"), [([], "Nobody is to move there"), (["--entry", "99"], "There is no entry 99")]
)
def test_where_there_is_no_hint(run: Run, record: Path, entry: list[str], says: str) -> None:
    result = run("hint", str(record), *entry)
    assert result.exit_code == 2
    assert says in result.output
