"""What every Store must do with messages: the outbox, posts, mirrors, settings, read marks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from matches.outbox.lanes import until_dms_open
from matches.outbox.messages import BoardMessage, DirectMessage
from matches.outbox.queue import Draft
from matches.outbox_drafts import mirror
from matches.ports import RepeatedError, Store
from matches.store.operation import OutboxState
from matches.store.rows import Place, Post, Unread, Watch
from tests.fakes import START
from tests.storage.contract import created, posted
from tests.storage.rows import draft, move

HOUR = timedelta(hours=1)
LATER = START + HOUR


async def due(store: Store, hours: float = 0) -> list[int]:
    """The numbers of the rows that are due so many hours after the start."""
    return [row.id for row in await store.outbox(START + hours * HOUR)]


class Outbox:
    """Messages that wait to be sent."""

    async def test_a_row_carries_all_of_its_draft(self, store: Store) -> None:
        mail = Draft(DirectMessage("ä"), "", "dm/7", user=7)
        number = await store.outbox_add(mail, START)
        (row,) = await store.outbox(START)
        assert (row.id, row.draft, row.created, row.due) == (number, mail, START, START)
        assert (row.tries, row.error) == (0, "")

    async def test_a_nonce_is_short_unique_and_stays(self, store: Store) -> None:
        numbers = [await store.outbox_add(draft(lane=f"{n}"), START) for n in range(20)]
        before = {row.id: row.nonce for row in await store.outbox_pending()}
        assert len(set(before.values())) == 20
        assert all(1 <= len(nonce) <= 25 for nonce in before.values())
        await store.outbox_retry(numbers[0], START, "try again")
        await store.outbox_park(numbers[1], "F-001", "gone")
        await store.outbox_revive("F-001", START)
        assert {row.id: row.nonce for row in await store.outbox_pending()} == before

    async def test_a_lane_goes_in_order_and_lanes_do_not_wait_for_others(self, store: Store) -> None:
        a1 = await store.outbox_add(draft(lane="a"), START)
        a2 = await store.outbox_add(draft(lane="a"), START)
        b1 = await store.outbox_add(draft(lane="b"), START)
        a3 = await store.outbox_add(draft(lane="a"), START)
        assert await due(store) == [a1, a2, b1, a3]
        await store.outbox_retry(a2, LATER, "busy")
        assert await due(store) == [a1, b1], "what is behind a row that waits, waits too"
        await store.outbox_retry(a1, LATER, "busy")
        assert await due(store) == [b1]
        await store.outbox_sent(b1, None)
        assert await due(store) == []
        assert await due(store, 1) == [a1, a2, a3]
        await store.outbox_sent(a3, None)
        await store.outbox_sent(a1, None)
        assert await due(store, 1) == [a2]

    async def test_what_was_laid_aside_for_good_ends(self, store: Store) -> None:
        await created(store)
        numbers = {
            until: await store.outbox_add(draft(lane=f"lane {until}", match=match), START)
            for until, match in (("", "F-001"), ("F-001", "F-001"), ("user/7", ""), ("F-9", "F-9"))
        }
        for until, number in numbers.items():
            await store.outbox_park(number, until, "x")
        assert await store.outbox_forget(START) == 0, "not before its time"
        assert (await store.outbox_state(START)).dropped == 1
        assert await store.outbox_forget(START + 400 * 24 * HOUR) == 3
        assert await store.outbox_awaited() == {"F-001"}, "the match goes on"
        assert (await store.outbox_state(START)).dropped == 0
        assert await store.outbox_revive("F-001", START) == 1

    async def test_a_row_is_not_due_before_its_time(self, store: Store) -> None:
        number = await store.outbox_add(draft(), LATER)
        assert await due(store, 0.999) == []
        assert await due(store, 1) == [number]

    async def test_a_limit_takes_the_first(self, store: Store) -> None:
        numbers = [await store.outbox_add(draft(lane=f"{n}"), START) for n in range(5)]
        assert [row.id for row in await store.outbox(START, limit=3)] == numbers[:3]

    async def test_pending_is_all_that_is_unsent(self, store: Store) -> None:
        one = await store.outbox_add(draft("F-1", "a"), LATER)
        two = await store.outbox_add(draft("F-2", "a"), LATER)
        dead = await store.outbox_add(draft("F-1", "b"), START)
        await store.outbox_drop(dead, "gone")
        assert [row.id for row in await store.outbox_pending()] == [one, two]
        assert [row.id for row in await store.outbox_pending("F-1")] == [one]

    async def test_sent_leaves_a_post(self, store: Store) -> None:
        number = await store.outbox_add(draft(), START)
        post = Post(500, 20, "F-001", "board", 3)
        await store.outbox_sent(number, post)
        assert await store.outbox_pending() == ()
        assert await store.find_post(500) == post
        await store.outbox_sent(number, Post(501, 20, "F-001", "board", 3))
        assert await store.posts("F-001") == (post, Post(501, 20, "F-001", "board", 3))

    async def test_a_number_is_never_given_twice(self, store: Store) -> None:
        first = await store.outbox_add(draft(), START)
        await store.outbox_sent(first, None)
        assert await store.outbox_add(draft(), START) > first

    async def test_a_new_process_sends_at_once_what_was_queued_by_a_clock_ahead(self, store: Store) -> None:
        assert await store.outbox_begin(START) == 0
        ahead = await store.outbox_add(draft(lane="a"), LATER)
        waits = await store.outbox_add(draft(lane="b"), START)
        await store.outbox_retry(waits, LATER, "busy")
        last = await store.outbox_add(draft(lane="c"), START)
        await store.outbox_drop(last, "gone")
        assert await store.outbox_begin(START) == last
        assert await due(store) == [ahead]
        (row,) = await store.outbox(START)
        assert (row.created, row.due) == (LATER, START)

    async def test_tries_are_counted_and_the_last_error_kept(self, store: Store) -> None:
        number = await store.outbox_add(draft(), START)
        await store.outbox_retry(number, START, "503")
        await store.outbox_retry(number, LATER, "reset")
        (row,) = await store.outbox_pending()
        assert (row.tries, row.error, row.due, row.created) == (2, "reset", LATER, START)

    async def test_the_parked_do_not_block_their_lane_and_come_back_first(self, store: Store) -> None:
        first = await store.outbox_add(draft(), START)
        second = await store.outbox_add(draft(), START)
        await store.outbox_park(first, "F-001", "403")
        assert await due(store) == [second]
        assert await store.outbox_revive("F-002", START) == 0
        assert await store.outbox_revive("F-001", LATER) == 1
        assert await due(store) == []
        row, behind = await store.outbox(LATER)
        assert (row.id, row.due, row.tries, row.error) == (first, LATER, 0, "403")
        assert behind.id == second
        assert await store.outbox_revive("F-001", LATER) == 0

    async def test_what_the_parked_wait_for_is_known_and_the_dead_wait_for_nothing(
        self, store: Store
    ) -> None:
        home = await store.outbox_add(draft("F-001"), START)
        person = await store.outbox_add(draft("F-002", lane="F-002/dm/7", user=7), START)
        dead = await store.outbox_add(draft("F-003"), START)
        await store.outbox_park(home, "F-001", "guild")
        await store.outbox_park(person, until_dms_open(7), "50007")
        await store.outbox_drop(dead, "unknown")
        assert await store.outbox_awaited() == {"F-001", "user/7"}
        assert await store.outbox_awaited("F-002") == {"user/7"}
        assert await store.outbox_awaited("F-003") == frozenset()
        assert await store.outbox_revive("", START) == await store.outbox_revive("F-003", START) == 0
        assert await store.outbox_revive(until_dms_open(7), START) == 1
        assert await due(store) == [person]
        assert await store.outbox_awaited() == {"F-001"}

    async def test_its_state_is_told_in_numbers(self, store: Store) -> None:
        assert await store.outbox_state(START) == OutboxState()
        first = await store.outbox_add(draft(lane="a"), START)
        await store.outbox_add(draft(lane="a"), START)
        await store.outbox_retry(first, LATER, "busy")
        waits = OutboxState(waiting=2, oldest=START)
        assert await store.outbox_state(START + HOUR / 2) == waits, "what is behind one that waits isn't late"
        soon = START + HOUR / 4
        await store.outbox_add(draft(lane="b"), soon)
        state = await store.outbox_state(START + HOUR / 2)
        assert (state.waiting, state.due_since, state.lateness(START + HOUR / 2)) == (3, soon, 900)
        assert (await store.outbox_state(LATER)).due_since == START
        for number, until in enumerate(("F-001", "user/7", "")):
            dead = await store.outbox_add(draft(lane=f"{number}"), START)
            await store.outbox_park(dead, until, "gone")
        state = await store.outbox_state(START)
        assert (state.parked, state.dropped, state.age(LATER)) == (2, 1, 3600)

    async def test_rows_of_a_match_that_wait_are_hurried(self, store: Store) -> None:
        waits = await store.outbox_add(draft("F-001", lane="a"), START)
        other = await store.outbox_add(draft("F-002", lane="b"), START)
        for number in (waits, other):
            await store.outbox_retry(number, LATER, "busy")
        await store.outbox_hurry("F-001", START)
        (row,) = await store.outbox(START)
        assert (row.id, row.tries, row.error) == (waits, 1, "busy")

    async def test_a_row_takes_the_place_of_those_it_covers(self, store: Store) -> None:
        numbers = [await store.outbox_add(draft(), START) for _ in range(4)]
        before = (await store.outbox_pending())[2]
        await store.outbox_merge(numbers[2], BoardMessage(3, 9), numbers[:2])
        kept, behind = await store.outbox_pending()
        assert (kept.id, kept.nonce) == (before.id, before.nonce)
        assert kept.draft == replace(before.draft, message=BoardMessage(3, 9))
        assert behind.id == numbers[3]

    async def test_rows_that_left_change_nothing(self, store: Store) -> None:
        await store.outbox_retry(99, START, "x")
        await store.outbox_drop(99, "x")
        await store.outbox_park(99, "F-001", "x")
        await store.outbox_hurry("F-404", START)
        await store.outbox_merge(99, BoardMessage(0, 1), (98,))
        await store.outbox_sent(99, None)
        assert await store.outbox_pending() == ()
        assert await store.outbox_revive("F-001", START) == 0

    async def test_rows_of_a_commit_are_due_at_once(self, store: Store) -> None:
        row = await created(store)
        await store.commit(move(row, at=LATER))
        assert await store.outbox(START) == ()
        (board,) = await store.outbox(LATER)
        assert (board.created, board.due) == (LATER, LATER)


class Posts:
    """Messages that were sent."""

    async def test_posts_oldest_first_and_by_kind(self, store: Store) -> None:
        board, mirror, early = (
            Post(300, 20, "F-001", "board", 2),
            Post(200, 21, "F-001", "mirror"),
            Post(100, 20, "F-001", "lobby"),
        )
        for post in (board, mirror, early, Post(150, 20, "F-002", "board", 1)):
            await posted(store, post)
        assert await store.posts("F-001") == (early, mirror, board)
        assert await store.posts("F-001", "board") == (board,)
        assert await store.posts("F-001", "dm") == ()

    async def test_a_known_post_is_left_as_it_is(self, store: Store) -> None:
        await posted(store, Post(1, 20, "F-001", "board", 2))
        await posted(store, Post(1, 21, "F-002", "lobby"))
        assert await store.find_post(1) == Post(1, 20, "F-001", "board", 2)

    async def test_a_post_is_read_with_its_match(self, store: Store) -> None:
        row, post = await created(store), Post(1, 20, "F-001", "board", 2)
        await posted(store, post)
        await posted(store, Post(2, 20, "F-404", "board", 2))
        assert await store.post_and_match(1) == (post, row)
        assert await store.post_and_match(2) is None
        assert await store.post_and_match(3) is None


class Mirrors:
    """Channels in which a match is mirrored."""

    async def test_watches_are_kept_and_replaced_in_their_place(self, store: Store) -> None:
        await created(store)
        await created(store, "F-002")
        for channel in (50, 40, 60):
            await store.watch(Watch("F-001", channel, by=7))
        await store.watch(Watch("F-002", 50, by=7))
        await store.watch(Watch("F-001", 40, by=8, message=9))
        assert await store.watches("F-001") == (
            Watch("F-001", 50, 7),
            Watch("F-001", 40, 8, 9),
            Watch("F-001", 60, 7),
        )
        assert await store.unwatch("F-001", 50)
        assert not await store.unwatch("F-001", 50)
        assert [watch.channel for watch in await store.watches("F-001")] == [40, 60]
        assert len(await store.watches("F-002")) == 1

    async def test_a_watch_and_its_message_come_in_one_step(self, store: Store) -> None:
        await created(store)
        before = len(await store.outbox_pending())
        wish = draft(lane="F-001/mirror/50")
        await store.watch(Watch("F-001", 50, by=7), wish, LATER)
        added = (await store.outbox_pending())[before:]
        assert [(row.draft, row.due) for row in added] == [(wish, LATER)]
        with pytest.raises(ValueError, match="time"):
            await store.watch(Watch("F-001", 60, by=7), wish)
        with pytest.raises(LookupError, match="no"):
            await store.watch(Watch("F-404", 50, by=7), wish, LATER)
        assert [watch.channel for watch in await store.watches("F-001")] == [50]
        assert len(await store.outbox_pending()) == before + 1

    async def test_a_commit_brings_the_mirrors_of_its_match_up_to_date(self, store: Store) -> None:
        row, other = await created(store), await created(store, "F-002")
        for channel in (50, 40):
            await store.watch(Watch(row.id, channel, by=7))
        await store.watch(Watch(other.id, 60, by=7))
        first = replace(move(row, "r1", LATER), mirrors=True)
        await store.commit(first)
        sent = await store.outbox_pending()
        wanted = [*first.outbox, mirror(row.id, 50), mirror(row.id, 40)]
        assert [(one.draft, one.due) for one in sent] == [(wish, LATER) for wish in wanted]
        await store.commit(move(first.row, "r2"))
        assert len(await store.outbox_pending()) == len(sent) + 1, "only where the commit says so"
        with pytest.raises(RepeatedError):
            await store.commit(first)
        assert len(await store.outbox_pending()) == len(sent) + 1

    async def test_no_watch_without_a_match(self, store: Store) -> None:
        with pytest.raises(LookupError, match="no"):
            await store.watch(Watch("F-404", 1, 2))


class Settings:
    """Settings of servers and people."""

    async def test_settings_are_replaced_whole_and_apart(self, store: Store) -> None:
        await store.save_settings("guild", 1, {"theme": "dark", "channels": [1, 2]})
        await store.save_settings("user", 1, {"theme": "classic"})
        await store.save_settings("guild", 1, {"place": "thread"})
        assert await store.settings("guild", 1) == {"place": "thread"}
        assert await store.settings("user", 1) == {"theme": "classic"}
        await store.save_settings("user", 1, {})
        assert await store.settings("user", 1) == {}


class ReadMarks:
    """How far channels were read."""

    async def test_where_else_people_of_live_matches_may_have_written(self, store: Store) -> None:
        assert await store.channels_elsewhere() == ()
        first, second = await created(store, status="live"), await created(store, "F-002", status="live")
        await created(store, "F-003", place=Place(77, 5), status="over")
        await created(store, "F-004", place=Place(None, 6), status="live", seats=())
        (person,) = {seat.user for seat in first.seats if seat.user is not None}
        await store.save_settings("user", person, {"direct": [500, 400], "zone": "UTC"})
        await store.save_settings("user", 999, {"direct": [501, 400]})
        guild = first.place.guild or 0
        assert second.place.guild == guild
        there = Unread(-guild, None, home=False, guild=guild)
        direct = Unread(500, 400, home=False, is_direct=True)
        assert await store.channels_elsewhere() == (direct, there)
        await store.mark_read({-guild: 410, 500: 420})
        assert await store.channels_elsewhere() == (replace(direct, after=420), replace(there, after=410))

    async def test_read_marks_only_go_forward(self, store: Store) -> None:
        await store.mark_read({20: 2**62, 21: 5})
        await store.mark_read({})
        await store.mark_read({21: 6, 20: 5})
        for match, channel in (("F-1", 20), ("F-2", 21), ("F-3", 22)):
            await created(store, match, status="live", place=Place(1, channel))
        found = await store.channels_to_read()
        assert [(one.channel, one.after) for one in found] == [(20, 2**62), (21, 6), (22, None)]
        assert [await store.read_mark(channel) for channel in (20, 21, 22)] == [2**62, 6, None]
