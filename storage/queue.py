"""Queue messages in the outbox, within the transaction of what they tell of."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from matches.outbox.queue import Draft
from storage.rows import draft_values


def enqueue(db: sqlite3.Connection, draft: Draft, at: datetime) -> int:
    """Add a row to the outbox, due at once, within a transaction; return its id."""
    number = db.execute(
        "INSERT INTO outbox (kind, match, lane, payload, user, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
        draft_values(draft, at),
    ).lastrowid
    if number is None:  # SQLite always gives one for an insert
        raise AssertionError("an insert without a row id")
    return number
