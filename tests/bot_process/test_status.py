"""What operators want to know is counted, logged, and shown to the owner alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, let_manage, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "status") as made:
        made.server.world.owner = made.ann.id
        made.settings["DOMINIUM_TEST_SLOW"] = "-1"  # every answer is slow
        let_manage(made, made.ann, made.ben)
        await made.start()
        await seated(made, mirrored=False)
        yield made


async def counts(house: House) -> dict[str, int]:
    """What the owner is shown."""
    answer = await house.ann.slash(house.room, "server operator", do="status")
    assert answer.ephemeral
    lines = (line.removeprefix("- ").rpartition(": ") for line in answer.content.splitlines())
    return {name: int(number) for name, _, number in lines if number.isdigit()}


async def test_only_the_owner_is_told(house: House) -> None:
    answer = await house.ben.slash(house.room, "server operator", do="status")
    assert answer.content == "Only the owner of this bot can see that."
    assert "in one server" in (await house.ann.slash(house.room, "server operator", do="status")).content


async def test_reconnects_and_resumes_are_counted_and_logged(house: House) -> None:
    assert not {"new sessions", "sessions resumed"} & (await counts(house)).keys()
    async with house.server.gateway_outage():
        pass
    await house.server.wait_until(lambda: house.server.gateway.resumed == 1)
    async with house.server.gateway_outage(resume=False):
        pass
    await house.bots.wait_for(lambda: house.bots.output.count("READY") >= 3, "a new session")
    found = await counts(house)
    assert (found["sessions resumed"], found["new sessions"]) == (1, 1)
    log = "\n".join(house.bots.output)
    assert "the session was resumed" in log
    assert "a new session replaces the one before" in log


async def test_limits_met_and_errors_are_counted(house: House) -> None:
    posts = r"/channels/\d+/messages"
    house.server.faults.rate_limit(0.01, method="POST", path=posts)
    match = house.records.rows()[0].id
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    house.server.faults.error(503, method="POST", path=posts)
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    found = await counts(house)
    assert (found["rate limits met"], found["errors of Discord"]) == (1, 1)
    house.judge()


async def test_slow_answers_are_counted_and_logged(house: House) -> None:
    before = (await counts(house))["slow answers"]
    await house.ben.slash(house.room, "help")
    assert (await counts(house))["slow answers"] == before + 2
    assert any("slow answer" in line for line in house.bots.output)
