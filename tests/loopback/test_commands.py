"""What Discord takes as commands: names, descriptions, options, and how many in a day."""

from __future__ import annotations

from typing import Any

import pytest

from tests.loopback import SetupError
from tests.loopback.raw_client import RawClient
from tests.loopback.test_rules import BAD_COMMANDS, slash
from tests.loopback.test_server import Stage


def commands(stage: Stage) -> str:
    return f"/applications/{stage.server.world.backend.application_id}/commands"


@pytest.mark.parametrize(
    ("listed", "key"), [bad[1:] for bad in BAD_COMMANDS], ids=[bad[0] for bad in BAD_COMMANDS]
)
async def test_a_bad_list_is_refused_and_changes_nothing(
    stage: Stage, client: RawClient, listed: list[dict[str, Any]], key: str
) -> None:
    assert (await client.ask("PUT", commands(stage), [slash(name="kept")]))[0] == 200
    status, body = await client.ask("PUT", commands(stage), listed)
    assert (status, body["code"]) == (400, 50035)
    assert key in {fault.key for one in stage.server.take_refused() for fault in one.verdict.faults}
    _, left = await client.ask("GET", commands(stage))
    assert [one["name"] for one in left] == ["kept"]


async def test_200_commands_are_created_in_a_day(stage: Stage, client: RawClient) -> None:
    lists = [[slash(name=f"{letter}{n}") for n in range(100)] for letter in "abc"]
    assert (await client.ask("PUT", commands(stage), lists[0]))[0] == 200
    for _ in range(3):  # what is there already is no creation
        assert (await client.ask("PUT", commands(stage), lists[0]))[0] == 200
    assert (await client.ask("PUT", commands(stage), lists[1]))[0] == 200
    assert await client.code("PUT", commands(stage), lists[2]) == (400, 30034)
    assert (await client.ask("PUT", commands(stage), lists[1]))[0] == 200
    stage.server.advance(24 * 3600)
    assert (await client.ask("PUT", commands(stage), lists[2]))[0] == 200


async def test_a_command_that_is_no_longer_listed_is_gone(stage: Stage, client: RawClient) -> None:
    await client.ask("PUT", commands(stage), [slash()])
    await stage.ann.slash(stage.room, "play", answered=False)
    await client.ask("PUT", commands(stage), [slash(name="look")])
    with pytest.raises(SetupError):
        await stage.ann.slash(stage.room, "play", answered=False)
