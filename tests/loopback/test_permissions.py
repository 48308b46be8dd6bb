"""Rights: overwrites of channels, talking in threads apart from talking in channels, private threads."""

from __future__ import annotations

import discord
import pytest
from discord import PermissionOverwrite
from simcord.builders import ChannelHandle

from tests.loopback import BackendError
from tests.loopback.raw_client import RawClient
from tests.loopback.test_errors import TEXT, make_thread, posts
from tests.loopback.test_server import Stage


def refused(stage: Stage, room: ChannelHandle, text: str = "e4") -> int:
    """The code with which Ann's message is refused; 0 if it is posted."""
    try:
        stage.ann.send(room, text)
    except BackendError as error:
        return error.code
    return 0


async def test_the_bots_managed_role_has_its_name_and_the_rights_of_the_invitation(
    stage: Stage, client: RawClient
) -> None:
    _, roles = await client.ask("GET", f"/guilds/{stage.guild.id}/roles")
    (own,) = [role for role in roles if role["managed"]]
    assert own["name"] == "Dominium"
    assert own["tags"] == {"bot_id": str(stage.server.bot_id)}
    assert not discord.Permissions(int(own["permissions"])).manage_threads
    assert discord.Permissions(int(own["permissions"])).send_messages_in_threads
    async with client.gateway() as gateway:
        told = (await gateway.event("GUILD_CREATE"))["roles"]
        assert [role["id"] for role in told if "tags" in role] == [own["id"]]
        stage.ann.send(stage.room, f"<@&{own['id']}> e4")
        event = await gateway.event("MESSAGE_CREATE")
        assert event["mention_roles"] == [own["id"]]
        assert event["mentions"] == []


async def test_overwrites_count_everyone_then_roles_then_the_member(stage: Stage, client: RawClient) -> None:
    everyone = stage.guild.default_role
    room = stage.guild.create_text_channel(
        "quiet", overwrites={everyone: PermissionOverwrite(send_messages=False)}
    )
    assert refused(stage, room) == 50013
    assert await client.code("POST", posts(room), TEXT) == (403, 50013)
    stage.server.allow(room, "send_messages")
    assert (await client.ask("POST", posts(room), TEXT))[0] == 200
    assert refused(stage, room) == 50013
    stage.server.forbid(room, "send_messages")
    assert await client.code("POST", posts(room), TEXT) == (403, 50013)


async def test_talking_in_threads_is_a_right_of_its_own(stage: Stage, client: RawClient) -> None:
    thread = await make_thread(stage, client)
    stage.server.forbid(stage.room, "send_messages")
    assert await client.code("POST", posts(stage.room), TEXT) == (403, 50013)
    assert (await client.ask("POST", posts(thread), TEXT))[0] == 200
    stage.server.forbid(stage.room, "send_messages_in_threads")
    assert await client.code("POST", posts(thread), TEXT) == (403, 50013)
    assert (await client.ask("POST", posts(stage.room), TEXT))[0] == 200
    everyone = stage.guild.default_role
    room = stage.guild.create_text_channel(
        "halls", overwrites={everyone: PermissionOverwrite(send_messages_in_threads=False)}
    )
    assert refused(stage, room) == 0
    assert refused(stage, thread) == 0


async def test_people_need_rights_for_files_and_a_shared_guild_for_direct_messages(stage: Stage) -> None:
    everyone = stage.guild.default_role
    room = stage.guild.create_text_channel(
        "words", overwrites={everyone: PermissionOverwrite(attach_files=False)}
    )
    stage.ann.send(room, "e4")
    with pytest.raises(BackendError, match="50013"):
        stage.ann.send(room, "e4", files=[("plan.png", b"png")])
    stage.ann.send(stage.ann.dm, "e4")
    stage.ann.leave(stage.guild)
    with pytest.raises(BackendError, match="50278"):
        stage.ann.send(stage.ann.dm, "e4")


async def test_threads_and_files_need_their_rights(stage: Stage, client: RawClient) -> None:
    _, start = await client.ask("POST", posts(stage.room), TEXT)
    hang = f"{posts(stage.room)}/{start['id']}/threads"
    stage.server.forbid(stage.room, "create_public_threads")
    assert await client.code("POST", hang, {"name": "match"}) == (403, 50013)
    stage.server.forbid(stage.room)
    assert (await client.ask("POST", hang, {"name": "match"}))[0] == 200
    private = {"name": "secret", "type": 12}
    assert await client.code("POST", f"/channels/{stage.room.id}/threads", private) == (403, 50013)
    stage.server.forbid(stage.room, "read_message_history")
    reply = TEXT | {"message_reference": {"message_id": start["id"]}}
    assert await client.code("POST", posts(stage.room), reply) == (400, 160002)
    assert (await client.ask("GET", posts(stage.room)))[1] == []


