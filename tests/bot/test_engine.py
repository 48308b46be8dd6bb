"""What the engine of the outbox does with lanes and failures, whatever the messages are."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.outbound.engine import Publisher
from bot.outbound.posting import AwayError, GoneError, NotOursError
from bot.outbound.remedies import AWAY, CHANNEL_GONE, Fate, meaning
from matches.outbox.messages import AnyMessage, BoardMessage, DirectMessage, Mirror, Moved, Thread
from matches.outbox_drafts import draft
from matches.ports import StoreError
from matches.store.rows import Commit, Place
from tests.bot.test_remedies import error
from tests.fakes import START, FakeClock, MemoryStore
from tests.storage.rows import lobby

GUILD = 7
PAGE = {"Content-Type": "text/html"}
"""As a proxy in front of Discord answers, not Discord."""


class FakePoster:
    """Knows what was posted and isn't recorded yet."""

    def __init__(self) -> None:
        self.confirmed: set[int] = set()
        self.known: set[int] = set()
        """Rows of which something is kept."""
        self.shared = 0
        self.queued = False

    def is_confirmed(self, row: Any) -> bool:
        return row.id in self.confirmed

    def done(self, row: Any) -> None:
        self.confirmed.discard(row.id)
        self.known.discard(row.id)

    def may_be_plainer(self, row: Any) -> bool:
        return False

    def take_queued(self) -> bool:
        queued, self.queued = self.queued, False
        return queued

    def forget_begun(self) -> None:
        self.shared += 1


class Post:
    """An outbox, its engine, and a Discord that takes messages or doesn't."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore(self.clock)
        self.shards = SimpleNamespace(in_time=True)
        self.counted: Counter[str] = Counter()
        self.failures: dict[str, list[Exception]] = {}
        """What the next tries of a match's messages fail with."""
        self.tried: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()
        self.posted: set[int] = set()
        """Rows that an earlier try has posted, as turns out when they are looked for."""
        self.also: dict[int, str] = {}
        """Of which match a message is queued while one with this last entry is being sent."""
        self.gone = False
        """Whether the bot was removed from its servers."""
        self.sent: list[tuple[str, int]] = []
        """Match and last entry of each board that was posted."""
        self.service: Any = SimpleNamespace(queries=SimpleNamespace(row=self.store.match))
        ctx: Any = SimpleNamespace(
            clock=self.clock,
            store=self.store,
            discord=SimpleNamespace(
                guilds=SimpleNamespace(shards=self.shards, has_left=lambda guild: self.gone, get=self._guild)
            ),
            operation=SimpleNamespace(counters=SimpleNamespace(add=lambda what: self.counted.update([what]))),
            service=self.service,
        )
        self.poster = FakePoster()
        poster: Any = self.poster
        kind: Any = SimpleNamespace(deliver=self._deliver, record_posted=self._recorded, lost=self._lost)
        self.engine = Publisher(ctx, poster, lambda row: kind)

    async def begin(self, match: str) -> asyncio.Task[None]:
        """Return what is sending a board, which Discord takes once the gate is open."""
        await self.queue(match, BoardMessage(0, 0))
        self.gate.clear()
        sending = asyncio.create_task(self.engine.drain())
        await self.begun.wait()
        return sending

    def _guild(self, guild: int | None) -> object:
        return guild or None

    async def _deliver(self, row: Any, message: Any) -> None:
        self.tried.append((row.draft.match, row.draft.lane))
        if failures := self.failures.get(row.draft.match):
            raise failures.pop(0)
        self.begun.set()
        await self.gate.wait()
        if (also := self.also.pop(getattr(message, "last", 0), None)) is not None:
            await self.queue(also, BoardMessage(0, 0))
        self.sent.append((row.draft.match, getattr(message, "last", 0)))
        await self.store.outbox_sent(row.id, None)

    async def _lost(self, row: Any, message: Any, what: Any) -> Fate:
        assert row.draft.message is message
        return Fate.DROPPED

    async def _recorded(self, row: Any, message: Any) -> bool:
        assert row.draft.message is message
        if row.id not in self.posted:
            return False
        await self.store.outbox_sent(row.id, None)
        return True

    async def queue(
        self, match: str, *messages: AnyMessage, user: int | None = None, guild: int = GUILD
    ) -> list[int]:
        """Put messages of a match into the outbox, and return their rows."""
        if await self.store.match(match) is None:
            await self.store.create(Commit(lobby(match, status="live", place=Place(guild, 50)), START))
        for message in messages:
            await self.store.outbox_add(draft(message, match, user), self.clock.now())
        return [row.id for row in await self.store.outbox_pending(match)]

    async def drain(self, **later: float) -> list[tuple[str, int]]:
        """Let time pass, send what is due, and return what was sent."""
        self.clock.advance(timedelta(**later))
        self.sent.clear()
        await self.engine.drain()
        return self.sent


