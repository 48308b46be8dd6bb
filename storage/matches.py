"""Matches, seats, the log and the requests served: read in one hop, changed in one transaction.

A change is refused whole if its request was served before, or if the match has moved on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from matches import drafts
from matches.ports import RepeatedError, StaleError
from matches.store.rows import Commit, Logged, MatchRow, Request, Status
from storage.clocks import hide, replace_deadlines, start_heartbeat
from storage.follows import note_news
from storage.holders import record_holders
from storage.imports import record_import
from storage.mirrors import mirrored_in
from storage.moderation import note_moderation
from storage.parts import SqlitePart, StorePart
from storage.pings import apply_turns
from storage.plans import drop_orphans, put_plan
from storage.queue import enqueue
from storage.rows import (
    MATCH_COLUMNS,
    SEAT_COLUMNS,
    logged_values,
    marks,
    match_values,
    seat_values,
    to_logged,
    to_ms,
)
from storage.seat_offers import drop_offers
from storage.showcases import show_finished
from storage.transactions import SqliteTransaction, Transaction

_INSERT_MATCH = (
    f"INSERT INTO matches ({MATCH_COLUMNS}) VALUES ({', '.join('?' for _ in MATCH_COLUMNS.split(','))})"  # noqa: S608 - our own text
)
_INSERT_SEAT = f"INSERT INTO seats (match, {SEAT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own text
_INSERT_ENTRY = 'INSERT INTO entries (match, seq, kind, seat, data, at, "user") VALUES (?, ?, ?, ?, ?, ?, ?)'


class MatchesPart(StorePart):
    """The statements about matches that every database takes."""

    async def match(self, match_id: str) -> MatchRow | None:
        """Return a match by its id, or None."""
        found = await self._find_matches("WHERE id = ?", match_id)
        return found[0] if found else None

    async def by_status(self, status: Status, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return matches of one status, oldest change first."""
        return await self._find_matches("WHERE status = ? ORDER BY updated, n LIMIT ?", status, limit)

    async def unreachable(self, why: str) -> tuple[MatchRow, ...]:
        """Return the matches that are unreachable for a reason, oldest first."""
        return await self._find_matches("WHERE unreachable = ? AND unreachable <> '' ORDER BY n", why)

    async def expiring(self, now: datetime, limit: int = 100) -> tuple[MatchRow, ...]:
        """Return lobbies whose `expires` is not after `now`, longest due first."""
        return await self._find_matches(
            "WHERE status = 'lobby' AND expires IS NOT NULL AND expires <= ? ORDER BY expires, n LIMIT ?",
            to_ms(now),
            limit,
        )

    async def by_place(self, channel: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Return matches whose thread, or whose channel if they have no thread, this is; newest first."""
        return await self._find_matches(
            f"WHERE coalesce(thread, channel) = ? AND status IN ({marks(statuses)}) "
            "ORDER BY created DESC, n DESC",
            *(channel, *statuses),
        )

    async def by_user(self, user: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Return matches where the user sits, is invited, or is the host; latest change first."""
        return await self._find_matches(
            "WHERE n IN (SELECT n FROM matches WHERE host = ? UNION ALL SELECT h.n FROM seats AS s "  # noqa: S608 - our own text
            'JOIN matches AS h ON h.id = s.match WHERE s."user" = ?) '
            f"AND status IN ({marks(statuses)}) ORDER BY updated DESC, n DESC",
            *(user, user, *statuses),
        )


class SqliteMatches(MatchesPart, SqlitePart):
    """The part of the Store that keeps matches."""

    async def create(self, commit: Commit) -> None:
        """Add a new match at revision 0. RepeatedError, StaleError as in the protocol."""
        await self._database.transaction(lambda db: _create(db, commit))

    async def commit(self, commit: Commit) -> None:
        """Apply a change. RepeatedError, StaleError as in the protocol."""
        await self._database.transaction(lambda db: _commit(db, commit))

    async def log(self, match_id: str, after: int = -1) -> tuple[Logged, ...]:
        """Return the log entries with a number above `after`, in order."""
        query = "SELECT seq, kind, seat, data, at, user FROM entries WHERE match = ? AND seq > ? ORDER BY seq"
        return await self._database.read(
            lambda db: tuple(to_logged(row) for row in db.execute(query, (match_id, after)))
        )

    async def request(self, request_id: str) -> Request | None:
        """Return what a request did, or None if it wasn't served."""
        return await self._database.read(lambda db: _served(db, request_id))


def _served(db: sqlite3.Connection, request: str) -> Request | None:
    row = db.execute("SELECT id, match, version, revision FROM requests WHERE id = ?", (request,)).fetchone()
    return None if row is None else Request(*row)


def _refuse_repeated(db: sqlite3.Connection, commit: Commit) -> None:
    if commit.request is not None and (before := _served(db, commit.request)) is not None:
        raise RepeatedError(before)


def refuse_stale(commit: Commit, revision: int, version: int) -> None:
    """Raise StaleError unless a change is the next revision and its entries continue the log."""
    row = commit.row
    if row.revision != revision + 1 or row.version != version + len(commit.entries):
        raise StaleError(f"match {row.id} has moved on")
    if any(one.entry.seq != seq for seq, one in enumerate(commit.entries, version + 1)):
        raise StaleError(f"the entries do not follow on the log of match {row.id}")


def _create(db: sqlite3.Connection, commit: Commit) -> None:
    _refuse_repeated(db, commit)
    row = commit.row
    if db.execute("SELECT 1 FROM matches WHERE id = ?", (row.id,)).fetchone() is not None:
        raise StaleError(f"the id {row.id} is taken")
    refuse_stale(commit, -1, -1)
    db.execute(_INSERT_MATCH, tuple(match_values(row).values()))
    db.executemany(_INSERT_SEAT, [(row.id, *seat) for seat in seat_values(row.seats)])
    _append(db, commit)


def _commit(db: sqlite3.Connection, commit: Commit) -> None:
    _refuse_repeated(db, commit)
    row = commit.row
    old = db.execute(f"SELECT {MATCH_COLUMNS}, n FROM matches WHERE id = ?", (row.id,)).fetchone()  # noqa: S608 - our own text
    if old is None:
        raise StaleError(f"there is no match {row.id}")
    new = match_values(row)
    before = dict(zip(new, old, strict=False))
    refuse_stale(commit, before["revision"], before["version"])
    # Only what changed is written, so that a move touches no index.
    changed = [column for column, value in new.items() if before[column] != value]
    db.execute(
        f"UPDATE matches SET {', '.join(f'{column} = ?' for column in changed)} WHERE n = ?",  # noqa: S608 - our own columns
        (*(new[column] for column in changed), old[-1]),
    )
    seats = seat_values(row.seats)
    if (
        seats
        != db.execute(
            f"SELECT {SEAT_COLUMNS} FROM seats WHERE match = ? ORDER BY seat",  # noqa: S608 - our own columns
            (row.id,),
        ).fetchall()
    ):
        db.execute("DELETE FROM seats WHERE match = ?", (row.id,))
        db.executemany(_INSERT_SEAT, [(row.id, *seat) for seat in seats])
    _append(db, commit)
    if commit.plan is not None:
        put_plan(SqliteTransaction(db), commit.plan)
    drop_orphans(db, row)
    if before["status"] != row.status and (post := show_finished(db, row)) is not None:
        enqueue(db, post, commit.at)


def _append(db: sqlite3.Connection, commit: Commit) -> None:
    """Write what follows the row: the log entries, the messages, the request."""
    row, tx = commit.row, SqliteTransaction(db)
    record_change(tx, commit)
    apply_turns(db, row.id, commit.turns, commit.at)
    note_news(db, commit)
    complete_change(tx, commit)


def record_change(tx: Transaction, commit: Commit) -> None:
    """Write the log entries of a change, its clocks, who holds the seats, and its messages."""
    match_id, at = commit.row.id, to_ms(commit.at)
    for one in commit.entries:
        tx.execute(_INSERT_ENTRY, *logged_values(match_id, one))
    if commit.deadlines is not None:
        if commit.deadlines:
            start_heartbeat(tx, at)
        replace_deadlines(tx, match_id, commit.deadlines)
    if commit.unseen:
        hide(tx, match_id, at)
    record_holders(tx, commit)
    record_import(tx, commit)
    drop_offers(tx, commit)
    for draft in commit.outbox:
        tx.enqueue(draft, commit.at)
    for channel in mirrored_in(tx, match_id) if commit.mirrors else ():
        tx.enqueue(drafts.mirror(match_id, channel), commit.at)


def complete_change(tx: Transaction, commit: Commit) -> None:
    """Write the row of the moderators' log that a change carries, and the request that it has served."""
    row = commit.row
    if commit.moderation is not None:
        note_moderation(tx, commit.moderation)
    if commit.request is not None:
        tx.execute(
            "INSERT INTO requests (id, match, version, revision) VALUES (?, ?, ?, ?)",
            *(commit.request, row.id, row.version, row.revision),
        )
