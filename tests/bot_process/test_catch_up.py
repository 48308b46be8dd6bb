"""What was missed is read to the end, several channels side by side, and only where something can be new."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import discord
import pytest

from bot.inbound.read_marks import session_mark
from storage import open_store
from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated
from tests.fakes import FakeClock

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}
MESSAGES = r"/channels/\d+/messages"
MANY = 520
"""More than the messages of a downtime that used to be read."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "catch up") as made:
        await made.start(**HASTE)
        yield made


def reads(house: House, since: int = 0) -> list[str]:
    """The requests that read messages, but for those of the room, in which Start was answered in private."""
    return [
        one.path
        for one in house.server.requests[since:]
        if one.method == "GET" and "messages" in one.path and f"/{house.room.id}/" not in one.path
    ]


def talk(house: House, match: str, number: int = 1) -> int:
    """Remarks in a match's thread by someone who doesn't play; the id of the last one."""
    dan = house.server.create_person("Dan", house.guild)
    return max(dan.send(house.thread(match), f"what a game {n}").id for n in range(number))


async def marked(house: House, match: str, message: int) -> None:
    """Wait until a match's thread counts as read up to a message."""
    query = "SELECT 1 FROM seen WHERE channel = ? AND message >= ?"
    channel = house.thread(match).id
    await house.bots.wait_for(lambda: bool(house.records.ask(query, channel, message)), "the mark")


async def test_a_move_behind_many_remarks_counts(house: House) -> None:
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    talk(house, match, MANY)
    act = house.move(match, "reply")
    await act.do()
    last = talk(house, match)
    await house.start(**HASTE)
    await house.quiet(act.done)
    house.judge()
    await marked(house, match, last)


async def test_a_channel_is_read_again_after_more_rate_limits_than_the_library_waits_for(
    house: House,
) -> None:
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    act = house.move(match, "reply")
    await act.do()
    house.server.faults.rate_limit(0.01, method="GET", path=MESSAGES, times=7)
    await house.start(**HASTE)
    await house.quiet(act.done)
    house.judge()


@pytest.mark.parametrize("content", [True, False])
async def test_remarks_move_the_mark(tmp_path: Path, content: bool) -> None:
    async with open_house(tmp_path, "remarks", content=content) as house:
        await house.start(**HASTE, DOMINIUM_MESSAGE_CONTENT="yes" if content else "no")
        match = await seated(house, mirrored=False)
        await marked(house, match, talk(house, match, 3))


