"""Who held the seats of matches. Seats change hands seldom: most matches have no rows here."""

from __future__ import annotations

import sqlite3

from matches.rows import Commit, SeatHolder
from storage.connection import Database
from storage.rows import from_ms, to_ms

_COLUMNS = "match, seat, since, occupant, user, name, level, why, back, at"


class SqliteHolders:
    """The part of the Store that knows who held which seat."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return all who held a seat that has changed hands, by seat and entry."""
        rows = await self._database.fetch_all(
            f"SELECT {_COLUMNS} FROM holders WHERE match = ? ORDER BY seat, since",  # noqa: S608 - our own columns
            match_id,
        )
        return tuple(
            SeatHolder(match, seat, since, occupant, from_ms(at), user, name, level, why, back)
            for match, seat, since, occupant, user, name, level, why, back, at in rows
        )


def record_holders(db: sqlite3.Connection, commit: Commit) -> None:
    """Write the holders of a commit within its transaction; those that are known stay as they are."""
    values = [
        (h.match, h.seat, h.since, h.occupant, h.user, h.name, h.level, h.why, h.back, to_ms(h.at))
        for h in commit.holders
    ]
    if values:
        marks = ", ".join("?" for _ in _COLUMNS.split(","))
        db.executemany(f"INSERT OR IGNORE INTO holders ({_COLUMNS}) VALUES ({marks})", values)  # noqa: S608 - our own columns
