"""Servers that the bot has left, on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from datetime import datetime

from matches.departure_store import Departure
from storage.parts import SqlitePart
from storage.rows import from_ms, to_ms

SERVER_ROWS = (
    ("settings", "scope = 'guild' AND id"),
    ("showcases", "guild"),
    ("maps", "guild"),
    ("forbidden", "guild"),
    ("moderation", "guild"),
    ("outages", "guild"),
    ("departures", "guild"),
)
"""What is kept about servers, and how theirs is found; a table comes before those that it refers to."""

KNOWN = """
SELECT id FROM settings WHERE scope = 'guild' AND id > 0 UNION SELECT guild FROM showcases
UNION SELECT guild FROM maps UNION SELECT guild FROM moderation
"""
"""Servers that something is kept about. Below 1 are the bot's own notes."""


class SqliteDepartures(SqlitePart):
    """The part of the Store that knows which servers the bot has left."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Return the servers that the bot has left."""

        def note(db: sqlite3.Connection) -> tuple[Departure, ...]:
            noted = {guild for (guild,) in db.execute("SELECT guild FROM departures")}
            left = {guild for (guild,) in db.execute(KNOWN)}.difference(present)
            new = [(guild, to_ms(now)) for guild in sorted(left - noted)]
            db.executemany("INSERT INTO departures VALUES (?, ?)", new)
            db.executemany("DELETE FROM departures WHERE guild = ?", [(guild,) for guild in noted - left])
            rows = db.execute("SELECT guild, since FROM departures ORDER BY since, guild")
            return tuple(Departure(guild, from_ms(since)) for guild, since in rows)

        return await self._database.transaction(note)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""

        def forget(db: sqlite3.Connection) -> None:
            for table, key in SERVER_ROWS:
                db.execute(f"DELETE FROM {table} WHERE {key} = ?", (guild,))  # noqa: S608 - our own names

        await self._database.transaction(forget)
