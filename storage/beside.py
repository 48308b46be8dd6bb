"""What lies beside a database file, and whether it is the file's own (adr/0021).

SQLite applies whatever log has the right name, and deletes it if the file is empty. So this looks first, each
time before SQLite does. Only who holds the lease may ask: nobody else has the file open then.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from matches.ports import StoreError
from storage.errors import explain, messages_decoded, primary_code
from storage.file_mark import FIRST_MARKED, NONE, FileMark, Log, NotedMark, read_log, read_mark
from storage.migrations import APPLICATION_ID, identify, shipped

log = logging.getLogger(__name__)

Access = Literal["immutable=1", "mode=ro", "mode=rw"]
"""How SQLite has to open a file: alone, with its log, or so that it can roll its journal back."""

CHECKED_AT_START = 64 * 2**20
"""Bytes up to which a file is checked whole at each start, in a third of a second.

Larger ones are checked if they may have been copied, by backups, and by `dominium doctor`."""

_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal begins (https://www.sqlite.org/fileformat2.html#rollbackjournal)."""
_CHANGES_WITH_MODE = (slice(18, 20), slice(24, 28), slice(92, 100))
"""The bytes of the first page that change when a file gets a write-ahead log."""


class UnsureError(StoreError):
    """Raised for a file that lacks its log, or doesn't fit with the one beside it."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What was found."""

    access: Access
    foreign: tuple[Path, ...] = ()
    """Logs of another file: they are neither to be applied nor to be deleted."""
    warning: str = ""
    checked: bool = False
    """Whether all of it has been checked, with its log, and nothing is wrong."""


def beside(path: Path, end: str) -> Path:
    """Return the file that SQLite keeps beside a database: with the end -wal, -shm or -journal."""
    return path.with_name(f"{path.name}{end}")


def look_beside(path: Path, noted: NotedMark | None) -> Beside:
    """Find out what belongs to a file. `noted` is what its owner wrote down last, if known.

    Changes nothing. Raises UnsureError if the file lacks its log or doesn't fit with it, StoreError if it
    isn't ours.
    """
    try:
        return _look(path, noted)
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except OSError as error:
        raise StoreError(f"{error.filename} can't be read ({error.strerror}). Make it readable.") from error


def _look(path: Path, noted: NotedMark | None) -> Beside:
    wal, journal = beside(path, "-wal"), beside(path, "-journal")
    found, hot = read_log(wal), _is_hot(journal)
    if not path.exists() or not path.stat().st_size:
        if found.holds_anything or (hot and _pages_before(journal)):
            raise UnsureError(
                f"{path} is missing or empty, but {wal if found.holds_anything else journal} is there, with "
                f"what was played last. Put the file back beside it, or restore the last backup: {_RESTORE}."
            )
        return Beside("mode=rw")
    if not hot:
        return _look_at_log(path, wal, found, noted)
    if _is_of_mode_switch(journal, path):
        return Beside("mode=rw")
    _require_ours(path)
    if found.holds_anything:
        raise StoreError(
            f"{journal} is another file's, and in the way. Start the bot, which puts it aside, or move it."
        )
    return Beside("immutable=1", (journal, *_look_at_log(path, wal, found, noted).foreign))


_RESTORE = "dominium restore FILE"
_NOT_WHOLE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What SQLite reports where pages don't fit together; the last, where a table is missing."""


def _look_at_log(path: Path, wal: Path, found: Log, noted: NotedMark | None) -> Beside:
    """Compare the file's mark with those in the log that lies beside it."""
    try:
        mark = _mark_of(path, "immutable=1")
    except sqlite3.Error as error:
        if not found.holds_anything or primary_code(error) == sqlite3.SQLITE_NOTADB:
            return Beside("mode=ro")  # it is damaged without any log: opening raises that
        # Tables were being changed when it was copied into the file. With the log they are whole, or never.
        return Beside("mode=ro", checked=_require_whole(path, wal))
    complete = mark is None or not mark.in_use or (noted is not None and _is_noted(mark, noted, wal, found))
    if not found.holds_anything:
        if not complete:
            raise _incomplete(path, wal)
        return Beside("immutable=1")
    if mark is None:
        if found.base not in (None, NONE):
            return Beside("immutable=1", (wal,))
        # A killed program of an earlier version left no marks.
        return Beside("mode=ro", checked=_require_whole(path, wal))
    if (place := found.place(mark.current)) < 0:
        _require_ours(path)
        if not complete:
            raise _incomplete(path, wal, f", and {wal.name} is another file's")
        return Beside("immutable=1", (wal,))
    return _with_own_log(path, wal, found, mark, place, noted)


