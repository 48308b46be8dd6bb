"""Threads archive by time, wake by posts, and refuse when archived or locked what they refuse on Discord."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.loopback import BackendError, LoopbackDiscord, SetupError
from tests.loopback.raw_client import RawClient, raw_client
from tests.loopback.test_errors import TEXT, make_thread, posts
from tests.loopback.test_server import Stage

HOUR = 3600
COMMAND = {"name": "ask", "description": "Ask", "type": 1}
ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
REACTION = "reactions/%F0%9F%91%8D/@me"


@pytest.fixture
async def thread(stage: Stage, client: RawClient) -> ChannelHandle:
    return await make_thread(stage, client)


async def board_in(thread: ChannelHandle, client: RawClient) -> str:
    """A message of the bot with a button; its path."""
    status, message = await client.ask("POST", posts(thread), TEXT | {"components": [ROW]})
    assert status == 200
    return f"{posts(thread)}/{message['id']}"


async def test_a_thread_archives_after_its_time_without_a_message(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    await client.ask("PATCH", f"/channels/{thread.id}", {"auto_archive_duration": 60})
    async with client.gateway() as gateway:
        stage.server.advance(0.9 * HOUR)
        stage.ann.send(thread, "still here")
        stage.server.advance(0.9 * HOUR)
        assert not stage.server.is_archived(thread)
        stage.server.advance(0.2 * HOUR)
        assert stage.server.is_archived(thread)
        told = await gateway.event("THREAD_UPDATE")
        assert told["thread_metadata"]["archived"] is True
    _, read = await client.ask("GET", f"/channels/{thread.id}")
    assert read["thread_metadata"]["archived"] is True


async def test_edits_and_reactions_keep_no_thread_awake(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    board = await board_in(thread, client)
    for _ in range(3):
        stage.server.advance(7 * HOUR)
        assert (await client.ask("PATCH", board, TEXT))[0] == 200
        assert (await client.ask("PUT", f"{board}/{REACTION}"))[0] == 204
    assert not stage.server.is_archived(thread)
    stage.server.advance(3.1 * HOUR)
    assert stage.server.is_archived(thread)


async def test_unarchiving_and_a_new_archive_time_count_as_activity(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    path = f"/channels/{thread.id}"
    stage.server.advance(23 * HOUR)
    assert (await client.ask("PATCH", path, {"auto_archive_duration": 1440}))[0] == 200
    stage.server.advance(23 * HOUR)
    assert not stage.server.is_archived(thread)
    stage.server.advance(2 * HOUR)
    assert stage.server.is_archived(thread)
    assert (await client.ask("PATCH", path, {"archived": False}))[0] == 200
    stage.server.advance(23 * HOUR)
    assert not stage.server.is_archived(thread)


@pytest.mark.parametrize("who", ["ann", "bot"])
async def test_a_post_wakes_an_archived_thread(
    stage: Stage, client: RawClient, thread: ChannelHandle, who: str
) -> None:
    stage.server.advance(25 * HOUR)
    assert stage.server.is_archived(thread)
    async with client.gateway() as gateway:
        if who == "ann":
            stage.ann.send(thread, "good morning")
        else:
            assert (await client.ask("POST", posts(thread), TEXT))[0] == 200
        told = await gateway.event("THREAD_UPDATE")
        assert told["thread_metadata"]["archived"] is False
        await gateway.event("MESSAGE_CREATE")
    assert not stage.server.is_archived(thread)


async def test_an_archived_thread_takes_deletions_and_nothing_else(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    board = await board_in(thread, client)
    said = stage.ann.send(thread, "draft")
    stage.server.archive(thread)
    refused: list[tuple[str, str, Any]] = [
        ("PATCH", board, TEXT),
        ("PUT", f"{board}/{REACTION}", None),
        ("PUT", f"/channels/{thread.id}/thread-members/{stage.ann.id}", None),
        ("PUT", f"/channels/{thread.id}/thread-members/@me", None),
        ("PATCH", f"/channels/{thread.id}", {"name": "other"}),
        ("PATCH", f"/channels/{thread.id}", {"auto_archive_duration": 60}),
    ]
    for method, path, body in refused:
        assert await client.code(method, path, body) == (400, 50083)
    with pytest.raises(BackendError, match="50083"):
        await stage.ann.edit(said, "final")
    assert (await client.ask("GET", board))[0] == 200
    assert (await client.ask("DELETE", board))[0] == 204
    assert stage.server.is_archived(thread)


async def test_a_locked_thread_takes_nothing_from_those_without_the_right(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    board = await board_in(thread, client)
    said = stage.ann.send(thread, "draft")
    stage.server.lock(thread)
    assert await client.code("POST", posts(thread), TEXT) == (403, 160005)
    assert await client.code("PATCH", board, TEXT) == (403, 160005)
    assert await client.code("PATCH", f"/channels/{thread.id}", {"name": "other"}) == (403, 50013)
    for refused in (lambda: stage.ann.send(thread, "hello?"), lambda: stage.server.world.check_edit(said, 1)):
        with pytest.raises(BackendError, match="160005"):
            refused()
    assert (await client.ask("DELETE", board))[0] == 204
    stage.server.lock(thread, locked=False)
    assert (await client.ask("POST", posts(thread), TEXT))[0] == 200


async def test_a_locked_archived_thread_stays_asleep(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    board = await board_in(thread, client)
    stage.server.archive(thread, locked=True)
    assert await client.code("POST", posts(thread), TEXT) == (403, 160005)
    assert await client.code("PATCH", board, TEXT) == (400, 50083)
    assert await client.code("DELETE", board) == (400, 50083)
    assert await client.code("PATCH", f"/channels/{thread.id}", {"locked": False}) == (403, 50013)
    assert stage.server.is_archived(thread)


@pytest.mark.slow
async def test_waking_needs_the_right_to_talk_in_threads(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    stage.server.archive(thread)
    stage.server.forbid(stage.room, "send_messages_in_threads")
    wake = {"archived": False}
    assert await client.code("PATCH", f"/channels/{thread.id}", wake) == (403, 50013)
    stage.server.forbid(stage.room, "send_messages")
    assert (await client.ask("PATCH", f"/channels/{thread.id}", wake))[0] == 200
    assert not stage.server.is_archived(thread)


async def test_who_made_a_thread_may_rename_and_archive_it(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    path = f"/channels/{thread.id}"
    assert (await client.ask("PATCH", path, {"name": "other"}))[0] == 200
    assert await client.code("PATCH", path, {"locked": True}) == (403, 50013)
    assert (await client.ask("PATCH", path, {"archived": True}))[0] == 200
    assert stage.server.is_archived(thread)
    others = stage.server.world.forums.thread_of(stage.ann.id, stage.room, "corner")
    for body in ({"name": "other"}, {"archived": True}):
        assert await client.code("PATCH", f"/channels/{others.id}", body) == (403, 50013)


async def test_who_manages_threads_writes_in_locked_ones_and_wakes_them(client: RawClient) -> None:
    async with LoopbackDiscord(invited=discord.Permissions.all()) as server, raw_client(server) as manager:
        stage = Stage(server)
        thread = await make_thread(stage, manager)
        board = await board_in(thread, manager)
        server.lock(thread)
        assert (await manager.ask("PATCH", board, TEXT))[0] == 200
        server.archive(thread, locked=True)
        assert (await manager.ask("POST", posts(thread), TEXT))[0] == 200
        assert not server.is_archived(thread)


async def test_clients_offer_no_commands_and_buttons_in_closed_threads(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    commands = f"/applications/{stage.server.world.backend.application_id}/commands"
    assert (await client.ask("PUT", commands, [COMMAND]))[0] == 200
    await board_in(thread, client)
    board = stage.server.messages(thread)[-1]
    await stage.ann.slash(thread, "ask", answered=False)
    await stage.ann.click(board, "go", answered=False)

    async def refused() -> None:
        with pytest.raises(SetupError, match="clients refuse"):
            await stage.ann.slash(thread, "ask", answered=False)
        with pytest.raises(SetupError, match="clients refuse"):
            await stage.ann.click(board, "go", answered=False)

    stage.server.lock(thread)
    await refused()
    stage.server.lock(thread, locked=False)
    await stage.ann.slash(thread, "ask", answered=False)
    stage.server.advance(25 * HOUR)
    await refused()
    stage.ann.send(thread, "awake")
    await stage.ann.slash(thread, "ask", answered=False)


async def test_an_answer_in_a_thread_that_was_locked_meanwhile(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    await board_in(thread, client)
    board = stage.server.messages(thread)[-1]

    async def press() -> str:
        record = (await stage.ann.click(board, "go", answered=False)).result._interaction
        return f"/interactions/{record.id}/{record.token}/callback"

    open_answer, private = await press(), await press()
    stage.server.archive(thread, locked=True)
    assert await client.code("POST", open_answer, {"type": 4, "data": TEXT}) == (400, 50083)
    assert (await client.ask("POST", private, {"type": 4, "data": TEXT | {"flags": 64}}))[0] == 204


async def test_only_active_threads_are_told_to_a_new_session(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    other = await make_thread(stage, client)
    stage.server.archive(thread)
    async with client.gateway() as gateway:
        guild = await gateway.event("GUILD_CREATE")
        assert [int(one["id"]) for one in guild["threads"]] == [other.id]


async def test_a_deleted_thread_is_told_in_four_fields(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    async with client.gateway() as gateway:
        stage.server.delete_channel(thread)
        told = await gateway.event("THREAD_DELETE")
        assert told.keys() == {"id", "guild_id", "parent_id", "type"}
        assert await client.code("POST", posts(thread), TEXT) == (404, 10003)


async def test_a_deleted_channel_takes_its_threads_along_unsaid(
    stage: Stage, client: RawClient, thread: ChannelHandle
) -> None:
    async with client.gateway() as gateway:
        stage.server.delete_channel(stage.room)
        await gateway.event("CHANNEL_DELETE")
        assert await client.code("POST", posts(thread), TEXT) == (404, 10003)
        assert await client.code("GET", f"/channels/{thread.id}") == (404, 10003)
        stage.ann.send(stage.ann.dm, "that was all")
        first = await gateway.any_event()
        assert first["t"] == "MESSAGE_CREATE"
