"""A process that has a database open and commits as fast as it can, until it is killed, closed or frozen.

It tells of each state before it is committed, so that whatever a database may hold is known.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from matches.ports import StoreError
from storage import SqliteStore, open_either
from tests.fakes import FakeClock
from tests.storage.crash import commits

T = TypeVar("T")
OURS = ("migrations", "file_mark", "writers")
"""Tables that no player would miss."""


def state_of(db: Any) -> str:
    """The fingerprint of everything in a database; ``db`` is a connection to a file or to PostgreSQL."""
    if isinstance(db, sqlite3.Connection):
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        rows = "SELECT * FROM {}"
    else:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        rows = "SELECT t::text FROM {} AS t"
    whole = [
        (name, sorted(map(repr, db.execute(rows.format(name)))))
        for (name,) in db.execute(tables).fetchall()
        if name not in OURS
    ]
    return hashlib.sha256(repr(whole).encode()).hexdigest()[:12]


def _tell_of_states(database: Any, tell: Callable[[str], None]) -> None:
    """From now on a database does so."""
    commit = database.transaction

    async def transaction(work: Callable[[Any], T]) -> T:
        def told(db: Any) -> T:
            result = work(db)
            tell(f"?{state_of(db)}")
            return result

        return cast("T", await commit(told))

    database.transaction = transaction


async def _play(where: Path | str, ears: int, tell: Callable[[str], None], pages: int) -> None:
    try:
        store = cast("SqliteStore", await open_either(where, clock=FakeClock()))
    except StoreError as error:
        tell(f"!{error}")
        return
    if isinstance(where, Path):
        await store._database.read(lambda db: db.execute(f"PRAGMA wal_autocheckpoint = {pages}").fetchall())
    _tell_of_states(store._database, tell)
    tell(f"={await store._database.read(state_of)}")
    word = os.read(ears, 1)
    os.set_blocking(ears, False)
    if word == b"g":
        async for _ in commits(store):
            tell("+")
            try:
                os.read(ears, 1)
            except BlockingIOError:
                continue
            break
    await store.close()


@dataclass
class Bot:
    """The process. It begins to commit when it is told to."""

    where: Path | str
    """A file, or the URL of a PostgreSQL database."""
    pages: int = 1000
    """The size of the log, in pages, from which it is copied into the file."""
    opened: str = ""
    """The state that was found."""
    refused: str = ""
    """What was said instead."""
    certain: str = ""
    """The last state that was acknowledged."""
    maybe: str = ""
    """The last that was begun."""
    acked: int = 0
    told: set[str] = field(default_factory=set)
    """All states that were begun."""
    _rest: bytes = b""

    def __post_init__(self) -> None:
        self._read, tongue = os.pipe()
        ears, self._say = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._read)
            os.close(self._say)
            logging.disable(logging.CRITICAL)

            def tell(line: str) -> None:
                os.write(tongue, f"{line}\n".encode())

            try:
                asyncio.run(_play(self.where, ears, tell, self.pages))
            finally:
                os._exit(0)
        os.close(tongue)
        os.close(ears)
        while not (self.opened or self.refused):
            if not self._hear():
                raise RuntimeError("the process ended before it had opened the database")
        if self.refused:
            self.end()

    def _hear(self) -> bool:
        """Wait for more, and take it in; False at the end."""
        more = os.read(self._read, 65536)
        *lines, self._rest = (self._rest + more).split(b"\n")
        for line in lines:
            what, text = chr(line[0]), line[1:].decode()
            if what == "!":
                self.refused = text
            elif what == "=":
                self.opened = self.certain = self.maybe = text
            elif what == "?":
                self.maybe = text
                self.told.add(text)
            else:
                self.certain, self.acked = self.maybe, self.acked + 1
        return bool(more)

    def begin(self, count: int) -> None:
        """Let it commit, and wait for that many to be acknowledged."""
        os.write(self._say, b"g")
        self.wait_for(count)

    def wait_for(self, count: int) -> None:
        """Wait until so many more are acknowledged."""
        enough = self.acked + count
        while self.acked < enough and self._hear():
            pass

    def freeze(self, frozen: bool) -> None:
        """Let it stand still, or go on."""
        os.kill(self.pid, signal.SIGSTOP if frozen else signal.SIGCONT)

    def end(self) -> set[str]:
        """Wait for its end, and return the states that it may have left."""
        while self._hear():
            pass
        os.waitpid(self.pid, 0)
        os.close(self._read)
        os.close(self._say)
        return {self.certain, self.maybe}

    def kill(self) -> set[str]:
        """Kill it."""
        os.kill(self.pid, signal.SIGKILL)
        return self.end()

    def close(self) -> set[str]:
        """Let it close the database and end."""
        os.write(self._say, b"c")
        self.end()
        return {self.certain}