async def test_discord_counts_as_down_once_three_messages_fail_for_its_own_reasons() -> None:
    post = Post()
    for n in range(3):
        assert not post.engine.discord_is_down
        await post.queue(f"M-{n}", BoardMessage(0, 0))
        post.failures[f"M-{n}"] = [error(503), error(503)]
        await post.drain()
    assert post.engine.discord_is_down
    await post.drain(seconds=1)
    assert post.engine.discord_is_down, "the same three"
    await post.queue("M-9", BoardMessage(0, 0))
    assert await post.drain() == [("M-9", 0)]
    assert not post.engine.discord_is_down


@pytest.mark.parametrize("reason", [error(403, 50001), error(400, 50035)], ids=["forbidden", "refused"])
async def test_what_is_refused_for_its_own_reasons_says_nothing_of_discord(reason: Exception) -> None:
    post = Post()
    for n in range(4):
        await post.queue(f"M-{n}", Moved(5, 90, 91))
        post.failures[f"M-{n}"] = [reason]
    await post.drain()
    assert len(post.tried) == 4
    assert not await post.store.outbox_pending(), "nobody misses them"
    assert not post.engine.discord_is_down


async def test_while_nothing_is_answered_nothing_is_sent_for_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    post = Post()
    for match in ("M-1", "M-2"):
        await post.queue(match, BoardMessage(0, 0))
        post.failures[match] = [error(403, headers=PAGE)]
    await post.drain()
    assert post.counted["messages: pause (403)"] == 1, "of several at once the first says all"
    assert "sending pauses" in caplog.text
    await post.queue("M-3", BoardMessage(0, 0))
    assert await post.drain(seconds=29) == []
    assert len(post.tried) == 2
    assert ("M-3", 0) in await post.drain(seconds=2)


async def test_the_rows_of_a_lane_wait_for_each_other_and_lanes_do_not() -> None:
    post = Post()
    await post.queue("M-1", BoardMessage(0, 0), BoardMessage(1, 1))
    await post.queue("M-2", BoardMessage(0, 0))
    post.failures["M-1"] = [error(503)]
    assert await post.drain() == [("M-2", 0)]
    assert len(post.tried) == 2
    assert await post.drain(seconds=5) == [("M-1", 0), ("M-1", 1)]


async def test_who_says_whether_it_arrived_waits_for_the_call_that_sends_it() -> None:
    post = Post()
    sending = await post.begin("F-1")
    await post.engine.drain()
    assert not post.sent, "the other call is at it"
    await post.engine.sent("F-2")
    waiting = asyncio.create_task(post.engine.sent("F-1"))
    await asyncio.sleep(0)
    assert not waiting.done()
    post.gate.set()
    await waiting
    assert post.sent == [("F-1", 0)]
    await sending


async def test_what_comes_while_a_lane_is_busy_is_left_to_the_call_that_is() -> None:
    post = Post()
    first = await post.begin("M-1")
    await post.queue("M-1", BoardMessage(1, 1))
    await post.engine.drain()
    assert len(post.tried) == 1
    post.also = {1: "M-2"}
    post.gate.set()
    await first
    assert post.sent == [("M-1", 0), ("M-1", 1), ("M-2", 0)]
    assert await post.drain() == []


async def test_what_a_delivery_queues_is_sent_with_it() -> None:
    post = Post()
    await post.queue("M-1", BoardMessage(3, 3))
    post.also = {3: "M-2"}
    post.poster.queued = True
    assert await post.drain() == [("M-1", 3), ("M-2", 0)]


