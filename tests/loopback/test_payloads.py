"""A message names its guild and its author's membership in events only."""

from __future__ import annotations

import asyncio

from tests.loopback.raw_client import RawClient
from tests.loopback.test_server import Stage


async def test_messages_over_rest_carry_no_guild_and_no_member(stage: Stage, client: RawClient) -> None:
    first = stage.ann.send(stage.room, "one")
    stage.bob.send(stage.room, "two", reply_to=first, mention=True)
    posts = f"/channels/{stage.room.id}/messages"
    _, history = await client.ask("GET", posts)
    _, alone = await client.ask("GET", f"{posts}/{first.id}")
    _, posted = await client.ask(
        "POST", posts, {"content": "three", "message_reference": {"message_id": first.id}}
    )
    _, edited = await client.ask("PATCH", f"{posts}/{posted['id']}", {"content": "four"})
    told = [*history, alone, posted, edited]
    told += [one["referenced_message"] for one in told if "referenced_message" in one]
    assert len(told) == 8
    for message in told:
        assert message["channel_id"] == str(stage.room.id)
        assert not {"guild_id", "member"} & message.keys()
        assert all("member" not in user for user in message["mentions"])


async def test_messages_of_events_carry_both(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as gateway:
        message = stage.ann.send(stage.room, f"hello {stage.bob.mention}")
        created = await gateway.event("MESSAGE_CREATE")
        await stage.ann.edit(message, "goodbye")
        updated = await gateway.event("MESSAGE_UPDATE")
        for event in (created, updated):
            assert event["guild_id"] == str(stage.guild.id)
            assert event["member"]["joined_at"]
            assert "user" not in event["member"]
        assert created["mentions"][0]["member"]["joined_at"]


async def test_a_replied_message_and_that_of_a_button_carry_neither(stage: Stage, client: RawClient) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    body = {"content": "panel", "components": [{"type": 1, "components": [button]}]}
    _, posted = await client.ask("POST", f"/channels/{stage.room.id}/messages", body)
    panel = await stage.server.wait_for_message(stage.room)
    async with client.gateway() as gateway:
        stage.ann.send(stage.room, "reply", reply_to=panel, mention=True)
        reply = await gateway.event("MESSAGE_CREATE")
        assert reply["referenced_message"]["id"] == posted["id"]
        assert "guild_id" not in reply["referenced_message"]
        pressing = asyncio.create_task(stage.ann.click(panel, "go", answered=False))
        press = await gateway.event("INTERACTION_CREATE")
        await pressing
        assert press["guild_id"] == str(stage.guild.id)
        assert press["member"]["user"]["id"] == str(stage.ann.id)
        assert "guild_id" not in press["message"]


async def test_direct_messages_carry_neither_anywhere(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as gateway:
        stage.ann.send(stage.ann.dm, "psst")
        event = await gateway.event("MESSAGE_CREATE")
        assert event["content"] == "psst"
        assert not {"guild_id", "member"} & event.keys()


async def test_a_new_session_is_told_the_last_message_of_each_channel(
    stage: Stage, client: RawClient
) -> None:
    first = stage.ann.send(stage.room, "first")
    _, thread = await client.ask(
        "POST", f"/channels/{stage.room.id}/messages/{first.id}/threads", {"name": "talk"}
    )
    inside = stage.ann.send(next(one for one in stage.room.threads if one.id == int(thread["id"])), "inside")
    last = stage.ann.send(stage.room, "last")
    async with client.gateway() as gateway:
        guild = await gateway.event("GUILD_CREATE")
        told = {int(one["id"]): one["last_message_id"] for one in (*guild["channels"], *guild["threads"])}
        assert told[stage.room.id] == str(last.id)
        assert told[int(thread["id"])] == str(inside.id)
