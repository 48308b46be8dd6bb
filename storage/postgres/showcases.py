"""The channels in which servers show their matches, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matches.rows import Draft
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue
from storage.postgres.sessions import Conn
from storage.showcases import SHOWCASE_COLUMNS, ShowcasesPart

_PUT = f"""
INSERT INTO showcases ({SHOWCASE_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel, by = excluded.by, since = excluded.since,
    message = excluded.message, shown = excluded.shown, edited = excluded.edited
"""  # noqa: S608 - our own columns


class PostgresShowcases(ShowcasesPart, PostgresPart):
    """The part of the Store that keeps showcases."""

    async def drop_showcase(
        self, guild: int, channel: int, now: datetime, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Remove a server's showcase in a channel, and queue messages if there was one."""

        def drop(db: Conn) -> bool:
            gone = db.execute("DELETE FROM showcases WHERE guild = %s AND channel = %s", (guild, channel))
            for draft in drafts if gone.rowcount else ():
                enqueue(db, draft, now)
            return gone.rowcount > 0

        return await self._database.transaction(drop)
