"""The mark of a database file, by which its log is known: https://www.sqlite.org/fileformat2.html#walformat

Each transaction writes a new random mark and the one before it, so a log holds, in its first transaction, the
mark that the file has while nothing of the log is in it, and later the one that the file has when it is.
"""

from __future__ import annotations

import mmap
import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

CONSTANT = bytes.fromhex("594c518d7e0c1a3b587300ead1bfa8a8")
"""What stands before the marks in their page (migrations/0023_file_mark.sql)."""
FIRST_MARKED = 23
"""The number of the schema from which on files have a mark."""
NONE = bytes(16)
"""The mark before the first."""

RENEW_BY_ITSELF = "UPDATE file_mark SET previous = current, current = randomblob(16) WHERE id = 1"
_RENEW = "UPDATE file_mark SET previous = current, current = ? WHERE id = 1"
_RENEW_AND_SAY = "UPDATE file_mark SET previous = current, current = ?, in_use = ? WHERE id = 1"
_HEADER, _FRAME = 32, 24
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""The first number of a log, and the order of bytes of its checksums."""
_MOST_SUMMED = 2000
"""Pages of a first transaction whose checksums are computed. A larger one is taken for whole."""


@dataclass(frozen=True, slots=True)
class FileMark:
    """The mark that a file has of itself."""

    current: bytes
    in_use: bool
    """Whether a program has it open, or had when it was killed: then its log belongs to it."""


@dataclass(frozen=True, slots=True)
class NotedMark:
    """What the owner of a file wrote down outside it."""

    mark: bytes
    """The mark of the last transaction that was committed."""
    copying: bool
    """Whether the log may have been in the middle of being copied into the file."""


def is_marked(db: sqlite3.Connection) -> bool:
    """Return whether the schema is as new as marks are."""
    return bool(db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'file_mark'").fetchall())


def read_mark(db: sqlite3.Connection) -> FileMark | None:
    """Return the mark; None in a file of an earlier version, or an empty one."""
    if not is_marked(db):
        return None
    ((current, in_use),) = db.execute("SELECT current, in_use FROM file_mark").fetchall()
    return FileMark(bytes(current), bool(in_use))


def renew(db: sqlite3.Connection, in_use: bool | None = None) -> bytes:
    """Write a new mark within a transaction, and return it."""
    mark = os.urandom(16)
    if in_use is None:
        db.execute(_RENEW, (mark,))
    else:
        db.execute(_RENEW_AND_SAY, (mark, int(in_use)))
    return mark


def mark_copy(db: sqlite3.Connection) -> None:
    """Give a whole copy a mark that no log has, and say that it isn't in use."""
    if is_marked(db):
        db.execute("UPDATE file_mark SET current = randomblob(16), previous = ?, in_use = 0", (NONE,))


@dataclass(frozen=True, slots=True)
class Log:
    """What lies in a write-ahead log."""

    holds_anything: bool
    """Whether a whole transaction is in it. If not, SQLite takes the log for empty."""
    base: bytes | None = None
    """The mark before its first one; None if it has none, as those of earlier versions."""
    marks: list[bytes] = field(default_factory=list)
    """The marks in it, in order. The last ones may be of a transaction that wasn't committed.

    A program that was killed between the head of a frame and its page left there what the log had before it
    was begun anew, perhaps with the base.
    """

    def place(self, mark: bytes) -> int:
        """Return how many of its transactions lead to a mark; -1 if none does."""
        if mark == self.base:
            return 0
        return self.marks.index(mark) + 1 if mark in self.marks else -1


def read_log(path: Path) -> Log:
    """Read a write-ahead log, as far as its frames are of one time. Raises OSError."""
    if not path.is_file() or path.stat().st_size < _HEADER:
        return Log(holds_anything=False)
    with path.open("rb") as file, closing(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) as data:
        magic, _, size = struct.unpack_from(">3I", data)
        order = _MAGIC.get(magic)
        if order is None or _summed(data[:24], order, (0, 0)) != struct.unpack_from(">2I", data, 24):
            return Log(holds_anything=any(data[:_HEADER]))  # not ours to overwrite
        if not _has_transaction(data, size, order):
            return Log(holds_anything=False)
        base, marks = None, []
        for page, _ in _frames(data, size):
            where = data.find(CONSTANT, page, page + size)
            if where >= 0:
                current, previous = data[where + 16 : where + 32], data[where + 32 : where + 48]
                base = previous if base is None else base
                marks.append(current)
        return Log(holds_anything=True, base=base, marks=marks)


def _frames(data: mmap.mmap, size: int) -> Iterator[tuple[int, bool]]:
    """Yield where pages lie that were written since the log was begun anew, and which end a transaction."""
    salts = data[16:24]
    for at in range(_HEADER, len(data) - _FRAME - size + 1, _FRAME + size):
        if data[at + 8 : at + 16] != salts:
            return
        yield at + _FRAME, data[at + 4 : at + 8] != bytes(4)


def _has_transaction(data: mmap.mmap, size: int, order: str) -> bool:
    """Return whether the first transaction is whole, by the checksums of its frames."""
    sums = struct.unpack_from(">2I", data, 24)
    for number, (page, ends) in enumerate(_frames(data, size)):
        sums = _summed(data[page - _FRAME : page - 16], order, sums)
        sums = _summed(data[page : page + size], order, sums)
        if sums != struct.unpack_from(">2I", data, page - 8):
            return False
        if ends or number >= _MOST_SUMMED:
            return True
    return False


def _summed(part: bytes, order: str, sums: tuple[int, ...]) -> tuple[int, int]:
    """Return a checksum after more bytes (https://www.sqlite.org/fileformat2.html#checksum_algorithm)."""
    first, second = sums
    for one, two in struct.iter_unpack(f"{order}2I", part):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second
