"""Messages that wait to be sent, and pings, on PostgreSQL.

Each process sends what belongs to the shards it serves.
"""

from __future__ import annotations

from datetime import datetime

from matches.outbox.queue import Draft, OutboxRow
from matches.ports import Clock
from matches.store.pings import PingRow
from matches.store.rows import MatchRow
from storage.outbox import OutboxPart
from storage.pings import OF_MATCH, PingsPart, to_ping
from storage.postgres.connection import PostgresDatabase
from storage.postgres.rows import enqueued, find_matches
from storage.postgres.sessions import SERVED, Conn, one, shard_of, wake
from storage.postgres.transactions import PostgresPart, placed
from storage.rows import to_ms

_FREE = "NOT EXISTS (SELECT 1 FROM outbox AS b WHERE b.lane = o.lane AND b.id < o.id AND b.due > ?)"
"""Whether a row is behind nothing of its lane that isn't due."""
_TO_SEND = f"WHERE due <= ? AND {_FREE} ORDER BY id LIMIT ?"
_OURS = SERVED.format(shard=shard_of("(SELECT m.guild FROM matches AS m WHERE m.id = o.match)"))
_OURS_TO_SEND = f"""
WHERE (due <= ? OR tries = 0) AND {_FREE.replace("b.due >", "b.tries > 0 AND b.due >")} AND {_OURS}
ORDER BY id LIMIT ?
"""
"""What of it this process sends; `due` of a row that was never tried is its writer's time, not ours."""
_FIRST_DUE = f"SELECT min(due) FROM outbox AS o WHERE due <= ? AND {_FREE}"  # noqa: S608 - our own text
_LAST = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM outbox_id_seq"


class PostgresOutbox(OutboxPart, PostgresPart):
    """The part of the Store that keeps unsent messages."""

    def __init__(self, database: PostgresDatabase, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return what may be sent now, by id: what is due, and behind nothing of its lane that isn't.

        Several processes that work together get what belongs to the shards that they serve.
        """
        at = to_ms(now)
        if (process := self._database.process) is not None:
            return await self._rows(_OURS_TO_SEND, at, at, process, limit)
        return await self._rows(_TO_SEND, at, at, limit)

    async def outbox_begin(self, now: datetime) -> int:
        """Make the rows due that were never tried; return the highest id so far: none is used twice."""
        return await self._database.transaction(lambda db: _begin(db, to_ms(now)))

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message that belongs to no change of a match; return its row's id."""

        def add(db: Conn) -> int:
            wake(db, draft.match)
            return enqueued(db, draft, now)

        return await self._database.transaction(add)

    async def _first_due(self, now: int) -> int | None:
        found = await self._fetch_one(_FIRST_DUE, now, now)
        return None if found is None else found[0]


def _begin(db: Conn, now: int) -> int:
    db.execute("UPDATE outbox SET due = %s WHERE due > %s AND tries = 0", (now, now))
    (last,) = one(db.execute(_LAST).fetchone())
    return int(last)


class PostgresPings(PingsPart, PostgresPart):
    """The part of the Store that keeps pings."""

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""

        def find(db: Conn) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
            found = find_matches(db, "WHERE id = %s", (match_id,))
            rows = db.execute(placed(OF_MATCH), (match_id,))
            return (found[0], tuple(map(to_ping, rows))) if found else None

        return await self._database.read_one_state(find)
