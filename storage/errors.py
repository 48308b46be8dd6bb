"""What SQLite reports, as a sentence for the person who runs the program: what is wrong and what to do.

Nothing here ever shows a value that was stored.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from matches.ports import StoreError

_SENTENCES = {
    sqlite3.SQLITE_FULL: "There is no space left for {path}. Free some on its disk, then start again. "
    "No change was written in part.",
    sqlite3.SQLITE_READONLY: "{path} is read-only. Make the file and its folder writable for the user "
    "who runs the program.",
    sqlite3.SQLITE_PERM: "{path} can't be opened. Let the user who runs the program read and write it.",
    sqlite3.SQLITE_CANTOPEN: "{path} can't be opened. Make sure that its folder exists and that the user "
    "who runs the program can write there.",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged. Move it away together with the files -wal and -shm beside "
    "it, and restore the last backup.",
    sqlite3.SQLITE_NOTADB: "{path} isn't a database. Choose another file, or move this one away.",
    sqlite3.SQLITE_BUSY: "{path} is locked by another program. Close what else has it open, then try again.",
    sqlite3.SQLITE_LOCKED: "{path} is locked by another program. Close what else has it open, then try "
    "again.",
    sqlite3.SQLITE_IOERR: "There was a disk error while {path} was in use. Check the disk and its free "
    "space, then start again.",
    sqlite3.SQLITE_NOMEM: "There was not enough memory to work on {path}.",
}


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension, 0 where the module gives none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def explain(path: Path, error: sqlite3.Error) -> Exception:
    """Return the exception to raise for one of SQLite's.

    LookupError where a row refers to a match that isn't there, ValueError where a value is not allowed,
    else StoreError (https://www.sqlite.org/rescode.html).
    """
    code = primary_code(error)
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return LookupError("there is no such match")
    if code == sqlite3.SQLITE_CONSTRAINT:
        return ValueError(f"not allowed in the store: {error}")
    sentence = _SENTENCES.get(code, "{path} can't be used.")
    return StoreError(f"{sentence.format(path=path)} (SQLite says: {error})")
