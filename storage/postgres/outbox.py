"""Messages that wait to be sent, lane by lane, each with a nonce that stays the same until it is.

A sent row is deleted. One that can't be sent is kept as dead: for good, or parked until it is revived.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matches.outbox.messages import Message
from matches.outbox.queue import Draft, OutboxRow
from matches.ports import Clock
from matches.store.outbox_state import OutboxState
from matches.store.ping_store import PingWork
from matches.store.rows import Post
from storage.postgres.clocks import show
from storage.postgres.connection import PostgresDatabase
from storage.postgres.messages import remember
from storage.postgres.pings import matches_of, write_pings
from storage.postgres.rows import enqueued, lock_matches, quoted
from storage.postgres.sessions import SERVED, Conn, one, shard_of, tell, wake
from storage.rows import FORGET_DEAD, OUTBOX_COLUMNS, Value, time_or_none, to_json, to_ms, to_outbox

_ROWS = f"SELECT {quoted(OUTBOX_COLUMNS)} FROM outbox AS o"  # noqa: S608 - our own columns
_KEPT = quoted("id, kind, match, lane, payload, user, nonce, created")
_FREE = "NOT EXISTS (SELECT 1 FROM outbox AS b WHERE b.lane = o.lane AND b.id < o.id AND b.due > %s)"
"""Whether a row is behind nothing of its lane that isn't due."""
_TO_SEND = f"WHERE due <= %s AND {_FREE} ORDER BY id LIMIT %s"
_OURS = SERVED.format(shard=shard_of("(SELECT m.guild FROM matches AS m WHERE m.id = o.match)"))
_OURS_TO_SEND = f"""
WHERE (due <= %s OR tries = 0) AND {_FREE.replace("b.due >", "b.tries > 0 AND b.due >")} AND {_OURS}
ORDER BY id LIMIT %s
"""
"""What of it this process sends; `due` of a row that was never tried is its writer's time, not ours."""
_STATE = f"""
SELECT (SELECT count(*) FROM outbox), (SELECT min(created) FROM outbox),
    (SELECT min(due) FROM outbox AS o WHERE due <= %s AND {_FREE}),
    (SELECT count(*) FROM outbox_dead WHERE until <> ''), (SELECT count(*) FROM outbox_dead)
"""  # noqa: S608 - our own text
_PARK = f"""
WITH gone AS (DELETE FROM outbox WHERE id = %s RETURNING {_KEPT}, tries)
INSERT INTO outbox_dead ({_KEPT}, died, tries, error, until) SELECT {_KEPT}, %s, tries + 1, %s, %s FROM gone
"""  # noqa: S608 - our own columns
_REVIVE = f"""
WITH back AS (DELETE FROM outbox_dead WHERE until = %s AND until <> '' RETURNING {_KEPT}, error)
INSERT INTO outbox ({_KEPT}, error, due) SELECT {_KEPT}, error, %s FROM back
"""  # noqa: S608 - our own columns
_LAST = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM outbox_id_seq"


