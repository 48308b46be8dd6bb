"""What a killed bot has left, a backup of it, and what a start finds."""

from __future__ import annotations

import shutil
from pathlib import Path

from matches.store.rows import Commit
from storage import check_file, copy_file, open_store
from tests.fakes import START, FakeClock
from tests.storage.copies import ENDS
from tests.storage.rows import lobby, move


class Scene:
    """A database that a killed bot has left, with two matches; a backup of it has the first one only."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "Spiele für Ann.sqlite3"
        self.backup = folder / "backup.sqlite3"
        self.folder = folder

    def file(self, end: str) -> Path:
        return self.path.with_name(f"{self.path.name}{end}")

    @property
    def log(self) -> bytes:
        return self.file("-wal").read_bytes()

    def aside(self) -> list[bytes]:
        return [file.read_bytes() for file in self.folder.glob("*.of-another-file-*")]


async def filled(scene: Scene, live: Path) -> None:
    """What a running bot has on the disk is what a killed one leaves."""
    store = await open_store(live, clock=FakeClock())
    await store.create(Commit(lobby("F-1"), START))
    copy_file(live, scene.backup)
    row = lobby("F-2")
    await store.create(Commit(row, START))
    for number in range(20):
        change = move(row, f"r{number}")
        await store.commit(change)
        row = change.row
    for end in ENDS:
        if (one := live.with_name(f"{live.name}{end}")).exists():
            shutil.copyfile(one, scene.file(end))
    await store.close()


async def matches(path: Path) -> list[str]:
    """What a start finds."""
    store = await open_store(path, clock=FakeClock())
    try:
        found = [name for name in ("F-1", "F-2") if await store.match(name) is not None]
        assert check_file(path) == ()
    finally:
        await store.close()
    return found
