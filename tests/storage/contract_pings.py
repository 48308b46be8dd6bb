"""What every Store must do with pings: turns of a commit, what is due, what stands, what is withdrawn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from matches.outbox_drafts import ping, withdrawal
from matches.ports import Store
from matches.store.pings import MAX_REMINDER, PingPost, PingRow, PingWork
from matches.store.rows import Commit, MatchRow, Post, TurnChange
from tests.fakes import START
from tests.storage.contract import created
from tests.storage.rows import draft, move

Deadline = Callable[[str, int, datetime], Awaitable[None]]
HOUR = timedelta(hours=1)
LATER = START + HOUR


async def turned(
    store: Store, row: MatchRow, *turns: TurnChange, at: datetime = START
) -> tuple[MatchRow, tuple[PingRow, ...]]:
    """The match after a move that means this for its seats, and the rows of its pings."""
    made: Commit = replace(move(row, at=at), turns=turns, outbox=())
    await store.commit(made)
    return made.row, await store.pings(row.id)


def begin(seat: int = 0, user: int = 100, turn: int = 0, **how: object) -> TurnChange:
    """A turn that begins."""
    return replace(TurnChange(seat, user, "turn", turn), **how)  # type: ignore[arg-type]  # its own fields


def standing(row: PingRow, message: int, *, ours: bool = False) -> PingPost:
    """A message that pings the person of a row."""
    return PingPost(message, row.user, 20, row.match, row.seat, row.turn, ours, f"Your move <@{row.user}>")


async def withdrawals(store: Store) -> list[int]:
    """The messages that are to be withdrawn."""
    pending = await store.outbox_pending()
    return [row.draft.message.to_json()["message"] for row in pending if row.draft.kind == "unping"]


class Pings:
    """What seats wait for."""

    async def test_a_turn_comes_with_its_commit(self, store: Store) -> None:
        _, rows = await turned(
            store, await created(store), begin(0, 100), begin(1, 101, acted=True), at=LATER
        )
        first = PingRow("F-001", 0, 100, 0, "turn", "new", LATER)
        assert rows == (first, replace(first, seat=1, user=101, state="known"))
        assert await store.pings("F-002") == ()
        assert await store.pings_due(LATER + 99 * HOUR) == ()

    async def test_a_match_is_read_with_its_rows(self, store: Store) -> None:
        row, rows = await turned(store, await created(store), begin(1, 101), begin(0, 100), at=LATER)
        assert await store.match_and_pings(row.id) == (row, rows)
        assert [each.seat for each in rows] == [0, 1]
        assert await store.match_and_pings("F-404") is None

    async def test_a_repeated_or_stale_commit_changes_no_turn(self, store: Store) -> None:
        row = await created(store)
        made = replace(move(row, "r1"), turns=(begin(),))
        await store.commit(made)
        before = await store.pings(row.id)
        for request in ("r1", "r2"):
            try:
                await store.commit(replace(made, request=request, turns=(begin(turn=7),)))
            except Exception:
                continue
            raise AssertionError
        assert await store.pings(row.id) == before

    async def test_a_new_turn_forgets_what_was_told_but_not_whether_they_looked(self, store: Store) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        told = replace(mine, state="told", due=LATER, sent=START, unseen=True, remind=HOUR, reason="reminder")
        assert await store.ping_work(PingWork(START, (told,)))
        assert await store.pings(row.id) == (replace(told, stamp=1),)
        row, (over,) = await turned(store, row, TurnChange(0, 100, "over", 1))
        assert (over.state, over.due, over.unseen) == ("over", None, True)
        row, (again,) = await turned(store, row, begin(turn=2), at=LATER)
        assert again == replace(PingRow("F-001", 0, 100, 2, "turn", "new", LATER), unseen=True, stamp=3)
        row, (acted,) = await turned(store, row, begin(turn=3, acted=True), at=LATER)
        assert (acted.state, acted.unseen) == ("known", False)

    async def test_another_person_in_a_seat_has_seen_nothing(self, store: Store) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        await store.ping_work(PingWork(START, (replace(mine, unseen=True),)))
        _, (theirs,) = await turned(store, row, begin(user=200, turn=1))
        assert (theirs.user, theirs.unseen, theirs.state) == (200, False, "new")

    async def test_who_is_alone_keeps_their_turn(self, store: Store) -> None:
        row, _ = await turned(store, await created(store), begin())
        row, (alone,) = await turned(store, row, TurnChange(0, 100, "alone", 1))
        assert (alone.alone, alone.turn, alone.state) == (True, 0, "new")
        row, (following,) = await turned(store, row, TurnChange(0, 100, "next", 2))
        assert (following.alone, following.kind) == (False, "next")
        _, (still,) = await turned(store, row, TurnChange(0, 100, "alone", 3))
        assert not still.alone

    async def test_a_result_is_over_for_who_made_it(self, store: Store) -> None:
        ends = TurnChange(0, 100, "result", 1, acted=True), TurnChange(1, 101, "result", 1)
        _, rows = await turned(store, await created(store), *ends)
        assert [(row.kind, row.state) for row in rows] == [("result", "over"), ("result", "new")]
        assert [row.seat for row in await store.pings_of(101)] == [1]
        assert await store.pings_of(100) == ()

    async def test_what_is_over_and_never_began_is_nothing(self, store: Store) -> None:
        _, rows = await turned(store, await created(store), TurnChange(0, 100, "over", 1))
        assert rows == ()

    async def test_rows_are_due_in_order(self, store: Store) -> None:
        waits = []
        for number, hours in enumerate((3, 1, 2)):
            _, (row,) = await turned(store, await created(store, f"F-00{number}"), begin())
            waits.append(replace(row, state="held", due=START + hours * HOUR))
        await store.ping_work(PingWork(START, tuple(waits)))
        assert await store.pings_due(START) == ()
        assert [row.match for row in await store.pings_due(START + 2 * HOUR)] == ["F-001", "F-002"]
        assert [row.match for row in await store.pings_due(START + 9 * HOUR, 2)] == ["F-001", "F-002"]
        assert [row.match for row in await store.pings_of(100)] == ["F-000", "F-001", "F-002"]

    async def test_a_change_of_an_older_row_is_left_out_with_its_message(self, store: Store) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        _, (newer,) = await turned(store, row, begin(turn=1))
        message = ping(mine, "turn", dm=True)
        assert not await store.ping_work(PingWork(START, (replace(mine, state="told"),), (message,)))
        assert await store.pings(row.id) == (newer,)
        assert await store.outbox_pending(row.id) == ()
        assert await store.ping_work(PingWork(START, (replace(newer, state="told"),), (message,)))
        assert [one.draft for one in await store.outbox_pending(row.id)] == [message]
        assert not await store.ping_work(PingWork(START, (replace(newer, state="told"),), (message,)))
        assert len(await store.outbox_pending(row.id)) == 1, "once"

    async def test_looking_is_recorded_for_the_one_who_looked(self, store: Store) -> None:
        row, rows = await turned(store, await created(store), begin(0, 100), begin(1, 101))
        await store.ping_work(PingWork(START, tuple(replace(each, unseen=True) for each in rows)))
        await store.ping_looked(row.id, 100)
        assert [each.unseen for each in await store.pings(row.id)] == [False, True]


class PingPosts:
    """Messages that ping people."""

    async def test_a_message_is_recorded_with_its_row_of_the_outbox(self, store: Store) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        number = await store.outbox_add(draft(), START)
        post, pinged = Post(500, 20, row.id, "board", 0), standing(mine, 500)
        work = PingWork(START, (replace(mine, state="told"),), posts=(pinged,))
        await store.outbox_sent(number, post, work)
        assert await store.outbox_pending() == ()
        assert await store.find_post(500) == post
        assert [one.state for one in await store.pings(row.id)] == ["told"]

    async def test_who_was_pinged_while_the_others_decided_was_told(self, store: Store) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        _, (alone,) = await turned(store, row, TurnChange(0, 100, "alone", 1))
        sent = replace(mine, state="told", due=LATER, sent=START, unseen=True)
        assert await store.ping_work(PingWork(START, (sent,), posts=(standing(mine, 500),)))
        (now,) = await store.pings(row.id)
        assert now == replace(sent, alone=True, stamp=alone.stamp + 1), "that they are alone isn't dealt with"
        again = PingWork(LATER, (replace(sent, sent=LATER),), posts=(standing(mine, 501),))
        assert not await store.ping_work(again)
        assert await store.pings(row.id) == (now,), "what was decided meanwhile stays"

    async def test_a_turn_that_ends_withdraws_what_pinged_for_it(self, store: Store) -> None:
        row, rows = await turned(store, await created(store), begin(0, 100), begin(1, 101))
        ann, bob = (standing(each, 500) for each in rows)
        await store.ping_work(PingWork(START, posts=(ann, bob)))
        row, _ = await turned(store, row, TurnChange(0, 100, "over", 1), at=LATER)
        (waiting,) = await store.outbox_pending()
        assert (waiting.draft, waiting.due) == (withdrawal(ann, [101]), LATER), "Bob is still to act"
        row, _ = await turned(store, row, TurnChange(1, 101, "over", 2), at=LATER)
        assert [one.draft for one in await store.outbox_pending()][1:] == [withdrawal(bob, [])]
        await turned(store, row, begin(0, 100, 3), at=LATER)
        assert await withdrawals(store) == [500, 500], "once each"

    async def test_a_newer_ping_withdraws_the_one_before(self, store: Store) -> None:
        _, (mine,) = await turned(store, await created(store), begin())
        await store.ping_work(PingWork(START, posts=(standing(mine, 500),)))
        await store.ping_work(PingWork(START, posts=(standing(mine, 501, ours=True),)))
        assert await withdrawals(store) == [500]
        await store.ping_work(PingWork(START, posts=(standing(mine, 501, ours=True),)))
        assert await withdrawals(store) == [500], "the same again is no news"

    async def test_a_ping_that_comes_too_late_is_withdrawn_at_once(self, store: Store) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        row, _ = await turned(store, row, TurnChange(0, 100, "over", 1))
        await store.ping_work(PingWork(START, posts=(standing(mine, 500),)))
        assert await withdrawals(store) == [500]
        await turned(store, row, begin(turn=2))
        await store.ping_work(PingWork(START, posts=(standing(mine, 501),)))
        assert await withdrawals(store) == [500, 501], "another turn by now"


class Reminders:
    """Turns whose time runs out. Deadlines are kept by the clocks; the fixture sets one."""

    async def test_a_turn_is_found_when_its_time_left_has_come_down(
        self, store: Store, deadline: Deadline
    ) -> None:
        _, (mine,) = await turned(store, await created(store), begin(acted=True))
        assert await store.pings_running_out(START) == ()
        assert await store.deadlines("F-001") == {}
        await deadline("F-001", 0, START + 30 * HOUR)
        assert await store.deadlines("F-001") == {0: START + 30 * HOUR}
        assert mine.remind == MAX_REMINDER == 24 * HOUR
        assert await store.pings_running_out(START + 5.9 * HOUR) == ()
        assert await store.pings_running_out(START + 6 * HOUR) == ((mine, START + 30 * HOUR),)
        await store.ping_work(PingWork(START, (replace(mine, remind=8 * HOUR),)))
        assert await store.pings_running_out(START + 21.9 * HOUR) == ()
        assert len(await store.pings_running_out(START + 22 * HOUR)) == 1
        assert await store.pings_running_out(START + 30 * HOUR) == (), "time is up"
        (now,) = await store.pings("F-001")
        await store.ping_work(PingWork(START, (replace(now, remind=timedelta()),)))
        assert await store.pings_running_out(START + 29 * HOUR) == ()

    async def test_only_open_turns_are_found(self, store: Store, deadline: Deadline) -> None:
        row, (mine,) = await turned(store, await created(store), begin())
        await deadline("F-001", 0, START + HOUR)
        assert await store.pings_running_out(START) == (), "the ping itself is still to come"
        await store.ping_work(PingWork(START, (replace(mine, state="told"),)))
        assert len(await store.pings_running_out(START)) == 1
        await turned(store, row, TurnChange(0, 100, "over", 1))
        assert await store.pings_running_out(START) == ()
