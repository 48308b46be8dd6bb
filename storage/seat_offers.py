"""Open offers of seats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from matches.outbox.queue import Draft
from matches.store.moderation_rows import ModerationRow
from matches.store.rows import Commit
from matches.store.seat_offers import SeatOffer
from storage.moderation import note_moderation
from storage.parts import StorePart
from storage.transactions import Transaction

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
    if row.status in ("over", "aborted") and not row.set_aside:
        tx.execute("DELETE FROM seat_offers WHERE match = ?", row.id)
    for one in commit.holders:
        if one.since and one.occupant == "person":
            tx.execute("DELETE FROM seat_offers WHERE match = ? AND seat = ?", row.id, one.seat)


def to_offer(row: Sequence[Any]) -> SeatOffer:
    """From match, seat, by, entry, user, own."""
    match, seat, by, entry, user, own = row
    return SeatOffer(match, seat, by, entry, None if user == EVERYONE else user, bool(own))