async def test_stale_boards_are_one_but_for_what_was_posted_and_is_only_to_be_recorded() -> None:
    for confirmed in (False, True):
        post = Post()
        rows = await post.queue("M-1", BoardMessage(0, 0), BoardMessage(1, 1), BoardMessage(2, 2))
        post.poster.confirmed = {rows[0]} if confirmed else set()
        each = [("M-1", 0), ("M-1", 1), ("M-1", 2)]
        assert await post.drain(minutes=11) == (each if confirmed else each[-1:])
        assert not await post.store.outbox_pending()


async def test_stale_boards_are_one_without_one_that_an_earlier_try_has_posted() -> None:
    post = Post()
    rows = await post.queue("M-1", *(BoardMessage(n, n) for n in range(4)))
    post.posted = {rows[0]}
    post.poster.known = {rows[0], rows[3]}
    assert await post.drain(minutes=11) == [("M-1", 3)]
    assert not await post.store.outbox_pending()
    assert post.poster.known == set(), "nothing is kept of them"


async def test_once_another_process_may_serve_the_shard_all_waits() -> None:
    post = Post()
    await post.queue("M-1", BoardMessage(0, 0))
    post.shards.in_time = False
    assert await post.drain() == []
    assert post.tried == []
    post.shards.in_time = True
    post.failures["M-1"] = [NotOursError()]
    assert await post.drain() == [("M-1", 0)], "the lease was renewed meanwhile"
    assert len(post.tried) == 2


async def test_a_database_that_fails_makes_a_message_wait() -> None:
    post = Post()
    await post.queue("M-1", BoardMessage(0, 0))
    post.failures["M-1"] = [StoreError("locked")]
    assert await post.drain() == []
    assert not post.engine.discord_is_down
    assert await post.drain(seconds=5) == [("M-1", 0)]


async def test_another_process_may_have_sent_what_was_begun() -> None:
    post = Post()
    post.engine.share()
    assert post.poster.shared == 1


async def test_more_rows_than_are_read_at_a_time_are_all_sent() -> None:
    post = Post()
    for n in range(120):
        await post.queue(f"M-{n}", BoardMessage(0, 0))
    assert len(await post.drain()) == 120


async def test_who_waits_for_whom_is_taken_over_and_ends_with_a_word() -> None:
    post = Post()
    (row,) = await post.queue("M-1", BoardMessage(0, 0))
    await post.store.outbox_park(row, "user/7", "person")
    assert not post.engine.closed_dms, "nobody knows of it yet"
    post.engine.expect({"user/7", "M-2"})
    assert post.engine.closed_dms == {7}
    await post.engine.dm_reopened(7)
    assert post.sent == [("M-1", 0)]
    assert not post.engine.closed_dms


async def test_a_message_that_arrives_brings_what_waited_for_its_reader() -> None:
    post = Post()
    (row,) = await post.queue("M-1", BoardMessage(0, 0))
    await post.store.outbox_park(row, "user/7", "person")
    post.engine.expect({"user/7"})
    await post.queue("M-2", DirectMessage("hello"), user=8)
    assert await post.drain() == [("M-2", 0)]
    await post.queue("M-2", DirectMessage("hello"), user=7)
    await post.drain()
    assert await post.drain() == [("M-1", 0)]


async def test_what_people_can_put_right_is_told_and_waits(reported: list[tuple[str, ...]]) -> None:
    post, failure = Post(), error(403, 50013)
    what = meaning(failure)
    (row,) = await post.queue("M-1", BoardMessage(0, 0))
    post.failures["M-1"] = [failure]
    assert await post.drain() == []
    assert reported == [("M-1", what.why, what.label)]
    (waits,) = await post.store.outbox_pending()
    assert (waits.id, waits.tries, waits.error) == (row, 1, what.why)
    assert not await post.store.outbox_awaited()


async def test_after_the_bot_was_removed_messages_wait_for_its_return(
    reported: list[tuple[str, ...]],
) -> None:
    post = Post()
    await post.queue("M-1", BoardMessage(0, 0))
    post.failures["M-1"] = [error(403, 50001)]
    post.gone = True
    assert await post.drain() == []
    assert reported == [("M-1", AWAY.why, AWAY.label)]
    assert await post.store.outbox_awaited() == {"M-1"}
    await post.queue("M-2", BoardMessage(0, 0))
    post.failures["M-2"] = [error(503)]
    assert await post.drain() == []
    assert await post.store.outbox_awaited() == {"M-1"}, "an outage says nothing of that"