def _is_noted(mark: FileMark, noted: NotedMark, wal: Path, found: Log) -> bool:
    """Return whether by the note a file in use has all that was in its log.

    While the log is copied, it has whole transactions. Before that, one that was begun anew has none.
    """
    begun_anew = wal.is_file() and wal.stat().st_size > 0 and not found.holds_anything
    return mark.current == noted.mark and (not noted.copying or begun_anew)


def _with_own_log(
    path: Path, wal: Path, found: Log, mark: FileMark, place: int, noted: NotedMark | None
) -> Beside:
    """Return what follows if the log is the file's own: it may still be cut short, or a copy torn."""
    merged = _mark_of(path, "mode=ro")
    last = -1 if merged is None else found.place(merged.current)
    if last < place:
        raise _damaged(path, wal, "the log is cut short")
    as_it_was_left = noted is not None and found.place(noted.mark) == last
    checked = False
    if not as_it_was_left or path.stat().st_size <= CHECKED_AT_START:
        checked = _require_whole(path, wal)
    if noted is None or noted.mark == mark.current or found.place(noted.mark) in range(last + 1):
        return Beside("mode=ro", checked=checked)
    return Beside(
        "mode=ro",
        checked=checked,
        warning=f"{path} and {wal.name} are older than what was last written here. If you put them there, "
        f"all is well; otherwise stop the bot, and restore the last backup: {_RESTORE}.",
    )


def _mark_of(path: Path, access: Access) -> FileMark | None:
    with open_uri(path, access) as db:
        version, mark = identify(db, path, len(shipped())), read_mark(db)
    if mark is None and version >= FIRST_MARKED:
        raise sqlite3.DatabaseError("The table of the mark isn't found, though the schema has it.")
    return mark


def _require_whole(path: Path, wal: Path) -> bool:
    """Raise StoreError if applying the log would make anything wrong in the file. Writes to neither.

    Return whether nothing is wrong with the two; what is wrong may have been so before.
    """
    if not (together := _problems(path, "mode=ro")):
        return True
    alone = _problems(path, "immutable=1")
    problems = [one for one in together if one not in alone]
    if problems:
        raise _damaged(path, wal, problems[0])
    return False


def _problems(path: Path, access: Access) -> tuple[str, ...]:
    try:
        with open_uri(path, access) as db:
            identify(db, path, len(shipped()))
            return whole_check(db)
    except sqlite3.DatabaseError as error:
        if primary_code(error) not in _NOT_WHOLE:
            raise
        return (f"{access}: {error}",)


