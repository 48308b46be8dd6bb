"""What the judge of responses catches, in requests as the server logs them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot_process.responses import CALLBACK, FOLLOWUP, LAYOUT, POST, PRIVATE, judge_responses
from tests.loopback import LoggedRequest, LoopbackDiscord
from tests.loopback.raw_client import raw_client

HELLO = {"content": "hello"}


async def logged(template: str, *bodies: Any) -> list[LoggedRequest]:
    """Post these bodies to a server, in answer to one interaction or to a channel; return its log."""
    async with LoopbackDiscord() as server, raw_client(server) as client:
        guild = server.create_guild("Club")
        room, ann = guild.create_text_channel("games"), server.create_person("Ann")
        ann.join(guild)
        button = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
        await client.ask("POST", f"/channels/{room.id}/messages", HELLO | {"components": [button]})
        panel = await server.wait_for_message(room)
        record = (await ann.click(panel, "go", answered=False)).result._interaction
        callback = f"/interactions/{record.id}/{record.token}/callback"
        path = {
            CALLBACK: callback,
            FOLLOWUP: f"/webhooks/{server.world.backend.application_id}/{record.token}",
            POST: f"/channels/{room.id}/messages",
        }[template]
        if template == FOLLOWUP:
            await client.ask("POST", callback, {"type": 6})
        for body in bodies:
            await client.ask("POST", path, body)
        return list(server.requests)


@pytest.mark.parametrize(
    ("template", "bodies"),
    [
        (CALLBACK, [{"type": 4, "data": HELLO}]),
        (CALLBACK, [{"type": 5}]),
        (FOLLOWUP, [HELLO]),
        (FOLLOWUP, [HELLO | {"flags": PRIVATE}] * 6),
        (POST, [{"flags": LAYOUT, "components": [{"type": 10, "content": "<@1> hello"}]}]),
    ],
)
async def test_a_response_that_we_do_not_send_is_caught(template: str, bodies: list[Any]) -> None:
    with pytest.raises(AssertionError):
        judge_responses(await logged(template, *bodies))


@pytest.mark.parametrize(
    ("template", "bodies"),
    [
        (CALLBACK, [{"type": 4, "data": HELLO | {"flags": PRIVATE}}]),
        (CALLBACK, [{"type": 5, "data": {"flags": PRIVATE}}]),
        (CALLBACK, [{"type": 6}]),
        (FOLLOWUP, [HELLO | {"flags": PRIVATE}] * 5),
        (POST, [HELLO]),
    ],
)
async def test_a_response_that_we_send_passes(template: str, bodies: list[Any]) -> None:
    judge_responses(await logged(template, *bodies))
