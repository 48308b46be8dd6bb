"""Messages that wait to be sent, lane by lane, each with a nonce that stays the same until it is.

A sent row is deleted. One that can't be sent is kept as dead: for good, or parked until it is revived.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from matches.outbox.messages import Message
from matches.outbox.queue import Draft, OutboxRow
from matches.ports import Clock
from matches.store.outbox_state import OutboxState
from matches.store.ping_store import PingWork
from matches.store.rows import Post
from storage.clocks import show
from storage.connection import Database
from storage.pings import write_pings
from storage.posts import remember
from storage.queue import enqueue
from storage.rows import FORGET_DEAD, OUTBOX_COLUMNS, time_or_none, to_json, to_ms, to_outbox
from storage.transactions import SqliteTransaction

_SENDABLE = (
    "LEFT JOIN (SELECT lane, min(id) AS held FROM outbox WHERE due > ? GROUP BY lane) USING (lane) "
    "WHERE (held IS NULL OR id < held)"
)
"""What is due, and behind nothing of its lane that isn't."""
_KEPT = "id, kind, match, lane, payload, user, nonce, created"


class SqliteOutbox:
    """The part of the Store that keeps unsent messages."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return what may be sent now, by id: what is due, and behind nothing of its lane that isn't."""
        return await self._rows(
            f"{_SENDABLE} ORDER BY id LIMIT ?",
            to_ms(now),
            limit,
        )

    async def outbox_begin(self, now: datetime) -> int:
        """Make the rows due that were never tried; return the highest id so far: none is used twice."""
        return await self._database.transaction(lambda db: _begin(db, to_ms(now)))

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """Return all unsent rows, by id, of one match or of all."""
        return await self._rows("WHERE ?1 IS NULL OR match = ?1 ORDER BY id", match_id)

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message that belongs to no change of a match; return its row's id."""
        return await self._database.transaction(lambda db: enqueue(db, draft, now))

    async def outbox_sent(self, row_id: int, post: Post | None, pings: PingWork | None = None) -> None:
        """Delete a sent row, and remember its post and whom it pings."""
        posted = to_ms(self._clock.now())  # here, as a simulated clock doesn't reach the database's thread

        def sent(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM outbox WHERE id = ?", (row_id,))
            if post is not None:
                remember(db, post)
            if post is not None and post.kind == "board":
                show(SqliteTransaction(db), post.match, posted)
            if pings is not None:
                write_pings(db, pings)

        await self._database.transaction(sent)

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """Put off a row that could not be sent until `due`."""
        await self._database.execute(
            "UPDATE outbox SET due = ?, tries = tries + 1, error = ? WHERE id = ?", to_ms(due), error, row_id
        )

    async def outbox_hurry(self, match_id: str, now: datetime) -> None:
        """Make the rows of a match due that wait for another try."""
        await self._database.execute(
            "UPDATE outbox SET due = ?1 WHERE match = ?2 AND due > ?1", to_ms(now), match_id
        )

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """Mark a row that can never be sent as dead, so that those behind it can be sent."""
        await self.outbox_park(row_id, "", error)

    async def outbox_park(self, row_id: int, until: str, error: str) -> None:
        """Lay a row aside until it is revived, so that those behind it can be sent."""
        died = to_ms(self._clock.now())

        def park(db: sqlite3.Connection) -> None:
            db.execute(
                f"INSERT INTO outbox_dead ({_KEPT}, died, tries, error, until) "  # noqa: S608 - our own columns
                f"SELECT {_KEPT}, ?, tries + 1, ?, ? FROM outbox WHERE id = ?",
                (died, error, until, row_id),
            )
            db.execute("DELETE FROM outbox WHERE id = ?", (row_id,))

        await self._database.transaction(park)

    async def outbox_forget(self, before: datetime) -> int:
        """Delete what was laid aside before a time and won't be sent; return how many rows."""
        return await self._database.execute(FORGET_DEAD.format(place="?"), to_ms(before))

    async def outbox_awaited(self, match_id: str | None = None) -> frozenset[str]:
        """Return what parked rows wait for, those of one match or all."""
        rows = await self._database.fetch_all(
            "SELECT DISTINCT until FROM outbox_dead WHERE until <> '' AND (?1 IS NULL OR match = ?1)",
            match_id,
        )
        return frozenset(until for (until,) in rows)

    async def outbox_revive(self, until: str, now: datetime) -> int:
        """Make parked rows due again, with number, nonce and error as before; return how many."""

        def revive(db: sqlite3.Connection) -> int:
            back = db.execute(
                f"INSERT INTO outbox ({_KEPT}, error, due) SELECT {_KEPT}, error, ? FROM outbox_dead "  # noqa: S608 - our own columns
                "WHERE until = ? AND until <> ''",
                (to_ms(now), until),
            ).rowcount
            db.execute("DELETE FROM outbox_dead WHERE until = ? AND until <> ''", (until,))
            return back

        return await self._database.transaction(revive)

    async def outbox_merge(self, row_id: int, message: Message, covered: Sequence[int]) -> None:
        """Replace a row's message, and remove the rows that it covers then."""

        def merge(db: sqlite3.Connection) -> None:
            db.execute("UPDATE outbox SET payload = ? WHERE id = ?", (to_json(message.to_json()), row_id))
            db.executemany("DELETE FROM outbox WHERE id = ?", [(one,) for one in covered])

        await self._database.transaction(merge)

    async def outbox_state(self, now: datetime) -> OutboxState:
        """Return how many messages wait, since when, and how many were laid aside."""
        at = to_ms(now)

        def measure(db: sqlite3.Connection) -> OutboxState:
            waiting, oldest = db.execute("SELECT count(*), min(created) FROM outbox").fetchone()
            (due,) = db.execute(f"SELECT min(due) FROM outbox {_SENDABLE}", (at,)).fetchone()  # noqa: S608 - our own text
            dead, parked = db.execute(
                "SELECT (SELECT count(*) FROM outbox_dead), "
                "(SELECT count(*) FROM outbox_dead WHERE until <> '')"  # by the index that parked rows have
            ).fetchone()
            return OutboxState(waiting, time_or_none(oldest), time_or_none(due), parked, dead - parked)

        return await self._database.read(measure)

    async def _rows(self, tail: str, *values: int | str | None) -> tuple[OutboxRow, ...]:
        rows = await self._database.fetch_all(f"SELECT {OUTBOX_COLUMNS} FROM outbox {tail}", *values)  # noqa: S608 - our own text
        return tuple(map(to_outbox, rows))


def _begin(db: sqlite3.Connection, now: int) -> int:
    db.execute("UPDATE outbox SET due = ?1 WHERE due > ?1 AND tries = 0", (now,))
    last = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").fetchone()
    return 0 if last is None else int(last[0])
