"""What lies beside a database is its own, or it is neither applied nor lost."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from matches.ports import StoreError
from matches.store.rows import Commit
from storage import (
    check_file,
    copy_file,
    open_copy_end,
    open_store,
    restore_file,
)
from storage.beside import look_beside
from storage.file_mark import CONSTANT, read_log
from storage.lease import Lease, lock_path
from tests.fakes import START, FakeClock
from tests.soak import SEED, SOAK
from tests.storage.copies import content
from tests.storage.rows import lobby, move
from tests.storage.scene import Scene, filled, matches

ROOT = Path(__file__).parents[2]
LATER = (
    "daily_answers",
    "daily_puzzles",
    "puzzle_counts",
    "puzzles",
    "lessons",
    "tournament_matches",
    "tournament_log",
    "tournament_entrants",
    "tournaments",
)
CAMPAIGNS, PARTS = (500, 10) if SOAK else (6, 2)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_kill_copy_and_restore_in_any_order(part: int) -> None:
    shared = Path("/dev/shm")
    # A killed process loses nothing that a system has in memory, and there nobody waits for the disk.
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as folder:
        share = CAMPAIGNS // PARTS
        numbers = (str(part * share), str((part + 1) * share))
        done = subprocess.run(
            [sys.executable, "-m", "tests.storage.copies", folder, str(SEED), *numbers],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == share
    assert [line for line in lines if line["wrong"]] == []
    assert sum(line["starts"] - line["refusals"] for line in lines) > 5 * share
    if SOAK:
        assert min(sum(line[what] for line in lines) for what in ("refusals", "known", "aside")) > 0


# --- one by one ---------------------------------------------------------------------------------------


async def refused(path: Path) -> str:
    """What a start says that changes nothing."""
    files = {
        file: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith((".lock", "-shm"))
    }
    with pytest.raises(StoreError) as caught:
        await (await open_store(path, clock=FakeClock())).close()
    assert {file: file.read_bytes() for file in files} == files
    return str(caught.value)


async def test_what_a_killed_bot_leaves_is_taken_whole(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    assert content(scene.log)
    assert await matches(scene.path) == ["F-1", "F-2"]
    assert caplog.messages == []
    assert not scene.file("-wal").exists()


async def test_a_backup_over_the_file_of_a_killed_bot(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    log = scene.log
    shutil.copyfile(scene.backup, scene.path)
    copy_file(scene.path, scene.folder / "again.sqlite3")
    assert await matches(scene.folder / "again.sqlite3") == ["F-1"]
    assert scene.log == log, "a backup changes nothing"
    caplog.clear()
    assert await matches(scene.path) == ["F-1"]
    assert scene.aside() == [log]
    (said,) = caplog.messages
    assert "was not applied, and is now" in said
    assert "put both that log and its own file back" in said


async def test_a_backup_beside_a_log_is_refused(scene: Scene) -> None:
    target = scene.folder / "t.sqlite3"
    for end in ("-wal", "-journal"):
        stray = target.with_name(f"{target.name}{end}")
        stray.write_bytes(scene.log)
        with pytest.raises(FileExistsError, match=f"{end} already exists"):
            copy_file(scene.path, target)
        assert (stray.read_bytes(), target.exists()) == (scene.log, False)
        stray.unlink()


async def test_a_log_whose_file_is_gone_is_kept(scene: Scene) -> None:
    log = scene.log
    for gone in (True, False):
        scene.path.unlink() if gone else scene.path.write_bytes(b"")
        said = await refused(scene.path)
        assert "is missing or empty, but" in said
        assert "Put the file back beside it, or restore the last backup: dominium restore FILE." in said
        with pytest.raises(StoreError, match="is missing or empty, but"):
            copy_file(scene.path, scene.folder / "copy")
    done = restore_file(scene.backup, scene.path, scene.folder / "backups", accept_loss=True)
    assert done.kept is not None
    assert done.kept.with_name(f"{done.kept.name}-wal").read_bytes() == log
    assert await matches(scene.path) == ["F-1"]


async def test_a_file_without_its_log_is_refused_and_can_be_taken(scene: Scene) -> None:
    scene.file("-wal").unlink()
    said = await refused(scene.path)
    assert "was in use when it lost its log" in said
    with pytest.raises(StoreError, match="lost its log"):
        check_file(scene.path)
    with pytest.raises(StoreError, match="add --accept-loss"):
        restore_file(scene.path, scene.path, scene.folder / "backups")
    restore_file(scene.path, scene.path, scene.folder / "backups", accept_loss=True)
    assert await matches(scene.path) == [], "what was played is in the log that is gone"


async def test_a_log_of_another_file_is_known(scene: Scene, tmp_path: Path) -> None:
    other = Scene(tmp_path / "other")
    other.folder.mkdir()
    await filled(other, tmp_path / "other.sqlite3")
    own, log = scene.log, other.log
    scene.file("-wal").write_bytes(log)
    assert "another file's" in await refused(scene.path)
    assert scene.log == log
    scene.file("-wal").write_bytes(own)
    assert await matches(scene.path) == ["F-1", "F-2"]


def in_use(log: bytes) -> int:
    """Return the bytes of a log up to the last frame of its latest round: older ones may lie behind.

    https://sqlite.org/fileformat2.html#the_write_ahead_log
    """
    frame, salts = 24 + int.from_bytes(log[8:12], "big"), log[16:24]
    starts = range(32, len(log), frame)
    return next((at for at in starts if log[at + 8 : at + 16] != salts), len(log))


async def test_a_log_that_was_cut_is_told_of(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.file("-wal").write_bytes(scene.log[: in_use(scene.log) * 3 // 4])
    assert await matches(scene.path) == ["F-1", "F-2"], "a state that was committed"
    assert "are older than what was last written here" in caplog.text


async def test_a_log_that_is_shorter_than_what_was_copied_into_the_file(tmp_path: Path) -> None:
    live, path = tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3"
    store = await open_store(live, clock=FakeClock())
    await store.create(Commit(lobby(), START))
    shutil.copyfile(f"{live}-wal", f"{path}-wal")
    await store.commit(change := move(lobby()))
    await store._database.read(lambda db: db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
    shutil.copyfile(live, path)
    await store.commit(move(change.row))
    assert "another file's" in await refused(path)
    await store.close()


def damage_second_transaction(log: Path) -> None:
    """Change a byte of its first page."""
    data = bytearray(log.read_bytes())
    frame = 24 + int.from_bytes(data[8:12], "big")
    first = next(at for at in range(32, len(data), frame) if any(data[at + 4 : at + 8]))
    data[first + frame + 100] ^= 1
    log.write_bytes(data)


async def test_a_log_that_was_damaged_before_what_was_copied_into_the_file(tmp_path: Path) -> None:
    live, path = tmp_path / "live.sqlite3", tmp_path / "copy.sqlite3"
    store = await open_store(live, clock=FakeClock())
    await store.create(Commit(row := lobby(), START))
    for number in range(3):
        await store.commit(change := move(row, f"r{number}"))
        row = change.row
    await store._database.read(lambda db: db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
    for end in ("", "-wal"):
        shutil.copyfile(f"{live}{end}", f"{path}{end}")
    await store.close()
    damage_second_transaction(tmp_path / "copy.sqlite3-wal")
    assert "the log is cut short" in await refused(path)


async def test_a_file_into_which_its_log_was_being_copied_is_not_taken_for_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are copied in their order, so the mark may still be the one that was noted last."""
    live, path, note, notes = tmp_path / "live", tmp_path / "copy", Lease.note, list[bytes]()

    def noted(self: Lease, mark: bytes) -> None:
        notes.append(os.pread(self._fd, 100, 0))
        note(self, mark)

    store = await open_store(live, clock=FakeClock())
    before = live.read_bytes()
    await store._database.read(lambda db: db.execute("PRAGMA wal_autocheckpoint = 1").fetchall())
    monkeypatch.setattr(Lease, "note", noted)
    await store.create(Commit(lobby(), START))
    monkeypatch.undo()
    after = live.read_bytes()
    await store.close()
    mark = before.index(CONSTANT) // 4096 * 4096
    assert after[:mark] != before[:mark]
    path.write_bytes(after[:mark] + before[mark:])
    lock_path(path).write_bytes(notes[0])
    assert "lost its log" in await refused(path)