class PostgresOutbox:
    """The part of the Store that keeps unsent messages."""

    def __init__(self, database: PostgresDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return what may be sent now, by id: what is due, and behind nothing of its lane that isn't.

        Several processes that work together get what belongs to the shards that they serve.
        """
        if (process := self._database.process) is not None:
            return await self._rows(_OURS_TO_SEND, to_ms(now), to_ms(now), process, limit)
        return await self._rows(_TO_SEND, to_ms(now), to_ms(now), limit)

    async def outbox_begin(self, now: datetime) -> int:
        """Make the rows due that were never tried; return the highest id so far: none is used twice."""
        return await self._database.transaction(lambda db: _begin(db, to_ms(now)))

    async def outbox_pending(self, match_id: str | None = None) -> tuple[OutboxRow, ...]:
        """Return all unsent rows, by id, of one match or of all."""
        if match_id is None:
            return await self._rows("ORDER BY id")
        return await self._rows("WHERE match = %s ORDER BY id", match_id)

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message that belongs to no change of a match; return its row's id."""

        def add(db: Conn) -> int:
            wake(db, draft.match)
            return enqueued(db, draft, now)

        return await self._database.transaction(add)

    async def outbox_sent(self, row_id: int, post: Post | None, pings: PingWork | None = None) -> None:
        """Delete a sent row, and remember its post and whom it pings."""
        posted = to_ms(self._clock.now())  # here, as a simulated clock doesn't reach the database's threads
        touched = set() if post is None else {post.match}
        if pings is not None:
            touched |= matches_of(pings)

        def sent(db: Conn) -> None:
            with db.pipeline():
                if touched:
                    lock_matches(db, touched)
                db.execute("DELETE FROM outbox WHERE id = %s", (row_id,))
                if post is not None:
                    remember(db, post)
                if post is not None and post.kind == "board":
                    show(db, post.match, posted)
                if pings is not None:
                    write_pings(db, pings)

        await self._database.transaction(sent)

    async def outbox_retry(self, row_id: int, due: datetime, error: str) -> None:
        """Put off a row that could not be sent until `due`."""
        await self._database.execute(
            "UPDATE outbox SET due = %s, tries = tries + 1, error = %s WHERE id = %s",
            to_ms(due),
            error,
            row_id,
        )

    async def outbox_hurry(self, match_id: str, now: datetime) -> None:
        """Make the rows of a match due that wait for another try."""
        at = to_ms(now)
        await self._database.execute(
            "UPDATE outbox SET due = %s WHERE match = %s AND due > %s", at, match_id, at
        )

    async def outbox_drop(self, row_id: int, error: str) -> None:
        """Mark a row that can never be sent as dead, so that those behind it can be sent."""
        await self.outbox_park(row_id, "", error)

    async def outbox_park(self, row_id: int, until: str, error: str) -> None:
        """Lay a row aside until it is revived, so that those behind it can be sent."""
        at = to_ms(self._clock.now())

        def park(db: Conn) -> None:
            db.execute(_PARK, (row_id, at, error, until))
            if until:
                tell(db, f"parked:{until}")

        await self._database.transaction(park)

    async def outbox_forget(self, before: datetime) -> int:
        """Delete what was laid aside before a time and won't be sent; return how many rows."""
        return await self._database.execute(FORGET_DEAD.format(place="%s"), to_ms(before))

    async def outbox_awaited(self, match_id: str | None = None) -> frozenset[str]:
        """Return what parked rows wait for, those of one match or all."""
        query = "SELECT DISTINCT until FROM outbox_dead WHERE until <> ''"
        if match_id is None:
            rows = await self._database.fetch_all(query)
        else:
            rows = await self._database.fetch_all(f"{query} AND match = %s", match_id)
        return frozenset(until for (until,) in rows)

    async def outbox_revive(self, until: str, now: datetime) -> int:
        """Make parked rows due again, with number, nonce and error as before; return how many."""
        return await self._database.execute(_REVIVE, until, to_ms(now))

    async def outbox_merge(self, row_id: int, message: Message, covered: Sequence[int]) -> None:
        """Replace a row's message, and remove the rows that it covers then."""

        def merge(db: Conn) -> None:
            with db.pipeline():
                db.execute(
                    "UPDATE outbox SET payload = %s WHERE id = %s", (to_json(message.to_json()), row_id)
                )
                db.execute("DELETE FROM outbox WHERE id = ANY(%s)", (list(covered),))

        await self._database.transaction(merge)

    async def outbox_state(self, now: datetime) -> OutboxState:
        """Return how many messages wait, since when, and how many were laid aside."""
        row = one(await self._database.fetch_one(_STATE, to_ms(now), to_ms(now)))
        waiting, oldest, due, parked, dead = row
        return OutboxState(waiting, time_or_none(oldest), time_or_none(due), parked, dead - parked)

    async def _rows(self, tail: str, *values: Value) -> tuple[OutboxRow, ...]:
        return tuple(map(to_outbox, await self._database.fetch_all(f"{_ROWS} {tail}", *values)))


def _begin(db: Conn, now: int) -> int:
    db.execute("UPDATE outbox SET due = %s WHERE due > %s AND tries = 0", (now, now))
    (last,) = one(db.execute(_LAST).fetchone())
    return int(last)
