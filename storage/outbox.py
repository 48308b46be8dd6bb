"""Messages that wait to be sent, lane by lane, each with a nonce that stays the same until it is.

A sent row is deleted. One that can't be sent is kept as dead: for good, or parked until it is revived.
"""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime

from matches.outbox.messages import AnyMessage
from matches.outbox.queue import Draft, OutboxRow
from matches.ports import Clock
from matches.store.operation import OutboxState
from matches.store.pings import PingWork
from matches.store.rows import Post
from storage.channels import remember
from storage.clocks import show
from storage.connection import Database
from storage.pings import matches_of, write_pings
from storage.rows import OUTBOX_COLUMNS, Value, insert, marks, time_or_none, to_json, to_ms, to_outbox
from storage.transactions import SqlitePart, StorePart, Transaction, enqueue

_SENDABLE = (
    "LEFT JOIN (SELECT lane, min(id) AS held FROM outbox WHERE due > ? GROUP BY lane) USING (lane) "
    "WHERE (held IS NULL OR id < held)"
)
"""What is due, and behind nothing of its lane that isn't."""
_KEPT = 'id, kind, match, lane, payload, "user", nonce, created'
_BURY = insert("outbox_dead", f"{_KEPT}, died, tries, error, until")
_REVIVE = insert("outbox", f"{_KEPT}, error, due")
_FORGET = """
DELETE FROM outbox_dead AS d WHERE died < ? AND (until = '' OR NOT EXISTS
    (SELECT 1 FROM matches AS m WHERE m.id = d.match AND m.status IN ('lobby', 'live')))
"""
_STATE = """
SELECT (SELECT count(*) FROM outbox), (SELECT min(created) FROM outbox),
    (SELECT count(*) FROM outbox_dead WHERE until <> ''), (SELECT count(*) FROM outbox_dead)
"""
"""Parked rows are counted by the index that they have."""