async def test_where_nothing_new_was_written_nothing_is_read(house: House) -> None:
    first, second = await seated(house, mirrored=False), await seated(house, mirrored=False)
    house.bots.signal(signal.SIGTERM)
    assert await house.bots.wait() == 0
    talk(house, second)
    since = len(house.server.requests)
    await house.start(**HASTE)
    assert reads(house, since) == [f"/channels/{house.thread(second).id}/messages"]
    act = house.move(first, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()


async def test_nothing_is_read_after_a_resume(house: House) -> None:
    first, second = await seated(house, mirrored=False), await seated(house, mirrored=False)
    since = len(house.server.requests)
    async with house.server.gateway_outage():
        talk(house, second, 3)
        act = house.move(first, "bare")
        await act.do()
    await house.quiet(act.done)
    house.judge()
    assert house.server.gateway.resumed == 1
    assert reads(house, since) == []


async def test_a_new_message_waits_for_its_own_channel_only(house: House) -> None:
    slow, other = await seated(house, mirrored=False), await seated(house, mirrored=False)
    path = f"/channels/{house.thread(slow).id}/messages"
    held = house.server.faults.hold(method="GET", path=path)
    async with house.server.gateway_outage(resume=False):
        talk(house, slow)
    await held.reached.wait()
    behind = house.move(slow, "bare")
    await behind.do()
    act = house.move(other, "bare")
    await act.do()
    await house.quiet(act.done)
    assert not behind.done()
    held.release()
    await house.quiet(behind.done)
    house.judge()


async def test_a_move_in_a_channel_that_was_not_read_yet_is_not_put_at_the_end(house: House) -> None:
    matches = [await seated(house, mirrored=False) for _ in range(9)]
    threads = {house.thread(match).id: match for match in matches}
    house.server.limits.everywhere(None)  # nine matches have just begun
    held = house.server.faults.hold(method="GET", path=MESSAGES, times=8)
    async with house.server.gateway_outage(resume=False):
        for match in matches:
            talk(house, match)
    await house.server.wait_until(lambda: len(held.struck) == 8, "eight channels read side by side")
    begun = {int(one.path.split("/")[2]) for one in held.struck}
    (last,) = threads.keys() - begun
    act = house.move(threads[last], "bare")
    await act.do()
    await house.quiet(act.done)
    held.release()
    house.judge()


async def heard(house: House, minutes: float) -> None:
    """Note that the last session had heard everything until so many minutes ago, and let no bot run."""
    await house.bots.kill()
    until = discord.utils.utcnow() - timedelta(minutes=minutes)
    store = await open_store(house.path, clock=FakeClock())
    await store.mark_read({session_mark(1, 0): discord.utils.time_snowflake(until)})
    await store.close()


@pytest.mark.parametrize(("minutes", "read"), [(50, False), (65, True)])
async def test_an_archived_thread_is_read_if_time_may_have_archived_it(
    house: House, minutes: float, read: bool
) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    await heard(house, minutes)
    act = house.move(match, "bare")
    await act.do()
    house.server.archive(thread)
    since = len(house.server.requests)
    await house.start(**HASTE)
    assert (f"/channels/{thread.id}/messages" in reads(house, since)) is read
    if not read:  # somebody closed it by hand: the move counts once it is opened
        assert not act.done()
        house.server.world.threads.set(thread._channel, {"archived": False})
    await house.quiet(act.done)
    house.judge()


async def test_a_move_in_a_closed_thread_counts_before_what_is_written_in_it_next(house: House) -> None:
    match = await seated(house, mirrored=False)
    await heard(house, 5)
    act = house.move(match, "bare")
    await act.do()
    house.server.archive(house.thread(match))
    await house.start(**HASTE)
    talk(house, match)
    await house.quiet(act.done)
    house.judge()


async def test_after_a_short_absence_many_archived_threads_cost_nothing(house: House) -> None:
    matches = [await seated(house, mirrored=False) for _ in range(3)]
    for match in matches:
        house.server.archive(house.thread(match))
    await heard(house, 5)
    since = len(house.server.requests)
    await house.start(**HASTE)
    assert reads(house, since) == []
    act = house.move(matches[1], "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    assert reads(house, since) == [f"/channels/{house.thread(matches[1]).id}/messages"]


async def test_silent_direct_messages_are_read_after_everything_else(house: House) -> None:
    match = await seated(house, mirrored=False)
    for one in house.people.values():
        one.send(one.dm, "hello")
    query = "SELECT 1 FROM seen WHERE channel IN (?, ?)"
    places = [one.dm.id for one in house.people.values()]
    await house.bots.wait_for(lambda: len(house.records.ask(query, *places)) == len(places), "the marks")
    await heard(house, 5)
    act = house.move(match, "dm")
    await act.do()
    talk(house, match)
    since = len(house.server.requests)
    await house.start(**HASTE, DOMINIUM_TEST_AHEAD=str(15 * 86_400))
    await house.quiet(act.done)
    house.judge()
    direct = [f"/channels/{one.dm.id}/messages" for one in house.people.values()]
    await house.server.wait_until(lambda: {*direct} <= {*reads(house, since)}, "both")
    first, *rest = reads(house, since)
    assert first == f"/channels/{house.thread(match).id}/messages"
    assert sorted(rest) == sorted(direct)


async def test_what_the_session_has_heard_is_noted(house: House) -> None:
    await seated(house, mirrored=False)
    await house.bots.kill()
    await house.start(**HASTE, DOMINIUM_TEST_NOTE="0")
    query = "SELECT message FROM seen WHERE channel = ?"
    began = discord.utils.time_snowflake(discord.utils.utcnow())
    await house.bots.wait_for(
        lambda: bool((found := house.records.ask(query, session_mark(1, 0))) and found[0][0] >= began),
        "the mark",
    )
