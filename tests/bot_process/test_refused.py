"""What Discord refuses is told or done another way: no row is tried for ever in silence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import newest, seated
from tests.loopback import Fault

pytestmark = pytest.mark.process

MESSAGES = r"/channels/\d+/messages"
HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "refused") as made:
        await made.start(**HASTE)
        yield made


async def move_and_hold(house: House, match: str) -> Fault:
    """A typed move whose board is on its way to Discord."""
    held = house.server.faults.hold(method="POST", path=MESSAGES)
    act = house.move(match, "bare")
    await act.do()
    await held.reached.wait()
    return held


def is_board(message: discord.Message) -> bool:
    return bool(calls(message)) and calls(message)[0][0] == "moves"


async def begin_in(house: House, room: ChannelHandle) -> None:
    """A match of Ann and Ben whose table stands in a room."""
    await house.ann.slash(room, "play", game="focus", players=2)
    table = await house.server.wait_for_message(room, lambda message: bool(calls(message)))
    match = calls(table)[0][1]
    await house.ben.click(table, f"domb:join:{match}:-1")
    await house.quiet(lambda: house.ben.id in newest(house).seats)
    await house.ann.click(table, f"domb:start:{match}:-1", answered=False)


async def locked_out(house: House) -> str:
    """Return a match whose thread was locked before its board came: its people know, the board waits."""
    match = await seated(house, mirrored=False)
    held = await move_and_hold(house, match)
    house.server.lock(house.thread(match))
    held.release()
    for person in house.people.values():
        await house.server.wait_for_message(person.dm)
    await house.bots.wait_for(lambda: house.records.waiting() in (1, 2), "a board that waits")
    return match


async def test_a_locked_thread_is_told_and_its_board_comes_once_it_is_open(house: House) -> None:
    match = await locked_out(house)
    house.server.lock(house.thread(match), locked=False)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="120")
    await house.quiet()
    house.judge()
    assert [len(house.server.messages(person.dm)) for person in house.people.values()] == [1, 1]


async def test_a_board_comes_as_soon_as_its_thread_is_unlocked(house: House) -> None:
    match = await locked_out(house)
    house.server.lock(house.thread(match), locked=False)
    await house.quiet()
    house.judge()


async def comes_at_once(house: House, match: str) -> None:
    """See that the board that waits comes, and before the next try was due."""
    (due,) = house.records.ask("SELECT max(due) FROM outbox WHERE kind = 'board'")[0]
    await house.quiet()
    house.judge()
    posted = house.boards(match)[-1].created_at.timestamp() * 1000
    assert posted < due


async def test_a_board_comes_at_once_when_a_thread_that_was_closed_and_locked_is_opened(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    held = await move_and_hold(house, match)
    house.server.archive(thread, locked=True)
    held.release()
    for person in house.people.values():
        await house.server.wait_for_message(person.dm)
    await house.bots.wait_for(lambda: house.records.waiting() in (1, 2), "a board that waits")
    house.server.world.threads.set(thread._channel, {"archived": False, "locked": False})
    await comes_at_once(house, match)


async def test_a_board_comes_at_once_when_the_bots_timeout_is_lifted(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = await move_and_hold(house, match)
    until = house.server.world.now() + timedelta(hours=1)
    house.server.world.time_out(house.guild, house.server.bot_id, until)
    held.release()
    waits = "SELECT 1 FROM outbox WHERE tries > 0"
    await house.bots.wait_for(lambda: bool(house.records.ask(waits)), "a board that waits")
    house.server.world.time_out(house.guild, house.server.bot_id, None)
    await comes_at_once(house, match)


async def test_a_mention_in_a_locked_thread_is_withdrawn_once_it_is_open(house: House) -> None:
    match = await seated(house, mirrored=False)
    withdrawing = house.server.faults.hold(method="PATCH", path=r"/channels/\d+/messages/\d+")
    held = await move_and_hold(house, match)
    await withdrawing.reached.wait()
    house.server.lock(house.thread(match))
    held.release()
    withdrawing.release()
    await house.server.wait_for_request(
        lambda one: (
            one.method == "PATCH" and isinstance(one.answer, dict) and one.answer.get("code") == 160005
        )
    )
    for person in house.people.values():
        await house.server.wait_for_message(person.dm)
    house.server.lock(house.thread(match), locked=False)
    await house.quiet()
    house.judge()


async def test_who_has_left_is_not_written_to_for_ever(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = await move_and_hold(house, match)
    house.ben.leave(house.guild)
    house.server.lock(house.thread(match))
    held.release()
    await house.server.wait_for_message(house.ann.dm)
    refused = await house.server.wait_for_request(
        lambda one: isinstance(one.answer, dict) and one.answer.get("code") == 50278
    )
    assert refused.sent == 403
    await house.bots.wait_for(lambda: house.records.waiting() == 1, "only the board waits")


async def test_a_match_begins_in_the_channel_when_a_server_has_too_many_threads(house: House) -> None:
    house.server.world.threads.most_active = 0
    await begin_in(house, house.room)
    await house.server.wait_for_message(house.room, is_board)
    await house.quiet(lambda: newest(house).status == "live")


async def test_a_match_begins_in_the_chat_of_a_voice_channel(house: House) -> None:
    voice = house.guild.create_voice_channel("voice")
    await begin_in(house, voice)
    await house.server.wait_for_message(voice, is_board)
    await house.quiet(lambda: newest(house).status == "live")


async def test_a_mirror_that_is_too_old_to_be_edited_is_posted_anew(house: House) -> None:
    match = await seated(house)
    house.server.advance(3700)
    house.server.limits.edits_of_old_messages(1)
    old = house.server.messages(house.gallery)[-1].id
    for door in ("bare", "slash", "mention"):
        act = house.move(match, door)
        await act.do()
        await house.quiet(act.done)
    house.judge()
    refused = [one for one in house.server.requests if one.sent == 429]
    assert len(refused) == 1
    assert house.server.messages(house.gallery)[-1].id > old


async def test_a_typed_move_wakes_a_thread_that_time_has_archived(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.advance(6.9 * 86_400)
    assert not house.server.is_archived(house.thread(match)), "it was made with the longest time there is"
    house.server.advance(0.2 * 86_400)
    assert house.server.is_archived(house.thread(match))
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    assert not house.server.is_archived(house.thread(match))


@pytest.mark.parametrize("archived", [False, True])
async def test_a_deleted_channel_is_told_to_those_who_played_in_its_thread(
    house: House, archived: bool
) -> None:
    match = await seated(house, mirrored=False)
    if archived:
        house.server.archive(house.thread(match))
        await house.bots.kill()
        await house.start(**HASTE)
    house.server.delete_channel(house.room)  # Discord says nothing of its threads: the bot looks for them
    for person in house.people.values():
        await house.server.wait_for_message(person.dm)


async def test_a_command_that_is_answered_too_late_still_counts(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=r"/interactions/.*")
    act = house.move(match, "slash")
    await act.do()
    await held.reached.wait()
    house.server.advance(4)
    held.release()
    await house.quiet(act.done)
    house.judge()
    assert held.struck[0].answer["code"] == 10062


@pytest.mark.parametrize("door", ["slash", "menu"])
async def test_a_doubled_interaction_is_answered_and_counts_once(house: House, door: str) -> None:
    match = await seated(house, mirrored=False)
    house.server.gateway.interference.double("INTERACTION_CREATE", times=None)
    act = house.move(match, door)
    await act.do()
    await house.quiet(act.done)
    house.judge()
