"""Read a database beside its owner, by a connection that never writes, or alone if it has no owner."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from matches.ports import StoreError
from storage.beside import Access, Beside, look_beside, open_uri, whole_check
from storage.errors import explain
from storage.lease import Lease, TakenError, last_noted
from storage.migrations import identify, shipped

log = logging.getLogger(__name__)


@contextlib.contextmanager
def reader(path: Path, access: Access = "mode=ro") -> Iterator[sqlite3.Connection]:
    """Open one consistent snapshot of a database that another process may be writing to.

    Raises StoreError if the file isn't ours or can't be read.
    """
    try:
        with open_uri(path, access) as db:
            # An open read transaction keeps the state, however much is written meanwhile.
            db.execute("BEGIN")
            identify(db, path, len(shipped()))
            yield db
            db.execute("COMMIT")
    except sqlite3.Error as error:
        raise explain(path, error) from error


def require_database(path: Path) -> None:
    """Raise StoreError if there is no database, with a word on what it may have left behind."""
    if not path.is_file() or not path.stat().st_size:
        look_beside(path, None)
        raise StoreError(f"There is no database {path}. Name the one that the program uses.")


@contextlib.contextmanager
def looked(path: Path) -> Iterator[Beside]:
    """Yield what lies beside a database, whether or not a program has it open; meanwhile none can open it.

    Raises StoreError as `look_beside` does.
    """
    require_database(path)
    try:
        lease = Lease(path, brief=True)
    except TakenError:
        yield Beside("mode=ro")  # its owner has looked
        return
    except StoreError:
        yield look_beside(path, last_noted(path))  # in a folder that can't be written
        return
    try:
        yield look_beside(path, lease.noted)
    finally:
        lease.release()


@contextlib.contextmanager
def visitor(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database whether or not a program has it open. It and what lies beside it stay as they are.

    Raises StoreError as `looked` and `reader` do.
    """
    with looked(path) as found:
        for one in found.foreign:
            log.warning(
                "%s is another file's log, and isn't read. Nothing was changed; a start puts it aside.",
                one,
            )
        with reader(path, found.access) as db:
            yield db


def check_file(path: Path) -> tuple[str, ...]:
    """Return what is wrong with a database, in use or not. Blocks. Raises StoreError as `reader` does."""
    with visitor(path) as db:
        return whole_check(db)
