"""The channels in which servers show their matches, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matches.rows import Draft, MatchRow
from matches.showcase_store import Showcase
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue, find_matches
from storage.postgres.sessions import Conn
from storage.rows import Value
from storage.showcases import SHOWCASE_COLUMNS, showcase_values, to_showcase

_ROWS = f"SELECT {SHOWCASE_COLUMNS} FROM showcases"  # noqa: S608 - our own columns
_PUT = f"""
INSERT INTO showcases ({SHOWCASE_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel, by = excluded.by, since = excluded.since,
    message = excluded.message, shown = excluded.shown, edited = excluded.edited
"""  # noqa: S608 - our own columns


class PostgresShowcases(PostgresPart):
    """The part of the Store that keeps showcases."""

    async def showcases(self) -> tuple[Showcase, ...]:
        """Return all showcases, by server."""
        return await self._showcase_rows("ORDER BY guild")

    async def showcase(self, guild: int) -> Showcase | None:
        """Return the showcase of a server, or None."""
        found = await self._showcase_rows("WHERE guild = %s", guild)
        return found[0] if found else None

    async def save_showcase(self, row: Showcase) -> None:
        """Add or replace the showcase of a server."""
        await self._database.execute(_PUT, *showcase_values(row))

    async def note_showcase(self, row: Showcase) -> bool:
        """Record message, digest and time of a list; False if the server has another channel by now."""
        statement = (
            "UPDATE showcases SET message = %s, shown = %s, edited = %s WHERE guild = %s AND channel = %s"
        )
        *_, message, shown, edited = showcase_values(row)
        return await self._database.execute(statement, message, shown, edited, row.guild, row.channel) > 0

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

    async def live_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return live matches of a server, latest change first."""
        tail = "WHERE guild = %s AND status = 'live' ORDER BY updated DESC, n DESC LIMIT %s"
        return await self._database.read(lambda db: find_matches(db, tail, (guild, limit)))

    async def _showcase_rows(self, tail: str, *values: Value) -> tuple[Showcase, ...]:
        return tuple(map(to_showcase, await self._database.fetch_all(f"{_ROWS} {tail}", *values)))
