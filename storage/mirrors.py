"""Mirrors of matches: channels besides its own in which a match is shown by one message, kept up to date."""

from __future__ import annotations

from datetime import datetime

from matches.outbox.queue import Draft
from matches.store.rows import Watch
from storage.parts import StorePart
from storage.rows import to_watch
from storage.transactions import Transaction

_PUT = """
INSERT INTO watches (match, channel, by, message) VALUES (?, ?, ?, ?)
ON CONFLICT (match, channel) DO UPDATE SET by = excluded.by, message = excluded.message
"""


class MirrorsPart(StorePart):
    """The statements about watches that every database takes."""

    async def unwatch(self, match_id: str, channel: int) -> bool:
        """Remove a watch; return whether there was one."""
        statement = "DELETE FROM watches WHERE match = ? AND channel = ?"
        return await self._execute(statement, match_id, channel) > 0

    async def watches(self, match_id: str) -> tuple[Watch, ...]:
        """Return the watches of a match, oldest first."""
        rows = await self._fetch_all(
            "SELECT match, channel, by, message FROM watches WHERE match = ? ORDER BY n", match_id
        )
        return tuple(map(to_watch, rows))

    async def watch(self, watch: Watch, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a watch, or replace the one of the same match and channel; queue a message in the same step.

        LookupError for no such match, ValueError for a message without the time.
        """

        def add(tx: Transaction) -> None:
            tx.lock_match(watch.match)
            tx.execute(_PUT, watch.match, watch.channel, watch.by, watch.message)
            tx.enqueue_if_any(draft, now)

        await self._transaction(add)


def mirrored_in(tx: Transaction, match_id: str) -> list[int]:
    """Return the channels that mirror a match, oldest watch first, within a transaction."""
    rows = tx.execute("SELECT channel FROM watches WHERE match = ? ORDER BY n", match_id)
    return [channel for (channel,) in rows.fetchall()]
