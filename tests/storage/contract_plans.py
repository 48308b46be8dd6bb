"""What every Store must do with plans, written against the protocol alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches.ports import RepeatedError, StaleError, Store
from matches.store.plans import NamedMove, PlanRow, PlanStep
from matches.store.rows import Commit, MatchRow, SeatRow
from tests.fakes import START
from tests.storage.contract import created
from tests.storage.rows import after, draft, move

LINES = (
    (
        PlanStep((NamedMove(1, "e4-e6", "e4-e6"), NamedMove(2, "ä", "é")), False, "c3-c5", "c3-c5"),
        PlanStep((), True, "place ukr 3; end"),
    ),
    (PlanStep((NamedMove(1, "+c4", "+c4"),), True, "b2-b3"),),
)


def plan(match: str = "F-001", **changes: object) -> PlanRow:
    """A plan of the first seat."""
    return replace(PlanRow(match, 0, 2**62, 7, LINES, True), **changes)  # type: ignore[arg-type]


async def live(store: Store) -> MatchRow:
    """A match that is on, of two people."""
    seats = (SeatRow(0, "person", 2**62, "Ann"), SeatRow(1, "person", 8, "Bob"))
    return await created(store, seats=seats, status="live")


class Plans:
    """Plans that people keep for a match."""

    async def test_a_plan_comes_back_as_it_was_put(self, store: Store) -> None:
        await live(store)
        assert await store.plans("F-001") == ()
        other = plan(seat=1, user=8, lines=(), only_move=True)
        await store.save_plan(other)
        await store.save_plan(plan())
        assert await store.plans("F-001") == (plan(), other)
        assert await store.plans("F-002") == ()
        assert await store.planned_matches() == {"F-001"}

    async def test_it_replaces_that_of_its_seat(self, store: Store) -> None:
        await live(store)
        await store.save_plan(plan())
        await store.save_plan(plan(lines=LINES[1:], only_move=False))
        assert await store.plans("F-001") == (plan(lines=LINES[1:], only_move=False),)

    async def test_an_empty_one_removes_it(self, store: Store) -> None:
        await live(store)
        empty = plan(lines=(), only_move=False)
        await store.save_plan(empty)
        await store.save_plan(plan())
        await store.save_plan(empty)
        assert (await store.plans("F-001"), await store.planned_matches()) == ((), frozenset())

    async def test_a_message_goes_with_it_or_nothing_does(self, store: Store) -> None:
        await live(store)
        await store.save_plan(plan(), draft(), START)
        assert [row.draft for row in await store.outbox_pending()] == [draft()]
        with pytest.raises(ValueError, match="at a time"):
            await store.save_plan(plan(version=8), draft())
        with pytest.raises(LookupError):
            await store.save_plan(plan("F-404"), draft("F-404"), START)
        assert await store.plans("F-001") == (plan(),)
        assert len(await store.outbox_pending()) == 1

    async def test_a_change_takes_its_plan_with_it_or_neither_counts(self, store: Store) -> None:
        row = await live(store)
        await store.save_plan(plan())
        rest = plan(version=9, lines=LINES[1:])
        change = replace(move(row, "r"), plan=rest)
        await store.commit(change)
        assert await store.plans("F-001") == (rest,)
        with pytest.raises(RepeatedError):
            await store.commit(replace(change, plan=plan()))
        with pytest.raises(StaleError):
            await store.commit(replace(move(row, "s"), plan=plan()))
        assert await store.plans("F-001") == (rest,)

    async def test_a_change_without_a_plan_leaves_it_as_it_is(self, store: Store) -> None:
        row = await live(store)
        await store.save_plan(plan())
        await store.commit(move(row, "r"))
        assert await store.plans("F-001") == (plan(),)

    async def test_the_end_of_a_match_removes_all(self, store: Store) -> None:
        row = await live(store)
        await store.save_plan(plan())
        await store.save_plan(plan(seat=1, user=8))
        await store.commit(Commit(after(row, status="over"), START, plan=plan(version=9)))
        assert await store.plans("F-001") == ()

    @pytest.mark.parametrize(
        "heir",
        [SeatRow(0, "person", 9, "Cyd"), SeatRow(0, "computer", None, "", "strong"), SeatRow(0, "open")],
    )
    async def test_a_seat_that_changes_hands_loses_its_plan(self, store: Store, heir: SeatRow) -> None:
        row = await live(store)
        await store.save_plan(plan())
        await store.save_plan(plan(seat=1, user=8))
        await store.commit(Commit(after(row, seats=(heir, row.seats[1])), START))
        assert await store.plans("F-001") == (plan(seat=1, user=8),)