async def test_the_others_hear_once_of_one_who_takes_no_direct_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[str, int]] = []

    async def closed(_ctx: Any, row: Any, person: int) -> None:
        told.append((row.id, person))

    monkeypatch.setattr("bot.outbound.engine.reports.person_closed", closed)
    post = Post()
    for match in ("M-1", "M-1", "M-2"):
        post.failures[match] = [error(403, 50007)]
        await post.queue(match, BoardMessage(0, 0), user=7)
        assert await post.drain() == []
    assert told == [("M-1", 7), ("M-2", 7)]
    assert await post.store.outbox_awaited() == {"user/7"}
    await post.engine.dm_reopened(7)
    assert sorted(post.sent) == [("M-1", 0), ("M-2", 0)], "of two boards the newer one"


async def test_a_thread_is_laid_aside_with_all_that_is_to_be_posted_in_it(
    reported: list[tuple[str, ...]],
) -> None:
    post = Post()
    thread, board, mirror = await post.queue("M-1", Thread(), BoardMessage(0, 0), Mirror(77))
    post.failures["M-1"] = [AwayError()] * 2
    parked = watched(post)
    await post.drain()
    assert reported[0] == ("M-1", AWAY.why, AWAY.label)
    assert [row for row in parked if row != mirror] == [board, thread], "if this is cut short, it comes first"


async def test_a_channel_that_is_gone_is_told_and_its_messages_wait(reported: list[tuple[str, ...]]) -> None:
    post = Post()
    await post.queue("M-1", BoardMessage(0, 0))
    post.failures["M-1"] = [GoneError()]
    assert await post.drain() == []
    assert reported == [("M-1", CHANNEL_GONE.why, CHANNEL_GONE.label)]
    assert await post.store.outbox_awaited() == {"M-1"}


async def test_what_waits_in_a_server_is_tried_at_once_when_something_changes_there(
    reported: list[tuple[str, ...]],
) -> None:
    post = Post()
    for match, guild in (("M-1", 5), ("M-2", 6)):
        await post.queue(match, BoardMessage(0, 0), guild=guild)
        post.failures[match] = [error(403, 50013)]
    await post.drain()
    post.tried.clear()
    await post.engine.guild_changed(5)
    assert post.sent == [("M-1", 0)]
    assert len(post.tried) == 1
    assert [match for match, *_ in reported] == ["M-1", "M-2"]


async def test_what_waits_for_a_server_comes_once_the_bot_is_back_there() -> None:
    back: list[str] = []
    post = Post()
    for match, guild in (("M-1", 5), ("M-2", 0)):
        await post.queue(match, guild=guild)
    rows = [await post.store.match(match) for match in ("M-1", "M-2")]

    async def unreachable(why: str) -> Any:
        assert why == "guild"
        return rows

    async def mark_reachable(match: str) -> None:
        back.append(match)
        await post.queue(match, BoardMessage(0, 0))

    post.service.channels = SimpleNamespace(mark_reachable=mark_reachable)
    post.store.unreachable = unreachable  # type: ignore[method-assign]
    await post.engine.guilds_back()
    assert back == ["M-1"], "it isn't in the other one"
    assert post.sent == [("M-1", 0)]


def watched(post: Post) -> list[int]:
    """Return the rows that are parked from now on, in order."""
    parked: list[int] = []
    park = post.store.outbox_park

    async def noted(row_id: int, until: str, error: str) -> None:
        parked.append(row_id)
        await park(row_id, until, error)

    post.store.outbox_park = noted  # type: ignore[method-assign]
    return parked


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Of which matches people are told why what is shown there can't be delivered."""
    told: list[tuple[str, ...]] = []

    async def unreachable(_ctx: Any, row: Any, why: str, label: str) -> None:
        told.append((row.id, why, label))

    monkeypatch.setattr("bot.outbound.engine.reports.unreachable", unreachable)
    return told
