"""A backup is a whole, checked copy that opens like the original, or nothing at all."""

# ruff: noqa: ASYNC220, ASYNC240 - nothing else runs on a test's loop
from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from sqlite3 import Connection

import pytest

import storage.backup
from matches.ports import StoreError
from matches.store.rows import Commit, MatchRow
from storage import SqliteStore, check_file, copy_file, open_store
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move
from tests.storage.test_refusals import HOLD, ROOT, other


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await open_store(tmp_path / "live" / "store.sqlite3", clock=FakeClock())
    await opened.create(Commit(lobby(), START))
    yield opened
    await opened.close()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "copies").mkdir()
    return tmp_path / "copies" / "a copy#1?.sqlite3"


def names(folder: Path) -> list[str]:
    """The files of a folder."""
    return sorted(file.name for file in folder.iterdir())


async def read_back(path: Path) -> MatchRow:
    """The match in a copy, which must be sound."""
    copy = await open_store(path, clock=FakeClock())
    assert check_file(path) == ()
    row = await copy.match("F-001")
    await copy.close()
    assert row is not None
    assert row.version == row.revision - 1
    return row


async def test_a_copy_holds_all_that_was_committed(store: SqliteStore, target: Path) -> None:
    change = move(lobby(), "r")
    await store.commit(change)
    copy_file(store._database.path, target)
    assert names(target.parent) == [target.name]
    assert target.stat().st_mode & 0o777 == 0o600
    assert await read_back(target) == change.row


async def test_matches_go_on_during_a_copy(
    store: SqliteStore, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage.backup, "PAGES_A_STEP", 1)
    copying = asyncio.create_task(asyncio.to_thread(copy_file, store._database.path, target))
    row, moves = lobby(), 0
    while not copying.done():
        change = move(row)
        await store.commit(change)
        row, moves = change.row, moves + 1
    await copying
    assert moves
    copied = await read_back(target)
    assert copied.revision <= row.revision


async def test_a_target_that_appears_meanwhile_is_kept(
    store: SqliteStore, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def appear(part: Path) -> None:
        target.write_text("precious")

    monkeypatch.setattr(storage.backup, "_verify", appear)
    with pytest.raises(FileExistsError, match="already exists"):
        copy_file(store._database.path, target)
    assert target.read_text() == "precious"
    assert names(target.parent) == [target.name]


async def test_a_copy_that_came_out_damaged_is_thrown_away(
    store: SqliteStore, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = storage.backup._fill

    def spoil(work: Callable[[Connection], None], part: Path) -> None:
        fill(work, part)
        whole = part.read_bytes()
        part.write_bytes(whole[:9000] + b"\x55" * 30_000 + whole[39_000:])

    monkeypatch.setattr(storage.backup, "_fill", spoil)
    with pytest.raises(StoreError, match="damaged"):
        copy_file(store._database.path, target)
    assert names(target.parent) == []


async def test_a_copy_without_room_names_its_own_disk(
    store: SqliteStore, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = storage.backup._new

    def small(part: Path) -> Connection:
        db = new(part)
        db.execute("PRAGMA max_page_count = 3")
        return db

    monkeypatch.setattr(storage.backup, "_new", small)
    with pytest.raises(StoreError, match="no space left") as caught:
        copy_file(store._database.path, target)
    assert str(target.parent) in str(caught.value)
    assert names(target.parent) == []


async def test_a_folder_that_is_not_there(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Choose another place for the backup"):
        copy_file(store._database.path, tmp_path / "nowhere" / "copy")


async def test_a_file_is_copied_while_its_owner_runs_or_not(store: SqliteStore, target: Path) -> None:
    path = store._database.path
    copy_file(path, target)
    assert await read_back(target) == lobby()
    await store.close()
    target.unlink()
    copy_file(path, target)
    assert await read_back(target) == lobby()
    with pytest.raises(FileExistsError):
        copy_file(path, target)


@pytest.mark.slow
async def test_a_file_is_copied_while_another_process_runs_and_after_it_was_killed(
    store: SqliteStore, target: Path
) -> None:
    path = store._database.path
    await store.close()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        owner.stdout.readline()
        copy_file(path, target)
        owner.kill()
        owner.wait()
    assert await read_back(target) == lobby()
    target.unlink()
    copy_file(path, target)
    assert await read_back(target) == lobby()


def test_only_our_own_files_are_copied(tmp_path: Path, target: Path) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        copy_file(tmp_path / "nothing", target)
    other(tmp_path / "theirs", "CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program's database"):
        copy_file(tmp_path / "theirs", target)
    (tmp_path / "text").write_text("hello " * 1000)
    with pytest.raises(StoreError, match="not a database"):
        copy_file(tmp_path / "text", target)
    assert names(target.parent) == []


async def test_a_file_is_checked_while_its_owner_runs_or_not(store: SqliteStore) -> None:
    path = store._database.path
    assert check_file(path) == ()
    await store.close()
    assert check_file(path) == ()
    other(path, "UPDATE matches SET version = 5")
    assert check_file(path) == ("match F-001: its version is 5, its log has 0 entries and ends with -1",)
    with pytest.raises(StoreError, match="There is no database"):
        check_file(path.parent / "nothing")
