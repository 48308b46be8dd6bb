"""What clocks are computed from beside the logs, and matches that nobody moves in, on PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta

from storage.clocks import ClocksPart, IdlePart
from storage.postgres.sessions import Conn, one
from storage.postgres.transactions import PostgresPart
from storage.rows import from_ms, to_ms


class PostgresClocks(ClocksPart, PostgresPart):
    """The part of the Store that clocks need."""

    async def beat(self, now: datetime) -> datetime | None:
        """Record that people can play now if a clock may run, and return when that was recorded last."""
        (needed,) = one(await self._database.fetch_one("SELECT EXISTS (SELECT 1 FROM deadlines)"))
        if not needed:
            return None

        def beat(db: Conn) -> datetime | None:
            last = db.execute("SELECT at FROM heartbeat FOR UPDATE").fetchone()
            db.execute(
                "INSERT INTO heartbeat (one, at) VALUES (1, %s) "
                "ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                (to_ms(now),),
            )
            return None if last is None else from_ms(last[0])

        return await self._database.transaction(beat)


_DUE = """
SELECT m.id FROM settings AS s JOIN matches AS m ON m.guild = s.id AND m.status = 'live'
LEFT JOIN idle AS i ON i.match = m.id AND i.version = m.version
WHERE s.scope = 'guild' AND idle_days(s.settings) > 0
AND NOT EXISTS (SELECT 1 FROM deadlines AS d WHERE d.match = m.id)
AND greatest(m.updated, i.at) +
    CASE WHEN i.asked = 1 THEN %s::bigint ELSE idle_days(s.settings) * 86400000 END <= %s
ORDER BY m.n LIMIT %s
"""


class PostgresIdle(IdlePart, PostgresPart):
    """The part of the Store that knows in which matches nobody moves."""

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return matches whose people are to be asked, or haven't answered for so long; oldest first."""
        wait = patience // timedelta(milliseconds=1)
        return tuple(match for (match,) in await self._database.fetch_all(_DUE, wait, to_ms(now), limit))
