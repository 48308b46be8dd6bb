"""When the power fails at any write, the file opens and holds what was acknowledged, each change once."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from random import Random

import aiosqlite
import pytest

from storage.connection import Database, _require_usable, _set_up
from storage.lease import Lease
from storage.store import SqliteStore
from tests.fakes import FakeClock
from tests.soak import SEED, SOAK
from tests.storage.crash import commits, look
from tests.storage.lossy_disk import Disk, DiskSystem, PlainConnection, Step

pytestmark = pytest.mark.slow

CHANGES = 60
CUTS = 2000 if SOAK else 20
PRAGMAS = ("PRAGMA locking_mode = EXCLUSIVE", "PRAGMA wal_autocheckpoint = 40")
"""The log is copied into the file often, and needs no shared memory, which isn't on the disk anyway."""

_names = (f"lossy-{number}" for number in count())


class LeaseOnDisk(Lease):
    """A lease whose notes are written to a disk of the tests."""

    def __init__(self, database: Path, disk: Disk) -> None:
        self._disk = disk
        super().__init__(database)

    def _write(self, data: bytes, at: int) -> None:
        self._disk.steps.append(Step("write", str(self.path), at, data))

    def _sync(self) -> None:
        self._disk.steps.append(Step("sync", str(self.path)))

    def _last_written(self) -> int:
        return sum(
            step.operation == "write" and step.name == str(self._database) for step in self._disk.steps
        )


async def record(path: Path) -> Disk:
    """All that reaches the disk while a store is opened, written to, closed, opened again and written to."""
    disk = Disk()
    system = DiskSystem(disk, next(_names))
    for _ in range(2):
        lease = LeaseOnDisk(path, disk)
        raw = PlainConnection(system, path, *PRAGMAS)
        _require_usable(raw, path)  # type: ignore[arg-type]  # it has what is used of the library's connections
        _set_up(raw, path, 0, lease)  # type: ignore[arg-type]
        db = await aiosqlite.Connection(lambda raw=raw: raw, 64)  # type: ignore[misc]
        store = SqliteStore(Database(path, db, lease), FakeClock())
        changes = 0
        async for _ in commits(store):
            disk.note()
            if (changes := changes + 1) == CHANGES:
                break
        await store.close()
    return disk


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Disk:
    return asyncio.run(record(tmp_path_factory.mktemp("recorded") / "store.sqlite3"))


def left(disk: Disk, cut: int, folder: Path, seed: int, *, honest: bool = True) -> Path:
    """The files after a cut, in a folder; the name of the database."""
    folder.mkdir()
    for name, data in disk.after_cut(cut, Random(f"{SEED} {seed}"), honest=honest).items():
        (folder / Path(name).name).write_bytes(data)
    return folder / "store.sqlite3"


def acknowledged(disk: Disk, cut: int) -> int:
    """How many changes had been acknowledged."""
    return sum(step.operation == "note" for step in disk.steps[:cut])


@pytest.fixture(scope="module")
def near(disk: Disk) -> list[int]:
    """Steps at the ends of the two sessions, and where the log is copied into the file or begun anew."""
    return [
        at
        for at, step in enumerate(disk.steps)
        if step.operation in ("delete", "create")
        or (step.operation == "sync" and not step.name.endswith("-wal"))
        or (step.operation == "write" and step.name.endswith("-wal") and step.at == 0)
    ]


def some_cut(disk: Disk, near: list[int], random: Random) -> int:
    """Any step, or one about such a place."""
    cut = random.choice((random.choice(near) + random.randrange(-15, 16), random.randrange(len(disk.steps))))
    return min(max(cut, 0), len(disk.steps))


def test_what_is_recorded_is_all_that_a_disk_is_asked_to_do(disk: Disk) -> None:
    assert acknowledged(disk, len(disk.steps)) == 2 * CHANGES
    done = {(step.operation, step.name.rpartition("sqlite3")[2]) for step in disk.steps}
    assert {("write", ""), ("sync", ""), ("write", "-wal"), ("sync", "-wal"), ("delete", "-wal")} <= done


@pytest.mark.parametrize("part", range(4))
async def test_after_a_power_cut_all_that_was_acknowledged_is_there(
    disk: Disk, near: list[int], tmp_path: Path, part: int
) -> None:
    random = Random(f"{SEED} {part}")
    for number in range(CUTS // 4):
        cut = some_cut(disk, near, random)
        path = left(disk, cut, tmp_path / str(number), number * 4 + part)
        kept, wrong = await look(path)
        acked = acknowledged(disk, cut)
        assert wrong == [], f"cut {cut}, part {part}, number {number}"
        assert kept in (acked, acked + 1), f"cut {cut}, part {part}, number {number}"
        for file in (tmp_path / str(number)).iterdir():
            file.unlink()


async def test_after_a_power_cut_a_file_that_lost_its_log_is_whole_or_refused(
    disk: Disk, near: list[int], tmp_path: Path
) -> None:
    random, opened = Random(f"{SEED} without"), 0
    for number in range(CUTS):
        cut = some_cut(disk, near, random)
        path = left(disk, cut, tmp_path / str(number), number)
        path.with_name(f"{path.name}-wal").unlink(missing_ok=True)
        kept, wrong = await look(path) if path.exists() and path.stat().st_size else (-1, [])
        opened += kept >= 0
        if kept >= 0:
            acked = acknowledged(disk, cut)
            assert (wrong, kept in (acked, acked + 1)) == ([], True), f"cut {cut}, number {number}"
    assert opened


async def test_a_disk_that_only_says_it_has_synced_is_found_out(disk: Disk, tmp_path: Path) -> None:
    """Else the tests above could not fail."""
    random, lost = Random(SEED), 0
    cuts = 40 if SOAK else 16
    for number in range(cuts):
        cut = random.randrange(len(disk.steps) // 2, len(disk.steps))
        kept, wrong = await look(left(disk, cut, tmp_path / str(number), number, honest=False))
        lost += bool(wrong) or kept < acknowledged(disk, cut)
    assert lost > cuts // 4
