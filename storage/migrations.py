"""The schema grows by numbered steps, each in a transaction with its own record, and never shrinks.

A step that was released is never edited: its checksum is in the record and is compared at every start.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from matches.ports import StoreError
from storage.file_mark import RENEW_BY_ITSELF, is_marked

APPLICATION_ID = 0x444F4D4E
"""Marks our files in their header ("DOMN"; https://www.sqlite.org/pragma.html#pragma_application_id)."""

_LEDGER = """
CREATE TABLE IF NOT EXISTS migrations (
    number  INTEGER PRIMARY KEY,
    name    TEXT    NOT NULL,
    sha256  TEXT    NOT NULL,
    applied INTEGER NOT NULL
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """The checksum of its text, in hex."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


SQLITE_STEPS = Path(__file__).parent / "migrations"


def shipped(folder: Path = SQLITE_STEPS) -> tuple[Migration, ...]:
    """Return the steps that come with the program, in order, without a gap.

    Raises StoreError if there is a gap.
    """
    found = []
    for file in sorted(folder.glob("*.sql")):
        number, _, name = file.stem.partition("_")
        found.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    if [one.number for one in found] != list(range(1, len(found) + 1)):
        raise StoreError("The program's own migrations are incomplete. Install it again.")
    return tuple(found)


def identify(db: sqlite3.Connection, path: Path, newest: int) -> int:
    """Return a file's schema number, 0 if empty. Raises StoreError if it isn't ours or is too new."""
    mark, version = _pragma(db, "application_id"), _pragma(db, "user_version")
    if mark != APPLICATION_ID:
        things = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if mark or version or things:
            raise StoreError(
                f"{path} is another program's database. Choose another file; this one was left as it is."
            )
    if version > newest:
        raise StoreError(
            f"{path} was written by a newer version of this program (schema {version}, this one knows "
            f"{newest}). Update the program, or restore a backup from before the update."
        )
    return version


def migrate(db: sqlite3.Connection, path: Path, steps: Sequence[Migration], now: int) -> int:
    """Apply the missing steps to an identified file; return how many. `now` is in milliseconds."""
    version = _pragma(db, "user_version")
    if version:
        compare(db, path, steps[:version])
    for step in steps[version:]:
        # A script commits what was open before it, so it opens its own transaction.
        record = (
            f"INSERT INTO migrations VALUES ({step.number}, '{step.name}', '{step.sha256}', {now});"  # noqa: S608 - our own file names
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {step.number};"
        )
        if is_marked(db):
            record += f"{RENEW_BY_ITSELF};"
        try:
            db.executescript(f"BEGIN IMMEDIATE; {_LEDGER} {step.sql}\n; {record} COMMIT;")
        except BaseException:
            if db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            raise
    return len(steps) - version


def compare(db: sqlite3.Connection, path: Path, steps: Sequence[Migration]) -> None:
    """Raise StoreError unless a file was set up by exactly these steps."""
    recorded = db.execute("SELECT number, sha256 FROM migrations ORDER BY number").fetchall()
    if recorded != [(step.number, step.sha256) for step in steps]:
        raise StoreError(
            f"{path} was set up by a different build of this program: its record of migrations is not the "
            "one known here. Use the build that wrote it, or put back a backup."
        )


def _pragma(db: sqlite3.Connection, name: str) -> int:
    value: int = db.execute(f"PRAGMA {name}").fetchone()[0]
    return value
