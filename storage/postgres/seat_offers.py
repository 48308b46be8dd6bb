"""Open offers of seats, on PostgreSQL."""

from __future__ import annotations

from storage.postgres.parts import PostgresPart
from storage.seat_offers import SeatOffersPart


class PostgresSeatOffers(SeatOffersPart, PostgresPart):
    """The part of the Store that keeps offers of seats."""
