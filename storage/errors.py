"""What SQLite reports, as a sentence for the person who runs the program: what is wrong and what to do.

Nothing here ever shows a value that was stored.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from matches.ports import StoreError, StoreUnavailableError

_SENTENCES = {
    sqlite3.SQLITE_FULL: "There is no space left for {path}. Free some on its disk, then start again. "
    "No change was written in part.",
    sqlite3.SQLITE_READONLY: "{path} is read-only. Make the file and its folder writable for the user "
    "who runs the program.",
    sqlite3.SQLITE_PERM: "{path} can't be opened. Let the user who runs the program read and write it.",
    sqlite3.SQLITE_CANTOPEN: "{path} can't be opened. Make sure that its folder exists and that the user "
    "who runs the program can write there.",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged. Leave it where it is, and restore the last backup: "
    "dominium restore FILE.",
    sqlite3.SQLITE_NOTADB: "{path} isn't a database. Choose another file, or move this one away.",
    sqlite3.SQLITE_BUSY: "{path} is locked by another program. Close what else has it open, then try again.",
    sqlite3.SQLITE_LOCKED: "{path} is locked by another program. Close what else has it open, then try "
    "again.",
    sqlite3.SQLITE_IOERR: "There was a disk error while {path} was in use. Check the disk and its free "
    "space, then start again.",
    sqlite3.SQLITE_NOMEM: "There was not enough memory to work on {path}.",
}

_PASSING = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
    }
)
_PASSING_ERRNOS = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ESTALE,
        errno.ETIMEDOUT,
    }
)
"""What may be over at another start: a full or slow disk, too little memory."""


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension, 0 where the module gives none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def messages_decoded() -> Iterator[None]:
    """Raise sqlite3.DatabaseError where SQLite's message quotes a damaged schema that Python can't decode."""
    try:
        yield
    except UnicodeDecodeError as error:
        damaged = sqlite3.DatabaseError("malformed database schema")
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damaged from error


def explain(path: Path, error: sqlite3.Error) -> Exception:
    """Return the exception to raise for one of SQLite's.

    LookupError where a row refers to a match that isn't there, ValueError where a value is not allowed,
    else StoreError, of the kind that may pass where it may (https://www.sqlite.org/rescode.html).
    """
    code = primary_code(error)
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return LookupError("there is no such match")
    if code == sqlite3.SQLITE_CONSTRAINT:
        return ValueError(f"not allowed in the store: {error}")
    sentence = _SENTENCES.get(code, "{path} can't be used.")
    kind = StoreUnavailableError if code in _PASSING else StoreError
    return kind(f"{sentence.format(path=path)} (SQLite says: {error})")


def unusable(error: OSError, sentence: str) -> StoreError:
    """Return the exception to raise for a file or folder that the system refuses, with our sentence."""
    return (StoreUnavailableError if error.errno in _PASSING_ERRNOS else StoreError)(sentence)
