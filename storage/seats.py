"""Who held the seats of matches, and open offers of seats.

Seats change hands seldom: most matches have no rows here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from matches.outbox.queue import Draft
from matches.store.moderation import ModerationRow
from matches.store.rows import Commit, SeatHolder
from matches.store.seats import SeatOffer
from storage.moderation import note_moderation
from storage.rows import Value, from_ms, insert, to_ms
from storage.transactions import StorePart, Transaction

HOLDER_COLUMNS = 'match, seat, since, occupant, "user", name, level, why, back, at'
HOLDERS = f"SELECT {HOLDER_COLUMNS} FROM holders WHERE match = ? ORDER BY seat, since"  # noqa: S608 - our own columns
_RECORD = f"{insert('holders', HOLDER_COLUMNS)} ON CONFLICT DO NOTHING"


class HoldersPart(StorePart):
    """The statement about holders that every database takes."""

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return all who held a seat that has changed hands, by seat and entry."""
        return tuple(map(to_holder, await self._fetch_all(HOLDERS, match_id)))


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


EVERYONE = 0
_PUT = """
INSERT INTO seat_offers (match, seat, "user", by, entry, own) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (match, seat, "user")
DO UPDATE SET by = excluded.by, entry = excluded.entry, own = seat_offers.own | excluded.own
"""


class SeatOffersPart(StorePart):
    """The statements about offers that every database takes."""

    async def seat_offers(self, match_id: str) -> tuple[SeatOffer, ...]:
        """Return the open offers of a match, by seat; those to everyone come first."""
        columns = 'match, seat, by, entry, "user", own'
        query = f'SELECT {columns} FROM seat_offers WHERE match = ? ORDER BY seat, "user"'  # noqa: S608 - our own columns
        return tuple(map(to_offer, await self._fetch_all(query, match_id)))

    async def close_offer(self, match_id: str, seat: int, to: int | None) -> bool:
        """Close an offer, and return whether it was open."""
        statement = 'DELETE FROM seat_offers WHERE match = ? AND seat = ? AND "user" = ?'
        return await self._execute(statement, match_id, seat, to or EVERYONE) > 0

    async def offer_seat(
        self, offer: SeatOffer, draft: Draft, now: datetime, act: ModerationRow | None = None
    ) -> None:
        """Open an offer and queue its message, in one transaction."""
        to = offer.to or EVERYONE

        def put(tx: Transaction) -> None:
            tx.lock_match(offer.match)
            tx.execute(_PUT, offer.match, offer.seat, to, offer.by, offer.entry, int(offer.own))
            tx.enqueue(draft, now)
            if act is not None:
                note_moderation(tx, act)

        await self._transaction(put)


def drop_offers(tx: Transaction, commit: Commit) -> None:
    """Close the offers that a commit makes void, within its transaction."""
    row = commit.row
    if row.is_final:
        tx.execute("DELETE FROM seat_offers WHERE match = ?", row.id)
    for one in commit.holders:
        if one.since and one.occupant == "person":
            tx.execute("DELETE FROM seat_offers WHERE match = ? AND seat = ?", row.id, one.seat)


def to_offer(row: Sequence[Any]) -> SeatOffer:
    """From match, seat, by, entry, user, own."""
    match, seat, by, entry, user, own = row
    return SeatOffer(match, seat, by, entry, None if user == EVERYONE else user, bool(own))
