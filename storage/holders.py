"""Who held the seats of matches. Seats change hands seldom: most matches have no rows here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matches.store.rows import Commit, SeatHolder
from storage.parts import SqlitePart
from storage.rows import Value, from_ms, insert, to_ms
from storage.transactions import Transaction

HOLDER_COLUMNS = 'match, seat, since, occupant, "user", name, level, why, back, at'
_RECORD = f"{insert('holders', HOLDER_COLUMNS)} ON CONFLICT DO NOTHING"


class SqliteHolders(SqlitePart):
    """The part of the Store that knows who held which seat."""

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return all who held a seat that has changed hands, by seat and entry."""
        rows = await self._database.fetch_all(
            f"SELECT {HOLDER_COLUMNS} FROM holders WHERE match = ? ORDER BY seat, since",  # noqa: S608 - our own columns
            match_id,
        )
        return tuple(map(to_holder, rows))


def record_holders(tx: Transaction, commit: Commit) -> None:
    """Write the holders of a commit within its transaction; those that are known stay as they are."""
    for one in commit.holders:
        tx.execute(_RECORD, *holder_values(one))


def holder_values(one: SeatHolder) -> tuple[Value, ...]:
    """Return a holder as HOLDER_COLUMNS."""
    whole = (one.match, one.seat, one.since, one.occupant, one.user, one.name, one.level, one.why, one.back)
    return (*whole, to_ms(one.at))


def to_holder(row: Sequence[Any]) -> SeatHolder:
    """From HOLDER_COLUMNS."""
    match, seat, since, occupant, user, name, level, why, back, at = row
    return SeatHolder(match, seat, since, occupant, from_ms(at), user, name, level, why, back)