async def test_others_messages_are_deleted_and_edited_by_nobody_without_the_right(
    stage: Stage, client: RawClient
) -> None:
    theirs = stage.ann.send(stage.room, "mine")
    assert await client.code("DELETE", f"{posts(stage.room)}/{theirs.id}") == (403, 50013)
    assert await client.code("PATCH", f"{posts(stage.room)}/{theirs.id}", TEXT) == (403, 50005)


async def test_a_private_thread_is_for_its_members(stage: Stage, client: RawClient) -> None:
    stage.server.allow(stage.room, "create_private_threads")
    _, made = await client.ask("POST", f"/channels/{stage.room.id}/threads", {"name": "secret", "type": 12})
    (thread,) = stage.server.threads(stage.room)
    assert thread.id == int(made["id"])
    assert refused(stage, thread) == 50001
    assert (await client.ask("PUT", f"/channels/{thread.id}/thread-members/{stage.ann.id}"))[0] == 204
    assert refused(stage, thread) == 0
    async with client.gateway() as gateway:
        guild = await gateway.event("GUILD_CREATE")
        assert [one["id"] for one in guild["threads"]] == [made["id"]]
        assert (await client.ask("DELETE", f"/channels/{thread.id}/thread-members/@me"))[0] == 204
        assert await client.code("GET", posts(thread)) == (403, 50001)
        assert await client.code("POST", posts(thread), TEXT) == (403, 50001)
        assert await client.code("GET", f"/channels/{thread.id}") == (403, 50001)
        stage.ann.send(thread, "are they gone?", mention=True)
        stage.ann.send(stage.room, "they are", mention=True)
        heard = await gateway.event("MESSAGE_CREATE")
        assert heard["channel_id"] == str(stage.room.id)
    async with client.gateway() as gateway:
        assert (await gateway.event("GUILD_CREATE"))["threads"] == []


async def test_what_the_bot_may_not_see_it_is_not_told(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as gateway:
        stage.server.forbid(stage.room, "view_channel")
        stage.ann.send(stage.room, "psst", mention=True)
        stage.ann.send(stage.ann.dm, "hello")
        assert (await gateway.event("MESSAGE_CREATE"))["content"] == "hello"


async def test_changes_of_the_bots_own_roles_are_told_whatever_the_intents(
    stage: Stage, client: RawClient
) -> None:
    backend = stage.server.world.backend
    async with client.gateway() as gateway:
        role = backend.create_role(stage.guild.id, "Guests")
        backend.add_member_role(stage.guild.id, stage.ann.id, role.id)
        backend.add_member_role(stage.guild.id, stage.server.bot_id, role.id)
        event = await gateway.event("GUILD_MEMBER_UPDATE")
        assert event["user"]["id"] == str(stage.server.bot_id)
        assert str(role.id) in event["roles"]


async def test_a_bot_that_is_added_to_a_private_thread_is_told_of_it(stage: Stage, client: RawClient) -> None:
    backend = stage.server.world.backend
    thread = stage.server.world.forums.thread_of(stage.ann.id, stage.room, "secret", private=True)
    async with client.gateway() as gateway:
        backend.add_thread_member(thread.id, stage.server.bot_id)
        event = await gateway.event("THREAD_CREATE")
        assert event["id"] == str(thread.id)
        assert "newly_created" not in event
        assert event["member"]["user_id"] == str(stage.server.bot_id)


async def test_an_interaction_is_answered_without_any_right_in_the_channel(
    stage: Stage, client: RawClient
) -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}
    await client.ask("POST", posts(stage.room), TEXT | {"components": [{"type": 1, "components": [button]}]})
    panel = await stage.server.wait_for_message(stage.room)
    stage.server.forbid(stage.room, "send_messages", "attach_files")
    async with client.gateway() as gateway:
        record = (await stage.ann.click(panel, "go", answered=False)).result._interaction
        press = await gateway.event("INTERACTION_CREATE")
        have = discord.Permissions(int(press["app_permissions"]))
        assert not have.send_messages
        assert have.view_channel
    callback = f"/interactions/{record.id}/{record.token}/callback"
    assert (await client.ask("POST", callback, {"type": 4, "data": TEXT}))[0] == 204
