"""Matches, seats, the log and the requests served, on PostgreSQL.

A change locks the row of its match first: changes of one match come one after another, those of different
ones side by side.
"""

from __future__ import annotations

from matches.store.rows import Logged
from storage.matches import LOG, MatchesPart
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn
from storage.postgres.transactions import placed
from storage.rows import to_logged


class PostgresMatches(MatchesPart, PostgresPart):
    """The part of the Store that keeps matches."""


def log_of(db: Conn, match: str) -> tuple[Logged, ...]:
    """Return the log entries of a match, in order."""
    return tuple(map(to_logged, db.execute(placed(LOG), (match, -1))))
