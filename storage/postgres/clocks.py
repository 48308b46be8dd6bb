"""What clocks are computed from beside the logs, on PostgreSQL: deadlines, vacations, outages, downtimes."""

from __future__ import annotations

from datetime import datetime

from storage.clocks import ClocksPart
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn, one
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