class OutboxPart(StorePart):
    """The statements about unsent messages that every database takes."""

    _clock: Clock

    @abstractmethod
    async def _first_due(self, now: int) -> int | None:
        """Return since when the first row that may be sent is due."""

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """Return all unsent rows, by id, of one match or of all."""
        if match_id is None:
            return await self._rows("ORDER BY id")
        return await self._rows("WHERE match = ? ORDER BY id", match_id)

    async def outbox_sent(self, row_id: int, post: Post | None, pings: PingWork | None = None) -> None:
        """Delete a sent row, and remember its post and whom it pings."""
        posted = to_ms(self._clock.now())  # here, as a simulated clock doesn't reach the database's threads
        touched = set() if post is None else {post.match}
        if pings is not None:
            touched |= matches_of(pings)

        def sent(tx: Transaction) -> None:
            with tx.pipeline():
                if touched:
                    tx.lock_matches(touched)
                tx.execute("DELETE FROM outbox WHERE id = ?", row_id)
                if post is not None:
                    remember(tx, post)
                if post is not None and post.kind == "board":
                    show(tx, post.match, posted)
                if pings is not None:
                    write_pings(tx, pings)

        await self._transaction(sent)

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """Put off a row that could not be sent until `due`."""
        await self._execute(
            "UPDATE outbox SET due = ?, tries = tries + 1, error = ? WHERE id = ?", to_ms(due), error, row_id
        )

    async def outbox_hurry(self, match_id: str, now: datetime) -> None:
        """Make the rows of a match due that wait for another try."""
        at = to_ms(now)
        await self._execute("UPDATE outbox SET due = ? WHERE match = ? AND due > ?", at, match_id, at)

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """Mark a row that can never be sent as dead, so that those behind it can be sent."""
        await self.outbox_park(row_id, "", error)

    async def outbox_park(self, row_id: int, until: str, error: str) -> None:
        """Lay a row aside until it is revived, so that those behind it can be sent."""
        at = to_ms(self._clock.now())

        def park(tx: Transaction) -> None:
            gone = tx.execute(f"DELETE FROM outbox WHERE id = ? RETURNING {_KEPT}, tries", row_id).fetchone()  # noqa: S608 - our own columns
            if gone is None:
                return
            *kept, tries = gone
            tx.execute(_BURY, *kept, at, tries + 1, error, until)
            if until:
                tx.tell(f"parked:{until}")

        await self._transaction(park)

    async def outbox_forget(self, before: datetime) -> int:
        """Delete what was laid aside before a time and won't be sent; return how many rows."""
        return await self._execute(_FORGET, to_ms(before))

    async def outbox_awaited(self, match_id: str | None = None) -> frozenset[str]:
        """Return what parked rows wait for, those of one match or all."""
        query = "SELECT DISTINCT until FROM outbox_dead WHERE until <> ''"
        of_match = ("", ()) if match_id is None else (" AND match = ?", (match_id,))
        rows = await self._fetch_all(f"{query}{of_match[0]}", *of_match[1])
        return frozenset(until for (until,) in rows)

    async def outbox_revive(self, until: str, now: datetime) -> int:
        """Make parked rows due again, with number, nonce and error as before; return how many."""

        def revive(tx: Transaction) -> int:
            parked = f"DELETE FROM outbox_dead WHERE until = ? AND until <> '' RETURNING {_KEPT}, error"  # noqa: S608 - our own columns
            back = tx.execute(parked, until).fetchall()
            tx.execute_many(_REVIVE, [(*row, to_ms(now)) for row in sorted(back)])
            return len(back)

        return await self._transaction(revive)

    async def outbox_merge(self, row_id: int, message: AnyMessage, covered: Sequence[int]) -> None:
        """Replace a row's message, and remove the rows that it covers then."""

        def merge(tx: Transaction) -> None:
            with tx.pipeline():
                tx.execute("UPDATE outbox SET payload = ? WHERE id = ?", to_json(message.to_json()), row_id)
                tx.execute(f"DELETE FROM outbox WHERE id IN ({marks(covered)})", *covered)  # noqa: S608 - our own text

        await self._transaction(merge)

    async def outbox_state(self, now: datetime) -> OutboxState:
        """Return how many messages wait, since when, and how many were laid aside."""
        found = await self._fetch_one(_STATE)
        waiting, oldest, parked, dead = found or (0, None, 0, 0)
        due = await self._first_due(to_ms(now))
        return OutboxState(waiting, time_or_none(oldest), time_or_none(due), parked, dead - parked)

    async def _rows(self, tail: str, *values: Value) -> tuple[OutboxRow, ...]:
        rows = await self._fetch_all(f"SELECT {OUTBOX_COLUMNS} FROM outbox AS o {tail}", *values)  # noqa: S608 - our own text
        return tuple(map(to_outbox, rows))


class SqliteOutbox(OutboxPart, SqlitePart):
    """The part of the Store that keeps unsent messages."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return what may be sent now, by id: what is due, and behind nothing of its lane that isn't."""
        return await self._rows(f"{_SENDABLE} ORDER BY id LIMIT ?", to_ms(now), limit)

    async def outbox_begin(self, now: datetime) -> int:
        """Make the rows due that were never tried; return the highest id so far: none is used twice."""
        return await self._database.transaction(lambda db: _begin(db, to_ms(now)))

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message that belongs to no change of a match; return its row's id."""
        return await self._database.transaction(lambda db: enqueue(db, draft, now))

    async def _first_due(self, now: int) -> int | None:
        found = await self._fetch_one(f"SELECT min(due) FROM outbox {_SENDABLE}", now)  # noqa: S608 - our own text
        return None if found is None else found[0]


def _begin(db: sqlite3.Connection, now: int) -> int:
    db.execute("UPDATE outbox SET due = ?1 WHERE due > ?1 AND tries = 0", (now,))
    last = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").fetchone()
    return 0 if last is None else int(last[0])