def whole_check(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return what is wrong with a whole database, one sentence each: pages, indexes, references, logs."""
    found = [str(line) for (line,) in db.execute("PRAGMA integrity_check(20)")]
    if found != ["ok"]:
        return tuple(found)
    found = [
        f"{table}: a row refers to no {parent}"
        for table, _, parent, _ in db.execute("PRAGMA foreign_key_check")
    ]
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entries'").fetchall():
        found += [
            f"match {match}: its version is {version}, its log has {count} entries and ends with {last}"
            for match, version, count, last in db.execute(_BROKEN_LOGS)
        ]
    return tuple(found)


_BROKEN_LOGS = """
SELECT id, version, count(seq), coalesce(max(seq), -1) FROM matches LEFT JOIN entries ON match = id
GROUP BY id HAVING coalesce(max(seq), -1) <> version OR count(seq) <> version + 1
"""


@contextmanager
def open_uri(path: Path, access: Access) -> Iterator[sqlite3.Connection]:
    """Open a file for reading, and close it. Raises sqlite3.Error."""
    uri = f"file:{quote(str(path.resolve()))}?{access}"
    with closing(sqlite3.connect(uri, uri=True, timeout=5.0, isolation_level=None)) as db, messages_decoded():
        yield db


def _incomplete(path: Path, wal: Path, more: str = "") -> UnsureError:
    return UnsureError(
        f"{path} was in use when it lost its log {wal.name}{more}: what was played last may be missing. Put "
        f"the log back beside it, or restore the last backup: {_RESTORE}."
    )


def _damaged(path: Path, wal: Path, problem: str) -> UnsureError:
    return UnsureError(
        f"{path} and {wal.name} don't fit together ({problem}): one was damaged, or copied without the "
        f"other. Put back the one that is missing, or restore the last backup: {_RESTORE}."
    )


# --- journals -----------------------------------------------------------------------------------------


def _is_hot(journal: Path) -> bool:
    """Return whether SQLite would roll a journal back, or delete it."""
    if not journal.is_file():
        return False
    with journal.open("rb") as file:
        return any(file.read(1))


def _pages_before(journal: Path) -> int:
    """Return how many pages the file had when a journal was begun; 1 if it isn't a journal."""
    with journal.open("rb") as file:
        head = file.read(28)
    if len(head) < 28 or not head.startswith(_JOURNAL):
        return 1
    pages: int = struct.unpack_from(">I", head, 16)[0]
    return pages


def _is_of_mode_switch(journal: Path, path: Path) -> bool:
    """Return whether a journal is what a start was killed with while the file got a write-ahead log.

    Only then do our files have one, and it has nothing but their first page.
    """
    data, whole = journal.read_bytes(), path.stat().st_size
    if len(data) < 28 or not data.startswith(_JOURNAL):
        return False
    pages, sector, size = struct.unpack_from(">3I", data, 16)
    if not pages:
        return bool(whole <= size)
    records = (
        [data[at : at + 4 + size] for at in range(sector, len(data) - size - 7, size + 8)] if size else []
    )
    if pages * size != whole or len(records) > 1:
        return False
    with path.open("rb") as file:
        first = bytearray(file.read(size))
    for record in records:
        before = bytearray(record[4:])
        for part in _CHANGES_WITH_MODE:
            before[part] = first[part]
        if record[:4] != b"\0\0\0\1" or before != first:
            return False
    return True


def _require_ours(path: Path) -> None:
    """Raise StoreError for another program's database: its journal is its own affair."""
    with path.open("rb") as file:
        head = file.read(100)
    if len(head) == 100 and struct.unpack_from(">I", head, 68)[0] not in (0, APPLICATION_ID):
        raise StoreError(
            f"{path} is another program's database. Choose another file; this one was left as it is."
        )


# --- putting aside ------------------------------------------------------------------------------------


def put_aside(path: Path, noted: NotedMark | None) -> Beside:
    """Prepare a file to be opened: logs of another file get another name, and the operator is warned.

    Return what was found. Raises StoreError as `look_beside` does.
    """
    journal = beside(path, "-journal")
    if path.exists() and path.stat().st_size and _is_hot(journal) and not _is_of_mode_switch(journal, path):
        _require_ours(path)
        rename_aside(journal)
    found = look_beside(path, noted)
    for one in found.foreign:
        rename_aside(one)
    if found.warning:
        log.warning("%s", found.warning)
    return found


def rename_aside(one: Path) -> None:
    """Give a log a name that shows what it isn't, and warn the operator."""
    number = 1
    while (aside := beside(one, f".of-another-file-{number}")).exists():
        number += 1
    one.rename(aside)
    sync_folder(one.parent)
    log.warning(
        "%s was not the log of the file beside it, so it was not applied, and is now %s. If moves are "
        "missing, stop the bot, and put both that log and its own file back; otherwise delete it.",
        one,
        aside.name,
    )


def sync_folder(path: Path) -> None:
    """Have the names in a folder, or the bytes of a file, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
