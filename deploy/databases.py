"""What the commands ask of a database file and of its backup, by the standard library alone."""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
from pathlib import Path

_MADE_BY_PEOPLE = (
    "matches", "seats", "settings", "maps", "plans", "analyses", "watches", "vacations", "seat_offers",
    "imports", "moderation", "forbidden", "blocks", "erasures", "lessons", "puzzles", "daily_answers",
    "tournaments", "tournament_entrants", "tournament_log",
)  # fmt: skip
"""Tables whose rows people would miss, besides the logs. A version that lacks one has nothing in it."""


def _read(data: Path) -> contextlib.closing[sqlite3.Connection]:
    return contextlib.closing(sqlite3.connect(f"{data.resolve().as_uri()}?mode=ro", uri=True))


def schema_of(data: Path) -> int:
    """Return the number of a database's schema; 0 if there is no database."""
    if not data.exists():
        return 0
    with _read(data) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def loss(data: Path, backup: Path) -> str:
    """Return what people did that a database has and its backup hasn't, as a sentence; empty if nothing."""
    if not data.exists():
        return ""
    with _read(data) as db:
        db.execute("ATTACH ? AS old", (f"{backup.resolve().as_uri()}?mode=ro",))
        entries, matches = db.execute(
            "SELECT count(*), count(DISTINCT match) FROM "
            "(SELECT match, seq, data FROM entries EXCEPT SELECT match, seq, data FROM old.entries)"
        ).fetchone()
        others = sum(_more_rows(db, table) for table in _MADE_BY_PEOPLE)
    if not entries and not others:
        return ""
    return (
        f"{entries} log entries of {matches} matches are lost, and what is in {others} other rows, such as "
        "lobbies and settings; boards stay in Discord."
    )


def _more_rows(db: sqlite3.Connection, table: str) -> int:
    """Return how many rows of a table aren't in the backup as they are now."""
    mine, theirs = (
        {row[1] for row in db.execute(f"PRAGMA {schema}.table_info({table})")} for schema in ("main", "old")
    )
    if not (columns := ", ".join(f'"{name}"' for name in sorted(mine & theirs))):
        return 0 if not mine else int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own names
    both = f"SELECT {columns} FROM main.{table} EXCEPT SELECT {columns} FROM old.{table}"  # noqa: S608 - our own names
    return int(db.execute(f"SELECT count(*) FROM ({both})").fetchone()[0])  # noqa: S608 - our own names


def holder(data: Path) -> str | None:
    """Return the process that has a database in use; None if none has."""
    lock = data.with_name(f"{data.name}.lock")
    if not lock.exists():
        return None
    with lock.open("r+", encoding="ascii") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return file.read(20).strip() or "unknown"
    return None