async def test_a_large_file_is_checked_whole_unless_it_is_as_it_was_left(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.beside.CHECKED_AT_START", 0)
    monkeypatch.setattr(
        "storage.beside._problems", lambda _, access: () if "immutable" in access else ("torn",)
    )
    note = lock_path(scene.path).read_bytes()
    lock_path(scene.path).unlink()
    assert "don't fit together (torn)" in await refused(scene.path)
    lock_path(scene.path).write_bytes(note)
    assert await matches(scene.path) == ["F-1", "F-2"]


async def test_a_file_that_sqlite_itself_has_completed_is_taken(scene: Scene) -> None:
    """As by a program that looks at the database of a killed bot."""
    with closing(sqlite3.connect(scene.path)) as db:
        assert db.execute("SELECT count(*) FROM matches").fetchone() == (2,)
    assert not scene.file("-wal").exists()
    assert await matches(scene.path) == ["F-1", "F-2"]


async def test_a_database_of_an_earlier_version_that_was_killed(scene: Scene, tmp_path: Path) -> None:
    def forget_marks(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            db.execute("DROP TABLE file_mark")
            for table in (*LATER, "errors", "greetings", "match_results", "rating_changes", "ratings"):
                db.execute(f"DROP TABLE {table}")
            db.execute("DROP INDEX matches_guild_lobby")
            for column in ("rated", "starts_full", "terms"):
                db.execute(f"ALTER TABLE matches DROP COLUMN {column}")
            db.execute("DROP INDEX settings_private")
            db.execute("ALTER TABLE settings DROP COLUMN private")
            db.execute("DELETE FROM migrations WHERE number > 22")
            db.execute("PRAGMA user_version = 22")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.execute("UPDATE matches SET host = 7")
            for end in ("", "-wal"):
                shutil.copyfile(f"{path}{end}", tmp_path / f"old{end}")

    forget_marks(scene.path)
    lock_path(scene.path).unlink()
    old, log = tmp_path / "old", (tmp_path / "old-wal").read_bytes()
    copy_file(old, tmp_path / "copied")
    assert await matches(tmp_path / "copied") == ["F-1", "F-2"]
    assert await matches(old) == ["F-1", "F-2"]
    shutil.copyfile(scene.backup, scene.path)
    scene.file("-wal").write_bytes(log)
    assert await matches(scene.path) == ["F-1"], "a new backup says that it is whole"
    assert scene.aside() == [log]


def hot_journal(path: Path, statement: str) -> bytes:
    """What a program leaves that was killed while it changed a file that has no write-ahead log."""
    copy = path.with_name("journalled")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute(statement)
        db.execute("PRAGMA cache_spill = 1")
        data = path.with_name("journalled-journal").read_bytes()
        db.execute("ROLLBACK")
    copy.unlink()
    return bytes.fromhex("d9d505f920a163d7") + data[8:]


async def test_a_journal_of_another_file(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    shutil.copyfile(scene.backup, scene.path)
    scene.file("-wal").unlink()
    journal = hot_journal(scene.path, "UPDATE matches SET host = 9")
    scene.file("-journal").write_bytes(journal)
    assert check_file(scene.path) == ()
    assert scene.file("-journal").read_bytes() == journal
    assert await matches(scene.path) == ["F-1"]
    assert scene.aside() == [journal]


async def test_a_journal_whose_file_is_gone_is_kept(scene: Scene) -> None:
    shutil.copyfile(scene.backup, scene.path)
    journal = hot_journal(scene.path, "UPDATE matches SET host = 9")
    for end in ("", "-wal"):
        scene.file(end).unlink()
    scene.file("-journal").write_bytes(journal)
    assert "is missing or empty, but" in await refused(scene.path)
    assert scene.file("-journal").read_bytes() == journal


async def test_a_file_that_could_not_be_completed_keeps_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby("F-1"), START))
    monkeypatch.setattr("storage.connection._checkpoint", lambda db, mode: False)
    await store.close()
    monkeypatch.undo()
    for end in ("", "-wal"):
        shutil.copyfile(f"{path}{end}", f"{path}-copy{end}")
    with closing(sqlite3.connect(f"{path}-copy")) as db:
        assert db.execute("SELECT in_use FROM file_mark").fetchone() == (1,)
    assert await matches(path) == ["F-1"]


async def test_a_start_that_was_killed_while_the_file_got_its_log(scene: Scene) -> None:
    shutil.copyfile(scene.backup, scene.path)
    scene.file("-wal").unlink()
    scene.file("-journal").write_bytes(hot_journal(scene.path, "PRAGMA user_version = 22"))
    assert await matches(scene.path) == ["F-1"]
    assert scene.aside() == []
    assert not scene.file("-journal").exists()


async def test_a_journal_with_the_first_page_of_another_file(scene: Scene) -> None:
    shutil.copyfile(scene.backup, scene.path)
    scene.file("-wal").unlink()
    journal = bytearray(hot_journal(scene.path, "PRAGMA user_version = 22"))
    journal[512 + 4 + 60] ^= 1  # the version in the page, which stands behind its number and the header
    scene.file("-journal").write_bytes(journal)
    assert await matches(scene.path) == ["F-1"]
    assert scene.aside() == [journal]


async def test_each_log_goes_on_from_the_mark_before_it(tmp_path: Path) -> None:
    path, wal = tmp_path / "x", tmp_path / "x-wal"
    store = await open_store(path, clock=FakeClock())
    database = store._database
    await database.read(lambda db: db.execute("PRAGMA wal_autocheckpoint = 10").fetchall())
    await store.create(Commit(row := lobby(), START))
    before, earlier, logs = read_log(wal), set[bytes](), 0
    for number in range(40):
        change = move(row, f"r{number}")
        await store.commit(change)
        row, log = change.row, read_log(wal)
        (current,) = await database.fetch_one(CURRENT) or ()
        assert log.marks[-1] == current
        if log.marks[:-1] != before.marks:
            assert (log.base, log.marks) == (before.marks[-1], [current])
            earlier |= {*before.marks[:-1]}
            logs += 1
        assert not earlier & {log.base, *log.marks}
        before = log
    assert logs > 3, "the log was begun anew"
    await database.rewrite()
    assert read_log(wal).marks == [await database.read(lambda db: db.execute(CURRENT).fetchone()[0])]
    with pytest.raises(StoreError, match="lost its log"):
        look_beside(shutil.copyfile(path, tmp_path / "copy"), None)
    await store.close()
    assert look_beside(path, None).access == "immutable=1"


CURRENT = "SELECT current FROM file_mark"


async def test_visitors_leave_everything_as_it_is(scene: Scene) -> None:
    before = {end: scene.file(end).read_bytes() for end in ("", "-wal")}
    assert check_file(scene.path) == ()
    copy_file(scene.path, scene.folder / "copy")
    assert await matches(scene.folder / "copy") == ["F-1", "F-2"]
    assert {end: scene.file(end).read_bytes() for end in before} == before


async def test_a_store_copy_looks_beside_both_ends(
    scene: Scene,
) -> None:
    log, target, clock = scene.log, scene.folder / "copy.sqlite3", FakeClock()
    source = await open_copy_end(scene.path, clock, target=False)
    await source.close()
    end = await open_copy_end(target, clock, target=True)
    part = scene.folder / f".{target.name}.copying"
    await end.begin("source")
    with closing(sqlite3.connect(part, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM store_copy").fetchall()
        with pytest.raises(StoreError, match="isn't whole without its log"):
            await end.finish({})
    assert (target.exists(), part.exists()) == (False, True)
    for gone in (scene.path, part):
        gone.unlink(missing_ok=True)
    scene.file("-wal").write_bytes(log)
    with pytest.raises(StoreError, match="is missing or empty, but"):
        await open_copy_end(scene.path, clock, target=False)
    target.with_name(f"{target.name}-wal").write_bytes(log)
    with pytest.raises(StoreError, match="-wal already exists"):
        await open_copy_end(target, clock, target=True)
    assert scene.log == log


@pytest.fixture(autouse=True)
def warnings_are_seen(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
