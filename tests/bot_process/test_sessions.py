"""Whatever becomes of the gateway's session, a move that was written counts once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "sessions") as made:
        yield made


async def moved(house: House, match: str, *doors: str) -> None:
    """Moves that nothing hinders."""
    for door in doors:
        act = house.move(match, door)
        await act.do()
        await house.quiet(act.done)
    house.judge()


@pytest.mark.parametrize("resumable", [True, False])
async def test_a_move_typed_while_the_session_is_invalid_counts_once(house: House, resumable: bool) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    act = house.move(match, "bare")
    house.server.gateway.invalidate(resumable=resumable)
    await act.do()
    await house.quiet(act.done)
    house.judge()
    await moved(house, match, "mention", "slash")


async def test_a_move_typed_while_the_socket_was_dead_counts_once(house: House) -> None:
    house.server.gateway.heartbeat_interval = 100
    await house.start(DOMINIUM_TEST_HEARTBEAT="2", **HASTE)
    match = await seated(house, mirrored=False)
    house.server.gateway.mute()
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    assert house.server.gateway.resumed >= 1


@pytest.mark.parametrize("code", [4000, 4009])
async def test_a_move_typed_after_a_close_counts_once(house: House, code: int) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    house.server.gateway.close_with(code)
    act = house.move(match, "mention")
    await act.do()
    await house.quiet(act.done)
    house.judge()


async def test_a_move_typed_while_the_server_was_unavailable_counts_once(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    house.server.gateway.withhold(house.guild)
    act = house.move(match, "bare")
    await act.do()
    house.server.gateway.restore(house.guild)
    await house.quiet(act.done)
    house.judge()
    await moved(house, match, "reply", "slash")


async def test_a_move_typed_before_a_late_server_came_counts_once(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    house.server.gateway.withhold(house.guild)
    await house.start(**HASTE)
    act = house.move(match, "bare")
    await act.do()
    house.server.gateway.restore(house.guild)
    await house.quiet(act.done)
    house.judge()


async def test_a_command_counts_where_the_server_never_came(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    house.server.gateway.withhold(house.guild)
    await house.start(**HASTE)
    await moved(house, match, "slash", "menu")


@pytest.mark.parametrize("door", ["bare", "reply", "mention"])
async def test_a_doubled_event_counts_once(house: House, door: str) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    house.server.gateway.interference.double("MESSAGE_CREATE", fits=lambda one: "bot" not in one["author"])
    await moved(house, match, door)


async def test_a_late_event_of_a_message_that_was_read_counts_once(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    late = house.server.gateway.interference.hold("MESSAGE_CREATE")
    act = house.move(match, "mention")
    await act.do()
    house.server.drop_gateway(resume=False)
    await house.quiet(act.done)
    late.release()
    await moved(house, match, "slash", "bare")


async def test_a_board_waits_for_a_bot_that_was_thrown_out_to_come_back(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=r"/channels/\d+/messages")
    act = house.move(match, "bare")
    await act.do()
    await held.reached.wait()
    house.server.kick_bot(house.guild)
    held.release()
    await house.bots.wait_for(lambda: act.done() and house.records.waiting() == 1, "a board that waits")
    house.server.invite_bot(house.guild)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="120")
    await house.recovered(act)


async def test_a_move_typed_while_the_bot_was_thrown_out_counts_once_it_is_back(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    house.server.kick_bot(house.guild)
    act = house.move(match, "mention")
    await act.do()
    house.server.invite_bot(house.guild)
    await house.quiet(act.done)
    house.judge()
    await moved(house, match, "bare", "slash")


async def test_a_move_typed_while_the_channel_was_hidden_counts_once_it_is_shown(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    house.server.forbid(house.room, "view_channel")
    act = house.move(match, "mention")
    await act.do()
    house.server.allow(house.room)
    await house.quiet(act.done)
    house.judge()
    await moved(house, match, "bare", "slash")
