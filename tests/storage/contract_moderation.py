"""What every store does with the log of moderators, people who are forbidden to play, and blocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from matches import outbox_drafts as drafts
from matches.ports import RepeatedError, StaleError, Store
from matches.store.moderation import EXCLUDED_SERVERS, WHOLE_BOT, ModerationRow
from matches.store.rows import Commit
from matches.store.seats import SeatOffer
from tests.fakes import START
from tests.storage.rows import lobby

ACT = ModerationRow(900, 7, "pause", "a quarrel", START, "F-001")
FORBID = ModerationRow(900, 7, "forbid", "spam", START, person=2)
LIFT = replace(FORBID, action="lift", reason="said sorry")


class Moderation:
    """Rows of the log by number."""

    async def test_they_are_written_with_a_commit(self, store: Store) -> None:
        row = lobby()
        await store.create(Commit(row, START))
        act = replace(ACT, match=row.id, person=3, detail="86400")
        after = replace(row, revision=row.revision + 1)
        await store.commit(Commit(after, START, request="once", moderation=act))
        (found,) = await store.moderated(900)
        assert replace(found, number=0) == act
        assert await store.moderation(found.number) == found
        assert await store.moderation(found.number + 1) is None
        with pytest.raises(StaleError):
            await store.commit(Commit(after, START, moderation=act))
        again = replace(row, revision=row.revision + 2)
        with pytest.raises(RepeatedError):
            await store.commit(Commit(again, START, request="once", moderation=act))
        assert await store.moderated(900) == (found,)
        assert await store.outbox_pending() == (), "no channel is named"

    async def test_a_page_goes_on_before_a_number(self, store: Store) -> None:
        for number in range(5):
            await store.moderate(replace(ACT, reason=f"reason {number}"))
        await store.moderate(replace(ACT, guild=901))
        first = await store.moderated(900, limit=2)
        assert [one.reason for one in first] == ["reason 4", "reason 3"]
        rest = await store.moderated(900, before=first[-1].number)
        assert [one.reason for one in rest] == ["reason 2", "reason 1", "reason 0"]
        assert await store.moderated(902) == ()

    async def test_a_channel_that_is_named_gets_each_row_once(self, store: Store) -> None:
        await store.save_settings("guild", 900, {"log_channel": 55})
        await store.moderate(FORBID)
        assert not await store.moderate(FORBID)
        (row,) = await store.outbox_pending()
        (act,) = await store.moderated(900)
        assert row.draft == drafts.moderation_post(act, act.number, 55)
        await store.save_settings("guild", 900, {"log_channel": None})
        await store.moderate(LIFT)
        assert len(await store.outbox_pending()) == 1

    async def test_people_are_forbidden_to_play_in_a_server(self, store: Store) -> None:
        told = drafts.direct_message("", 2, "you")
        assert not await store.moderate(LIFT, (told,))
        assert await store.moderate(FORBID, (told,))
        assert not await store.moderate(replace(FORBID, reason="again"), (told,))
        assert [one.reason for one in await store.forbidden(900, (1, 2))] == ["spam"]
        assert await store.forbidden(900, (1, 3)) == ()
        assert await store.forbidden(901, (2,)) == ()
        assert await store.moderate(LIFT)
        assert await store.forbidden(900, (2,)) == ()
        assert await store.moderate(replace(FORBID, reason="again"))
        assert [one.reason for one in await store.forbidden(900, (2,))] == ["again"]
        assert [one.action for one in await store.moderated(900)] == ["forbid", "lift", "forbid"]
        assert [row.draft for row in await store.outbox_pending()] == [told]

    async def test_an_exclusion_from_the_whole_bot_stands_by_itself(self, store: Store) -> None:
        scopes = (WHOLE_BOT, EXCLUDED_SERVERS)
        assert [await store.forbidden(scope, (2,)) for scope in scopes] == [(), ()]
        await store.moderate(FORBID)
        for scope in scopes:
            made = replace(FORBID, guild=scope, detail="1800000000")
            assert await store.moderate(made)
            (found,) = await store.forbidden(scope, (1, 2))
            assert replace(found, number=0) == made
            assert found.until == datetime.fromtimestamp(1_800_000_000, UTC)
            await store.moderate(replace(made, action="lift", detail=""))
            assert await store.forbidden(scope, (2,)) == ()
            assert [one.action for one in await store.moderated(scope)] == ["lift", "forbid"]
        assert len(await store.forbidden(900, (2,))) == 1, "what the server's moderators decided stays"

    async def test_an_offer_of_a_moderator_is_noted_with_it(self, store: Store) -> None:
        row = lobby()
        await store.create(Commit(row, START))
        offer = SeatOffer(row.id, 1, 7, 3, 4, own=False)
        act = replace(ACT, action="offer", match=row.id)
        await store.offer_seat(offer, drafts.seat_offer(row, offer, "why"), START, act)
        assert await store.seat_offers(row.id) == (offer,)
        assert [replace(one, number=0) for one in await store.moderated(900)] == [act]


class Blocks:
    """Pairs of people."""

    async def test_blocks_go_both_ways_when_people_meet(self, store: Store) -> None:
        assert await store.block(1, 2, START, 2)
        assert await store.block(1, 2, START + timedelta(hours=1), 2), "again changes nothing"
        assert await store.block(1, 3, START + timedelta(seconds=1), 2)
        assert not await store.block(1, 4, START, 2)
        assert await store.block(4, 1, START, 2)
        assert await store.blocked_by(1) == (3, 2)
        assert await store.blocks_among((1, 2, 5)) == ((1, 2),)
        assert await store.blocks_among((1, 3, 4)) == ((1, 3), (4, 1))
        assert await store.blocks_among((2, 3)) == ()

    async def test_a_block_ends(self, store: Store) -> None:
        await store.block(1, 2, START, 2)
        assert not await store.unblock(2, 1)
        assert await store.unblock(1, 2)
        assert not await store.unblock(1, 2)
        assert await store.blocked_by(1) == ()
