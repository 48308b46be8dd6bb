"""What every Store must do, written against the protocol alone.

A database is added by one line in conftest.py; each of these tests then runs on it too.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from datetime import timedelta

import pytest

from matches.ports import RepeatedError, StaleError, Store, StoreError
from matches.store.rows import Commit, MatchRow, OriginRef, Place, Post, Request, SeatRow, Unread
from tests.fakes import START
from tests.storage.rows import SECRET, after, draft, entry, lobby, move

HOUR = timedelta(hours=1)


async def created(store: Store, match_id: str = "F-001", **changes: object) -> MatchRow:
    """A match in the store."""
    row = lobby(match_id, **changes)
    await store.create(Commit(row, START))
    return row


async def posted(store: Store, post: Post) -> None:
    """A message of a match that was sent."""
    number = await store.outbox_add(draft(post.match, "lane"), START)
    await store.outbox_sent(number, post)


class Changes:
    """Creating and changing matches."""

    async def test_a_match_comes_back_as_it_was_put(self, store: Store) -> None:
        row = lobby(
            place=Place(None, 2**62, 2**62 + 1),
            seats=(
                SeatRow(0, "person", 2**62, "Zoë 🐙"),
                SeatRow(1, "computer", None, "", "strong"),
                SeatRow(2, "invited", 7, "Bo"),
                SeatRow(3, "open"),
            ),
            use_thread=False,
            message=12,
            reminded=True,
            expires=START + HOUR,
            result={"how": "outcome", "ranks": [1, 2]},
            previous="F-000",
            unreachable="the channel was deleted",
            public=True,
            agreed=(7, 2**62),
            source="study",
            origin=OriginRef("F-000", 83, 41, 1, (2, 3)),
        )
        await store.create(Commit(row, START))
        assert await store.match("F-001") == row

    async def test_what_is_not_there_is_none_or_empty(self, store: Store) -> None:
        assert await store.match("F-404") is None
        assert await store.log("F-404") == ()
        assert await store.request("r") is None
        assert await store.find_post(1) is None
        assert await store.posts("F-404") == ()
        assert await store.watches("F-404") == ()
        assert await store.settings("guild", 1) == {}
        assert await store.outbox(START) == ()
        assert await store.channels_to_read() == ()
        assert not await store.unwatch("F-404", 1)
        assert await store.outbox_revive("F-404", START) == 0
        assert await store.outbox_awaited() == frozenset()
        assert await store.unreachable("guild") == ()

    async def test_times_are_kept_to_the_millisecond_and_in_utc(self, store: Store) -> None:
        odd = START.replace(microsecond=123_999)
        row = await created(store, created=odd, updated=odd)
        kept = await store.match(row.id)
        assert kept is not None
        assert kept.created == kept.updated == START.replace(microsecond=123_000)
        assert kept.created.utcoffset() == timedelta()

    async def test_what_was_returned_can_be_changed_without_harm(self, store: Store) -> None:
        row = await created(store)
        first = await store.match(row.id)
        assert first is not None
        first.options["fast"] = "spoilt"
        assert await store.match(row.id) == row

    async def test_a_taken_id_is_stale(self, store: Store) -> None:
        row = await created(store)
        with pytest.raises(StaleError):
            await store.create(Commit(replace(row, host=5), START, outbox=(draft(),), request="r"))
        assert await store.match(row.id) == row
        assert await store.request("r") is None
        assert await store.outbox_pending() == ()

    async def test_a_new_match_starts_at_revision_zero(self, store: Store) -> None:
        with pytest.raises(StaleError):
            await store.create(Commit(lobby(revision=1), START))
        assert await store.match("F-001") is None

    async def test_create_may_bring_entries_messages_and_a_request(self, store: Store) -> None:
        row = lobby(status="live", version=1)
        await store.create(Commit(row, START, (entry(0), entry(1)), (draft(),), "r"))
        assert [one.entry.seq for one in await store.log(row.id)] == [0, 1]
        assert len(await store.outbox_pending(row.id)) == 1
        assert await store.request("r") == Request("r", row.id, 1, 0)

    async def test_a_commit_does_everything_at_once(self, store: Store) -> None:
        row = await created(store)
        change = move(row, "r1", START + HOUR, entries=2)
        await store.commit(change)
        assert await store.match(row.id) == change.row
        assert await store.log(row.id) == change.entries
        assert await store.log(row.id, after=0) == change.entries[1:]
        assert await store.log(row.id, after=1) == ()
        assert [one.draft for one in await store.outbox_pending()] == list(change.outbox)
        assert await store.request("r1") == Request("r1", row.id, 1, 1)

    async def test_every_field_of_a_row_can_change(self, store: Store) -> None:
        row = await created(store)
        new = lobby(
            status="aborted",
            place=Place(2, 21, 22),
            host=101,
            seats=(SeatRow(0, "computer", level="weak"),),
            options={},
            created=START + HOUR,
            updated=START + 2 * HOUR,
            revision=1,
            use_thread=False,
            message=3,
            reminded=True,
            expires=START,
            result={"how": "abort", "ranks": []},
            previous="F-9",
            unreachable="gone",
            public=True,
            agreed=(101,),
        )
        await store.commit(Commit(new, START))
        assert await store.match(row.id) == new
        back = replace(row, revision=2)
        await store.commit(Commit(back, START))
        assert await store.match(row.id) == back

    @pytest.mark.parametrize("revision", [0, 2, 5])
    async def test_another_revision_is_stale_and_writes_nothing(self, store: Store, revision: int) -> None:
        row = await created(store)
        change = move(row, "r")
        with pytest.raises(StaleError):
            await store.commit(replace(change, row=replace(change.row, revision=revision)))
        assert await store.match(row.id) == row
        assert await store.log(row.id) == ()
        assert await store.outbox_pending() == ()
        assert await store.request("r") is None

    @pytest.mark.parametrize("numbers", [(), (1,), (0, 2), (1, 0), (0, 0)])
    async def test_entries_must_follow_on_the_log(self, store: Store, numbers: tuple[int, ...]) -> None:
        row = await created(store)
        entries = tuple(entry(seq) for seq in numbers)
        version = len(entries) - 1 if entries else 0
        with pytest.raises(StaleError):
            await store.commit(Commit(after(row, version + 1), START, entries))
        assert await store.match(row.id) == row
        assert await store.log(row.id) == ()

    async def test_a_change_of_no_match_is_stale(self, store: Store) -> None:
        with pytest.raises(StaleError):
            await store.commit(move(lobby("F-404"), "r"))
        assert await store.request("r") is None

    async def test_a_repeated_request_says_what_it_did(self, store: Store) -> None:
        row = await created(store)
        first = move(row, "r1")
        await store.commit(first)
        await store.commit(move(first.row, "r2"))
        for again in (first, move(first.row, "r1"), move(lobby("F-404"), "r1")):
            with pytest.raises(RepeatedError) as caught:
                await store.commit(again)
            assert caught.value.request == Request("r1", row.id, 0, 1)
        with pytest.raises(RepeatedError):
            await store.create(Commit(row, START, request="r2"))
        assert len(await store.log(row.id)) == 2

    async def test_a_value_json_cannot_hold_is_refused_whole(self, store: Store) -> None:
        row = await created(store)
        bad = replace(move(row), outbox=(draft(), draft(payload={"x": math.nan})))
        with pytest.raises(ValueError, match="JSON"):
            await store.commit(bad)
        assert await store.match(row.id) == row
        assert await store.outbox_pending() == ()

    async def test_a_seat_twice_is_refused(self, store: Store) -> None:
        with pytest.raises(ValueError, match="seat"):
            await store.create(Commit(lobby(seats=(SeatRow(0, "open"), SeatRow(0, "open"))), START))
        assert await store.match("F-001") is None

    async def test_of_fifty_that_move_at_once_one_counts(self, store: Store) -> None:
        row = await created(store)
        done = await asyncio.gather(
            *(store.commit(move(row, f"r{n}")) for n in range(50)), return_exceptions=True
        )
        assert done.count(None) == 1
        assert sum(isinstance(one, StaleError) for one in done) == 49
        assert len(await store.log(row.id)) == 1
        assert len(await store.outbox_pending()) == 1

    async def test_fifty_matches_do_not_disturb_each_other(self, store: Store) -> None:
        async def play(number: int) -> None:
            row = await created(store, f"F-{number:03}")
            for turn in range(4):
                change = move(row, f"{number}/{turn}")
                await store.commit(change)
                row = change.row
                assert await store.match(row.id) == row

        await asyncio.gather(*(play(number) for number in range(50)))
        rows = await store.by_status("live")
        assert {row.version for row in rows} == {3}
        assert len(rows) == 50
        assert len({one.nonce for one in await store.outbox_pending()}) == 200


class Finding:
    """Looking for matches."""

    async def test_unreachable_matches_are_found_by_their_reason(self, store: Store) -> None:
        await created(store, "F-1", unreachable="guild", status="live")
        await created(store, "F-2", unreachable="channel", status="live")
        await created(store, "F-3", unreachable="guild", status="over")
        await created(store, "F-4", status="live")
        assert [row.id for row in await store.unreachable("guild")] == ["F-1", "F-3"]
        assert await store.unreachable("") == ()

    async def test_by_place_takes_the_thread_first_and_the_newest_first(self, store: Store) -> None:
        await created(store, "F-1", place=Place(1, 20), status="live")
        await created(store, "F-2", place=Place(1, 20, 30), status="live")
        await created(store, "F-3", place=Place(1, 20), status="live", created=START + HOUR)
        await created(store, "F-4", place=Place(1, 20), status="live")
        await created(store, "F-5", place=Place(1, 20), status="lobby")
        assert [row.id for row in await store.by_place(20)] == ["F-3", "F-4", "F-1"]
        assert [row.id for row in await store.by_place(30)] == ["F-2"]
        assert [row.id for row in await store.by_place(20, ("lobby", "over"))] == ["F-5"]
        assert await store.by_place(20, ()) == ()

    async def test_by_user_finds_players_invited_ones_and_hosts_once(self, store: Store) -> None:
        me = (SeatRow(0, "person", 7, "Me"), SeatRow(1, "person", 7, "Me"))
        await created(store, "F-1", seats=me, host=7, status="live")
        await created(store, "F-2", seats=(SeatRow(0, "invited", 7, "Me"),), host=8, status="live")
        await created(store, "F-3", host=7, status="live", updated=START + HOUR)
        await created(store, "F-4", seats=(SeatRow(0, "person", 8),), host=8, status="live")
        await created(store, "F-5", host=7, status="over")
        assert [row.id for row in await store.by_user(7)] == ["F-3", "F-2", "F-1"]
        assert [row.id for row in await store.by_user(7, ("over", "aborted"))] == ["F-5"]
        assert [len(row.seats) for row in await store.by_user(7)] == [2, 1, 2]

    async def test_who_left_a_seat_is_found_no_more(self, store: Store) -> None:
        row = await created(store, host=8, status="live", seats=(SeatRow(0, "person", 7, "Me"),))
        await store.commit(Commit(after(row, seats=(SeatRow(0, "person", 9, "You"),)), START))
        assert await store.by_user(7) == ()
        assert [found.id for found in await store.by_user(9)] == [row.id]

    async def test_by_status_oldest_change_first(self, store: Store) -> None:
        await created(store, "F-1", updated=START + HOUR)
        await created(store, "F-2")
        await created(store, "F-3")
        await created(store, "F-4", status="live")
        assert [row.id for row in await store.by_status("lobby")] == ["F-2", "F-3", "F-1"]
        assert [row.id for row in await store.by_status("lobby", limit=2)] == ["F-2", "F-3"]
        assert await store.by_status("expired") == ()

    async def test_expiring_lobbies_are_due_at_their_time(self, store: Store) -> None:
        await created(store, "F-1", expires=START + HOUR)
        await created(store, "F-2", expires=START)
        await created(store, "F-3", expires=None)
        await created(store, "F-4", expires=START, status="live")
        assert await store.expiring(START - timedelta(milliseconds=1)) == ()
        assert [row.id for row in await store.expiring(START)] == ["F-2"]
        assert [row.id for row in await store.expiring(START + HOUR)] == ["F-2", "F-1"]
        assert [row.id for row in await store.expiring(START + HOUR, limit=1)] == ["F-2"]

    async def test_channels_to_read_are_those_of_live_matches(self, store: Store) -> None:
        await created(store, "F-1", place=Place(1, 20, 30), status="live")
        await created(store, "F-2", place=Place(1, 20), status="live")
        await created(store, "F-3", place=Place(1, 20), status="live")
        await created(store, "F-4", place=Place(1, 40), status="over")
        await store.mark_read({30: 35, 40: 46})
        assert await store.channels_to_read() == (Unread(20, None, True, 1), Unread(30, 35, True, 1))

    async def test_a_thread_whose_first_board_is_on_its_way_is_read_from_its_beginning(
        self, store: Store
    ) -> None:
        await created(store, "F-1", place=Place(1, 20, 30), status="live")
        assert await store.channels_to_read() == (Unread(30, 30, True, 1),), "its id is older than all in it"
        await posted(store, Post(70, 30, "F-1", "board", 0))
        assert await store.channels_to_read() == (Unread(30, 70, True, 1),)

    async def test_where_boards_of_live_matches_stand_is_read_from_the_first(self, store: Store) -> None:
        await created(store, "F-1", place=Place(None, 50), status="live")
        await created(store, "F-2", place=Place(None, 51), status="over")
        for message, channel, match in ((9, 60, "F-1"), (7, 60, "F-1"), (8, 50, "F-1"), (6, 61, "F-2")):
            await posted(store, Post(message, channel, match, "board", 0))
        await posted(store, Post(5, 62, "F-1", "notice"))
        assert await store.channels_to_read() == (Unread(50, 8), Unread(60, 7, home=False))
        await store.mark_read({60: 9})
        assert await store.channels_to_read() == (Unread(50, 8), Unread(60, 9, home=False))

    async def test_what_was_read_before_the_first_board_was_of_another_match(self, store: Store) -> None:
        await created(store, "F-1", place=Place(1, 20), status="live")
        await store.mark_read({20: 5})
        await posted(store, Post(70, 20, "F-1", "board", 0))
        assert await store.channels_to_read() == (Unread(20, 70, True, 1),)

    async def test_where_something_happened_last_is_read_first(self, store: Store) -> None:
        for hours, match, channel in ((1, "F-1", 40), (3, "F-2", 50), (2, "F-3", 30)):
            at = START + hours * HOUR
            await created(store, match, place=Place(1, channel), status="live", updated=at)
        await posted(store, Post(9, 20, "F-2", "board", 0))
        assert [one.channel for one in await store.channels_to_read()] == [50, 30, 40, 20]

    async def test_the_secret_is_kept_and_not_shown(self, store: Store) -> None:
        row = await created(store)
        kept = await store.match(row.id)
        assert kept is not None
        assert kept.secret == SECRET
        assert SECRET not in repr(kept)
        assert SECRET not in repr(await store.by_user(100, ("lobby",)))


class Ending:
    """Upkeep."""

    async def test_a_closed_store_says_so(self, store: Store) -> None:
        row = await created(store)
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.match(row.id)
        with pytest.raises(StoreError, match="closed"):
            await store.commit(move(row))
