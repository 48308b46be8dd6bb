"""What every store does with offers of seats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches.ports import Store
from matches.store.rows import Commit, SeatHolder
from matches.store.seats import SeatOffer
from tests.fakes import START
from tests.storage.contract import created
from tests.storage.rows import draft, move

TO_CLEO = SeatOffer("F-001", 0, 7, 5, to=2**62)
TO_ALL = SeatOffer("F-001", 0, 8, 6, own=False)
OTHER = SeatOffer("F-001", 1, 8, 6)


class SeatOffers:
    """Offers that stand until something closes them."""

    async def test_they_are_kept_with_their_messages_until_they_are_closed(self, store: Store) -> None:
        await created(store, status="live")
        for offer in (OTHER, TO_CLEO, TO_ALL):
            await store.offer_seat(offer, draft(), START)
        assert await store.seat_offers("F-001") == (TO_ALL, TO_CLEO, OTHER)
        assert await store.seat_offers("F-002") == ()
        assert len(await store.outbox_pending()) == 3
        assert await store.close_offer("F-001", 0, 2**62)
        assert not await store.close_offer("F-001", 0, 2**62)
        assert not await store.close_offer("F-001", 1, 2**62)
        assert await store.seat_offers("F-001") == (TO_ALL, OTHER)
        with pytest.raises(LookupError):
            await store.offer_seat(replace(OTHER, match="F-404"), draft("F-404"), START)

    async def test_a_newer_one_replaces_it_but_it_stays_ones_own(self, store: Store) -> None:
        await created(store, status="live")
        await store.offer_seat(replace(TO_ALL, own=True, by=1), draft(), START)
        await store.offer_seat(replace(TO_ALL, entry=9), draft(), START)
        assert await store.seat_offers("F-001") == (replace(TO_ALL, entry=9, own=True),)

    async def test_a_person_who_comes_closes_those_of_the_seat_and_the_end_all(self, store: Store) -> None:
        row = await created(store, status="live")
        for offer in (OTHER, TO_CLEO, TO_ALL):
            await store.offer_seat(offer, draft(), START)
        computer = SeatHolder(row.id, 0, 4, "computer", START, level="random")
        first = replace(move(row, "a"), holders=(SeatHolder(row.id, 1, 0, "person", START, 8), computer))
        await store.commit(first)
        assert len(await store.seat_offers(row.id)) == 3
        person = SeatHolder(row.id, 0, 5, "person", START, 9)
        await store.commit(replace(move(first.row, "b"), holders=(person,)))
        assert await store.seat_offers(row.id) == (OTHER,)
        last = await store.match(row.id)
        assert last is not None
        await store.commit(Commit(replace(last, status="over", revision=last.revision + 1), START))
        assert await store.seat_offers(row.id) == ()
