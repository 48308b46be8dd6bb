"""Open offers of seats, on PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from matches.moderation_rows import ModerationRow
from matches.rows import Commit, Draft
from matches.seat_offers import SeatOffer
from storage.postgres.moderation import note_moderation
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue, lock_matches
from storage.postgres.sessions import Conn
from storage.seat_offers import EVERYONE, SeatOffersPart


class PostgresSeatOffers(SeatOffersPart, PostgresPart):
    """The part of the Store that keeps offers of seats."""

    async def offer_seat(
        self, offer: SeatOffer, draft: Draft, now: datetime, act: ModerationRow | None = None
    ) -> None:
        """Open an offer and queue its message, in one transaction."""

        def put(db: Conn) -> None:
            lock_matches(db, (offer.match,))
            db.execute(
                'INSERT INTO seat_offers (match, seat, "user", by, entry, own) '
                "VALUES (%s, %s, %s, %s, %s, %s) "
                'ON CONFLICT (match, seat, "user") DO UPDATE SET by = excluded.by, entry = excluded.entry, '
                "own = greatest(seat_offers.own, excluded.own)",
                (offer.match, offer.seat, offer.to or EVERYONE, offer.by, offer.entry, int(offer.own)),
            )
            enqueue(db, draft, now)
            if act is not None:
                note_moderation(db, act)

        await self._database.transaction(put)


def drop_offers(db: Conn, commit: Commit) -> None:
    """Close the offers that a commit makes void, within its transaction."""
    row = commit.row
    if row.status in ("over", "aborted") and not row.set_aside:
        db.execute("DELETE FROM seat_offers WHERE match = %s", (row.id,))
    for one in commit.holders:
        if one.since and one.occupant == "person":
            db.execute("DELETE FROM seat_offers WHERE match = %s AND seat = %s", (row.id, one.seat))
