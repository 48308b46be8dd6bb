"""What is sent when, and how often: over days of moves, nights, looks and crashes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from matches.pings.settings import PingSettings, QuietHours, with_settings
from matches.ports import Store
from matches.store.rows import MatchRow
from tests.fakes import FakeClock, MemoryStore
from tests.matches.pings import model
from tests.matches.pings.post import Post
from tests.matches.pings.test_decision import settings
from tests.matches.world import ANN, BOB, World

HOUR = timedelta(hours=1)


async def wants(world: World, user: int, chosen: PingSettings) -> None:
    """Set what a person wants."""
    await world.store.save_settings("user", user, with_settings({}, chosen))


async def deadline(store: Store, match: str, seat: int, due: datetime) -> None:
    """Set a seat's deadline, as the clocks do."""
    await store.set_deadlines(match, {seat: due})


async def waiting_for_ann(world: World) -> tuple[MatchRow, int]:
    """A match in which Ann is to move, and her seat; she hasn't been told yet."""
    begun = await world.match(ANN, BOB, game="focus")
    row = begun.row
    if row.seats[min(begun.match.to_act)].user != ANN.id:
        row = (await world.move(row.id, BOB)).row
    (seat,) = [each.seat for each in row.seats if each.user == ANN.id]
    return row, seat


async def pass_time(world: World, post: Post, hours: float, step: float = 0.25) -> None:
    """Let time pass in steps, in each of which what is due is done."""
    for _ in range(round(hours / step)):
        world.clock.advance(hours=step)
        await world.service.pings.tick()
        await post.deliver()


@pytest.mark.slow
async def test_reminders_come_at_24_8_and_1_hour_left(world: World) -> None:
    row, seat = await waiting_for_ann(world)
    post, began = Post(world), world.clock.now()
    await deadline(world.store, row.id, seat, began + 72 * HOUR)
    await post.deliver()
    await pass_time(world, post, 80)
    told = post.told_to(ANN.id)
    assert [each.reason for each in told] == ["turn", "reminder", "reminder", "reminder"]
    left = [began + 72 * HOUR - each.at for each in told[1:]]
    assert left == [24 * HOUR, 8 * HOUR, HOUR]
    assert sum(ANN.id in users for users in post.standing.values()) == 1, "the newest stands"
    await world.move(row.id, ANN)
    await post.deliver()
    assert not any(ANN.id in users for users in post.standing.values())


async def test_a_turn_shorter_than_a_reminder_has_none_of_it(world: World) -> None:
    row, seat = await waiting_for_ann(world)
    post, began = Post(world), world.clock.now()
    await deadline(world.store, row.id, seat, began + 6 * HOUR)
    await post.deliver()
    await pass_time(world, post, 8)
    assert [each.at - began for each in post.told_to(ANN.id)] == [timedelta(), 5 * HOUR]


async def test_after_a_downtime_one_message_stands_for_all(world: World) -> None:
    row, seat = await waiting_for_ann(world)
    post, began = Post(world), world.clock.now()
    await deadline(world.store, row.id, seat, began + 72 * HOUR)
    await post.deliver()
    world.clock.advance(hours=71.5)
    world.restart()
    await pass_time(world, post, 0.25)
    assert [each.reason for each in post.told_to(ANN.id)] == ["turn", "reminder"]


