"""A backup is a consistent copy, taken while matches go on, and is in place only when it is whole.

It reads through a connection of its own, which never writes, and so never blocks a commit.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path

from matches.ports import StoreError
from storage.connection import quick_check
from storage.errors import explain, primary_code
from storage.reader import visitor

PAGES_A_STEP = 256
"""How much is copied at a time: a step of a megabyte takes a few milliseconds."""


def copy_file(source: Path, target: Path) -> None:
    """Copy a database whether or not a program has it open, for commands beside the bot. Blocks.

    Raises FileExistsError if the target exists, StoreError if either file can't be used.
    """
    if target.exists():
        raise FileExistsError(f"{target} already exists")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise StoreError(
            f"The folder {target.parent} can't be written ({error.strerror}). Choose another place for "
            "the backup."
        ) from error
    os.close(handle)
    part = Path(name)
    try:
        _fill(source, part)
        _verify(part)
        settle(part, target)
    finally:
        part.unlink(missing_ok=True)


def _fill(source: Path, part: Path) -> None:
    with visitor(source) as old, contextlib.closing(_new(part)) as new:
        try:
            old.backup(new, pages=PAGES_A_STEP)
        except sqlite3.Error as error:
            # Only the copy grows: the message must name the disk it is on.
            if primary_code(error) == sqlite3.SQLITE_FULL:
                raise explain(part.parent, error) from error
            raise
        # One file, without a log beside it, until a program opens it.
        new.execute("PRAGMA journal_mode = DELETE")


def _new(part: Path) -> sqlite3.Connection:
    return sqlite3.connect(part, isolation_level=None)


def _verify(part: Path) -> None:
    try:
        with contextlib.closing(sqlite3.connect(part)) as copy:
            problems = quick_check(copy)
    except sqlite3.Error as error:
        raise explain(part, error) from error
    if problems:
        raise StoreError(f"The backup is damaged ({problems[0]}). Check the disk it is written to.")


def settle(part: Path, target: Path) -> None:
    """Move a finished copy into place, in one step that never replaces a file, and sync the disk."""
    _sync(part)
    try:
        os.link(part, target)
    except FileExistsError:
        raise FileExistsError(f"{target} already exists") from None
    except OSError:
        # A file system without links: the check before is all there is.
        part.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
