"""The offers of seats of the store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.outbox.queue import Draft
from matches.store.moderation_rows import ModerationRow
from matches.store.rows import Commit
from matches.store.seat_offers import SeatOffer
from tests.fakes.moderation import MemoryModeration


@dataclass
class MemorySeatOffers(MemoryModeration):
    """Offers by match, seat and person; 0 for everyone."""

    _offers: dict[tuple[str, int, int], SeatOffer] = field(default_factory=dict)

    def _drop_offers(self, commit: Commit) -> None:
        row = commit.row
        over = row.status in ("over", "aborted") and not row.set_aside
        taken = {one.seat for one in commit.holders if one.since and one.occupant == "person"}
        for key in [key for key in self._offers if key[0] == row.id and (over or key[1] in taken)]:
            del self._offers[key]

    async def seat_offers(self, match_id: str) -> tuple[SeatOffer, ...]:
        """The open offers of a match."""
        self._open()
        return tuple(self._offers[key] for key in sorted(self._offers) if key[0] == match_id)

    async def offer_seat(
        self, offer: SeatOffer, draft: Draft, now: datetime, act: ModerationRow | None = None
    ) -> None:
        """Open an offer, and queue its message."""
        self._change()
        self._known(offer.match)
        key = offer.match, offer.seat, offer.to or 0
        was = self._offers.get(key)
        self._enqueue(draft, now)
        if act is not None:
            self._note_moderation(act)
        self._offers[key] = replace(offer, own=offer.own or (was is not None and was.own))

    async def close_offer(self, match_id: str, seat: int, to: int | None) -> bool:
        """Close an offer."""
        self._change()
        return self._offers.pop((match_id, seat, to or 0), None) is not None
