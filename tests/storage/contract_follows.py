"""What every Store must do with followers and showcases, written against the protocol alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from matches.outbox_drafts import finished
from matches.ports import Store
from matches.store.follows import TURN_GAP, FollowRow, FollowWork, Tell
from matches.store.rows import Commit, MatchRow, Place
from matches.store.servers import Showcase
from tests.fakes import START
from tests.storage.contract import created
from tests.storage.rows import after, draft, move

HOUR = timedelta(hours=1)


def following(match: str = "F-001", user: int = 7, tell: Tell = "turns", **changes: object) -> FollowRow:
    """A person who follows a match from the beginning."""
    return replace(FollowRow(match, user, tell, START, 0), **changes)  # type: ignore[arg-type]


def ending(row: MatchRow, at: datetime = START) -> Commit:
    """The commit that ends a match."""
    return Commit(after(row, status="over", result={"how": "outcome", "ranks": [1, 2]}), at)


class Follows:
    """People who follow matches."""

    async def test_a_row_is_kept_replaced_and_removed(self, store: Store) -> None:
        for match in ("F-001", "F-002"):
            await created(store, match, status="live")
        assert await store.follow(following(due=START + HOUR, told=3, sent=START), 50)
        assert await store.follow(following("F-002", since=START - HOUR), 50)
        assert await store.follow(following(user=8), 50)
        kept = await store.following("F-001", 7)
        assert kept == following(due=START + HOUR, told=3, sent=START)
        assert [row.match for row in await store.follows_of(7)] == ["F-002", "F-001"]
        assert await store.follow(following(tell="end"), 50)
        again = await store.following("F-001", 7)
        assert again is not None
        assert (again.tell, again.due, again.sent) == ("end", None, None)
        assert again.stamp > kept.stamp
        assert await store.unfollow("F-001", 7)
        assert not await store.unfollow("F-001", 7)
        assert await store.following("F-001", 7) is None
        assert await store.following("F-001", 8) is not None
        with pytest.raises(LookupError):
            await store.follow(following("F-404"), 50)

    async def test_there_is_a_most(self, store: Store) -> None:
        for match in ("F-001", "F-002", "F-003"):
            await created(store, match, status="live")
        assert await store.follow(following("F-001"), 2)
        assert await store.follow(following("F-002"), 2)
        assert not await store.follow(following("F-003"), 2)
        assert await store.follow(following("F-002", tell="end"), 2), "it is one of them"
        assert [row.match for row in await store.follows_of(7)] == ["F-001", "F-002"]

    async def test_a_commit_makes_due_what_waits_for_it(self, store: Store) -> None:
        row = await created(store, status="live")
        other = await created(store, "F-002", status="live")
        for user, tell in ((7, "turns"), (8, "end"), (9, "daily")):
            await store.follow(following(user=user, tell=tell), 50)  # type: ignore[arg-type]
        await store.follow(following("F-002"), 50)
        first = move(row)
        await store.commit(first)
        assert await store.follows_due(START) == (), "the same person goes on"
        second = replace(move(first.row), passed=True)
        await store.commit(second)
        due = await store.follows_due(START)
        assert [(each.match, each.user, each.due) for each in due] == [("F-001", 7, START)]
        await store.commit(ending(second.row, START + HOUR))
        assert [each.user for each in await store.follows_due(START + HOUR)] == [7, 8]
        assert await store.follows_due(START - HOUR) == ()
        await store.commit(ending(other))
        assert len(await store.follows_due(START + HOUR)) == 3
        assert len(await store.follows_due(START + HOUR, limit=1)) == 1

    async def test_turns_come_a_minute_apart_and_a_due_time_stands(self, store: Store) -> None:
        row = await created(store, status="live")
        await store.follow(following(sent=START), 50)
        first = replace(move(row, at=START + TURN_GAP / 2), passed=True)
        await store.commit(first)
        waits = await store.following("F-001", 7)
        assert waits is not None
        assert waits.due == START + TURN_GAP
        second = replace(move(first.row, at=START + HOUR), passed=True)
        await store.commit(second)
        later = await store.following("F-001", 7)
        assert later == replace(waits, stamp=waits.stamp + 1), "the newest turn replaces what waits"

    async def test_a_match_that_is_set_aside_is_not_over(self, store: Store) -> None:
        row = await created(store, status="live")
        await store.follow(following(tell="end"), 50)
        await store.commit(Commit(after(row, status="aborted", result={"how": "idle", "ranks": []}), START))
        assert await store.follows_due(START + HOUR) == ()

    async def test_work_is_done_once(self, store: Store) -> None:
        await created(store, status="live")
        await store.follow(following(due=START), 50)
        (row,) = await store.follows_due(START)
        told = replace(row, due=None, told=4, sent=START)
        before = len(await store.outbox_pending())
        assert await store.follow_work(FollowWork(START, (told,), (), (draft(),)))
        assert not await store.follow_work(FollowWork(START, (told,), (), (draft(),)))
        assert not await store.follow_work(FollowWork(START, (), (row,), (draft(),)))
        assert len(await store.outbox_pending()) == before + 1
        now = await store.following("F-001", 7)
        assert now == replace(told, stamp=row.stamp + 1)
        assert await store.follow_work(FollowWork(START, (), (now,), (draft(),)))
        assert await store.following("F-001", 7) is None
        assert len(await store.outbox_pending()) == before + 2

    async def test_who_takes_no_messages_hears_of_it_once(self, store: Store) -> None:
        for match in ("F-002", "F-001"):
            await created(store, match, status="live")
            await store.follow(following(match, due=START), 1 + (match == "F-001"))
        await store.follow(following(user=8), 50)
        (row, _) = await store.follows_of(7)
        assert await store.close_follows(7) == 2
        assert await store.close_follows(7) == 0
        assert await store.follows_of(7) == ()
        assert await store.follows_due(START) == ()
        assert await store.following("F-001", 7) is None
        assert not await store.unfollow("F-001", 7)
        assert not await store.follow_work(FollowWork(START, (row,), (), (draft(),)))
        assert tuple(await store.take_closed_follows(8)) == ()
        assert tuple(await store.take_closed_follows(7)) == ("F-001", "F-002")
        assert tuple(await store.take_closed_follows(7)) == ()
        assert len(await store.follows_of(8)) == 1

    async def test_following_anew_is_no_longer_closed(self, store: Store) -> None:
        await created(store, status="live")
        await store.follow(following(), 1)
        await store.close_follows(7)
        assert await store.follow(following(tell="end"), 1)
        assert tuple(await store.take_closed_follows(7)) == ()
        assert [row.tell for row in await store.follows_of(7)] == ["end"]


class Showcases:
    """Channels in which servers show their matches."""

    async def test_one_for_each_server(self, store: Store) -> None:
        assert await store.showcase(1) is None
        first = Showcase(1, 20, 7, START)
        for row in (Showcase(2, 21, 8, START, 5, "x", START), first):
            await store.save_showcase(row)
        assert await store.showcases() == (first, Showcase(2, 21, 8, START, 5, "x", START))
        noted = replace(first, message=9, shown="abc", edited=START + HOUR)
        assert await store.note_showcase(noted)
        assert await store.showcase(1) == noted
        assert not await store.note_showcase(replace(noted, channel=99))
        assert not await store.note_showcase(Showcase(3, 20, 7, START))
        moved = Showcase(1, 30, 9, START + HOUR)
        await store.save_showcase(moved)
        assert await store.showcase(1) == moved

    async def test_its_end_is_told_in_one_step(self, store: Store) -> None:
        case = Showcase(1, 20, 7, START)
        await store.save_showcase(case)
        assert not await store.drop_showcase(replace(case, channel=21), START, (draft(),))
        assert not await store.drop_showcase(replace(case, kind="panel"), START, (draft(),))
        assert await store.drop_showcase(case, START, (draft(),))
        assert not await store.drop_showcase(case, START, (draft(),))
        assert await store.showcase(1) is None
        assert len(await store.outbox_pending()) == 1

    async def test_a_panel_beside_it(self, store: Store) -> None:
        case, panel = Showcase(1, 20, 7, START), Showcase(1, 20, 7, START, kind="panel")
        for row in (case, panel):
            await store.save_showcase(row)
        noted = replace(panel, message=9, shown="abc", edited=START)
        assert await store.note_showcase(noted)
        assert await store.showcases() == (case, noted)
        assert await store.showcase(1, "panel") == noted
        assert await store.drop_showcase(case, START)
        assert await store.showcases() == (noted,)
        live = await created(store, status="live", place=Place(1, 20))
        await store.commit(ending(live))
        assert [each.draft.kind for each in await store.outbox_pending()] == []

    async def test_the_lobbies_of_a_server_newest_first(self, store: Store) -> None:
        for number, (guild, status) in enumerate(((1, "lobby"), (1, "lobby"), (2, "lobby"), (1, "live")), 1):
            await created(store, f"F-{number}", place=Place(guild, number), status=status)
        assert [row.id for row in await store.lobbies_in_guild(1)] == ["F-2", "F-1"]
        assert [row.id for row in await store.lobbies_in_guild(1, limit=1)] == ["F-2"]

    async def test_the_live_matches_of_a_server_latest_first(self, store: Store) -> None:
        for number, hours in enumerate((1, 3, 2), 1):
            at = START + hours * HOUR
            await created(store, f"F-{number}", place=Place(1, number), status="live", updated=at)
        await created(store, "F-4", place=Place(2, 4), status="live")
        await created(store, "F-5", place=Place(None, 5), status="live")
        await created(store, "F-6", place=Place(1, 6), status="over")
        assert [row.id for row in await store.live_in_guild(1)] == ["F-2", "F-3", "F-1"]
        assert [row.id for row in await store.live_in_guild(1, limit=1)] == ["F-2"]

    async def test_the_end_of_a_match_queues_its_post_once(self, store: Store) -> None:
        row = await created(store, status="live", place=Place(1, 20))
        elsewhere = await created(store, "F-002", status="live", place=Place(2, 20))
        aborted = await created(store, "F-003", status="live", place=Place(1, 20))
        await store.save_showcase(Showcase(1, 99, 7, START))
        before = len(await store.outbox_pending())
        last = ending(row)
        await store.commit(last)
        await store.commit(ending(elsewhere))
        await store.commit(
            Commit(after(aborted, status="aborted", result={"how": "abort", "ranks": []}), START)
        )
        await store.commit(Commit(after(last.row, public=True), START))
        queued = (await store.outbox_pending())[before:]
        assert [each.draft for each in queued] == [finished(row.id, 99)]
