"""What every store does with what clocks are computed from."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.ports import Store
from matches.spans import END_OF_TIME, Span
from matches.store.clocks import LOOK_AGAIN, Outage, Vacation
from matches.store.rows import Commit, MatchRow, Place, Post, SeatRow
from tests.fakes import START, FakeClock
from tests.storage.rows import draft, lobby

CLOCK = {"bank": 86400, "hours": None}
HOUR = timedelta(hours=1)


def running(match_id: str = "F-001", user: int = 7, revision: int = 0) -> MatchRow:
    """The row of a live match with a clock."""
    seats = (SeatRow(0, "person", user, "Ann"), SeatRow(1, "person", 8, "Ben"))
    return lobby(match_id, status="live", clock=CLOCK, seats=seats, revision=revision)


async def opened(store: Store, match_id: str = "F-001", user: int = 7) -> None:
    """A live match with a clock that nobody has seen yet."""
    row = running(match_id, user)
    await store.create(Commit(row, START, unseen=True, deadlines={0: START + HOUR}))


async def posted(store: Store, message: int, match_id: str = "F-001") -> None:
    """A board stands."""
    number = await store.outbox_add(draft(match_id), START)
    await store.outbox_sent(number, Post(message, 20, match_id, "board", 1))


class Clocks:
    """Deadlines, and the spans that stop clocks."""

    async def test_the_agreed_clock_comes_back(self, store: Store) -> None:
        await opened(store)
        row = await store.match("F-001")
        assert row is not None
        assert row.conditions.clock == CLOCK

    async def test_deadlines_are_replaced_as_a_whole(self, store: Store) -> None:
        await opened(store)
        assert await store.deadlines("F-001") == {0: START + HOUR}
        await store.set_deadlines("F-001", {1: START, LOOK_AGAIN: START})
        assert await store.deadlines("F-001") == {1: START}
        assert await store.deadlines("F-404") == {}

    async def test_what_is_overdue_comes_earliest_first_and_once(self, store: Store) -> None:
        for number in (1, 2, 3):
            await opened(store, f"F-00{number}")
        await store.set_deadlines("F-001", {0: START + HOUR, 1: START + 2 * HOUR})
        await store.set_deadlines("F-002", {1: START})
        await store.set_deadlines("F-003", {0: START + 3 * HOUR})
        assert await store.overdue(START - HOUR) == ()
        assert await store.overdue(START + 2 * HOUR) == ("F-002", "F-001")
        assert await store.overdue(START + 9 * HOUR, 1) == ("F-002",)

    async def test_a_commit_brings_deadlines_or_leaves_them(self, store: Store) -> None:
        await opened(store)
        row = running(revision=1)
        await store.commit(Commit(row, START))
        assert await store.deadlines("F-001") == {0: START + HOUR}
        row = running(revision=2)
        await store.commit(Commit(row, START, deadlines={}))
        assert await store.deadlines("F-001") == {}

    async def test_a_board_ends_the_time_in_which_nobody_could_see_a_match(
        self, store: Store, clock: FakeClock
    ) -> None:
        await opened(store)
        assert await store.stops("F-001") == ((Span(START, END_OF_TIME),), ())
        clock.advance(HOUR)
        await posted(store, 1)
        assert await store.stops("F-001") == ((Span(START, START + HOUR),), ())
        assert await store.overdue(START + HOUR) == ("F-001",), "its clocks are to be computed again"
        clock.advance(HOUR)
        await store.set_deadlines("F-001", {})
        await posted(store, 2)
        assert await store.stops("F-001") == ((Span(START, START + HOUR),), ())
        assert await store.overdue(START + 9 * HOUR) == ()

    async def test_a_match_is_lost_from_sight_once_at_a_time(self, store: Store, clock: FakeClock) -> None:
        await opened(store)
        row = running(revision=1)
        await store.commit(Commit(row, START + HOUR, unseen=True))
        assert await store.stops("F-001") == ((Span(START, END_OF_TIME),), ())
        clock.advance(2 * HOUR)
        await posted(store, 1)
        row = running(revision=2)
        await store.commit(Commit(row, START + 3 * HOUR, unseen=True))
        unseen = (Span(START, START + 2 * HOUR), Span(START + 3 * HOUR, END_OF_TIME))
        assert await store.stops("F-001") == (unseen, ())
        away = Vacation(7, Span(START + HOUR, START + 9 * HOUR), automatic=True)
        await store.add_vacation(away)
        assert await store.stops("F-001", (8, 7)) == (unseen, (away,))
        assert await store.stops("F-002", (8,)) == ((), ())

    async def test_an_outage_lasts_until_its_server_is_back(self, store: Store) -> None:
        await store.create(Commit(replace(running(), place=Place(7, 20)), START))
        await store.create(Commit(replace(running("F-002"), place=Place(8, 20)), START))
        assert await store.note_outages({7, 9}, START, START + HOUR)
        assert not await store.note_outages({9, 7}, START + HOUR, START + HOUR)
        assert await store.outages() == (Outage(7, Span(START)), Outage(9, Span(START)))
        assert await store.overdue(START + HOUR) == ("F-001",)
        assert await store.note_outages({9}, START + HOUR, START + 2 * HOUR)
        assert await store.outages() == (Outage(7, Span(START, START + 2 * HOUR)), Outage(9, Span(START)))
        assert await store.note_outages({7}, START + 3 * HOUR, START + 4 * HOUR)
        assert await store.note_outages((), START, START)
        assert [each.guild for each in await store.outages() if each.span.end == END_OF_TIME] == []
        assert len(await store.outages()) == 3

    async def test_nobody_beats_while_no_clock_may_run(self, store: Store, clock: FakeClock) -> None:
        row = running()
        await store.create(Commit(row, START, unseen=True, deadlines={}))
        assert await store.beat(START) is None
        assert await store.beat(START + HOUR) is None
        clock.set(START + 5 * HOUR)
        await posted(store, 1)
        assert await store.beat(START + 6 * HOUR) == START + 5 * HOUR, "since its board stands"
        await store.commit(Commit(replace(row, revision=1), START, deadlines={}))
        assert await store.beat(START + 7 * HOUR) is None
        later = START + 9 * HOUR
        await store.commit(Commit(replace(row, revision=2), later, deadlines={0: later + HOUR}))
        assert await store.beat(later + HOUR) == later
        await store.commit(Commit(replace(row, revision=3), later, deadlines={0: later + 9 * HOUR}))
        assert await store.beat(later + 2 * HOUR) == later + HOUR, "where another may run it stays"

    async def test_a_beat_tells_the_one_before(self, store: Store) -> None:
        await opened(store)
        assert await store.beat(START) == START, "from the moment that a clock may run"
        assert await store.beat(START + HOUR) == START
        assert await store.beat(START) == START + HOUR, "the clock went back"

    async def test_downtimes_come_in_order_and_grow(self, store: Store) -> None:
        await store.add_downtime(Span(START + HOUR, START + 2 * HOUR))
        await store.add_downtime(Span(START - HOUR, START))
        await store.add_downtime(Span(START - HOUR, START + HOUR))
        await store.add_downtime(Span(START - HOUR, START))
        assert await store.downtimes() == (
            Span(START - HOUR, START + HOUR),
            Span(START + HOUR, START + 2 * HOUR),
        )

    async def test_vacations_make_a_persons_matches_be_computed_again(self, store: Store) -> None:
        await opened(store, "F-001", user=7)
        await opened(store, "F-002", user=9)
        for each in ("F-001", "F-002"):
            await store.set_deadlines(each, {})
        away = Vacation(7, Span(START, START + 24 * HOUR))
        await store.add_vacation(away)
        assert await store.overdue(START) == ("F-001",)
        later = Vacation(7, Span(START + 48 * HOUR, START + 72 * HOUR), automatic=True)
        await store.add_vacation(later)
        assert await store.vacations((7, 9)) == (away, later)
        assert await store.vacations((9,)) == ()

    async def test_coming_back_ends_a_vacation_and_drops_later_ones(self, store: Store) -> None:
        await opened(store)
        for day in (0, 2):
            span = Span(START + day * 24 * HOUR, START + (day + 1) * 24 * HOUR)
            await store.add_vacation(Vacation(7, span))
        await store.set_deadlines("F-001", {})
        await store.end_vacation(7, START + HOUR)
        assert await store.vacations((7,)) == (Vacation(7, Span(START, START + HOUR)),)
        assert await store.overdue(START + HOUR) == ("F-001",)
