"""Matches, seats, the log and the requests served, on PostgreSQL.

A change is refused whole if its request was served before, or if the match has moved on. It locks the row
of its match first: changes of one match come one after another, those of different ones side by side.
"""

from __future__ import annotations

from matches import drafts
from matches.ports import RepeatedError, StaleError
from matches.store.rows import Commit, Logged, Request
from storage.matches import MatchesPart, complete_change, record_change, refuse_stale
from storage.plans import put_plan
from storage.postgres.follows import note_news
from storage.postgres.parts import PostgresPart
from storage.postgres.pings import apply_turns
from storage.postgres.plans import drop_orphans
from storage.postgres.rows import enqueue, places, quoted
from storage.postgres.sessions import Conn, wake
from storage.postgres.transactions import PostgresTransaction
from storage.rows import (
    MATCH_COLUMNS,
    SEAT_COLUMNS,
    match_values,
    seat_values,
    to_logged,
)

_INSERT_MATCH = f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES ({places(MATCH_COLUMNS)})"  # noqa: S608 - our own text
_INSERT_SEAT = f"INSERT INTO seats (match, {quoted(SEAT_COLUMNS)}) VALUES (%s, {places(SEAT_COLUMNS)})"  # noqa: S608 - our own text
_LOCK_MATCH = f"SELECT {MATCH_COLUMNS}, n FROM matches WHERE id = %s FOR NO KEY UPDATE"  # noqa: S608 - our own text
_LOG = 'SELECT seq, kind, seat, data, at, "user" FROM entries WHERE match = %s AND seq > %s ORDER BY seq'
_REQUEST = "SELECT id, match, version, revision FROM requests WHERE id = %s"
_SEATS = f"SELECT {quoted(SEAT_COLUMNS)} FROM seats WHERE match = %s ORDER BY seat"  # noqa: S608 - our own text
_SHOWCASE = "SELECT channel FROM showcases WHERE guild = %s"


class PostgresMatches(MatchesPart, PostgresPart):
    """The part of the Store that keeps matches."""

    async def create(self, commit: Commit) -> None:
        """Add a new match at revision 0. RepeatedError, StaleError as in the protocol."""
        await self._database.transaction(lambda db: _create(db, commit))

    async def commit(self, commit: Commit) -> None:
        """Apply a change. RepeatedError, StaleError as in the protocol."""
        await self._database.transaction(lambda db: _commit(db, commit))

    async def log(self, match_id: str, after: int = -1) -> tuple[Logged, ...]:
        """Return the log entries with a number above `after`, in order."""
        return await self._database.read(lambda db: log_of(db, match_id, after))

    async def request(self, request_id: str) -> Request | None:
        """Return what a request did, or None if it wasn't served."""
        return await self._database.read(lambda db: _served(db, request_id))


def log_of(db: Conn, match: str, after: int = -1) -> tuple[Logged, ...]:
    """Return the log entries with a number above `after`, in order."""
    return tuple(to_logged(row) for row in db.execute(_LOG, (match, after)))


def _served(db: Conn, request: str) -> Request | None:
    row = db.execute(_REQUEST, (request,)).fetchone()
    return None if row is None else Request(*row)


def _refuse_repeated(db: Conn, commit: Commit) -> None:
    if commit.request is not None and (before := _served(db, commit.request)) is not None:
        raise RepeatedError(before)


def _create(db: Conn, commit: Commit) -> None:
    _refuse_repeated(db, commit)
    row = commit.row
    if db.execute("SELECT 1 FROM matches WHERE id = %s", (row.id,)).fetchone() is not None:
        raise StaleError(f"the id {row.id} is taken")
    refuse_stale(commit, -1, -1)
    with db.pipeline():
        db.execute(_INSERT_MATCH, tuple(match_values(row).values()))
        db.cursor().executemany(_INSERT_SEAT, [(row.id, *seat) for seat in seat_values(row.seats)])
        _append(db, commit)


def _commit(db: Conn, commit: Commit) -> None:
    row = commit.row
    # One round trip for all that is read; after the lock, what the last holder wrote is seen.
    with db.pipeline():
        held = db.execute(_LOCK_MATCH, (row.id,))
        sitting = db.execute(_SEATS, (row.id,))
        shown = db.execute(_SHOWCASE, (row.place.guild,)) if row.status == "over" else None
        _refuse_repeated(db, commit)
    old = held.fetchone()
    if old is None:
        raise StaleError(f"there is no match {row.id}")
    new = match_values(row)
    before = dict(zip(new, old, strict=False))
    refuse_stale(commit, before["revision"], before["version"])
    # Only what changed is written, so that a move touches no index.
    changed = [column for column, value in new.items() if before[column] != value]
    seats = seat_values(row.seats)
    moved = seats != sitting.fetchall()
    showcase = None if shown is None else shown.fetchone()
    with db.pipeline():
        db.execute(
            f"UPDATE matches SET {', '.join(f'{column} = %s' for column in changed)} WHERE n = %s",  # noqa: S608 - our own columns
            (*(new[column] for column in changed), old[-1]),
        )
        if moved:
            db.execute("DELETE FROM seats WHERE match = %s", (row.id,))
            db.cursor().executemany(_INSERT_SEAT, [(row.id, *seat) for seat in seats])
        _append(db, commit)
        if commit.plan is not None:
            put_plan(PostgresTransaction(db), commit.plan)
        drop_orphans(db, row)
        if showcase is not None and before["status"] != row.status:
            enqueue(db, drafts.finished(row.id, showcase[0]), commit.at)


def _append(db: Conn, commit: Commit) -> None:
    """Write what follows the row: the log entries, the messages, the request."""
    row, tx = commit.row, PostgresTransaction(db)
    record_change(tx, commit)
    wake(db, row.id)
    apply_turns(db, row.id, commit.turns, commit.at)
    note_news(db, commit)
    complete_change(tx, commit)
