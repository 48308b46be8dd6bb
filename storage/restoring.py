"""Put a backup in a database's place: checked first, in one step, and with what was there before kept.

Whenever this is killed, either the old database is there, or the new one; a log of the old one beside the new
one is known for what it is (storage/beside.py).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from matches.ports import StoreError
from storage.backup import copy_privately, filled, require_free, settle
from storage.beside import (
    Beside,
    UnsureError,
    beside,
    look_beside,
    open_uri,
    rename_aside,
    sync_folder,
    whole_check,
)
from storage.errors import explain
from storage.file_mark import NotedMark
from storage.lease import Lease
from storage.migrations import migrate, shipped
from storage.opening import back_up
from storage.postgres import require_driver
from storage.reader import reader, visitor

_ENDS = ("-wal", "-journal")
_MADE_BY_PEOPLE = (
    "matches", "seats", "settings", "maps", "plans", "analyses", "watches", "vacations", "seat_offers",
    "imports", "moderation", "forbidden", "blocks", "erasures", "lessons", "puzzles", "daily_answers",
    "tournaments", "tournament_entrants", "tournament_log",
)  # fmt: skip
"""Tables whose rows people would miss, besides the logs.

deploy/databases.py counts the same; tests/deploy/test_losses.py compares them."""
_NOT_IN_BACKUP = "SELECT match, seq, data FROM entries EXCEPT SELECT match, seq, data FROM backup.entries"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done."""

    lost: str
    """What the database had and the backup hasn't, as a sentence; empty if nothing."""
    kept: Path | None
    """The database as it was before; None if there was none."""


def restore_file(
    source: Path, place: Path, folder: Path, *, accept_loss: bool = False, wait: bool = False
) -> Restored:
    """Put a backup in the place of a database that nobody uses, or that nobody will use after `wait`.

    What was there is kept in `folder`. With `accept_loss` also if moves are lost, and if the backup lacks its
    log. Blocks. Raises TakenError while a bot runs, StoreError with what to do; everything is then as it was.
    """
    _require_backup(source)
    with _explaining(place):
        for one in (place.parent, folder):
            one.mkdir(parents=True, exist_ok=True)
        lease = Lease(place, wait=wait)
        try:
            return _restored(source, place, folder, lease.noted, accept_loss=accept_loss)
        finally:
            lease.release()


def restore_database(
    source: Path, url: str, folder: Path, *, accept_loss: bool = False, wait: bool = False
) -> Restored:
    """Do the same in the PostgreSQL database of a URL, where one transaction replaces everything.

    Raises StoreUnavailableError while a bot runs, StoreError with what to do; everything is then as it was.
    """
    require_driver()
    from storage.postgres.files import load_database, owned

    with _explaining(source):
        _require_backup(source)
        folder.mkdir(parents=True, exist_ok=True)
        with (
            owned(url, wait=wait) as (db, name, schema),
            _backup(source, None, None, accept_loss=accept_loss) as old,
            filled(old, folder / source.name) as ready,
        ):
            _try(ready)
            lost, kept = _kept_of_server(url, folder, ready) if schema else ("", None)
            if kept is not None and lost and not accept_loss:
                kept.unlink()
                raise StoreError(f"{lost} To do so, add --accept-loss.")
            load_database(db, name, ready)
    return Restored(lost, kept)


def _kept_of_server(url: str, folder: Path, ready: Path) -> tuple[str, Path]:
    """Keep a database in a file; return what it has and the backup hasn't, and the file."""
    kept = _name_kept(folder)
    back_up(url, kept)
    return _loss(kept, Beside("immutable=1"), ready), kept


def _name_kept(folder: Path) -> Path:
    return folder / f"undone-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.sqlite3"


def _require_backup(source: Path) -> None:
    if not source.is_file():
        raise StoreError(f"There is no backup {source}. Name a file that `dominium backup` has made.")


