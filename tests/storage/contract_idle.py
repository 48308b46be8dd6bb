"""What every store does with matches that nobody moves in."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches import outbox_drafts as drafts
from matches.outbox.messages import IdleQuestion
from matches.ports import Store
from matches.store.clocks import IdleState
from matches.store.rows import Commit, MatchRow, Place
from tests.fakes import START
from tests.storage.rows import lobby, move

DAY, WEEK = timedelta(days=1), timedelta(days=7)
ASKED = IdleState(asked=True, at=START + 30 * DAY)


async def live(store: Store, match_id: str = "F-001", guild: int | None = 7) -> MatchRow:
    """A live match of a server."""
    row = replace(lobby(match_id), status="live", place=Place(guild, 5), updated=START)
    await store.create(Commit(row, START))
    return row


class Idle:
    """Matches that nobody moves in."""

    async def test_only_where_the_server_has_said_so(self, store: Store) -> None:
        await live(store)
        await live(store, "F-002", 8)
        await live(store, "F-003", None)
        assert await store.idle_due(START + 900 * DAY, WEEK) == ()
        await store.save_settings("guild", 7, {"idle": 30, "theme": "dark"})
        await store.save_settings("guild", 8, {"idle": 0})
        await store.save_settings("user", 8, {"idle": 30})
        assert await store.idle_due(START + 30 * DAY - timedelta(milliseconds=1), WEEK) == ()
        assert await store.idle_due(START + 30 * DAY, WEEK) == ("F-001",)
        await store.save_settings("guild", 8, {"idle": 60})
        assert await store.idle_due(START + 60 * DAY, WEEK) == ("F-001", "F-002")
        assert await store.idle_due(START + 60 * DAY, WEEK, 1) == ("F-001",)

    async def test_a_match_in_which_a_clock_runs_isnt_idle(self, store: Store) -> None:
        row = await live(store)
        await store.save_settings("guild", 7, {"idle": 30})
        await store.set_deadlines(row.id, {0: START + 60 * DAY})
        assert await store.idle_due(START + 90 * DAY, WEEK) == ()
        await store.set_deadlines(row.id, {})
        assert await store.idle_due(START + 90 * DAY, WEEK) == (row.id,)

    async def test_a_question_is_noted_once_with_its_message(self, store: Store) -> None:
        row = await live(store)
        await store.save_settings("guild", 7, {"idle": 30})
        draft = drafts.draft(IdleQuestion(row.version), row.id)
        assert await store.idle_state(row.id, row.version) is None
        assert await store.note_idle(row.id, row.version, ASKED, (draft,))
        assert not await store.note_idle(row.id, row.version, replace(ASKED, at=ASKED.at + DAY), (draft,))
        assert await store.idle_state(row.id, row.version) == ASKED
        assert [one.draft for one in await store.outbox_pending(row.id)] == [draft]
        assert await store.idle_due(ASKED.at + WEEK - DAY, WEEK) == ()
        assert await store.idle_due(ASKED.at + WEEK, WEEK) == (row.id,)

    async def test_who_wants_to_go_on_has_time_again(self, store: Store) -> None:
        row = await live(store)
        await store.save_settings("guild", 7, {"idle": 30})
        await store.note_idle(row.id, row.version, ASKED)
        on = IdleState(asked=False, at=ASKED.at + DAY)
        assert await store.note_idle(row.id, row.version, on)
        assert await store.idle_due(on.at + 30 * DAY - timedelta(milliseconds=1), WEEK) == ()
        assert await store.idle_due(on.at + 30 * DAY, WEEK) == (row.id,)
        assert await store.note_idle(row.id, row.version, replace(ASKED, at=on.at + 30 * DAY))

    async def test_a_move_makes_what_was_asked_void(self, store: Store) -> None:
        row = await live(store)
        await store.save_settings("guild", 7, {"idle": 30})
        await store.note_idle(row.id, row.version, ASKED)
        moved = move(row, "r", entries=1)
        later = replace(moved.row, updated=ASKED.at + DAY)
        await store.commit(replace(moved, row=later, outbox=()))
        assert await store.idle_state(row.id, later.version) is None
        assert not await store.note_idle(row.id, row.version, replace(ASKED, asked=False))
        assert await store.idle_due(ASKED.at + 30 * DAY, WEEK) == ()
        assert await store.idle_due(ASKED.at + 31 * DAY, WEEK) == (row.id,)

    async def test_a_match_that_is_over_is_left_alone(self, store: Store) -> None:
        row = await live(store)
        await store.save_settings("guild", 7, {"idle": 30})
        await store.commit(Commit(replace(row, status="aborted", revision=row.revision + 1), START))
        assert await store.idle_due(START + 99 * DAY, WEEK) == ()
        assert not await store.note_idle(row.id, row.version, ASKED)
