"""What each seat waits for and was told, and the messages that ping its person, on PostgreSQL."""

from __future__ import annotations

from matches.store.ping_rows import PingRow
from matches.store.rows import MatchRow
from storage.pings import OF_MATCH, PingsPart, to_ping
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import find_matches
from storage.postgres.sessions import Conn
from storage.postgres.transactions import placed


class PostgresPings(PingsPart, PostgresPart):
    """The part of the Store that keeps pings."""

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""

        def find(db: Conn) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
            found = find_matches(db, "WHERE id = %s", (match_id,))
            rows = db.execute(placed(OF_MATCH), (match_id,))
            return (found[0], tuple(map(to_ping, rows))) if found else None

        return await self._database.read_one_state(find)
