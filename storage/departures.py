"""Servers that the bot has left, on SQLite."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from matches.departure_store import Departure
from storage.parts import SqlitePart, StorePart
from storage.rows import from_ms, to_ms
from storage.transactions import Transaction

_SERVER_ROWS = (
    ("settings", "scope = 'guild' AND id"),
    ("showcases", "guild"),
    ("maps", "guild"),
    ("forbidden", "guild"),
    ("moderation", "guild"),
    ("outages", "guild"),
    ("departures", "guild"),
)
"""What is kept about servers, and how theirs is found; a table comes before those that it refers to."""

_KNOWN = """
SELECT id AS guild FROM settings WHERE scope = 'guild' AND id > 0 UNION SELECT guild FROM showcases
UNION SELECT guild FROM maps UNION SELECT guild FROM moderation
"""
"""Servers that something is kept about. Below 1 are the bot's own notes."""


class DeparturesPart(StorePart):
    """The statements about departures that every database takes."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Return the servers that the bot has left.

        A process that works with others knows it of the servers that it serves.
        """

        def note(tx: Transaction) -> tuple[Departure, ...]:
            tx.lock("departures", 0)
            mine = tx.serves("guild")
            known = f"SELECT guild FROM ({_KNOWN}) AS known WHERE {mine}"  # noqa: S608 - our own text
            gone = f"SELECT guild, since FROM departures WHERE {mine} ORDER BY since, guild"  # noqa: S608 - our own text
            noted = {guild for guild, _ in tx.execute(gone).fetchall()}
            left = {guild for (guild,) in tx.execute(known).fetchall()}.difference(present)
            for guild in sorted(left - noted):
                tx.execute("INSERT INTO departures VALUES (?, ?)", guild, to_ms(now))
            for guild in noted - left:
                tx.execute("DELETE FROM departures WHERE guild = ?", guild)
            return tuple(Departure(guild, from_ms(since)) for guild, since in tx.execute(gone).fetchall())

        return await self._transaction(note)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""

        def forget(tx: Transaction) -> None:
            for table, key in _SERVER_ROWS:
                tx.execute(f"DELETE FROM {table} WHERE {key} = ?", guild)  # noqa: S608 - our own names
            tx.tell(f"settings:guild:{guild}")

        await self._transaction(forget)


class SqliteDepartures(DeparturesPart, SqlitePart):
    """The part of the Store that knows which servers the bot has left."""
