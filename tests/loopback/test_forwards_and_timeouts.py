"""People forward messages, and people and bots are timed out."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from discord import PermissionOverwrite

from tests.loopback import BackendError, SetupError
from tests.loopback.raw_client import RawClient
from tests.loopback.test_errors import TEXT, make_thread, posts
from tests.loopback.test_server import Stage

BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}


async def test_a_forwarded_message_is_a_snapshot_without_author_and_reply(
    stage: Stage, client: RawClient
) -> None:
    _, posted = await client.ask("POST", posts(stage.room), TEXT | {"components": [BUTTON]})
    panel = await stage.server.wait_for_message(stage.room)
    home = stage.guild.create_text_channel("elsewhere")
    async with client.gateway() as gateway:
        stage.ann.forward(panel, home)
        event = await gateway.event("MESSAGE_CREATE")
    assert event["channel_id"] == str(home.id)
    assert event["content"] == ""
    assert event["flags"] & 1 << 14
    assert event["message_reference"] == {
        "type": 1,
        "message_id": posted["id"],
        "channel_id": str(stage.room.id),
        "guild_id": str(stage.guild.id),
    }
    assert "referenced_message" not in event
    (snapshot,) = event["message_snapshots"]
    assert snapshot.keys() == {"message"}
    assert not {"id", "author", "channel_id"} & snapshot["message"].keys()


async def test_what_a_person_cannot_read_or_where_they_cannot_write_nothing_is_forwarded(
    stage: Stage, client: RawClient
) -> None:
    message = stage.ann.send(stage.room, "e4")
    quiet = stage.guild.create_text_channel("quiet", overwrites=nobody(stage, "send_messages"))
    hidden = stage.guild.create_text_channel("hidden", overwrites=nobody(stage, "view_channel"))
    with pytest.raises(BackendError, match="50013"):
        stage.ann.forward(message, quiet)
    stage.server.allow(hidden, "view_channel", "send_messages")
    await client.ask("POST", posts(hidden), TEXT)
    secret = await stage.server.wait_for_message(hidden)
    with pytest.raises(BackendError, match="50001"):
        stage.ann.forward(secret, stage.room)


def nobody(stage: Stage, right: str) -> dict[Any, Any]:
    return {stage.guild.default_role: PermissionOverwrite(**{right: False})}


async def test_a_person_who_is_timed_out_reads_and_does_nothing_else(stage: Stage, client: RawClient) -> None:
    await client.ask("POST", posts(stage.room), TEXT | {"components": [BUTTON]})
    panel = await stage.server.wait_for_message(stage.room)
    soon = stage.server.world.now() + datetime.timedelta(minutes=5)
    stage.ann.time_out(stage.guild, soon)
    with pytest.raises(BackendError, match="50013"):
        stage.ann.send(stage.room, "e4")
    with pytest.raises(BackendError, match="50013"):
        stage.ann.forward(panel, stage.room)
    with pytest.raises(SetupError, match="timed out"):
        await stage.ann.click(panel, "go", answered=False)
    stage.ann.send(stage.ann.dm, "e4")
    stage.server.advance(301)
    stage.ann.send(stage.room, "e4")
    await stage.ann.click(panel, "go", answered=False)


async def test_a_bot_that_is_timed_out_is_refused_what_it_writes(stage: Stage, client: RawClient) -> None:
    _, start = await client.ask("POST", posts(stage.room), TEXT)
    thread = await make_thread(stage, client)
    soon = stage.server.world.now() + datetime.timedelta(minutes=5)
    stage.server.world.time_out(stage.guild, stage.server.bot_id, soon)
    for method, path, body in (
        ("POST", posts(stage.room), TEXT),
        ("POST", posts(thread), TEXT),
        ("POST", f"{posts(stage.room)}/{start['id']}/threads", {"name": "match"}),
        ("PUT", f"{posts(stage.room)}/pins/{start['id']}", None),
    ):
        assert await client.code(method, path, body) == (403, 50013), path
    assert (await client.ask("GET", posts(stage.room)))[0] == 200
    stage.server.world.time_out(stage.guild, stage.server.bot_id, None)
    assert (await client.ask("POST", posts(stage.room), TEXT))[0] == 200