@contextlib.contextmanager
def _explaining(path: Path) -> Iterator[None]:
    """Raise StoreError for what SQLite or the system reports."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except OSError as error:
        raise StoreError(
            f"{error.filename} can't be used ({error.strerror}). See to it, and try again."
        ) from error


def _restored(
    source: Path, place: Path, folder: Path, noted: NotedMark | None, *, accept_loss: bool
) -> Restored:
    owner = (place if place.exists() else place.parent).stat()
    with _backup(source, place, noted, accept_loss=accept_loss) as old, filled(old, place) as ready:
        _try(ready)
        try:
            found = look_beside(place, noted) if place.exists() else None
            lost = "" if found is None or not place.stat().st_size else _loss(place, found, ready)
        except (StoreError, sqlite3.Error):
            found, lost = None, f"{place} can't be read, so what is lost can't be told."
        if not place.exists() and not any(beside(place, end).exists() for end in _ENDS):
            kept, lost = None, ""
        elif lost and not accept_loss:
            raise StoreError(f"{lost} To do so, add --accept-loss.")
        else:
            kept = _name_kept(folder)
            _keep(place, found, kept)
        _give((ready, *(folder.glob(f"{kept.name}*") if kept else ())), owner)
        sync_folder(ready)
        ready.replace(place)
        sync_folder(place.parent)
        _clear(place, found)
    return Restored(lost, kept)


@contextlib.contextmanager
def _backup(
    source: Path, place: Path | None, noted: NotedMark | None, *, accept_loss: bool
) -> Iterator[sqlite3.Connection]:
    """Open a backup, which may be the very database that is in the place."""
    itself = place is not None and place.exists() and source.samefile(place)
    with contextlib.ExitStack() as opened:
        try:
            if itself:
                db = opened.enter_context(reader(source, look_beside(source, noted).access))
            else:
                db = opened.enter_context(visitor(source))
        except UnsureError as error:
            if not accept_loss:
                raise StoreError(f"{error} To take {source.name} without it, add --accept-loss.") from error
            db = opened.enter_context(reader(source, "immutable=1"))
        yield db


def _try(ready: Path) -> None:
    """Do what a start will do with a copy: look at it, and bring its schema up to date, in a scratch file."""
    with open_uri(ready, "immutable=1") as db:
        problems = whole_check(db)
        schema = db.execute("PRAGMA user_version").fetchone()[0]
    if problems:
        raise StoreError(f"The backup is damaged ({problems[0]}). Take an earlier one.")
    scratch = beside(ready, ".trial")
    try:
        if schema < len(shipped()):
            copy_privately(ready, scratch)
        with contextlib.closing(
            sqlite3.connect(scratch if scratch.exists() else ready, isolation_level=None)
        ) as db:
            migrate(db, ready, shipped(), 0)
    finally:
        scratch.unlink(missing_ok=True)


def _loss(place: Path, found: Beside, ready: Path) -> str:
    """Return what people did that a database has and its backup hasn't, as a sentence; empty if nothing."""
    with reader(place, found.access) as db:
        db.execute("COMMIT")
        db.execute("ATTACH ? AS backup", (f"{ready.resolve().as_uri()}?immutable=1",))
        entries, matches = db.execute(
            f"SELECT count(*), count(DISTINCT match) FROM ({_NOT_IN_BACKUP})"  # noqa: S608 - our own
        ).fetchone()
        others = sum(_more_rows(db, table) for table in _MADE_BY_PEOPLE)
        db.execute("BEGIN")
    if not entries and not others:
        return ""
    return (
        f"{entries} log entries of {matches} matches are lost, and what is in {others} other rows, such as "
        "lobbies and settings; boards stay in Discord."
    )


def _more_rows(db: sqlite3.Connection, table: str) -> int:
    """Return how many rows of a table aren't in the backup as they are now."""
    mine, theirs = (
        {row[1] for row in db.execute(f"PRAGMA {schema}.table_info({table})")}
        for schema in ("main", "backup")
    )
    if not (columns := ", ".join(f'"{name}"' for name in sorted(mine & theirs))):
        return 0 if not mine else int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own
    both = f"SELECT {columns} FROM main.{table} EXCEPT SELECT {columns} FROM backup.{table}"  # noqa: S608 - our own
    return int(db.execute(f"SELECT count(*) FROM ({both})").fetchone()[0])  # noqa: S608 - our own


def _keep(place: Path, found: Beside | None, kept: Path) -> None:
    """Copy a database to `kept`: whole if it can be read, else the files as they are."""
    require_free(kept)
    if found is not None:
        with reader(place, found.access) as db, filled(db, kept) as part:
            settle(part, kept)
        return
    for end in ("", *_ENDS):
        if (one := beside(place, end)).exists():
            copy_privately(one, beside(kept, end))
            sync_folder(beside(kept, end))
    sync_folder(kept.parent)


def _clear(place: Path, found: Beside | None) -> None:
    """Remove the logs of the replaced database, which are kept with it; those of others are put aside."""
    for one in (beside(place, end) for end in _ENDS):
        if found is not None and one in found.foreign:
            rename_aside(one)
        one.unlink(missing_ok=True)
    beside(place, "-shm").unlink(missing_ok=True)
    sync_folder(place.parent)


def _give(files: tuple[Path, ...], owner: os.stat_result) -> None:
    """Let files belong to the owner of the database, if we may: it is the bot who has to read them."""
    if os.geteuid() == 0:
        for one in files:
            os.chown(one, owner.st_uid, owner.st_gid)