async def test_who_began_their_own_turn_is_reminded_of_it(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    mover = ANN if begun.row.seats[min(begun.match.to_act)].user == ANN.id else BOB
    post = Post(world)
    await post.deliver()
    await world.move(begun.row.id, mover)
    await world.service.undo.take_back(begun.row.id, mover.id, request=world.new)
    (seat,) = [each.seat for each in begun.row.seats if each.user == mover.id]
    await deadline(world.store, begun.row.id, seat, world.clock.now() + 10 * HOUR)
    await post.deliver()
    assert [each.reason for each in post.told_to(mover.id)] == ["turn"], "they know"
    await pass_time(world, post, 3)
    assert [each.reason for each in post.told_to(mover.id)] == ["turn", "reminder"]


@pytest.mark.slow
async def test_settings_count_as_they_are_when_the_ping_is_due(world: World) -> None:
    noon = PingSettings(quiet=QuietHours(time(11), time(15)))
    for then, wanted in (
        (PingSettings(), ["ping"]),
        (PingSettings(style="none"), []),
        (PingSettings(style="digest", digests=(time(18),)), ["digest"]),
        (PingSettings(quiet=QuietHours(time(11), time(20))), ["ping"]),
    ):
        world.clock.set(datetime.fromisoformat("2026-01-05T12:00:00+00:00"))
        row, _ = await waiting_for_ann(world)
        post = Post(world)
        await wants(world, ANN.id, noon)
        await post.deliver()
        assert post.told_to(ANN.id) == []
        await wants(world, ANN.id, then)
        await pass_time(world, post, 10)
        assert [each.how for each in post.told_to(ANN.id)] == wanted
        await world.play.resign(row.id, BOB.id, request=world.new)
        await wants(world, ANN.id, PingSettings(style="none"))
        await post.deliver()


class KilledError(Exception):
    """The process was killed."""


class Dying:
    """A store that dies at one of the changes that a tick or a delivery makes, before or after it."""

    def __init__(self, store: Store, at: int, *, after: bool) -> None:
        self._store, self._left, self._after = store, at, after

    def __getattr__(self, name: str) -> Any:
        method: Callable[..., Any] = getattr(self._store, name)
        if name not in ("ping_work", "outbox_sent", "commit"):
            return method

        async def call(*args: Any, **kwargs: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise KilledError
            result = await method(*args, **kwargs)
            if self._left == 0:
                raise KilledError
            return result

        return call


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", range(1, 12))
async def test_killed_anywhere_each_ping_is_queued_once(world: World, at: int, after: bool) -> None:
    """A ping may be posted again by a delivery that died; the bot finds it by its button then."""
    chosen = PingSettings(quiet=QuietHours(time(11), time(15)))
    store = world.store
    await wants(world, ANN.id, chosen)
    row, seat = await waiting_for_ann(world)
    began = world.clock.now()
    await deadline(store, row.id, seat, began + 77 * HOUR)
    world.store = Dying(store, at, after=after)
    world.restart()
    queued: dict[int, str] = {}
    sent: Counter[str] = Counter()
    for _ in range(4 * 80):
        world.clock.advance(hours=0.25)
        post = Post(world)
        try:
            await world.service.pings.tick()
            for one in await store.outbox_pending():
                if one.draft.kind == "ping":
                    queued[one.id] = one.draft.message.to_json()["reason"]
            await post.deliver()
        except KilledError:
            world.restart()
        sent.update(each.reason for each in post.told_to(ANN.id))
    assert sorted(queued.values()) == ["reminder", "reminder", "reminder", "turn"]
    assert sent["turn"] in (1, 2)
    assert await store.outbox_pending() == ()


events = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(1, 900)),
        st.tuples(st.just("move"), st.sampled_from((0, 1))),
        st.tuples(st.just("look"), st.sampled_from((0, 1))),
        st.tuples(st.just("undo"), st.sampled_from((0, 1))),
        st.tuples(st.just("down"), st.integers(1, 4000)),
        st.tuples(st.just("want"), settings),
        st.tuples(st.just("deadline"), st.integers(1, 90)),
    ),
    min_size=5,
    max_size=40,
)


@pytest.mark.slow
@examples(max_examples=60, deadline=None)
@given(settings, events)
def test_over_days_nobody_is_told_too_often_or_at_night(chosen: PingSettings, steps: list[Any]) -> None:
    asyncio.run(_days(chosen, steps))


