"""A bot that thinks in worker processes, and is killed meanwhile: the computer moves once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import begin, newest, open_lobby

pytestmark = pytest.mark.process


async def against_computer(house: House, level: str) -> str:
    """Begin a match of Ann and a computer; return its id."""
    opened = open_lobby(house)
    await opened.do()
    await house.quiet(opened.done)
    match = newest(house).id
    lobby = next(one for one in house.server.messages(house.room) if match in str(calls(one)[:1]))
    menu = await house.ann.click(lobby, "Add computer")
    assert menu.message is not None
    await house.ann.select(menu.message, level)
    seated = "SELECT 1 FROM seats WHERE match = ? AND occupant = 'computer'"
    await house.quiet(lambda: bool(house.records.ask(seated, match)))
    started = begin(house)
    await started.do()
    await house.quiet(started.done)
    return match


async def test_a_job_under_way_when_the_bot_is_killed_is_done_once(tmp_path: Path) -> None:
    async with open_house(tmp_path, "thinkers") as house:
        await house.start(DOMINIUM_THINKERS="1")
        match = await against_computer(house, "hard")
        seat = newest(house).seats.index(house.ann.id)
        await house.quiet(lambda: seat in house.now(match).to_act)
        move = house.move(match, "mention")
        before = len(house.plays(match))
        await move.do()
        await house.quiet(lambda: len(house.plays(match)) > before)
        await house.bots.kill()
        await house.start(DOMINIUM_THINKERS="1")
        await house.quiet(lambda: len(house.plays(match)) == before + 2)
        await house.quiet(lambda: seat in house.now(match).to_act)
        assert [calls(one)[0][2] for one in house.boards(match)][-1] == house.now(match).seq
        house.played[match] = house.plays(match)
        house.judge()
