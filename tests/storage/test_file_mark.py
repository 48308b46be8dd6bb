"""A log is known by its marks, whatever a program left behind the last transaction when it was killed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from matches.store.rows import Commit
from storage import open_store
from storage.beside import look_beside
from storage.file_mark import CONSTANT, read_log
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move


def begin_frame(log: Path, page: bytes) -> None:
    """Write the head of one more frame, of this log's time; its page is still one of the time before."""
    data = bytearray(log.read_bytes())
    frame = 24 + int.from_bytes(data[8:12], "big")
    at = 32
    while data[at + 8 : at + 16] == data[16:24]:
        at += frame
    data[at : at + frame] = data[32:36] + bytes(4) + data[16:24] + bytes(8) + page
    log.write_bytes(data)


@pytest.mark.parametrize("copied", [False, True])
async def test_a_program_killed_between_a_frames_head_and_its_page(tmp_path: Path, copied: bool) -> None:
    live, path = tmp_path / "live", tmp_path / "killed"
    store = await open_store(live, clock=FakeClock())
    database = store._database
    await database.read(lambda db: db.execute("PRAGMA wal_autocheckpoint = 100000").fetchall())
    await store.create(Commit(row := lobby(), START))
    for number in range(10):
        await store.commit(change := move(row, f"r{number}"))
        row = change.row
    await database.read(lambda db: db.execute("PRAGMA wal_checkpoint(FULL)").fetchall())
    whole = live.read_bytes()
    at = whole.index(CONSTANT) // 4096 * 4096
    await store.commit(move(row, "the first of a new log"))
    if copied:
        await database.read(lambda db: db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
    for end in ("", "-wal"):
        shutil.copyfile(f"{live}{end}", f"{path}{end}")
    await store.close()
    wal = path.with_name("killed-wal")
    before = read_log(wal)
    begin_frame(wal, whole[at : at + 4096])
    after = read_log(wal)
    assert after.marks == [*before.marks, before.base]
    assert (after.place(before.base or b""), after.place(before.marks[0])) == (0, 1)
    found = look_beside(path, None)
    assert (found.access, found.foreign) == ("mode=ro", ())
