"""`dominium errors` lists unexpected errors beside a running bot, and clears them on a stopped one."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from matches.store.operation import ErrorGroup
from storage import open_store, read_errors
from storage.postgres import open_postgres
from tests.cli.conftest import Run
from tests.fakes import START, FakeClock

ONE = ErrorGroup("bot.app:Dominium.close:12", "KeyError", 3, START, START + timedelta(hours=1), "1.0")
OTHER = replace(ONE, kind="ValueError", count=1, latest=START)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    async def make() -> None:
        store = await open_store(path, clock=FakeClock())
        await store.note_errors((OTHER, ONE))
        await store.close()

    path = tmp_path / "store.sqlite3"
    asyncio.run(make())
    return path


def test_they_are_listed_and_cleared(run: Run, file: Path) -> None:
    where = ("--database", str(file))
    lines = run("errors", "list", *where).output.splitlines()
    assert [line.split() for line in lines] == [
        ["3", "x", *f"{START:%Y-%m-%d %H:%M}".split(), "to", *f"{ONE.latest:%Y-%m-%d %H:%M}".split(), "1.0",
         "KeyError", ONE.place],
        ["1", "x", *f"{START:%Y-%m-%d %H:%M}".split(), "to", *f"{START:%Y-%m-%d %H:%M}".split(), "1.0",
         "ValueError", ONE.place],
    ]  # fmt: skip
    found = [json.loads(line) for line in run("errors", "list", "--json", *where).output.splitlines()]
    assert [(one["kind"], one["count"], one["since"]) for one in found] == [
        ("KeyError", 3, START.isoformat()),
        ("ValueError", 1, START.isoformat()),
    ]
    assert run("errors", "clear", *where).output == "2 removed\n"
    assert run("errors", "list", *where).output == "no errors\n"
    assert run("errors", "list", "--json", *where).output == ""


async def test_a_running_bot_is_read_and_keeps_its_file(run: Run, file: Path) -> None:
    store = await open_store(file, clock=FakeClock())
    try:
        listed = await asyncio.to_thread(run, "errors", "list", "--database", str(file))
        cleared = await asyncio.to_thread(run, "errors", "clear", "--database", str(file))
        assert len(await store.error_groups()) == 2
    finally:
        await store.close()
    assert (listed.exit_code, listed.output.count("\n")) == (0, 2)
    assert cleared.exit_code == 2
    assert "in use" in cleared.output


@pytest.mark.slow
async def test_a_database_with_a_server_is_read_as_well(ready_database: str) -> None:
    store = await open_postgres(ready_database, clock=FakeClock())
    try:
        await store.note_errors((OTHER, ONE))
        assert await asyncio.to_thread(read_errors, ready_database) == (ONE, OTHER)
    finally:
        await store.close()
