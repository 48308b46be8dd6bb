"""`dominium store copy` between a file and PostgreSQL, and what the other commands say of PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.platform.config import Config
from cli import check_operation
from matches.store.rows import Commit
from storage import open_either, open_store
from tests.cli.conftest import Run
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move

pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from tests.postgres_server import refusing_at_once

pytestmark = pytest.mark.slow


@pytest.fixture
def url(empty_database: str) -> str:
    return empty_database


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a lobby that was changed once."""

    async def fill() -> None:
        store = await open_store(path, clock=FakeClock())
        await store.create(Commit(lobby(), START))
        await store.save_settings("user", 7, {"theme": "dark"})
        await store.close()

    path = tmp_path / "from.sqlite3"
    asyncio.run(fill())
    return path


def test_there_and_back(run: Run, file: Path, url: str, tmp_path: Path) -> None:
    there = run("store", "copy", str(file), url)
    assert there.exit_code == 0
    assert "matches: 1 rows" in there.output
    assert "all are the same" in there.output
    back = tmp_path / "back.sqlite3"
    assert run("store", "copy", url, str(back)).exit_code == 0

    async def settings() -> object:
        store = await open_either(back, clock=FakeClock())
        found = await store.match("F-001"), await store.settings("user", 7)
        await store.close()
        return found

    assert asyncio.run(settings()) == (lobby(), {"theme": "dark"})


def test_a_target_with_data_is_left_alone(run: Run, file: Path, url: str, tmp_path: Path) -> None:
    assert run("store", "copy", str(file), url).exit_code == 0
    other = run("store", "copy", str(tmp_path / "nothing.sqlite3"), url)
    assert other.exit_code == 2
    assert "There is no database" in other.output
    again = run("store", "copy", str(file), url)
    assert again.exit_code == 2
    assert "has data already" in again.output


def test_a_setting_that_is_not_there(run: Run, file: Path) -> None:
    result = run("store", "copy", str(file), "DATABASE_URL")
    assert result.exit_code == 2
    assert "DATABASE_URL isn't set." in result.output


def test_a_backup_and_a_restore_of_postgresql(
    run: Run, url: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("DOMINIUM_BACKUPS", str(tmp_path / "backups"))
    assert "is empty: there is nothing to back up" in run("backup", tmp_path / "copy.sqlite3").output
    assert run("restore", file).exit_code == 0, "into an empty database"
    made = run("backup")
    assert made.exit_code == 0, made.output
    (backup,) = (tmp_path / "backups").glob("*.sqlite3")
    assert backup.stat().st_mode & 0o777 == 0o600
    replayed = run("doctor", "--offline", "--logs")
    assert "The database of DATABASE_URL: 0 matches with 0 entries" in replayed.output

    async def play() -> None:
        store = await open_either(url, clock=FakeClock())
        await store.commit(move(lobby(), "r1"))
        with refusing_at_once(monkeypatch):
            held = run("restore", backup, "--accept-loss")
        assert held.exit_code == 2
        assert "is in use by" in held.output
        await store.close()

    asyncio.run(play())
    assert "DATABASE_URL: F-001 can't be replayed" in run("doctor", "--offline", "--logs").output
    refused = run("restore", backup)
    assert refused.exit_code == 2
    assert "log entries of 1 matches are lost" in refused.output
    assert list((tmp_path / "backups").iterdir()) == [backup], "a refused restore leaves nothing"
    done = run("restore", backup, "--accept-loss")
    assert done.exit_code == 0, done.output
    (kept,) = (tmp_path / "backups").glob("undone-*.sqlite3")
    assert "F-001 can't be replayed" in run("doctor", "--offline", "--logs", "--data", kept).output
    assert "0 matches with 0 entries" in run("doctor", "--offline", "--logs").output


def test_doctor_looks_at_the_database(url: str) -> None:
    (empty,) = check_operation.database(check_operation.look(url))
    assert (empty.level, "empty; the first start fills it" in empty.text) == ("ok", True)

    async def fill() -> None:
        store = await open_either(url, clock=FakeClock())
        await store.create(Commit(lobby(), START))
        await store.commit(move(lobby(), "r1"))
        await store.close()

    asyncio.run(fill())
    (full,) = check_operation.database(check_operation.look(url))
    assert (full.level, "MB, schema" in full.text) == ("ok", True)
    (gone,) = check_operation.database(
        check_operation.look("postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=1")
    )
    assert gone.level == "fail"


def test_a_password_is_a_secret() -> None:
    config = Config(database_url="postgresql://bot:p%40ss@host/x")
    assert {"p%40ss", "p@ss"} <= set(config.secrets)
    assert "p%40ss" not in repr(config)
