"""One process at a time owns a database file, and gives it back however it ends.

The lock is a record lock on a file beside the database: the system drops it with the process, a killed one
too, and children that were forked don't inherit it. It holds between processes only, so a set guards within.
The owner also notes the database's last mark there: a file that has it lacks nothing (storage/beside.py).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from pathlib import Path

from matches.ports import StoreError, StoreUnavailableError
from storage.errors import unusable
from storage.file_mark import NotedMark

_PID = 20
"""Bytes for the number of the process, in the first line."""
_NOTE = 32
"""Hexadecimal digits of the mark, in the second, which ends with a plus while the log may be being copied."""

_held: set[Path] = set()
"""Lock files owned by this process. Opening one again would drop its lock when it is closed."""

_guard = threading.Lock()


class TakenError(StoreUnavailableError):
    """Raised if another process, or another store of this one, has the right."""


class Lease:
    """The right to write a database file, from construction to `release`."""

    def __init__(self, database: Path, *, wait: bool = False, brief: bool = False) -> None:
        """Take the right, with `wait` once its owner ends. Raises TakenError if it has one, or StoreError.

        One that only looks is `brief`: it leaves no lock file without a note.
        """
        self.path = lock_path(database)
        self._database = database
        with _guard:
            if self.path in _held:
                raise _taken(database, os.getpid())
            while (fd := self._lock(database, wait=wait)) is None:
                pass
            self._fd = fd
            _held.add(self.path)
        self._written = self._last_written()
        self._copying_kept = False
        self.noted = _read_note(os.pread(self._fd, _NOTE + 1, _PID + 1))
        """The mark that the last owner noted; None if none did."""
        self._leaves_none = brief and self.noted is None
        # The number is for the message to a second process only; without it the message is shorter.
        with contextlib.suppress(OSError):
            self._write(f"{os.getpid():<{_PID}}\n".encode(), 0)

    def note_copying(self) -> None:
        """Note that the log may be copied into the file from now on, until the next mark is noted.

        Pages are copied one by one: the file may have the mark that is noted, and pages of another state.
        On the disk before the first page is, and as long as the noted mark may be the file's own.
        """
        with contextlib.suppress(OSError):
            self._write(b"+", _PID + 1 + _NOTE)
            if not self._copying_kept:
                self._sync()
                self._copying_kept = True

    def note(self, mark: bytes) -> None:
        """Note the mark of what was committed, and copied into the file if that was due.

        On the disk before the log is begun anew: from then on only the note shows that the file is complete.
        """
        with contextlib.suppress(OSError):
            self._write(f"{mark.hex()}\n".encode(), _PID + 1)
            if (written := self._last_written()) != self._written:
                self._written = written
                self._sync()
                self._copying_kept = False

    def _write(self, data: bytes, at: int) -> None:
        os.pwrite(self._fd, data, at)

    def _sync(self) -> None:
        os.fsync(self._fd)

    def _last_written(self) -> int:
        """Return when the file itself was last written, which is done only by copying the log into it."""
        try:
            return self._database.stat().st_mtime_ns
        except OSError:
            return 0

    def _lock(self, database: Path, *, wait: bool) -> int | None:
        """Return the descriptor of the locked file; None if it was removed meanwhile by one that looked."""
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise unusable(
                error,
                f"{self.path} can't be written ({error.strerror}). Make its folder writable for the user who "
                "runs the program.",
            ) from error
        if os.geteuid() == 0 and not os.fstat(fd).st_size:
            # Else the bot, under its own name, couldn't take it after a command of root's.
            near = database if database.exists() else database.resolve().parent
            os.fchown(fd, near.stat().st_uid, near.stat().st_gid)
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            owner = os.pread(fd, _PID, 0).decode("ascii", "replace").strip()
            os.close(fd)
            raise _taken(database, int(owner) if owner.isdecimal() else None) from error
        except OSError as error:
            os.close(fd)
            raise StoreError(
                f"{self.path} can't be locked ({error.strerror}). Put the database on a local disk."
            ) from error
        try:
            if os.path.samestat(os.fstat(fd), self.path.stat()):
                return fd
        except FileNotFoundError:
            pass
        os.close(fd)
        return None

    def release(self) -> None:
        """Give the right back. The lock file stays, but for one that was only there to look."""
        with _guard:
            if self.path in _held:
                if self._leaves_none:
                    self.path.unlink(missing_ok=True)
                os.close(self._fd)
                _held.discard(self.path)


def lock_path(database: Path) -> Path:
    """Return the lock file that belongs to a database."""
    whole = database.resolve()
    return whole.with_name(f"{whole.name}.lock")


def last_noted(database: Path) -> NotedMark | None:
    """Return what a database's last owner noted; None if none did."""
    try:
        with lock_path(database).open("rb") as file:
            return _read_note(file.read(_PID + 1 + _NOTE + 1)[_PID + 1 :])
    except OSError:
        return None


def _read_note(line: bytes) -> NotedMark | None:
    digits, end = line[:_NOTE], line[_NOTE:]
    try:
        return NotedMark(bytes.fromhex(digits.decode("ascii")), end == b"+") if len(digits) == _NOTE else None
    except ValueError:
        return None


def _taken(database: Path, owner: int | None) -> TakenError:
    who = "another process" if owner is None else f"process {owner}"
    return TakenError(f"{database} is in use by {who}. Stop it first, or choose another file.")
