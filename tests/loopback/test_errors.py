"""Each refusal of Discord: raised by the server's state where there is one for it, and planted by tests."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.loopback.errors import CODES
from tests.loopback.raw_client import RawClient
from tests.loopback.test_server import Stage

TEXT = {"content": "e4"}


def posts(channel: ChannelHandle) -> str:
    return f"/channels/{channel.id}/messages"


async def make_thread(stage: Stage, client: RawClient, name: str = "match") -> ChannelHandle:
    """A thread on a message of the bot."""
    _, start = await client.ask("POST", posts(stage.room), TEXT)
    status, _ = await client.ask("POST", f"{posts(stage.room)}/{start['id']}/threads", {"name": name})
    assert status == 200
    return next(one for one in stage.server.threads(stage.room) if one.id == int(start["id"]))


@pytest.mark.parametrize("code", CODES)
async def test_a_planted_refusal_strikes_as_often_as_it_is_told(
    stage: Stage, client: RawClient, code: int
) -> None:
    fault = stage.server.faults.refuse(code, method="POST", path=posts(stage.room), times=2)
    for _ in range(2):
        status, body = await client.ask("POST", posts(stage.room), TEXT)
        assert (status, body["code"]) == (CODES[code][0], code)
        assert body["message"] == CODES[code][1]
        assert ("retry_after" in body) == (status == 429)
    assert (await client.ask("POST", posts(stage.room), TEXT))[0] == 200
    assert (await client.ask("GET", posts(stage.room)))[0] == 200
    assert len(fault.struck) == 2


async def test_what_is_gone_is_unknown(stage: Stage, client: RawClient) -> None:
    _, message = await client.ask("POST", posts(stage.room), TEXT)
    alone = f"{posts(stage.room)}/{message['id']}"
    assert (await client.ask("DELETE", alone))[0] == 204
    for method, body in (("GET", None), ("PATCH", TEXT), ("DELETE", None)):
        assert await client.code(method, alone, body) == (404, 10008)
    stage.server.delete_channel(stage.room)
    assert await client.code("POST", posts(stage.room), TEXT) == (404, 10003)
    assert await client.code("GET", posts(stage.room)) == (404, 10003)
    assert await client.code("GET", f"/channels/{stage.room.id}") == (404, 10003)


async def test_an_interaction_is_answered_once_and_in_time(stage: Stage, client: RawClient) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    await client.ask("POST", posts(stage.room), TEXT | {"components": [{"type": 1, "components": [button]}]})
    panel = await stage.server.wait_for_message(stage.room)

    async def press() -> str:
        answer = await stage.ann.click(panel, "go", answered=False)
        record = answer.result._interaction
        return f"/interactions/{record.id}/{record.token}/callback"

    answer: dict[str, Any] = {"type": 4, "data": TEXT}
    callback = await press()
    assert (await client.ask("POST", callback, answer))[0] == 204
    assert await client.code("POST", callback, answer) == (400, 40060)
    late = await press()
    stage.server.advance(3.1)
    assert await client.code("POST", late, answer) == (404, 10062)
    assert await client.code("POST", "/interactions/1/nothing/callback", answer) == (404, 10062)


async def test_a_token_of_an_interaction_ends_after_15_minutes(stage: Stage, client: RawClient) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    await client.ask("POST", posts(stage.room), TEXT | {"components": [{"type": 1, "components": [button]}]})
    panel = await stage.server.wait_for_message(stage.room)
    record = (await stage.ann.click(panel, "go", answered=False)).result._interaction
    hook = f"/webhooks/{stage.server.world.backend.application_id}/{record.token}"
    await client.ask("POST", f"/interactions/{record.id}/{record.token}/callback", {"type": 5})
    assert (await client.ask("POST", hook, TEXT, wait="true"))[0] == 200
    stage.server.advance(15 * 60)
    assert await client.code("POST", hook, TEXT) == (401, 50027)
    assert await client.code("PATCH", f"{hook}/messages/@original", TEXT) == (401, 50027)


async def test_rights_that_are_missing(stage: Stage, client: RawClient) -> None:
    stage.server.forbid(stage.room, "send_messages")
    assert await client.code("POST", posts(stage.room), TEXT) == (403, 50013)
    assert (await client.ask("GET", posts(stage.room)))[0] == 200
    stage.server.forbid(stage.room, "view_channel")
    assert await client.code("POST", posts(stage.room), TEXT) == (403, 50001)
    assert await client.code("GET", posts(stage.room)) == (403, 50001)


async def test_direct_messages_that_are_closed_or_without_a_guild(stage: Stage, client: RawClient) -> None:
    cyd = stage.server.create_person("cyd")
    _, room = await client.ask("POST", "/users/@me/channels", {"recipient_id": cyd.id})
    assert await client.code("POST", f"/channels/{room['id']}/messages", TEXT) == (403, 50278)
    cyd.install()
    assert (await client.ask("POST", f"/channels/{room['id']}/messages", TEXT))[0] == 200
    stage.ann.close_dms()
    assert await client.code("POST", posts(stage.ann.dm), TEXT) == (403, 50007)
    stage.bob.leave(stage.guild)
    assert await client.code("POST", posts(stage.bob.dm), TEXT) == (403, 50278)


async def test_channels_without_threads_and_without_messages(stage: Stage, client: RawClient) -> None:
    thread = await make_thread(stage, client)
    for room in (stage.guild.create_voice_channel("voice"), thread, stage.ann.dm):
        _, message = await client.ask("POST", posts(room), TEXT)
        path = f"{posts(room)}/{message['id']}/threads"
        assert await client.code("POST", path, {"name": "match"}) == (400, 50024)
        made = await client.code("POST", f"/channels/{room.id}/threads", {"name": "match", "type": 11})
        assert made == (400, 50024)
    news = stage.guild.create_news_channel("news")
    assert await client.code("POST", f"/channels/{news.id}/threads", {"name": "m", "type": 12}) == (
        400,
        50024,
    )
    forum = stage.guild.create_forum_channel("forum")
    assert await client.code("POST", posts(forum), TEXT) == (400, 50008)


async def test_a_second_thread_on_a_message_and_one_too_many(stage: Stage, client: RawClient) -> None:
    thread = await make_thread(stage, client)
    again = f"{posts(stage.room)}/{thread.id}/threads"
    assert await client.code("POST", again, {"name": "match"}) == (400, 160004)
    stage.server.world.threads.most_active = 2
    other = await make_thread(stage, client)
    _, start = await client.ask("POST", posts(stage.room), TEXT)
    path = f"{posts(stage.room)}/{start['id']}/threads"
    assert await client.code("POST", path, {"name": "match"}) == (400, 160006)
    stage.server.archive(other)
    assert (await client.ask("POST", path, {"name": "match"}))[0] == 200
    assert await client.code("POST", posts(other), TEXT) == (400, 160006)


async def test_a_thread_that_is_full(stage: Stage, client: RawClient) -> None:
    thread = await make_thread(stage, client)
    stage.server.world.threads.most_members = 2
    members = f"/channels/{thread.id}/thread-members"
    assert (await client.ask("PUT", f"{members}/{stage.ann.id}"))[0] == 204
    assert await client.code("PUT", f"{members}/{stage.bob.id}") == (400, 30033)
    assert (await client.ask("PUT", f"{members}/{stage.ann.id}"))[0] == 204


async def test_a_reply_to_what_is_gone(stage: Stage, client: RawClient) -> None:
    lost: discord.Message = stage.ann.send(stage.room, "gone")
    stage.server.delete_message(lost)
    reply = TEXT | {"message_reference": {"message_id": lost.id}}
    status, body = await client.ask("POST", posts(stage.room), reply)
    assert (status, body["code"]) == (400, 50035)
    assert body["errors"]["message_reference"]["_errors"][0]["code"] == "REPLIES_UNKNOWN_MESSAGE"
    kind: dict[str, Any] = reply["message_reference"]  # type: ignore[assignment]
    kind["fail_if_not_exists"] = False
    assert (await client.ask("POST", posts(stage.room), reply))[0] == 200
