"""`dominium privacy` exports what is stored about a person, and forgets them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage import open_store
from tests.cli.conftest import Run
from tests.fakes import FakeClock
from tests.storage.rows import ANN, over


@pytest.fixture
def file(tmp_path: Path) -> Path:
    async def fill() -> None:
        store = await open_store(path, clock=FakeClock())
        await store.create(over())
        await store.close()

    path = tmp_path / "store.sqlite3"
    asyncio.run(fill())
    return path


def test_it_prints_what_is_stored_then_forgets_it(run: Run, file: Path) -> None:
    before = run("privacy", "export", str(file), "--person", str(ANN))
    assert [row["id"] for row in json.loads(before.output)["matches"]] == ["F-1"]
    done = run("privacy", "erase", str(file), "--person", str(ANN), "--yes")
    assert done.exit_code == 0
    assert "forgotten" in done.output
    assert json.loads(run("privacy", "export", str(file), "--person", str(ANN)).output) == {}
    assert ANN.to_bytes(8, "big") not in file.read_bytes()
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT count(*), count(cleaned) FROM erasures").fetchone() == (1, 1)


def test_without_a_yes_nothing_happens(run: Run, file: Path) -> None:
    assert run("privacy", "erase", str(file), "--person", str(ANN)).exit_code != 0
    assert run("privacy", "erase", str(file), "--yes").exit_code == 2, "of whom?"
    assert "F-1" in run("privacy", "export", str(file), "--person", str(ANN)).output
