"""Who held which seat, offers of seats, and the parts of the Store that keep them. No logic."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from matches.outbox.queue import Draft
from matches.store.moderation import ModerationRow
from matches.store.rows import SeatHolder


class SeatHistory(Protocol):
    """Who held which seat, and from when on. It is written by commits."""

    async def holders(self, match_id: str) -> tuple[SeatHolder, ...]:
        """Return all who held a seat that has changed hands, by seat and entry; empty if none has."""
        ...


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """An offer of a seat of a match by a person, to a person or to everyone (None).

    It is open until it is withdrawn or declined, a person takes the seat, or the match ends.
    """

    match: str
    seat: int
    by: int
    entry: int
    """The log entry after which it was made."""
    to: int | None = None
    own: bool = True
    """Whether the seat's own person makes it."""


class SeatOfferStore(Protocol):
    """Open offers of seats: at most one of a seat to each person, and one to everyone.

    A commit by which a person comes to a seat removes the offers of that seat, one that ends a match all.
    """

    async def seat_offers(self, match_id: str) -> tuple[SeatOffer, ...]:
        """Return the open offers of a match, by seat; those to everyone come first."""
        ...

    async def offer_seat(
        self, offer: SeatOffer, draft: Draft, now: datetime, act: ModerationRow | None = None
    ) -> None:
        """Open an offer and queue its message, in one transaction. It replaces the one to the same people.

        `act` goes into the log of the moderators if one of them offers it. An offer that the seat's own
        person has made stays theirs. Raises LookupError for an unknown match.
        """
        ...

    async def close_offer(self, match_id: str, seat: int, to: int | None) -> bool:
        """Close an offer, and return whether it was open."""
        ...
