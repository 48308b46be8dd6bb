"""Servers that the bot has left, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from matches.departure_store import Departure
from storage.departures import KNOWN, SERVER_ROWS
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn
from storage.rows import from_ms, to_ms

_PUT = "INSERT INTO departures VALUES (%s, %s) ON CONFLICT (guild) DO NOTHING"


class PostgresDepartures(PostgresPart):
    """The part of the Store that knows which servers the bot has left."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Return the servers that the bot has left."""

        def note(db: Conn) -> tuple[Departure, ...]:
            left = {guild for (guild,) in db.execute(KNOWN)}.difference(present)
            db.cursor().executemany(_PUT, [(guild, to_ms(now)) for guild in sorted(left)])
            db.execute("DELETE FROM departures WHERE NOT guild = ANY(%s)", (sorted(left),))
            rows = db.execute("SELECT guild, since FROM departures ORDER BY since, guild")
            return tuple(Departure(guild, from_ms(since)) for guild, since in rows)

        return await self._database.transaction(note)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""

        def forget(db: Conn) -> None:
            for table, key in SERVER_ROWS:
                db.execute(f"DELETE FROM {table} WHERE {key} = %s", (guild,))  # noqa: S608 - our own names

        await self._database.transaction(forget)
