"""A backup is a consistent copy, taken while matches go on, and is in place only when it is whole.

It reads through a connection of its own, which never writes, and so never blocks a commit.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from matches.ports import StoreError
from storage.beside import beside, look_beside, open_uri, sync_folder
from storage.errors import explain, primary_code
from storage.file_mark import mark_copy
from storage.reader import visitor

PAGES_A_STEP = 256
"""How much is copied at a time: a step of a megabyte takes a few milliseconds."""


def copy_file(source: Path, target: Path) -> None:
    """Copy a database whether or not a program has it open, for commands beside the bot. Blocks.

    Raises FileExistsError if the target, or a log with its name, exists, StoreError if a file can't be used.
    """
    require_free(target)
    with visitor(source) as old, filled(old, target) as part:
        settle(part, target)


@contextlib.contextmanager
def filled(old: sqlite3.Connection, target: Path) -> Iterator[Path]:
    """Yield a whole and checked copy of a database, in the folder of its target. Raises StoreError."""

    def copy(new: sqlite3.Connection) -> None:
        try:
            old.backup(new, pages=PAGES_A_STEP)
        except sqlite3.Error as error:
            # Only the copy grows: the message must name the disk it is on.
            if primary_code(error) == sqlite3.SQLITE_FULL:
                raise explain(target.parent, error) from error
            raise

    with verified(copy, target) as part:
        yield part


@contextlib.contextmanager
def verified(fill: Callable[[sqlite3.Connection], None], target: Path) -> Iterator[Path]:
    """Yield a file that `fill` has filled, checked, in the folder of its target. Raises StoreError."""
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
        _fill(fill, part)
        _verify(part)
        yield part
    finally:
        part.unlink(missing_ok=True)
        beside(part, "-journal").unlink(missing_ok=True)


def copy_privately(source: Path, target: Path) -> None:
    """Copy a file as it is into a new one that only its owner can read. Raises OSError."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    shutil.copyfile(source, target)


def require_free(target: Path) -> None:
    """Raise FileExistsError if there is a file with that name, or one that SQLite would take for its log."""
    for one in (target, *(beside(target, end) for end in ("-wal", "-journal"))):
        if one.exists():
            raise FileExistsError(f"{one} already exists")


def _fill(fill: Callable[[sqlite3.Connection], None], part: Path) -> None:
    with contextlib.closing(_new(part)) as new:
        fill(new)
        # One file, without a log beside it, until a program opens it.
        new.execute("PRAGMA journal_mode = DELETE")
        mark_copy(new)


def _new(part: Path) -> sqlite3.Connection:
    return sqlite3.connect(part, isolation_level=None)


def _verify(part: Path) -> None:
    """Look at a copy as a start will: at what lies beside it, and at the file alone."""
    try:
        access = look_beside(part, None).access
        with open_uri(part, access) as copy:
            found = [str(line) for (line,) in copy.execute("PRAGMA integrity_check(20)")]
    except sqlite3.Error as error:
        raise explain(part, error) from error
    if found != ["ok"]:
        raise StoreError(f"The backup is damaged ({found[0]}). Check the disk it is written to.")


def settle(part: Path, target: Path) -> None:
    """Move a finished copy into place, in one step that never replaces a file, and sync the disk.

    Raises FileExistsError if there is a file already.
    """
    sync_folder(part)
    require_free(target)
    try:
        os.link(part, target)
    except FileExistsError:
        raise FileExistsError(f"{target} already exists") from None
    except OSError:
        # A file system without links: the check before is all there is.
        part.rename(target)
    sync_folder(target.parent)
