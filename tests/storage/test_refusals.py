"""A file that can't be used safely is refused, in a sentence that says what to do, and left as it was."""

# ruff: noqa: ASYNC220, ASYNC221, ASYNC240 - nothing else runs on a test's loop
from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from matches.ports import StoreError, StoreUnavailableError
from matches.store.rows import Commit
from storage import check_file, open_store
from storage.errors import explain
from storage.lease import lock_path
from storage.migrations import APPLICATION_ID
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby

ROOT = Path(__file__).parents[2]


async def refused(path: Path) -> str:
    """What is said on opening, twice the same: the first refusal must not hold the file."""
    with pytest.raises(StoreError) as first:
        await open_store(path, clock=FakeClock())
    with pytest.raises(StoreError) as second:
        await open_store(path, clock=FakeClock())
    assert str(first.value) == str(second.value)
    return str(first.value)


async def filled(path: Path) -> None:
    """A store with a few hundred matches, closed."""
    store = await open_store(path, clock=FakeClock())
    for number in range(300):
        await store.create(Commit(lobby(f"F-{number:03}"), START))
    await store.close()


def other(path: Path, *statements: str) -> None:
    """Do something to a file that the program would not."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def reported(code: int) -> sqlite3.Error:
    """An error as SQLite reports it."""
    error = sqlite3.OperationalError("as reported")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "passing"),
    [
        (sqlite3.SQLITE_FULL, True),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, True),
        (sqlite3.SQLITE_LOCKED, True),
        (sqlite3.SQLITE_IOERR_WRITE, True),
        (sqlite3.SQLITE_NOMEM, True),
        (sqlite3.SQLITE_CORRUPT, False),
        (sqlite3.SQLITE_NOTADB, False),
        (sqlite3.SQLITE_READONLY, False),
        (sqlite3.SQLITE_CANTOPEN, False),
    ],
)
def test_what_may_pass_is_told_apart_from_what_must_be_set_right(code: int, passing: bool) -> None:
    error = explain(Path("f"), reported(code))
    assert isinstance(error, StoreError)
    assert isinstance(error, StoreUnavailableError) == passing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


async def test_a_damaged_schema_is_refused_though_the_message_about_it_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    await filled(path)
    name = "UPDATE sqlite_schema SET name = CAST(x'84ff' AS TEXT), sql = 'CREATE' WHERE name = 'matches'"
    other(path, "PRAGMA writable_schema = ON", name)
    assert "is damaged" in await refused(path)
    with pytest.raises(StoreError, match="is damaged"):
        check_file(path)


async def test_missing_folders_are_made(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "a" / "b" / "store.sqlite3", clock=FakeClock())
    assert check_file(store._database.path) == ()
    await store.close()


async def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert await refused(tmp_path) == (
        f"{tmp_path} is a folder. Name a file in it, such as {tmp_path / 'dominium.sqlite3'}."
    )


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = await refused(tmp_path / "file" / "below" / "store.sqlite3")
    assert "can't be created (Not a directory)" in said
    assert "choose another place" in said


async def test_another_kind_of_file(path: Path) -> None:
    path.write_bytes(b"Dear diary, today I played Focus. " * 50)
    before = path.read_bytes()
    assert "isn't a database. Choose another file" in await refused(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TABLE theirs (x)",),
        ("PRAGMA application_id = 7",),
        ("PRAGMA user_version = 3",),
        ("CREATE TABLE theirs (x)", "PRAGMA user_version = 2", "PRAGMA application_id = 1"),
    ],
)
async def test_another_programs_database_is_left_as_it_is(path: Path, statements: tuple[str, ...]) -> None:
    other(path, *statements)
    before = path.read_bytes()
    assert "another program's database. Choose another file" in await refused(path)
    assert path.read_bytes() == before


async def test_an_empty_database_is_taken(path: Path) -> None:
    other(path, "PRAGMA journal_mode = WAL")
    store = await open_store(path, clock=FakeClock())
    assert check_file(store._database.path) == ()
    await store.close()


async def test_a_newer_file(path: Path) -> None:
    other(path, "CREATE TABLE t (x)", f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA user_version = 99")
    said = await refused(path)
    assert "written by a newer version of this program (schema 99" in said
    assert "Update the program" in said


@pytest.mark.slow
async def test_a_file_of_a_different_build(path: Path) -> None:
    await filled(path)
    other(path, "UPDATE migrations SET sha256 = 'other' WHERE number = 1")
    assert "set up by a different build of this program" in await refused(path)


@pytest.mark.slow
async def test_a_large_file_is_not_read_as_a_whole_at_each_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await open_store(path, clock=FakeClock())).close()
    checked: list[sqlite3.Connection] = []

    def check(db: sqlite3.Connection) -> tuple[str, ...]:
        checked.append(db)
        return ()

    monkeypatch.setattr("storage.connection.quick_check", check)
    await (await open_store(path, clock=FakeClock())).close()
    assert len(checked) == 1
    monkeypatch.setattr("storage.connection.CHECKED_AT_START", path.stat().st_size - 1)
    await (await open_store(path, clock=FakeClock())).close()
    assert len(checked) == 1


@pytest.mark.parametrize("where", [0.3, 0.5, 0.8])
async def test_a_damaged_file(path: Path, where: float) -> None:
    await filled(path)
    whole = path.read_bytes()
    start = int(len(whole) * where)
    path.write_bytes(whole[:start] + b"\x55" * 9000 + whole[start + 9000 :])
    said = await refused(path)
    assert "is damaged" in said
    assert "restore the last backup" in said


@pytest.mark.slow
async def test_a_file_cut_short(path: Path) -> None:
    await filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "is damaged" in await refused(path)


async def test_a_second_store_in_this_process(path: Path) -> None:
    store = await open_store(path, clock=FakeClock())
    with pytest.raises(StoreUnavailableError):
        await open_store(path, clock=FakeClock())
    said = await refused(path.parent / ".." / path.parent.name / path.name)
    assert f"is in use by process {os.getpid()}. Stop it first" in said
    assert await store.match("F-001") is None
    await store.close()
    await (await open_store(path, clock=FakeClock())).close()


HOLD = """
import asyncio, os, sys
from pathlib import Path
from storage import open_store
from tests.fakes import FakeClock
async def main():
    store = await open_store(Path(sys.argv[1]), clock=FakeClock())
    if len(sys.argv) > 2 and os.fork() == 0:
        os.close(1)
        os.read(0, 1)  # a helper process that outlives us
        os._exit(0)
    print(os.getpid(), flush=True)
    sys.stdin.read(1)
asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("fork",)])
async def test_a_second_process_is_refused_until_the_first_is_gone(path: Path, more: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), *more],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdout is not None
        pid = int(first.stdout.readline())
        assert f"{path} is in use by process {pid}." in await refused(path)
        first.kill()
        first.wait()
        store = await open_store(path, clock=FakeClock())
        assert check_file(store._database.path) == ()
        await store.close()
    assert lock_path(path).exists()


OPEN = """
import asyncio, concurrent.futures.thread, os, sys  # all of it while we may still read it
from pathlib import Path
from storage import StoreError, open_store
from tests.fakes import FakeClock
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
async def main():
    try:
        await open_store(Path(sys.argv[1]), clock=FakeClock())
    except StoreError as error:
        print(error)
asyncio.run(main())
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may reach."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


def lock_file(folder: Path) -> None:
    (folder / "store.sqlite3").chmod(0o444)
    (folder / "store.sqlite3.lock").unlink()


def lock_folder(folder: Path) -> None:
    folder.chmod(0o555)


@pytest.mark.slow
@pytest.mark.parametrize("forbid", [lock_file, lock_folder])
async def test_a_read_only_place(shared: Path, forbid: Callable[[Path], None]) -> None:
    path = shared / "store.sqlite3"
    await filled(path)
    forbid(shared)
    said = subprocess.run(
        [sys.executable, "-c", OPEN, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "can't be written (Permission denied)" in said
    assert "writable for the user who runs the program" in said
