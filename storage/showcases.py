"""The messages of servers that are kept current: lists of live matches, and front pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from matches.outbox.queue import Draft
from matches.store.rows import MatchRow
from matches.store.servers import Showcase, ShowcaseKind
from storage.rows import Value, from_ms, ms_or_none, time_or_none, to_ms
from storage.transactions import StorePart, Transaction

SHOWCASE_COLUMNS = "guild, channel, by, since, message, shown, edited, kind"
_PUT = """
INSERT INTO showcases (guild, channel, by, since, message, shown, edited, kind)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (guild, kind) DO UPDATE SET channel = excluded.channel, by = excluded.by, since = excluded.since,
    message = excluded.message, shown = excluded.shown, edited = excluded.edited
"""


_IT = "WHERE guild = ? AND kind = ? AND channel = ?"


class ShowcasesPart(StorePart):
    """The statements about showcases that every database takes."""

    async def showcases(self) -> tuple[Showcase, ...]:
        """Return all showcases and panels, by server."""
        return await self._showcase_rows("ORDER BY guild, kind")

    async def showcase(self, guild: int, kind: ShowcaseKind = "matches") -> Showcase | None:
        """Return the showcase of a server, or its panel; None without one."""
        found = await self._showcase_rows("WHERE guild = ? AND kind = ?", guild, kind)
        return found[0] if found else None

    async def save_showcase(self, row: Showcase) -> None:
        """Add or replace the showcase or panel of a server."""
        await self._execute(_PUT, *showcase_values(row))

    async def note_showcase(self, row: Showcase) -> bool:
        """Record message, digest and time of a list; False if the server has another channel by now."""
        statement = f"UPDATE showcases SET message = ?, shown = ?, edited = ? {_IT}"  # noqa: S608 - our own text
        values = (row.message, row.shown, ms_or_none(row.edited))
        return await self._execute(statement, *values, row.guild, row.kind, row.channel) > 0

    async def live_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return live matches of a server, latest change first."""
        tail = "WHERE guild = ? AND status = 'live' ORDER BY updated DESC, n DESC LIMIT ?"
        return await self._find_matches(tail, guild, limit)

    async def lobbies_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return lobbies of a server, the newest first."""
        tail = "WHERE guild = ? AND status = 'lobby' ORDER BY n DESC LIMIT ?"
        return await self._find_matches(tail, guild, limit)

    async def drop_showcase(self, row: Showcase, now: datetime, drafts: Sequence[Draft] = ()) -> bool:
        """Remove a showcase, and queue messages if it was there."""

        def drop(tx: Transaction) -> bool:
            gone = tx.execute(f"DELETE FROM showcases {_IT}", row.guild, row.kind, row.channel)  # noqa: S608 - our own text
            for draft in drafts if gone.rowcount else ():
                tx.enqueue(draft, now)
            return gone.rowcount > 0

        return await self._transaction(drop)

    async def _showcase_rows(self, tail: str, *values: Value) -> tuple[Showcase, ...]:
        rows = await self._fetch_all(f"SELECT {SHOWCASE_COLUMNS} FROM showcases {tail}", *values)  # noqa: S608 - our own text
        return tuple(map(to_showcase, rows))


def showcase_values(row: Showcase) -> tuple[Value, ...]:
    """Return a showcase as SHOWCASE_COLUMNS."""
    since, edited = to_ms(row.since), ms_or_none(row.edited)
    return (row.guild, row.channel, row.by, since, row.message, row.shown, edited, row.kind)


def to_showcase(row: Sequence[Any]) -> Showcase:
    """From SHOWCASE_COLUMNS."""
    guild, channel, by, since, message, shown, edited, kind = row
    return Showcase(guild, channel, by, from_ms(since), message, shown, time_or_none(edited), kind)
