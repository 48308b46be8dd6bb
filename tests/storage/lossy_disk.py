"""A disk that remembers every write, and what it may hold if the power fails at any of them.

SQLite works on `Disk` in memory by a virtual file system. Afterwards `after_cut` makes the files as a real
disk may hold them: what was synced is there; of what wasn't, any sector may be there or not, in any order, so
that writes are lost, torn and reordered (https://www.sqlite.org/atomiccommit.html, sections 2 and 2.1).
A write damages nothing beside it, as SQLite takes for granted (https://www.sqlite.org/psow.html).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

import apsw

SECTOR = 512
"""Bytes that arrive whole or not at all."""

Operation = Literal["create", "write", "truncate", "sync", "delete", "note"]
_SYNCS_FOLDER = ("-journal", "-wal")
"""What SQLite's own file system syncs the folder for, at the first sync of such a file (`os_unix.c`)."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that reached the disk, in order: on which file, where, which bytes. A note is the test's."""

    operation: Operation
    name: str = ""
    at: int = 0
    data: bytes = b""


@dataclass
class Disk:
    """Files as SQLite sees them now, and all steps that led there."""

    files: dict[str, bytearray] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def note(self) -> None:
        """Remember that something was acknowledged now."""
        self.steps.append(Step("note"))

    def after_cut(self, cut: int, random: Random, *, honest: bool = True) -> dict[str, bytes]:
        """Return the files as they may be found after the power failed before step `cut`.

        A disk that isn't honest only says that it has synced.
        """
        kept: dict[str, _OnDisk] = {}
        for step in self.steps[:cut]:
            if step.operation == "note":
                continue
            file = kept.setdefault(step.name, _OnDisk())
            if step.operation == "sync":
                if honest and file.is_new and step.name.endswith(_SYNCS_FOLDER):
                    for each in kept.values():
                        each.sync_entry()
                if honest:
                    file.sync()
            else:
                file.is_new = file.is_new or step.operation == "create"
                file.waiting.append(step)
        share = random.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        found = {name: file.found(random, share) for name, file in kept.items()}
        return {name: bytes(data) for name, data in found.items() if data is not None}


@dataclass
class _OnDisk:
    """What a file holds for certain, None if it may be missing, and what waits to be written."""

    certain: bytearray | None = None
    waiting: list[Step] = field(default_factory=list)
    is_new: bool = False
    """Whether its entry in the folder isn't on the disk yet."""

    def sync_entry(self) -> None:
        """The folder is on the disk: files are there that were made, and those are gone that were deleted."""
        deleted = [at for at, step in enumerate(self.waiting) if step.operation == "delete"]
        if deleted:
            self.certain = None
            del self.waiting[: deleted[-1] + 1]
        if self.is_new and any(step.operation == "create" for step in self.waiting):
            self.certain = bytearray()
        self.is_new = False

    def sync(self) -> None:
        """Its bytes are on the disk. If it was deleted since, the entry that says so need not be."""
        if any(step.operation == "delete" for step in self.waiting):
            return
        for step in self.waiting:
            self.certain = _done(self.certain, step)
        self.waiting.clear()

    def found(self, random: Random, share: float) -> bytearray | None:
        """Return what is found after a cut, if that share of what waits has arrived."""
        if self.is_new and random.random() >= share:
            return None
        data = None if self.certain is None else bytearray(self.certain)
        for step in self.waiting:
            parts = _sectors(step) if step.operation == "write" else (step,)
            for part in parts:
                if random.random() < share:
                    data = _done(data, part)
        return data


def _sectors(step: Step) -> list[Step]:
    """Divide a write where sectors begin."""
    found, at, left = [], step.at, step.data
    while left:
        room = SECTOR - at % SECTOR
        found.append(Step("write", step.name, at, left[:room]))
        at, left = at + room, left[room:]
    return found


def _done(data: bytearray | None, step: Step) -> bytearray | None:
    """Return a file after a step."""
    if step.operation == "delete":
        return None
    data = bytearray() if data is None else data
    if step.operation == "truncate":
        del data[step.at :]
        data.extend(bytes(step.at - len(data)))
        return data
    data.extend(bytes(max(0, step.at - len(data))))
    data[step.at : step.at + len(step.data)] = step.data
    return data


class DiskSystem(apsw.VFS):
    """The virtual file system by which SQLite uses a `Disk`. Only one connection may have a file."""

    def __init__(self, disk: Disk, name: str) -> None:
        super().__init__(name, "")
        self.name = name
        self.disk = disk

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _DiskFile:  # type: ignore[override]  # noqa: N802 - SQLite's name
        """Open a file, or make one."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        flags[1] = flags[0]
        return _DiskFile(self.disk, path)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        """Remove a file."""
        if self.disk.files.pop(filename, None) is None:
            missing = apsw.IOError()
            missing.extendedresult = apsw.SQLITE_IOERR_DELETE_NOENT  # type: ignore[attr-defined]  # so documented
            raise missing
        self.disk.steps.append(Step("delete", filename))

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802 - SQLite's name
        """Return whether there is a file."""
        return pathname in self.disk.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802 - SQLite's name
        """Return a name as it is."""
        return name


class _DiskFile:
    """An open file of a `Disk`: what SQLite asks of one (https://www.sqlite.org/c3ref/io_methods.html)."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk, self._name = disk, name
        if name not in disk.files:
            disk.files[name] = bytearray()
            disk.steps.append(Step("create", name))
        self._level = 0

    @property
    def _data(self) -> bytearray:
        return self._disk.files.setdefault(self._name, bytearray())

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self._data[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        step = Step("write", self._name, offset, bytes(data))
        _done(self._data, step)
        self._disk.steps.append(step)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        step = Step("truncate", self._name, newsize)
        _done(self._data, step)
        self._disk.steps.append(step)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.steps.append(Step("sync", self._name))

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._data)

    def xLock(self, level: int) -> None:  # noqa: N802
        self._level = level

    def xUnlock(self, level: int) -> None:  # noqa: N802
        self._level = level

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return self._level >= apsw.SQLITE_LOCK_RESERVED

    def xFileControl(self, op: int, ptr: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE

    def xClose(self) -> None:  # noqa: N802
        pass


class PlainConnection:
    """A connection of apsw with what the store uses of the standard library's connections."""

    def __init__(self, system: DiskSystem, path: Path, *pragmas: str) -> None:
        self._db = apsw.Connection(str(path), vfs=system.name)
        for pragma in pragmas:
            self._db.execute(pragma)

    @property
    def total_changes(self) -> int:
        """How many rows have been changed."""
        return self._db.total_changes()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return bool(self._db.in_transaction)

    def execute(self, statement: str, values: Any = ()) -> _PlainCursor:
        """Run one statement."""
        return _PlainCursor(self._db, self._db.execute(statement, values))

    def executemany(self, statement: str, values: Any) -> None:
        """Run a statement for each of these values."""
        self._db.executemany(statement, values)

    def executescript(self, statements: str) -> None:
        """Run several statements."""
        self._db.execute(statements)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


class _PlainCursor:
    def __init__(self, db: apsw.Connection, cursor: apsw.Cursor) -> None:
        self._cursor = cursor
        self.lastrowid = db.last_insert_rowid()
        self.rowcount = db.changes()

    def fetchone(self) -> Any:
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        return list(self._cursor)

    def __iter__(self) -> Any:
        return iter(self._cursor)
