"""`dominium exclude` excludes people and servers while the bot is stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from storage import open_store
from tests.cli.conftest import Run
from tests.fakes import FakeClock


@pytest.fixture
def file(tmp_path: Path) -> Path:
    async def make() -> None:
        await (await open_store(path, clock=FakeClock())).close()

    path = tmp_path / "store.sqlite3"
    asyncio.run(make())
    return path


@pytest.mark.parametrize("kind", ["person", "server"])
def test_it_excludes_lifts_and_lists(run: Run, file: Path, kind: str) -> None:
    where = ("--database", str(file))
    done = run("exclude", "add", kind, "12", "--reason", "spam", "--days", "3", *where)
    assert (done.exit_code, done.output) == (0, "excluded; 0 lobbies were left or closed\n")
    assert run("exclude", "lift", kind, "12", *where).exit_code == 0
    again = run("exclude", "lift", kind, "12", *where)
    assert again.exit_code == 2
    assert "isn't excluded" in again.output
    lines = run("exclude", "log", kind, *where).output.splitlines()
    assert ["12 lifted" in lines[0], "12 excluded until " in lines[1]] == [True, True]
    assert lines[1].endswith("spam")
    assert len(lines) == 2


def test_a_reason_is_one_line(run: Run, file: Path) -> None:
    done = run("exclude", "add", "person", "12", "--reason", "a\nb", "--database", str(file))
    assert done.exit_code == 2
    assert "one line" in done.output
    assert run("exclude", "log", "person", "--database", str(file)).output == ""


async def test_a_running_bot_keeps_its_file(run: Run, file: Path) -> None:
    store = await open_store(file, clock=FakeClock())
    try:
        done = await asyncio.to_thread(run, "exclude", "log", "person", "--database", str(file))
    finally:
        await store.close()
    assert done.exit_code == 2
    assert "in use" in done.output
