"""Matches that nobody moves in, and what their people were asked, on PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta

from storage.idle import IdlePart
from storage.postgres.parts import PostgresPart
from storage.rows import to_ms

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
