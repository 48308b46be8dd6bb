"""Who held the seats of matches, on PostgreSQL. Seats change hands seldom: most matches have no rows here."""

from __future__ import annotations

from matches.store.rows import SeatHolder
from storage.holders import HOLDER_COLUMNS, to_holder
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn


class PostgresHolders(PostgresPart):
    """The part of the Store that knows who held which seat."""

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return all who held a seat that has changed hands, by seat and entry."""
        return await self._database.read(lambda db: holders_of(db, match_id))


def holders_of(db: Conn, match: str) -> tuple[SeatHolder, ...]:
    """Return all who held a seat that has changed hands, by seat and entry."""
    query = f"SELECT {HOLDER_COLUMNS} FROM holders WHERE match = %s ORDER BY seat, since"  # noqa: S608 - our own columns
    return tuple(to_holder(row) for row in db.execute(query, (match,)))
