"""The bot is removed from a server and invited again: nothing is asked of it meanwhile, nothing is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import ROUTES, House, calls, open_house
from tests.bot_process.lobbies import newest, seated

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A house whose people have installed the bot: they can write to it wherever it is."""
    async with open_house(tmp_path, "thrown out") as made:
        for person in made.people.values():
            person.install()
        await made.start(**HASTE)
        yield made


async def moved_by_message(house: House, match: str) -> None:
    """A move of the person to move in their direct messages, and the answer to it."""
    plays, mover = len(house.plays(match)), house.mover(newest(house), house.now(match))
    after = max((one.id for one in house.server.messages(mover.dm)), default=0)
    mover.send(mover.dm, f"{match} {house.any_move(match)}")
    await house.server.wait_for_message(mover.dm, lambda one: "Played in" in one.content, after=after)
    await house.quiet(lambda: len(house.plays(match)) == plays + 1)


def asked(house: House, since: int) -> list[str]:
    """What the bot asked of the server's channels after a request."""
    inside = {house.room.id, house.gallery.id, *(thread.id for thread in house.server.threads(house.room))}
    return [str(one) for one in house.server.requests[since:] if int(one.args.get("channel_id", 0)) in inside]


def boards(house: House, match: str) -> list[int]:
    """The entries that the boards in the match's thread show, oldest first."""
    return [calls(one)[0][2] for one in house.boards(match)]


async def test_the_newest_board_comes_once_when_the_bot_is_back(house: House) -> None:
    match = await seated(house)
    shown = boards(house, match)
    house.server.kick_bot(house.guild)
    since = len(house.server.requests)
    for _ in range(3):
        await moved_by_message(house, match)
    assert asked(house, since) == []
    house.server.invite_bot(house.guild)
    seq = house.now(match).seq
    await house.server.wait_for_message(
        house.thread(match), lambda one: calls(one)[:1] == [("moves", match, seq)]
    )
    await house.quiet()
    assert boards(house, match) == [*shown, seq]
    mirrors = [one for one in house.server.messages(house.gallery) if calls(one)]
    assert len(mirrors) == 1
    assert house.records.ask("SELECT unreachable FROM matches") == [("",)]
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(lambda: house.now(match).seq > seq)
    assert boards(house, match) == [*shown, seq, house.now(match).seq]


async def test_people_are_told_once(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.kick_bot(house.guild)
    for _ in range(2):
        await moved_by_message(house, match)
    for person in house.people.values():
        said = [one.content for one in house.server.messages(person.dm) if "I was removed" in one.content]
        assert len(said) == 1
        assert match in said[0]


async def test_what_waits_for_another_try_stops(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.forbid(house.room, "send_messages_in_threads")
    act = house.move(match, "slash")
    await act.do()
    await house.bots.wait_for(lambda: act.done() and house.records.waiting() == 1, "a board that waits")
    house.server.kick_bot(house.guild)
    await house.quiet()
    house.server.forbid(house.room)
    house.server.invite_bot(house.guild)
    seq = house.now(match).seq
    await house.server.wait_for_message(
        house.thread(match), lambda one: calls(one)[:1] == [("moves", match, seq)]
    )
    await house.quiet(act.done)
    house.judge()


async def test_a_bot_that_was_removed_while_it_was_down_asks_for_nothing(house: House) -> None:
    match = await seated(house)
    posting = house.server.faults.hold(method="POST", path=r"/channels/\d+/messages")
    withdrawing = house.server.faults.hold(method="PATCH", path=r"/channels/\d+/messages/\d+")
    act = house.move(match, "bare")
    await act.do()
    await posting.reached.wait()
    await withdrawing.reached.wait()
    await house.bots.kill()
    posting.release()
    withdrawing.release()
    house.server.kick_bot(house.guild)
    since = len(house.server.requests)
    await house.start(**HASTE)
    await house.quiet()
    assert asked(house, since) == []
    await house.bots.kill()
    house.server.invite_bot(house.guild)
    await house.start(**HASTE)
    await house.quiet(act.done)
    house.judge()


async def test_an_outage_is_no_removal(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.gateway.withhold(house.guild)
    await moved_by_message(house, match)
    assert boards(house, match)[-1] == house.now(match).seq
    assert house.records.ask("SELECT unreachable FROM matches") == [("",)]


async def test_a_match_waits_for_its_server_however_long(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.kick_bot(house.guild)
    await moved_by_message(house, match)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD=str(90 * 86_400), **HASTE)
    assert newest(house).status == "live"
    posts = sum((one.method, one.template) == ROUTES["post"] for one in house.server.requests)
    house.server.invite_bot(house.guild)
    await house.server.wait_for_message(
        house.thread(match), lambda one: calls(one)[:1] == [("moves", match, house.now(match).seq)]
    )
    await house.quiet()
    assert sum((one.method, one.template) == ROUTES["post"] for one in house.server.requests) == posts + 1


async def test_a_move_typed_behind_a_waiting_board_counts_once_the_bot_is_back(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=r"/channels/\d+/messages")
    first = house.move(match, "bare")
    await first.do()
    await held.reached.wait()
    house.server.kick_bot(house.guild)
    held.release()
    await house.bots.wait_for(lambda: first.done() and house.records.waiting() == 1, "a board that waits")
    second = house.move(match, "bare")
    await second.do()
    house.server.invite_bot(house.guild)
    await house.quiet(second.done)
    house.judge()
