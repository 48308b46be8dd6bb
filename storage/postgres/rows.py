"""What the statements of all parts share: names of columns, places for values, matches with their seats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from matches.outbox.queue import Draft
from matches.store.rows import MatchRow, SeatRow
from storage.postgres.sessions import Conn, one
from storage.rows import MATCH_COLUMNS, draft_values, to_match

_SEATS = """
(SELECT json_agg(json_build_array(seat, occupant, "user", name, level) ORDER BY seat)
 FROM seats WHERE match = m.id)
"""
"""The seats of a match in the same row: one question to the server, and one state of it."""

_MATCHES = f"SELECT {MATCH_COLUMNS}, {_SEATS} FROM matches AS m"  # noqa: S608 - our own columns


def quoted(columns: str) -> str:
    """Return names of columns as PostgreSQL takes them: `user` without quotes would be the user who asks."""
    return re.sub(r"\buser\b", '"user"', columns)


def places(columns: str) -> str:
    """Return a place for the value of each column."""
    return ", ".join("%s" for _ in columns.split(","))


def find_matches(db: Conn, tail: str, values: Sequence[Any]) -> tuple[MatchRow, ...]:
    """Return the matches that `SELECT ... FROM matches AS m {tail}` finds, with their seats."""
    rows = db.execute(f"{_MATCHES} {tail}", values).fetchall()
    return tuple(to_match(row[:-1], to_seats(row[-1])) for row in rows)


def to_seats(text: str | None) -> tuple[SeatRow, ...]:
    """From the JSON of _SEATS; None if there are no seats."""
    return tuple(SeatRow(*seat) for seat in json.loads(text)) if text else ()


def lock_matches(db: Conn, ids: Iterable[str]) -> None:
    """Let no other transaction change these matches, or what belongs to them, until this one has ended."""
    db.execute("SELECT 1 FROM matches WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", (sorted(set(ids)),))


_ENQUEUE = (
    'INSERT INTO outbox (kind, match, lane, payload, "user", created, due) '
    "VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id"
)


def enqueue(db: Conn, draft: Draft, at: datetime) -> None:
    """Add a row to the outbox, due at once, within a transaction."""
    db.execute(_ENQUEUE, draft_values(draft, at))


def enqueued(db: Conn, draft: Draft, at: datetime) -> int:
    """Add a row to the outbox as `enqueue` does, wait for the server, and return the id of the row."""
    (number,) = one(db.execute(_ENQUEUE, draft_values(draft, at)).fetchone())
    return int(number)
