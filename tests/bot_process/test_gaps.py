"""After a reconnect or a downtime, what was written in threads is read as written there."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cli import check_operation
from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "gaps") as made:
        await made.start()
        yield made


def answers(house: House, match: str) -> list[str]:
    """What the bot said in a match's thread besides its boards."""
    messages = house.server.messages(house.thread(match))
    return [one.content for one in messages if one.author.id == house.server.bot_id and not calls(one)]


async def move_on(house: House, match: str) -> None:
    """A move, after which everything before it has been dealt with."""
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    house.judge()


async def test_remarks_before_a_resume_are_answered_by_nobody(house: House) -> None:
    match = await seated(house, mirrored=False)
    for number in range(12):
        house.ann.send(house.thread(match), f"nice weather today {number}")
    async with house.server.gateway_outage():
        pass
    await house.server.wait_until(lambda: house.server.gateway.resumed == 1)
    await move_on(house, match)
    assert answers(house, match) == []


async def test_remarks_of_a_downtime_are_answered_by_nobody(house: House) -> None:
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    for number in range(12):
        house.ann.send(house.thread(match), f"nice weather today {number}")
    await house.start()
    await move_on(house, match)
    assert answers(house, match) == []


async def test_a_missed_mention_is_played_in_the_match_of_its_thread(house: House) -> None:
    first = await seated(house, mirrored=False)
    second = await seated(house, mirrored=False)
    mover = house.mover(next(row for row in house.records.rows() if row.id == first), house.now(first))
    await house.bots.kill()
    act = house.move(first, "mention")
    await act.do()
    await house.start()
    await house.quiet(act.done)
    assert house.plays(second) == []
    house.judge()
    assert answers(house, first) == answers(house, second) == []
    assert house.server.messages(mover.dm) == []


async def test_a_missed_move_where_a_board_was_left_behind_counts(house: House) -> None:
    match = await seated(house, mirrored=False)
    left = house.thread(match)
    await house.ann.slash(house.room, "match continue", match=match)
    await house.quiet()
    await house.bots.kill()
    house.ann.send(left, "who would have thought")
    await house.start()
    await house.quiet()
    told = [one for one in house.server.messages(left) if one.author.id == house.server.bot_id]
    assert [one.content for one in told if not calls(one)] == []


@pytest.mark.parametrize("route", ["role", "mention"])
async def test_a_mention_of_the_bots_role_counts_where_it_can_be_read(house: House, route: str) -> None:
    match = await seated(house, mirrored=False)
    act = house.move(match, route)
    await act.do()
    await house.quiet(act.done)
    await house.bots.kill()
    missed = house.move(match, route)
    await missed.do()
    await house.start()
    await house.quiet(missed.done)
    house.judge()


@pytest.mark.parametrize("how", ["killed", "stopped", "new session"])
@pytest.mark.parametrize("route", ["dm", "elsewhere"])
async def test_what_was_written_elsewhere_counts(tmp_path: Path, route: str, how: str) -> None:
    async with open_house(tmp_path, "gaps") as house:
        await house.start(**HASTE)
        await write_elsewhere(house, route, how)


async def write_elsewhere(house: House, route: str, how: str) -> None:
    match = await seated(house, mirrored=False)
    for _ in range(2):  # both have written there before
        act = house.move(match, route)
        await act.do()
        await house.quiet(act.done)
    seen = [house.ann.send(house.gallery, "nice weather").id for _ in range(3)]
    query = "SELECT 1 FROM seen WHERE channel < 0 AND message >= ?"
    await house.bots.wait_for(lambda: bool(house.records.ask(query, seen[-1])), "the mark")
    if how == "new session":
        async with house.server.gateway_outage(resume=False):
            missed = house.move(match, route)
            await missed.do()
    else:
        if how == "killed":
            await house.bots.kill()
        else:
            house.bots.signal(signal.SIGTERM)
            assert await house.bots.wait() == 0
        missed = house.move(match, route)
        house.ann.send(house.gallery, "and more talk")
        await missed.do()
        await house.start(**HASTE)
    await house.quiet(missed.done)
    house.judge()
    again = house.move(match, route)
    await again.do()
    await house.quiet(again.done)
    house.judge()


async def test_a_reply_to_a_board_that_is_not_recorded_yet_counts(house: House) -> None:
    match = await seated(house, mirrored=False)
    posts = r"/channels/\d+/messages"
    held = house.server.faults.hold(method="POST", path=posts, after_handling=True)
    first = house.move(match, "bare")
    await first.do()
    await held.reached.wait()
    await house.bots.wait_for(first.done, "the move")
    board = house.boards(match)[-1]
    assert house.records.ask("SELECT 1 FROM posts WHERE message = ?", board.id) == []
    second = house.move(match, "reply")  # to that board, which the reply carries without its server
    await second.do()
    await house.bots.wait_for(second.done, "the reply")
    held.release()
    await house.quiet()
    house.judge()


def forget_all(house: House) -> None:
    """Begin anew: without a log, which the bot would keep, and refuse to start."""
    for file in house.path.parent.glob(f"{house.path.name}*"):
        file.unlink()


async def test_the_commands_of_an_earlier_version_are_gone_after_the_start(house: House) -> None:
    backend = house.server.world.backend
    known = backend.commands[None]
    listed = set(known)
    assert ("move", 1) in listed
    known["old", 1] = {**known["move", 1], "name": "old"}
    await house.bots.kill()
    forget_all(house)
    await house.start()
    await seated(house, mirrored=False)
    assert set(backend.commands[None]) == listed


@pytest.mark.parametrize(("status", "code"), [(400, 30034), (403, 20001), (503, 0)])
async def test_a_start_does_not_wait_for_the_list_of_commands(house: House, status: int, code: int) -> None:
    backend = house.server.world.backend
    known = backend.commands[None]
    listed = set(known)
    known["old", 1] = {**known["move", 1], "name": "old"}
    await house.bots.kill()
    forget_all(house)
    refused = house.server.faults.error(
        status, method="PUT", path=r"/applications/\d+/commands", code=code, times=None
    )
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    assert refused.struck
    assert ("old", 1) in backend.commands[None]

    def told() -> list[str]:
        return [one.level for one in check_operation.commands(house.path)]

    assert told() == ["warn"]
    house.server.faults.clear()
    await house.bots.wait_for(lambda: set(backend.commands[None]) == listed, "the list of commands")
    await house.bots.wait_for(lambda: told() == ["ok"], "a note that Discord has it")
    house.judge()
