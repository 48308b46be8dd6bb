"""What was missed: which channels are read, in which order, when again, and that each message counts once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import discord
import pytest
from discord.utils import time_snowflake
from hypothesis import given
from hypothesis import strategies as st

from bot.inbound import catch_up, deletions
from bot.inbound.catch_up import Pace
from bot.inbound.read_marks import session_mark
from matches.store.rows import Unread
from tests.bot.missed import GUILD, NOW, OTHER, Place, World, ago
from tests.bot.test_remedies import error
from tests.fakes.hand_set import START


@pytest.fixture(autouse=True)
def _rights() -> Iterator[None]:
    """What is written to us, and what we may read, as the places say."""

    async def typed(_: Any, message: Any) -> Any:
        return message.route and SimpleNamespace(route=message.route)

    async def deleted(ctx: Any, channel: int) -> None:
        ctx.delivery.send.__self__.deleted.append(channel)

    def rights(channel: Any, _: Any) -> Any:
        return SimpleNamespace(read_message_history=channel.readable)

    with (
        mock.patch.object(catch_up, "read_typed", typed),
        mock.patch.object(deletions, "channel_deleted", deleted),
        mock.patch.object(catch_up, "permissions_in", rights),
    ):
        yield


FAILURES = st.sampled_from((503, 429, "limited", "network", "mistake"))


def failure(which: object) -> BaseException:
    """What a request may fail with, and is tried again for."""
    made: dict[object, BaseException] = {
        503: error(503),
        429: error(429),
        "limited": discord.RateLimited(60.0),
        "network": OSError("reset"),
        "mistake": ValueError("ours"),
    }
    return made[which]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(("thread", "archived", "direct", "board", "unknown board")),
            st.integers(0, 2),
            st.sampled_from((0, 1, 2, 99, 100, 101, 201)),
            st.lists(FAILURES, max_size=2),
        ),
        max_size=4,
    )
)
async def test_whatever_fails_each_missed_message_is_handled_once_and_in_order(
    drawn: list[tuple[str, int, int, list[object]]],
) -> None:
    places, expected = [], {}
    for n, (kind, before, since, failures) in enumerate(drawn, 10):
        guild = None if kind == "direct" else GUILD
        place = Place(n, guild=guild, home=kind in ("thread", "archived"), after=NOW + 100)
        place.known = kind in ("thread", "board")
        for message in range(NOW + 101 - before, NOW + 101 + since):
            place.say(message)
        place.refusals = [failure(each) for each in failures]
        places.append(place)
        expected[n] = list(range(NOW + 101, NOW + 101 + since))
    world = World(*places)
    world.inbox.broken = {NOW + 102}
    world.missed.note_session()
    await world.missed.close_gaps()
    for _ in range(2):
        await world.missed.retry()
    for place in places:
        assert world.inbox.of(place) == expected[place.id]
        assert not world.missed._held(place.id)
        assert all(read == (place.id, place.guild) for read in world.reads if read[0] == place.id)
        if place.known and place.last_message_id is not None and not expected[place.id]:
            assert place.id not in world.channels_read
    marks = world.inbox.marks.take_unsaved()
    assert {each: marks[each] for each in marks if each > 0} == {
        channel: messages[-1] for channel, messages in expected.items() if messages
    }
    assert world.sizes <= {100}


async def test_a_failed_channel_keeps_its_place_until_it_is_read() -> None:
    place = Place(10, refusals=[error(503)])
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    assert world.missed._held(10)
    assert world.missed._held(11), "nothing is listed yet"
    await world.missed.close_gaps()
    assert world.missed._held(10)
    assert not world.missed._held(11)
    await world.missed.receive(place.say(102))
    assert world.inbox.of(place) == [102], "a new message doesn't wait for what has failed"
    await world.missed.retry()
    assert world.inbox.of(place) == [102, 101, 102]
    assert world.inbox.marks.take_unsaved()[10] == 102


@pytest.mark.parametrize("which", [503, 429, "limited", "network", "mistake"])
async def test_what_fails_is_tried_once_each_time(which: object, caplog: pytest.LogCaptureFixture) -> None:
    place = Place(10, refusals=[failure(which) for _ in range(9)])
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    for tries in (2, 3):
        assert caplog.text.count("a channel will be read once more") == tries - 1
        await world.missed.retry()
        assert len(world.reads) == tries


@pytest.mark.parametrize(
    ("refused", "waits", "deleted"),
    [(error(403), True, []), (error(404), False, [10]), (error(400), False, [])],
)
async def test_what_cannot_be_read_is_not_read_on_its_own_again(
    refused: BaseException, waits: bool, deleted: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    place = Place(10, refusals=[refused])
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    await world.missed.retry()
    assert len(world.reads) == 1
    assert "a channel could not be read" in caplog.text
    assert world.deleted == deleted
    assert world.missed._held(10) is waits
    await world.missed.opened(10)
    assert world.inbox.of(place) == [101] * waits


async def test_where_we_lack_the_right_to_read_the_gap_stays() -> None:
    place = Place(10, readable=False)
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert world.inbox.received == []
    assert world.missed._held(10)
    await world.missed.retry()
    assert len(world.reads) == 1
    place.readable = True
    world.missed.note_gap(GUILD)
    await world.missed.retry()
    assert world.inbox.of(place) == [101]
    assert not world.missed._held(10)


async def test_in_a_server_that_is_out_rights_are_unknown() -> None:
    place = Place(10, readable=False)
    place.say(101)
    world = World(place)
    world.unavailable = True
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert not world.missed._held(10)


async def test_what_is_new_is_read_first_and_what_is_not_isnt_read() -> None:
    places = [Place(n, known=n % 3 == 0) for n in range(10, 19)]
    for place in places:
        place.say(101 if place.id % 2 else 100)
    world = World(*places)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert world.channels_read == [15, 10, 11, 13, 14, 16, 17]
    assert world.most <= 8


@pytest.mark.parametrize("processes", [1, 2, 5, 100])
async def test_at_most_eight_are_read_at_the_same_time_at_half_of_the_rate(
    processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [Place(n) for n in range(10, 40)]
    for place in places:
        place.say(101)
    world, slept = World(*places, processes=processes), []
    sleep = asyncio.sleep

    async def sleeps(seconds: float) -> None:
        slept.extend([seconds] if seconds else [])
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", sleeps)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 5.0)
    world.gate.clear()
    world.missed.note_gap(GUILD)
    reading = asyncio.ensure_future(world.missed.close_gaps())
    for _ in range(50):
        await sleep(0)
    assert world.reading == 8
    world.gate.set()
    await reading
    assert world.most == 8
    at_once = {1: 25, 2: 12, 5: 5, 100: 1}[processes]
    assert slept == [float(n // at_once) for n in range(at_once, 30)]


def test_calls_that_wait_count_as_made_when_they_are() -> None:
    pace = Pace(3)
    assert [pace.wait(10.0) for _ in range(7)] == [0, 0, 0, 1, 1, 1, 2]
    assert pace.wait(12.5) == 0
    assert [pace.wait(at) for at in (20.0, 20.25, 20.5, 20.75)] == [0, 0, 0, 0.25]


async def test_a_new_message_waits_for_the_gap_of_its_channel_and_of_its_server_if_it_mentions() -> None:
    slow, other, wide = Place(10), Place(12), Place(13, home=False, after=None)
    slow.say(101)
    other.say(101)
    wide.say(105, route="mention")
    world = World(slow, other, wide)
    world.missed.note_gap(GUILD)
    await world.missed.receive(slow.say(102, bot=True))
    assert (world.reads, world.inbox.of(slow)) == ([], [102]), "what a bot says waits for nothing"
    await world.missed.receive(slow.say(103))
    assert world.inbox.of(slow) == [102, 101, 102, 103, 103]
    assert world.channels_read == [10]
    await world.missed.receive(other.say(104, mentions=True))
    assert world.channels_read == [10, 12, 13]
    assert world.inbox.of(wide) == [105]
    direct = Place(20, guild=None)
    await world.missed.receive(direct.say(106, mentions=True))
    assert world.inbox.of(direct) == [106]
    assert not world.missed._is_behind
    assert world.reads[3:] == []


async def test_two_that_wait_for_one_gap_read_it_once() -> None:
    place = Place(10)
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    world.gate.clear()
    waiting = [asyncio.ensure_future(world.missed.receive(place.say(n))) for n in (102, 103)]
    reading = asyncio.ensure_future(world.missed.close_gaps())
    await world.begun.wait()
    await world.missed.retry()
    world.gate.set()
    await asyncio.gather(*waiting, reading)
    assert [channel for channel, _ in world.reads] == [10]
    assert sorted(world.inbox.of(place)) == [101, 102, 102, 103, 103]


async def test_two_that_wait_for_a_gap_which_fails_go_on_without_it() -> None:
    place = Place(10, refusals=[error(503)])
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    await asyncio.gather(*(world.missed.receive(place.say(n)) for n in (102, 103)))
    assert [channel for channel, _ in world.reads] == [10]
    assert world.inbox.of(place) == [102, 103]


async def test_a_new_message_does_not_wait_while_what_has_failed_is_tried_again() -> None:
    place = Place(10, refusals=[error(503)])
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    world.gate.clear()
    world.begun.clear()
    trying = asyncio.ensure_future(world.missed.retry())
    await world.begun.wait()
    receiving = asyncio.ensure_future(world.missed.receive(place.say(102)))
    for _ in range(10):
        await asyncio.sleep(0)
    assert receiving.done()
    assert world.inbox.of(place) == [102]
    world.gate.set()
    await asyncio.gather(trying, receiving)
    assert world.inbox.of(place) == [102, 101, 102]


ABSENCES = st.none() | st.integers(0, 120)


@given(ABSENCES, st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans())
async def test_an_archived_thread_is_read_at_once_if_time_may_have_archived_it_since(
    minutes: int | None, told: bool, home: bool, unavailable: bool, known: bool, direct: bool
) -> None:
    place = Place(10, known=known, home=home, after=NOW, guild=None if direct else GUILD)
    place.say(NOW + 1)
    world = World(place)
    world.unavailable = unavailable
    world.marks = {session_mark(2, 1): NOW}
    if minutes is not None:
        world.marks[session_mark(2, 0)] = ago(timedelta(minutes=minutes))
    if not told:
        world.missed.note_gap(GUILD, reported=False)
    world.missed.note_session(0)
    await world.missed.close_gaps()
    short = minutes is not None and minutes < 55
    asleep = short and (told or direct) and home and not (unavailable or known or direct)
    assert world.inbox.of(place) == ([] if asleep else [NOW + 1])
    assert world.missed._held(10) is asleep
    assert not any(gap.unread.channel == 10 for gap in world.missed._gaps.values() if not gap.waits)
    await world.missed.retry()
    await world.missed.opened(10)
    assert world.inbox.of(place) == [NOW + 1]


async def test_an_archived_thread_that_is_opened_while_discord_fails_is_read_later() -> None:
    place = Place(10, known=False, after=NOW, refusals=[error(503)])
    place.say(NOW + 1)
    world = World(place)
    world.marks = {session_mark(2, 0): NOW}
    world.missed.note_session(0)
    await world.missed.close_gaps()
    assert world.reads == []
    await world.missed.opened(10)
    assert world.inbox.of(place) == []
    await world.missed.retry()
    assert world.inbox.of(place) == [NOW + 1]


async def test_what_a_server_has_told_of_in_vain_is_read_after_all() -> None:
    """One of two absences was long, or of one of them nothing was told."""
    place = Place(10, known=False, after=NOW)
    place.say(NOW + 1)
    world = World(place)
    world.marks = {session_mark(2, 0): NOW}
    world.missed.note_session(0)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert world.inbox.of(place) == [NOW + 1]


async def test_silent_direct_messages_are_read_late_two_at_a_time() -> None:
    back = timedelta(days=14)
    silent = [Place(n, guild=None, home=False, known=False, after=ago(back) - 1 - n) for n in (20, 21, 22)]
    lively = [Place(n, guild=None, home=False, known=False, after=ago(back) + n) for n in (23, 24)]
    told = Place(25, guild=None, home=False, after=silent[0].after)
    for place in (*silent, *lively, told):
        place.after = (place.after or 0) & ~0x3FFFFF if place in lively else place.after
        place.say(NOW)
    lively[0].refusals = [error(503)]
    world = World(*silent, *lively, told)
    world.missed.note_session(0)
    await world.missed.close_gaps()
    assert world.channels_read == [25, 23, 24]
    await world.missed.retry()
    assert world.channels_read == [25, 23, 24, 20, 21]
    assert world.inbox.of(lively[0]) == [NOW], "those behind silent ones are tried again, too"
    silent[-1].refusals = [error(503), error(403)]
    await world.missed.retry()
    assert world.channels_read == [25, 23, 24, 20, 21, 22]
    for _ in range(2):
        await world.missed.retry()
        assert len(world.reads) == 8, "one is read again that fails, and isn't again once it refuses us"


@pytest.mark.parametrize("shard", [0, 1])
async def test_a_new_session_has_missed_what_was_written_in_its_own_servers(shard: int) -> None:
    here, there = Place(10), Place(12, guild=OTHER)
    board = Place(14, guild=OTHER, home=False)
    unread = Place(16, after=None)
    for place in (here, there, board, unread):
        place.say(101)
    world = World(unread, here, there, board)
    world.missed.note_session(shard)
    await world.missed.close_gaps()
    assert world.channels_read == ([10], [12, 14])[shard]
    assert world.inbox.saved == [{}]
    await world.missed.close_gaps()
    assert world.inbox.saved == [{}], "nothing is listed twice"


async def test_where_the_bot_is_not_nothing_is_read_and_what_another_process_serves_is_left() -> None:
    gone, other = Place(10), Place(14, guild=OTHER, home=False, known=False)
    gone.say(101)
    other.say(101)
    world = World(gone, other)
    world.gone = {GUILD}
    world.served = {GUILD}
    world.missed.note_session(0)
    await world.missed.close_gaps()
    assert world.reads == []
    assert not world.missed._held(10)
    assert not world.missed._held(14)


async def test_what_is_noted_while_channels_are_listed_is_listed_too() -> None:
    here, there = Place(10), Place(12, guild=OTHER)
    here.say(101)
    there.say(101)
    world, late = World(here, there), [OTHER]

    async def homes() -> tuple[Unread, ...]:
        found = await world.homes()
        for guild in late:
            world.missed.note_gap(guild)
        late.clear()
        return found

    world.ctx.store.channels_to_read = homes
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert world.channels_read == [10, 12]


async def test_marks_are_saved_before_channels_are_listed() -> None:
    place = Place(10)
    world = World(place)
    world.inbox.marks.keep([10, 99])
    world.inbox.marks.move(99, 5)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert world.inbox.saved == [{99: 5}]
    world.inbox.marks.move(99, 6)
    world.inbox.marks.move(10, 101)
    assert world.inbox.marks.take_unsaved() == {10: 101}


async def test_all_is_sent_before_and_after() -> None:
    place = Place(10)
    place.say(101)
    world = World(place)
    world.missed.note_gap(GUILD)
    await world.missed.run()
    assert (world.sent, world.inbox.of(place)) == (2, [101])


# --- the other channels of a server -------------------------------------------------------------------


async def test_of_a_servers_other_channels_the_latest_are_searched_for_what_is_addressed_to_us() -> None:
    home = Place(10)
    home.say(101)
    shown = Place(11, home=False)
    shown.say(100)
    rooms = [Place(n, home=False, after=None) for n in range(30, 60)]
    for n, room in enumerate(rooms):
        room.guild = GUILD
        if room.id != 30:
            room.say(90, route="mention")
        if n > 2:
            room.say(200 + n * 10, route=("mention", "role", "reply", "dm", "bare", None)[n % 6])
            room.say(201 + n * 10, route="mention", bot=True)
    rooms[-1].readable = False
    rooms[-2].refusals = [error(403)]
    rooms[-3].refusals = [error(404)]
    world = World(home, shown, *rooms)
    world.missed.note_gap(GUILD)
    await world.missed.close_gaps()
    assert world.channels_read == [10, *(room.id for room in rooms[-2:-22:-1])]
    heard = [each.route for each in world.inbox.received if each.channel.id != 10]
    assert heard == [
        each.messages[1].route
        for each in rooms[-4:-22:-1]
        if each.messages[1].route in ("mention", "role", "reply")
    ]
    assert len(heard) > 5
    assert world.inbox.marks.take_unsaved()[-GUILD] == rooms[-2].messages[-1].id
    assert not world.missed._held(-GUILD)
    assert all(guild is None or guild == GUILD for _, guild in world.reads)


@pytest.mark.parametrize("why", ["told", "served", "gone", "quiet"])
async def test_when_other_channels_are_not_searched(why: str) -> None:
    room = Place(30, home=False, after=None)
    room.say(100 if why == "quiet" else 101, route="mention")
    world = World(room)
    world.served -= {GUILD} if why == "served" else set()
    world.missed.note_gap(GUILD, reported=why != "told")
    world.ctx.discord.client.get_guild = (lambda _: None) if why == "gone" else world.guild
    await world.missed.close_gaps()
    assert world.reads == []
    assert world.inbox.marks.take_unsaved() == {}
    assert not world.missed._held(-GUILD)


# --- what the sessions have heard ---------------------------------------------------------------------


async def test_now_and_then_it_is_noted_that_all_was_heard() -> None:
    place = Place(10, refusals=[error(503)])
    place.say(101)
    world = World(place)
    marks, now = world.inbox.marks, START

    def noted(*, after: timedelta) -> dict[int, int]:
        nonlocal now
        now += after
        world.clock.set(now)
        world.missed.note_heard()
        return {each: mark for each, mark in marks.take_unsaved().items() if each < -1000}

    def heard() -> dict[int, int]:
        return {session_mark(2, each): time_snowflake(now) for each in (0, 1)}

    second, minute = timedelta(seconds=1), timedelta(minutes=1)
    assert noted(after=minute - second) == {}
    assert noted(after=second) == heard()
    assert noted(after=minute - second) == {}
    world.shards.in_time = False
    assert noted(after=second) == {}
    world.shards.in_time = True
    world.missed.note_gap(GUILD)
    assert noted(after=minute) == {}
    await world.missed.close_gaps()
    assert noted(after=minute) == {}
    await world.missed.retry()
    assert noted(after=second) == heard()
