"""Matches that nobody moves in, and what their people were asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from matches.outbox.queue import Draft
from matches.store.idle_store import IdleState
from storage.parts import SqlitePart, StorePart
from storage.rows import from_ms, to_ms
from storage.transactions import Transaction

DUE = """
SELECT m.id FROM settings AS s INDEXED BY settings_idle
CROSS JOIN matches AS m ON m.guild = s.id AND m.status = 'live'
LEFT JOIN idle AS i ON i.match = m.id AND i.version = m.version
WHERE s.scope = 'guild' AND json_extract(s.settings, '$.idle') > 0
AND NOT EXISTS (SELECT 1 FROM deadlines AS d WHERE d.match = m.id)
AND max(m.updated, coalesce(i.at, 0)) +
    CASE WHEN i.asked = 1 THEN ?2 ELSE json_extract(s.settings, '$.idle') * 86400000 END <= ?1
ORDER BY m.n LIMIT ?3
"""
_NOTE = """
INSERT INTO idle (match, version, asked, at)
SELECT id, version, ?, ? FROM matches WHERE id = ? AND version = ? AND status = 'live'
ON CONFLICT (match) DO UPDATE SET version = excluded.version, asked = excluded.asked, at = excluded.at
WHERE idle.version <> excluded.version OR idle.asked <> excluded.asked
"""


class IdlePart(StorePart):
    """The statements about idle matches that every database takes."""

    async def idle_state(self, match_id: str, version: int) -> IdleState | None:
        """Return what was asked or answered last about a match at a log entry, or None."""
        row = await self._fetch_one(
            "SELECT asked, at FROM idle WHERE match = ? AND version = ?", match_id, version
        )
        return None if row is None else IdleState(bool(row[0]), from_ms(row[1]))

    async def note_idle(
        self, match_id: str, version: int, state: IdleState, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Note what was asked or answered, and queue messages with it.

        Return False, changing nothing, if the match has moved on or the same was noted before.
        """

        def note(tx: Transaction) -> bool:
            tx.lock_match(match_id)
            changed = tx.execute(_NOTE, int(state.asked), to_ms(state.at), match_id, version).rowcount
            for draft in drafts if changed else ():
                tx.enqueue(draft, state.at)
            return changed > 0

        return await self._transaction(note)


class SqliteIdle(IdlePart, SqlitePart):
    """The part of the Store that knows in which matches nobody moves."""

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return matches whose people are to be asked, or haven't answered for so long; oldest first."""
        wait = patience // timedelta(milliseconds=1)
        return tuple(one for (one,) in await self._database.fetch_all(DUE, to_ms(now), wait, limit))
