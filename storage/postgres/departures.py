"""Servers that the bot has left, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from matches.departure_store import Departure
from storage.departures import KNOWN, SERVER_ROWS
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import SERVED, Conn, shard_of, tell
from storage.rows import from_ms, to_ms

_PUT = "INSERT INTO departures VALUES (%s, %s) ON CONFLICT (guild) DO NOTHING"
_OURS = SERVED.format(shard=shard_of("guild"))


class PostgresDepartures(PostgresPart):
    """The part of the Store that knows which servers the bot has left."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Return the servers that the bot has left.

        A process that works with others knows it of the servers of its own shards only.
        """

        def note(db: Conn) -> tuple[Departure, ...]:
            ours, process = ("true", ()) if db.process is None else (_OURS, (db.process,))
            known = db.execute(f"SELECT guild FROM ({KNOWN}) AS known (guild) WHERE {ours}", process)  # noqa: S608 - our own text
            left = {guild for (guild,) in known}.difference(present)
            db.cursor().executemany(_PUT, [(guild, to_ms(now)) for guild in sorted(left)])
            gone = f"DELETE FROM departures WHERE NOT guild = ANY(%s) AND {ours}"  # noqa: S608 - our own text
            db.execute(gone, (sorted(left), *process))
            query = f"SELECT guild, since FROM departures WHERE {ours} ORDER BY since, guild"  # noqa: S608 - our own text
            rows = db.execute(query, process)
            return tuple(Departure(guild, from_ms(since)) for guild, since in rows)

        return await self._database.transaction(note)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""

        def forget(db: Conn) -> None:
            for table, key in SERVER_ROWS:
                db.execute(f"DELETE FROM {table} WHERE {key} = %s", (guild,))  # noqa: S608 - our own names
            tell(db, f"settings:guild:{guild}")

        await self._database.transaction(forget)
