"""An enforced nonce posts once, for a few minutes of the server's clock."""

from __future__ import annotations

from typing import Any

from tests.loopback.raw_client import RawClient
from tests.loopback.test_errors import posts
from tests.loopback.test_server import Stage

ENFORCED: dict[str, Any] = {"content": "board", "nonce": "7", "enforce_nonce": True}


async def test_an_enforced_nonce_is_forgotten_after_some_minutes(stage: Stage, client: RawClient) -> None:
    found = []
    for wait in (0, 290, 11):
        stage.server.advance(wait)
        status, message = await client.ask("POST", posts(stage.room), ENFORCED)
        assert (status, message["nonce"]) == (200, "7")
        found.append(message["id"])
    assert found[0] == found[1]
    assert found[1] != found[2]
    assert len(stage.server.messages(stage.room)) == 2


async def test_a_nonce_that_is_not_enforced_posts_twice(stage: Stage, client: RawClient) -> None:
    for _ in range(2):
        await client.ask("POST", posts(stage.room), ENFORCED | {"enforce_nonce": False})
    assert len(stage.server.messages(stage.room)) == 2


async def test_a_nonce_belongs_to_its_author_whatever_the_channel(stage: Stage, client: RawClient) -> None:
    other = stage.guild.create_text_channel("other")
    _, first = await client.ask("POST", posts(stage.room), ENFORCED)
    _, second = await client.ask("POST", posts(other), ENFORCED)
    assert second["id"] == first["id"]
    assert stage.server.messages(other) == []


async def test_a_deleted_message_frees_its_nonce(stage: Stage, client: RawClient) -> None:
    _, first = await client.ask("POST", posts(stage.room), ENFORCED)
    await client.ask("DELETE", f"{posts(stage.room)}/{first['id']}")
    _, second = await client.ask("POST", posts(stage.room), ENFORCED)
    assert second["id"] != first["id"]


async def test_the_event_of_a_message_carries_its_nonce(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as gateway:
        await client.ask("POST", posts(stage.room), ENFORCED)
        assert (await gateway.event("MESSAGE_CREATE"))["nonce"] == "7"
        _, (read,) = await client.ask("GET", posts(stage.room))
        assert not read.get("nonce")