async def _days(chosen: PingSettings, steps: list[Any]) -> None:
    clock = FakeClock()
    store = MemoryStore()
    world = World(store, clock)
    wanted = {ANN.id: [chosen], BOB.id: [PingSettings()]}
    await wants(world, ANN.id, chosen)
    begun = await world.match(ANN, BOB, game="focus")
    post, match_id, now = Post(world), begun.row.id, begun.match
    for what, value in steps:
        match what:
            case "wait" | "down":
                for _ in range(1 if what == "down" else max(1, value // 10)):
                    clock.advance(minutes=value if what == "down" else 10)
                    await world.service.pings.tick()
                    await post.deliver()
            case "move":
                mover = next(p for p in (ANN, BOB) if p.id == begun.row.seats[min(now.to_act)].user)
                clock.advance(minutes=1)
                now = (await world.move(match_id, mover)).match
                await post.deliver()
            case "look":
                await world.service.pings.looked(match_id, (ANN, BOB)[value].id)
            case "undo":
                done = await world.service.undo.take_back(match_id, (ANN, BOB)[value].id, request=world.new)
                now = getattr(done, "match", now)
                await post.deliver()
            case "want":
                wanted[ANN.id].append(value)
                await wants(world, ANN.id, value)
            case "deadline":
                await store.set_deadlines(match_id, dict.fromkeys((0, 1), clock.now() + value * HOUR))
        if now.ending:
            break
        await world.service.pings.tick()
        await post.deliver()
        _check(post, wanted)
        _check_standing(post, begun.row, now.to_act)


def _check(post: Post, wanted: dict[int, list[PingSettings]]) -> None:
    for user, chosen in wanted.items():
        told = post.told_to(user)
        first = Counter(turn for each in told if each.reason in ("turn", "") for turn in each.turns)
        assert not first or max(first.values()) == 1, "one ping for one turn"
        if len(chosen) == 1:
            (only,) = chosen
            assert not any(model.is_quiet(only, each.at) for each in told)
            assert only.style != "none" or not told


def _check_standing(post: Post, row: MatchRow, to_act: frozenset[Any]) -> None:
    for seat in row.seats:
        pings = sum(seat.user in users for users in post.standing.values())
        assert pings <= (seat.seat in to_act), f"{pings} pings stand for {seat.name}"


async def test_reminders_at_an_interval_end_after_two_weeks(world: World) -> None:
    await wants(world, ANN.id, PingSettings(interval=12))
    await waiting_for_ann(world)
    post = Post(world)
    await post.deliver()
    await pass_time(world, post, 24 * 40, step=6)
    assert len(post.told_to(ANN.id)) == 1 + 28


@pytest.mark.parametrize(("interval", "days"), [(12, 15), (0, 91)])
async def test_a_reminder_that_is_long_overdue_does_not_come(world: World, interval: int, days: int) -> None:
    await wants(world, ANN.id, PingSettings(interval=interval))
    await waiting_for_ann(world)
    post = Post(world)
    await post.deliver()
    await pass_time(world, post, 24 * days, step=24 * days)
    await pass_time(world, post, 24 * 30, step=6)
    assert len(post.told_to(ANN.id)) == 1


@pytest.mark.parametrize("interval", [12, 0])
async def test_who_wants_no_pings_any_longer_is_not_reminded(world: World, interval: int) -> None:
    await wants(world, ANN.id, PingSettings(interval=interval))
    await waiting_for_ann(world)
    post = Post(world)
    await post.deliver()
    await wants(world, ANN.id, PingSettings(style="none", interval=interval))
    await pass_time(world, post, 24 * 12, step=6)
    assert len(post.told_to(ANN.id)) == 1


async def test_a_match_without_a_clock_is_not_forgotten(world: World) -> None:
    row, _ = await waiting_for_ann(world)
    post, began = Post(world), world.clock.now()
    await post.deliver()
    await pass_time(world, post, 24 * 20, step=6)
    told = post.told_to(ANN.id)
    assert [each.reason for each in told] == ["turn", "reminder", "reminder", "reminder"]
    assert [(each.at - began).days for each in told] == [0, 3, 10, 17]
    assert sum(ANN.id in users for users in post.standing.values()) == 1, "the newest stands"
    await world.move(row.id, ANN)
    await post.deliver()
    await pass_time(world, post, 24 * 2, step=6)
    assert len(post.told_to(ANN.id)) == 4


@pytest.mark.parametrize("why", ["a deadline", "no reminders"])
async def test_others_are_not_reminded_weekly(world: World, why: str) -> None:
    row, seat = await waiting_for_ann(world)
    post = Post(world)
    await post.deliver()
    if why == "a deadline":
        await deadline(world.store, row.id, seat, world.clock.now() + 30 * 24 * HOUR)
    else:
        await wants(world, ANN.id, PingSettings(reminders=()))
    await pass_time(world, post, 24 * 12, step=6)
    assert [each.reason for each in post.told_to(ANN.id)] == ["turn"]
