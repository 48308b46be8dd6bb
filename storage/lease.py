"""One process at a time owns a database file, and gives it back however it ends.

The lock is a record lock on a file beside the database: the system drops it with the process, a killed one
too, and children that were forked don't inherit it. It holds between processes only, so a set guards within.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from pathlib import Path

from matches.ports import StoreError, StoreUnavailableError
from storage.errors import unusable

_held: set[Path] = set()
"""Lock files owned by this process. Opening one again would drop its lock when it is closed."""

_guard = threading.Lock()


class Lease:
    """The right to write a database file, from construction to `release`."""

    def __init__(self, database: Path) -> None:
        """Take the right. StoreError if another process or another store of this one has it."""
        self.path = lock_path(database)
        with _guard:
            if self.path in _held:
                raise _taken(database, os.getpid())
            self._fd = self._lock(database)
            _held.add(self.path)
        # The number is for the message to a second process only; without it the message is shorter.
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def _lock(self, database: Path) -> int:
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise unusable(
                error,
                f"{self.path} can't be written ({error.strerror}). Make its folder writable for the user who "
                "runs the program.",
            ) from error
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            owner = os.pread(fd, 20, 0).decode("ascii", "replace").strip()
            os.close(fd)
            raise _taken(database, int(owner) if owner.isdecimal() else None) from error
        except OSError as error:
            os.close(fd)
            raise StoreError(
                f"{self.path} can't be locked ({error.strerror}). Put the database on a local disk."
            ) from error
        return fd

    def release(self) -> None:
        """Give the right back. The lock file stays: removing it would let two processes lock two files."""
        with _guard:
            if self.path in _held:
                os.close(self._fd)
                _held.discard(self.path)


def lock_path(database: Path) -> Path:
    """Return the lock file that belongs to a database."""
    whole = database.resolve()
    return whole.with_name(f"{whole.name}.lock")


def _taken(database: Path, owner: int | None) -> StoreError:
    who = "another process" if owner is None else f"process {owner}"
    return StoreUnavailableError(f"{database} is in use by {who}. Stop it first, or choose another file.")
