"""All data goes from SQLite to PostgreSQL and back, copied or as a backup, equal to the last value."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import storage.copying
from matches.ports import StoreError, StoreUnavailableError
from matches.store.rows import Commit
from storage import (
    back_up,
    copy_file,
    copy_store,
    load_server,
    look_at_server,
    open_copy_end,
    open_either,
    open_store,
    restore_database,
)
from storage.copying import CopiedTable, CopyEnd
from storage.migrations import Migration, shipped
from tests.fakes import START, FakeClock
from tests.soak import SOAK, sampled
from tests.storage.everything import fill_everything
from tests.storage.rows import draft, lobby

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres import connection, files  # noqa: E402 - needs the driver
from storage.postgres.copy_postgres import stream_rows  # noqa: E402
from storage.postgres.migrations import migrate as migrate_server  # noqa: E402
from storage.postgres.migrations import shipped_for_postgres  # noqa: E402
from storage.postgres.sessions import plain  # noqa: E402
from storage.postgres.target import read_target  # noqa: E402
from tests.postgres_server import refusing_at_once  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture
def url(ready_database: str) -> str:
    """A database with the schema; some tests fill one that has nothing at all."""
    return ready_database


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "from.sqlite3"
    asyncio.run(fill_everything(path))
    return path


@pytest.fixture
def source(tmp_path: Path, filled: Path) -> Path:
    """A file with rows in every table."""
    return Path(shutil.copy(filled, tmp_path))


def dump(path: Path) -> dict[str, Any]:
    """All rows of a file, and the numbers that it has given."""
    db = sqlite3.connect(path)
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    rows = {
        name: db.execute(f"SELECT * FROM {name}").fetchall()
        for name in names
        if name not in ("migrations", "file_mark")
    }
    db.close()
    return rows


async def copied(source: Path | str, target: Path | str) -> storage.copying.Copied:
    """Copy, as the command does."""
    first = await open_copy_end(source, FakeClock(), target=False)
    try:
        second = await open_copy_end(target, FakeClock(), target=True)
        try:
            return await copy_store(first, second, lambda name, count: None)
        finally:
            await second.close()
    finally:
        await first.close()


async def test_what_went_there_and_back_is_the_same(
    source: Path, empty_database: str, tmp_path: Path
) -> None:
    url = empty_database
    back = tmp_path / "back.sqlite3"
    there = await copied(source, url)
    assert there.rows["matches"] > 3
    assert {name for name, count in there.rows.items() if not count} <= {"snapshots"}
    assert (there.logs, there.corrupt) == (2, ("N-1",)), "the tour's log is no match's"
    await copied(url, back)
    assert dump(back) == dump(source)
    assert [file.name for file in tmp_path.glob("*copying*")] == []  # noqa: ASYNC240 - a folder of the test


class SwitchedOffError(Exception):
    """The machine was switched off."""


class Fragile:
    """A target that stops after so many batches."""

    def __init__(self, end: CopyEnd, batches: int) -> None:
        self._end = end
        self._left = batches

    def __getattr__(self, name: str) -> Any:
        return getattr(self._end, name)

    async def put(self, table: CopiedTable, rows: list[Any]) -> None:
        if not self._left:
            raise SwitchedOffError
        self._left -= 1
        await self._end.put(table, rows)


@pytest.mark.parametrize("way", ["there", "back"])
async def test_an_interrupted_copy_goes_on_where_it_was(
    source: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(storage.copying, "BATCH", 2)
    first: Path | str = source
    target: Path | str = url
    back = tmp_path / "back.sqlite3"
    if way == "back":
        await copied(source, url)
        first, target = url, back
    starts = 0
    done = False
    while not done:
        starts += 1
        begun = await open_copy_end(first, FakeClock(), target=False)
        end = await open_copy_end(target, FakeClock(), target=True)
        with contextlib.suppress(SwitchedOffError):
            await copy_store(begun, Fragile(end, 7), lambda name, count: None)
            done = True
        await begun.close()
        await end.close()
        if not done and way == "there":
            with pytest.raises(StoreError, match="unfinished copy"):
                await open_either(url, clock=FakeClock())
        assert done or not back.exists()
    assert starts > 3, "a batch that was written isn't written again, so each start gets further"
    if way == "there":
        await copied(url, back)
    assert dump(back) == dump(source)
    store = await open_either(back, clock=FakeClock())
    last = await store.outbox_begin(START)
    assert await store.outbox_add(draft(), START) > last
    await store.close()


async def test_numbers_of_messages_are_never_given_again(source: Path, url: str) -> None:
    await copied(source, url)
    old, new = await open_either(source, clock=FakeClock()), await open_either(url, clock=FakeClock())
    assert await old.outbox_begin(START) == await new.outbox_begin(START)
    assert await old.outbox_add(draft(), START) == await new.outbox_add(draft(), START)
    await old.close()
    await new.close()


async def test_a_target_with_data_is_left_as_it_is(source: Path, url: str, tmp_path: Path) -> None:
    store = await open_either(url, clock=FakeClock())
    await store.save_settings("user", 1, {})
    await store.close()
    with pytest.raises(StoreError, match="has data already"):
        await copied(source, url)
    with pytest.raises(StoreError, match="already exists"):
        await copied(url, source)
    with pytest.raises(StoreError, match="There is no database"):
        await copied(tmp_path / "nothing", url)


async def test_a_source_that_was_changed_meanwhile_and_another_source_are_refused(
    source: Path, url: str, tmp_path: Path
) -> None:
    most = sum(map(bool, dump(source).values())) - 2
    begun = await open_copy_end(source, FakeClock(), target=False)
    end = await open_copy_end(url, FakeClock(), target=True)
    with pytest.raises(SwitchedOffError):
        await copy_store(begun, Fragile(end, most), lambda name, count: None)
    await begun.close()
    await end.close()
    other = tmp_path / "other.sqlite3"
    await (await open_store(other, clock=FakeClock())).close()
    with pytest.raises(StoreError, match="unfinished copy of another"):
        await copied(other, url)
    store = await open_either(source, clock=FakeClock())
    await store.save_settings("user", -1, {})
    await store.mark_read({7: 2**40})
    await store.close()
    with pytest.raises(StoreError, match="was changed after the copy was begun"):
        await copied(source, url)
    with pytest.raises(StoreError, match="unfinished copy"):
        await open_either(url, clock=FakeClock())


async def test_a_bot_that_runs_is_not_copied(source: Path, url: str) -> None:
    store = await open_store(source, clock=FakeClock())
    with pytest.raises(StoreUnavailableError, match="is in use"):
        await copied(source, url)
    await store.close()


async def test_a_value_that_postgresql_cannot_hold_is_named_by_its_row(tmp_path: Path, url: str) -> None:
    path = tmp_path / "from.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby(previous="a\0b"), START))
    await store.close()
    with pytest.raises(StoreError, match=r"row of matches between \(1,\) and \(1,\)"):
        await copied(path, url)


# --- backups ------------------------------------------------------------------------------------------


def things(url: str) -> list[tuple[Any, ...]]:
    """The tables, functions, triggers, indexes and constraints of a database."""
    queries = (
        "SELECT 'table', relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
        "SELECT 'function', proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
        "SELECT 'trigger', tgname FROM pg_trigger WHERE NOT tgisinternal",
        "SELECT 'constraint', conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
        "SELECT 'step', number || sha256 FROM migrations",
        "SELECT 'mark', obj_description('migrations'::regclass)",
    )
    with plain(read_target(url)) as db:
        return sorted(row for query in queries for row in db.execute(query))


async def test_a_backup_has_all_and_is_loaded_over_anything(
    source: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await copied(source, url)
    backup, again = tmp_path / "backup.sqlite3", tmp_path / "again.sqlite3"
    back_up(url, backup)
    assert dump(backup) == dump(source)
    before = things(url)
    store = await open_either(url, clock=FakeClock())
    await store.create(Commit(lobby("later"), START))
    with refusing_at_once(monkeypatch), pytest.raises(StoreUnavailableError, match="is in use by"):
        load_server(url, backup)
    await store.close()
    load_server(url, backup)
    assert things(url) == before
    back_up(url, again)
    assert dump(again) == dump(source)
    store = await open_either(url, clock=FakeClock())
    last = await store.outbox_begin(START)
    assert await store.outbox_add(draft(), START) > last
    await store.close()


def test_a_backup_of_any_schema_goes_back_as_it_was(empty_database: str, tmp_path: Path) -> None:
    """It goes over a database with one step more, at times over the newest; a soak tries each schema."""
    url, steps, newest = empty_database, shipped_for_postgres(), len(shipped())
    for number in sampled(range(1, newest + 1), (*range(1, newest - 1, 10), newest - 1, newest)):
        with plain(read_target(url)) as db:
            migrate_server(db, "it", steps[:number], 7)
        before = things(url)
        backup = tmp_path / f"{number}.sqlite3"
        back_up(url, backup)
        above = newest if SOAK or number % 20 == 1 else min(number + 1, newest)
        with plain(read_target(url)) as db:
            migrate_server(db, "it", steps[:above], 8)
        assert look_at_server(url).schema == above, number
        load_server(url, backup)
        assert things(url) == before, number
        assert look_at_server(url).schema == number
        with plain(read_target(url)) as db:
            assert db.execute("SELECT DISTINCT applied FROM migrations").fetchall() == [(7,)], number


@pytest.mark.parametrize("table", sampled(["matches", "entries", "settings"], ["entries"]))
async def test_a_load_that_fails_anywhere_changes_nothing(
    source: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    await copied(source, url)
    empty, after = tmp_path / "empty.sqlite3", tmp_path / "after.sqlite3"
    await (await open_store(empty, clock=FakeClock())).close()
    before, stream = things(url), stream_rows

    def tear(db: Any, filled: CopiedTable, rows: list[Any]) -> None:
        stream(db, filled, rows)
        if filled.name == table:
            db.close()

    monkeypatch.setattr(files, "stream_rows", tear)
    with pytest.raises(StoreError):
        load_server(url, source)
    monkeypatch.undo()
    monkeypatch.setattr(files, "stream_rows", lambda db, filled, rows: stream(db, filled, rows[1:]))
    with pytest.raises(StoreError, match=r"The rows of \w+ aren't the same"):
        load_server(url, source)
    monkeypatch.undo()
    back_up(url, after)
    assert (dump(after), things(url)) == (dump(source), before)


async def test_another_programs_tables_stay(source: Path, url: str, tmp_path: Path) -> None:
    await copied(source, url)
    with plain(read_target(url)) as db:
        db.execute("CREATE TABLE theirs AS SELECT 1 AS x")
        db.execute("CREATE VIEW view_of_ours AS SELECT count(*) FROM matches")
    with pytest.raises(StoreError, match=r"view_of_ours|depend"):
        load_server(url, source)
    with plain(read_target(url)) as db:
        db.execute("DROP VIEW view_of_ours")
        load_server(url, source)
        assert db.execute("SELECT x FROM theirs").fetchall() == [(1,)]


async def test_a_restore_keeps_what_was_there_and_refuses_what_is_no_good(
    source: Path, empty_database: str, tmp_path: Path
) -> None:
    url, kept, older = empty_database, tmp_path / "kept", tmp_path / "older.sqlite3"
    assert restore_database(source, url, kept).kept is None
    await (await open_store(older, clock=FakeClock())).close()
    with pytest.raises(StoreError, match=r"log entries of \d+ matches are lost.*--accept-loss"):
        restore_database(older, url, kept)
    assert list(kept.iterdir()) == []
    spoilt = tmp_path / "spoilt.sqlite3"
    copy_file(source, spoilt)
    spoilt.write_bytes(spoilt.read_bytes()[:20_000])
    newer = tmp_path / "newer.sqlite3"
    copy_file(source, newer)
    with contextlib.closing(sqlite3.connect(newer, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {len(shipped()) + 1}")
    for bad, why in ((spoilt, "damaged|malformed"), (newer, "newer version"), (tmp_path / "no", "no backup")):
        with pytest.raises(StoreError, match=why):
            restore_database(bad, url, kept, accept_loss=True)
    done = restore_database(older, url, kept, accept_loss=True)
    assert done.kept is not None
    assert dump(done.kept) == dump(source)
    restore_database(done.kept, url, kept)
    assert list(kept.glob("*.lock")) == [], "a visit leaves none"


async def test_steps_of_the_schema_are_applied_all_or_none(
    source: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await copied(source, url)
    before, steps = things(url), shipped_for_postgres()
    more = Migration(len(steps) + 1, "more", "CREATE TABLE more (x integer);")
    broken = Migration(len(steps) + 2, "broken", "INSERT INTO nowhere VALUES (1);")
    monkeypatch.setattr(connection, "shipped_for_postgres", lambda: (*steps, more, broken))
    with pytest.raises(StoreError, match="nowhere"):
        await open_either(url, clock=FakeClock())
    assert things(url) == before
