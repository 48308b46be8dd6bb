"""A restore is one step: the backup is checked first, and what was there is told of and kept."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from matches.ports import StoreError
from storage import SqliteStore, TakenError, open_store, restore_file
from tests.fakes import FakeClock
from tests.storage.scene import Scene, matches


async def test_a_restore_tells_what_is_lost_and_keeps_it(scene: Scene) -> None:
    with pytest.raises(StoreError, match=r"20 log entries of 1 matches are lost, .* add --accept-loss"):
        restore_file(scene.backup, scene.path, scene.folder / "backups")
    done = restore_file(scene.backup, scene.path, scene.folder / "backups", accept_loss=True)
    assert "20 log entries of 1 matches are lost" in done.lost
    assert done.kept is not None
    assert not scene.file("-wal").exists(), "it went with the database that is kept"
    assert await matches(scene.path) == ["F-1"]
    assert await matches(done.kept) == ["F-1", "F-2"]
    again = restore_file(done.kept, scene.path, scene.folder / "backups")
    assert again.lost == ""
    assert await matches(scene.path) == ["F-1", "F-2"]
    assert [file.name for file in scene.folder.iterdir() if file.name.startswith(".")] == []


async def test_a_restore_while_a_bot_runs_changes_nothing(scene: Scene) -> None:
    store: SqliteStore = await open_store(scene.path, clock=FakeClock())
    with pytest.raises(TakenError, match="in use by process"):
        restore_file(scene.backup, scene.path, scene.folder / "backups", accept_loss=True)
    assert await store.match("F-2") is not None
    await store.close()
    assert await matches(scene.path) == ["F-1", "F-2"]


async def test_a_damaged_backup_is_not_restored(scene: Scene) -> None:
    whole = scene.backup.read_bytes()
    scene.backup.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError):
        restore_file(scene.backup, scene.path, scene.folder / "backups", accept_loss=True)
    with pytest.raises(StoreError, match="There is no backup"):
        restore_file(scene.folder / "none", scene.path, scene.folder / "backups")
    assert await matches(scene.path) == ["F-1", "F-2"]


async def test_a_damaged_database_is_kept_as_it_is(scene: Scene) -> None:
    os.umask(0o022)
    scene.path.write_bytes(damaged := b"broken" * 3000)
    done = restore_file(scene.backup, scene.path, scene.folder / "backups", accept_loss=True)
    assert "can't be read" in done.lost
    assert done.kept is not None
    assert done.kept.read_bytes() == damaged
    assert done.kept.stat().st_mode & 0o777 == 0o600
    assert await matches(scene.path) == ["F-1"]


async def test_a_first_restore_needs_no_database(scene: Scene) -> None:
    new = scene.folder / "new" / "store.sqlite3"
    done = restore_file(scene.backup, new, new.parent / "backups")
    assert (done.lost, done.kept) == ("", None)
    assert await matches(new) == ["F-1"]


async def test_a_backup_made_before_migrations_is_tried(scene: Scene, tmp_path: Path) -> None:
    with closing(sqlite3.connect(scene.backup, isolation_level=None)) as db:
        db.execute("UPDATE migrations SET sha256 = 'other' WHERE number = 1")
    with pytest.raises(StoreError, match="different build"):
        restore_file(scene.backup, scene.path, scene.folder / "backups", accept_loss=True)
    assert await matches(scene.path) == ["F-1", "F-2"]
