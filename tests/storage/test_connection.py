"""One transaction is one job: whole or not at all, whoever is cancelled and whatever is raised."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from matches.ports import StaleError, StoreError
from matches.store.rows import Commit
from storage import SqliteStore, beside, check_file, connection, open_store, sqlite_note
from storage.connection import Database, open_database
from tests.fakes import START, FakeClock
from tests.storage.rows import SECRET, after, draft, entry, lobby, move
from tests.storage.scene import Scene


class Signal:
    """Work that says when it has begun and ends when it is told to."""

    def __init__(self, work: Callable[[sqlite3.Connection], Any]) -> None:
        self.begun = asyncio.Event()
        self.go = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._work = work

    def __call__(self, db: sqlite3.Connection) -> Any:
        self._loop.call_soon_threadsafe(self.begun.set)
        result = self._work(db)
        self.go.wait()
        return result


def put(channel: int) -> Callable[[sqlite3.Connection], Any]:
    """Work that leaves a mark."""
    return lambda db: db.execute("INSERT INTO seen VALUES (?, 1)", (channel,))


async def marks(database: Database) -> list[int]:
    """The marks that were left."""
    rows = await database.read(lambda db: db.execute("SELECT channel FROM seen ORDER BY channel").fetchall())
    return [row[0] for row in rows]


def modes(folder: Path) -> set[int]:
    """The rights on the files of a folder."""
    return {file.stat().st_mode & 0o777 for file in folder.iterdir()}


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await open_database(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    await opened.close()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await open_store(tmp_path / "store.sqlite3", clock=FakeClock())
    yield opened
    await opened.close()


async def test_the_result_of_the_work_comes_back(database: Database) -> None:
    assert await database.transaction(lambda db: db.execute("SELECT 6 * 7").fetchone()) == (42,)


async def test_the_file_is_set_up_for_durability(database: Database) -> None:
    def pragmas(db: sqlite3.Connection) -> list[Any]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert await database.read(pragmas) == ["wal", 2, 1, 5000]


async def test_a_file_is_for_its_owner_only(database: Database, tmp_path: Path) -> None:
    await database.transaction(put(1))
    assert modes(tmp_path) == {0o600}


class Unexpected(BaseException):
    """What no handler of Exception sees."""


@pytest.mark.parametrize("kind", [RuntimeError, Unexpected])
async def test_any_exception_rolls_back(database: Database, kind: type[BaseException]) -> None:
    def fail(db: sqlite3.Connection) -> None:
        put(1)(db)
        raise kind("no")

    with pytest.raises(kind):
        await database.transaction(fail)
    assert await marks(database) == []
    await database.transaction(put(2))
    assert await marks(database) == [2]


async def test_a_running_job_ends_before_its_cancellation_goes_on(database: Database) -> None:
    work = Signal(put(1))
    task = asyncio.create_task(database.transaction(work))
    await work.begun.wait()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
    work.go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await marks(database) == [1]
    await database.transaction(put(2))


async def test_a_running_job_that_fails_under_cancellation_leaves_nothing(database: Database) -> None:
    work = Signal(put(1))

    def fail(db: sqlite3.Connection) -> None:
        work(db)
        raise RuntimeError

    task = asyncio.create_task(database.transaction(fail))
    await work.begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    work.go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await marks(database) == []
    await database.transaction(put(2))


async def test_a_waiting_job_is_never_begun(database: Database) -> None:
    work = Signal(put(1))
    first = asyncio.create_task(database.transaction(work))
    await work.begun.wait()
    second = asyncio.create_task(database.transaction(put(2)))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    work.go.set()
    with pytest.raises(asyncio.CancelledError):
        await second
    await first
    assert await marks(database) == [1]


async def test_commits_cancelled_anywhere_leave_whole_changes(store: SqliteStore) -> None:
    dice = random.Random(7)
    await store.create(Commit(lobby(), START))
    for turn in range(150):
        row = await store.match("F-001")
        assert row is not None
        task = asyncio.create_task(store.commit(move(row, f"r{turn}", entries=2)))
        for _ in range(dice.randrange(6)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        now = await store.match("F-001")
        assert now in (row, move(row, entries=2).row)
        assert (await store.request(f"r{turn}") is not None) == (now != row)
    last = await store.match("F-001")
    assert last is not None
    assert len(await store.outbox_pending()) == last.revision
    assert check_file(store._database.path) == ()


async def test_closing_waits_for_what_was_begun(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "x", FakeClock())
    work = Signal(put(1))
    task = asyncio.create_task(database.transaction(work))
    await work.begun.wait()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    assert not closing.done()
    work.go.set()
    await task
    await closing
    again = await open_database(tmp_path / "x", FakeClock())
    assert await marks(again) == [1]
    await again.close()


async def test_opening_that_is_cancelled_gives_the_file_back(tmp_path: Path) -> None:
    for ticks in range(8):
        task = asyncio.create_task(open_store(tmp_path / "x", clock=FakeClock()))
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    store = await open_store(tmp_path / "x", clock=FakeClock())
    assert check_file(store._database.path) == ()
    await store.close()


async def test_a_full_disk_refuses_the_change_and_the_store_goes_on(store: SqliteStore) -> None:
    await store.create(Commit(lobby(), START))
    database = store._database
    pages = (await database.read(lambda db: db.execute("PRAGMA page_count").fetchone()))[0]
    await database.read(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    big = Commit(after(lobby(), 1), START, (entry(0, "x" * 50_000),), (draft(),), "r")
    with pytest.raises(StoreError, match=r"no space left .* Free some"):
        await store.commit(big)
    assert await store.match("F-001") == lobby()
    assert await store.log("F-001") == ()
    await database.read(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
    await store.commit(big)
    assert check_file(store._database.path) == ()


async def test_a_file_locked_by_another_program(store: SqliteStore) -> None:
    await store._database.read(lambda db: db.execute("PRAGMA busy_timeout = 0").fetchone())
    with contextlib.closing(sqlite3.connect(store._database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"locked by another program\. Close"):
            await store.create(Commit(lobby(), START))
        other.execute("ROLLBACK")
    await store.create(Commit(lobby(), START))


async def test_a_commit_is_one_job_of_the_thread(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    await store.create(Commit(lobby(), START))
    with caplog.at_level(logging.DEBUG, "aiosqlite"):
        await store.commit(move(lobby(), "r", entries=3))
    assert sum(record.message.startswith("executing") for record in caplog.records) == 1


@pytest.mark.parametrize("sql", ["UPDATE entries SET data = 'b'", "DELETE FROM entries"])
async def test_the_log_is_append_only(store: SqliteStore, sql: str) -> None:
    await store.create(Commit(lobby(), START))
    await store.commit(move(lobby()))
    with pytest.raises(ValueError, match="append-only"):
        await store._database.transaction(lambda db: db.execute(sql))
    assert len(await store.log("F-001")) == 1


async def test_the_primary_key_is_the_last_lock(store: SqliteStore) -> None:
    await store.create(Commit(lobby(), START))
    await store.commit(move(lobby()))
    with pytest.raises(ValueError, match=r"UNIQUE.*entries.match, entries.seq"):
        await store._database.transaction(lambda db: db.execute("INSERT INTO entries SELECT * FROM entries"))


async def test_the_secret_is_in_no_log_line(store: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="aiosqlite")
    await store.create(Commit(lobby(), START))
    await store.commit(move(lobby(), "r"))
    with pytest.raises(StaleError):
        await store.commit(move(lobby()))
    await store.match("F-001")
    assert caplog.records, "the library logs each job; else this proves nothing"
    assert SECRET not in caplog.text
    assert SECRET not in repr(store)


async def test_check_names_what_is_wrong(store: SqliteStore) -> None:
    row = lobby()
    await store.create(Commit(row, START))
    await store.commit(move(row, entries=3))

    def spoil(db: sqlite3.Connection) -> None:
        db.execute("DROP TRIGGER entries_last")
        db.execute("DELETE FROM entries WHERE seq = 1")

    await store._database.transaction(spoil)
    assert check_file(store._database.path) == (
        "match F-001: its version is 2, its log has 2 entries and ends with 2",
    )
    await store._database.read(lambda db: db.execute("PRAGMA foreign_keys = OFF").fetchall())
    await store._database.transaction(
        lambda db: db.execute("INSERT INTO requests VALUES ('r', 'F-404', 0, 0)")
    )
    assert "requests: a row refers to no matches" in check_file(store._database.path)


@pytest.mark.parametrize(
    ("version", "affected"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 0), False),
    ],
)
def test_releases_with_the_wal_bug_are_noted(version: tuple[int, ...], affected: bool) -> None:
    assert (sqlite_note(version) is not None) == affected


async def test_a_start_says_nothing_of_such_a_release(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    with caplog.at_level(logging.INFO):
        store = await open_store(tmp_path / "matches.sqlite3", clock=FakeClock())
        await store.close()
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.INFO] == []


@pytest.mark.parametrize("killed", [True, False])
async def test_a_start_checks_the_file_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    if not killed:
        await (await open_store(scene.path, clock=FakeClock())).close()
    checks: list[str] = []
    for place, name in ((beside, "whole_check"), (connection, "quick_check")):

        def counted(
            db: sqlite3.Connection,
            name: str = name,
            real: Callable[[sqlite3.Connection], tuple[str, ...]] = getattr(place, name),  # noqa: B008 - bound here
        ) -> tuple[str, ...]:
            checks.append(name)
            return real(db)

        monkeypatch.setattr(place, name, counted)
    await (await open_store(scene.path, clock=FakeClock())).close()
    assert checks == (["whole_check"] if killed else ["quick_check"])


async def test_what_was_wrong_before_a_kill_is_still_found(scene: Scene) -> None:
    """The log neither mends it nor is to blame for it."""
    whole, log = scene.path.read_bytes(), scene.log
    size = int.from_bytes(log[8:12], "big")
    logged = {int.from_bytes(log[at : at + 4], "big") for at in range(32, len(log), size + 24)}
    page = max(set(range(2, len(whole) // size + 1)) - logged)
    scene.path.write_bytes(whole[: (page - 1) * size] + b"\x7f" * size + whole[page * size :])
    with pytest.raises(StoreError, match=r"is damaged|was damaged"):
        await open_store(scene.path, clock=FakeClock())
    assert scene.log == log
