"""The Store on one SQLite file: matches, outbox, surroundings and maps over one connection."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from matches.ports import Clock
from storage.around import Surroundings
from storage.backup import copy_open
from storage.connection import Database, open_database, settled
from storage.maps import Maps
from storage.matches import Matches
from storage.outbox import Outbox
from storage.reader import examine_open

WAL_BUG = ((3, 7, 0), (3, 51, 2))
"""Releases with the WAL-reset bug, first and last (https://www.sqlite.org/wal.html#walresetbug)."""


class SqliteStore(Matches, Outbox, Surroundings, Maps):
    """The Store of matches.ports on a file. Made by `open_store`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._reading = asyncio.Lock()

    def __repr__(self) -> str:
        return f"SqliteStore({str(self._database.path)!r})"

    async def check(self) -> tuple[str, ...]:
        """What is wrong with the file or between its tables, or nothing."""
        self._database.require_open()
        async with self._reading:
            return await settled(asyncio.to_thread(examine_open, self._database.path))

    async def backup(self, target: Path) -> None:
        """Write a consistent, checked copy while matches go on. FileExistsError if the target is there."""
        self._database.require_open()
        async with self._reading:
            await copy_open(self._database.path, target)

    async def close(self) -> None:
        """Wait for what runs, close the file, give the lease back."""
        async with self._reading:
            await self._database.close()


async def open_store(path: Path, *, clock: Clock) -> SqliteStore:
    """Open the store in a file, or start one there.

    StoreError, in a sentence that says what to do, if that file can't be used: in use by another process,
    read-only, damaged, newer than the program, another program's. There is no other place to fall back to.
    """
    return SqliteStore(await open_database(path, clock), clock)


def sqlite_note(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str | None:
    """Return what to know about the SQLite in use where another program might write too, else None."""
    first, last = WAL_BUG
    if not first <= version <= last:
        return None
    return (
        "Dominium writes through one connection, which is safe. Let nothing else write its file: "
        "up to 3.51.2, SQLite can damage a database that two programs write at the same moment."
    )
