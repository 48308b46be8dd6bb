"""What a bot without the message content intent reads: over the gateway and over REST."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.loopback import LoopbackDiscord
from tests.loopback.raw_client import INTENTS, raw_client
from tests.loopback.test_server import Stage

FILE = [("plan.png", b"png")]
EMPTY: dict[str, Any] = {"content": "", "attachments": [], "embeds": [], "components": []}
Write = Callable[[Stage, discord.Message], discord.Message]


def role_mention(stage: Stage) -> str:
    roles = stage.server.world.backend.guilds[stage.guild.id].roles.values()
    return f"<@&{next(role.id for role in roles if role.managed)}>"


HIDDEN: dict[str, Write] = {
    "plain": lambda stage, own: stage.ann.send(stage.room, "e4", files=FILE),
    "mention of another": lambda stage, own: stage.ann.send(
        stage.room, f"{stage.bob.mention} e4", files=FILE
    ),
    "reply without a ping": lambda stage, own: stage.ann.send(
        stage.room, "e4", reply_to=own, ping=False, files=FILE
    ),
    "mention of the bot's role": lambda stage, own: stage.ann.send(
        stage.room, f"{role_mention(stage)} e4", files=FILE
    ),
    "everyone": lambda stage, own: stage.ann.send(stage.room, "@everyone e4", files=FILE),
}
READABLE: dict[str, Write] = {
    "mention": lambda stage, own: stage.ann.send(stage.room, "e4", mention=True, files=FILE),
    "reply with a ping": lambda stage, own: stage.ann.send(stage.room, "e4", reply_to=own, files=FILE),
    "direct": lambda stage, own: stage.ann.send(stage.ann.dm, "e4", files=FILE),
}


async def told(stage: Stage, write: Write, intents: discord.Intents = INTENTS) -> tuple[Any, Any, Any]:
    """A message as its event, as one of the channel's history, and alone."""
    async with raw_client(stage.server) as client, client.gateway(intents) as gateway:
        await client.ask("POST", f"/channels/{stage.room.id}/messages", {"content": "board"})
        await gateway.event("MESSAGE_CREATE")
        own = await stage.server.wait_for_message(stage.room)
        write(stage, own)
        event = await gateway.event("MESSAGE_CREATE")
        posts = f"/channels/{event['channel_id']}/messages"
        _, history = await client.ask("GET", posts)
        _, alone = await client.ask("GET", f"{posts}/{event['id']}")
        return event, next(one for one in history if one["id"] == event["id"]), alone


@pytest.mark.parametrize("write", HIDDEN.values(), ids=HIDDEN)
async def test_without_the_intent_texts_and_files_are_empty(stage: Stage, write: Write) -> None:
    for message in await told(stage, write):
        assert {key: message[key] for key in EMPTY} == EMPTY
        assert message["author"]["id"] == str(stage.ann.id)


@pytest.mark.parametrize("write", READABLE.values(), ids=READABLE)
async def test_what_is_said_to_the_bot_is_read_without_the_intent(stage: Stage, write: Write) -> None:
    for message in await told(stage, write):
        assert message["content"].endswith("e4")
        assert [file["filename"] for file in message["attachments"]] == ["plan.png"]


async def test_own_messages_are_read_without_the_intent(stage: Stage) -> None:
    async with raw_client(stage.server) as client, client.gateway() as gateway:
        row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
        body = {"content": "board", "components": [row], "embeds": [{"title": "t"}]}
        _, posted = await client.ask("POST", f"/channels/{stage.room.id}/messages", body)
        event = await gateway.event("MESSAGE_CREATE")
        _, (read,) = await client.ask("GET", f"/channels/{stage.room.id}/messages")
        for message in (posted, event, read):
            assert (message["content"], len(message["components"]), len(message["embeds"])) == ("board", 1, 1)


async def test_an_edit_is_blanked_as_the_message_was(stage: Stage) -> None:
    async with raw_client(stage.server) as client, client.gateway() as gateway:
        message = stage.ann.send(stage.room, "draft")
        await stage.ann.edit(message, "e4")
        assert (await gateway.event("MESSAGE_UPDATE"))["content"] == ""
        await stage.ann.edit(message, f"{stage.server.bot_mention} e4")
        assert (await gateway.event("MESSAGE_UPDATE"))["content"] == f"{stage.server.bot_mention} e4"


async def test_an_answered_message_is_blanked_in_its_answer(stage: Stage) -> None:
    def answer(stage: Stage, own: discord.Message) -> discord.Message:
        room: ChannelHandle = stage.room
        return stage.bob.send(room, "so?", mention=True, reply_to=stage.ann.send(room, "secret"))

    async with raw_client(stage.server) as client, client.gateway() as gateway:
        answer(stage, stage.ann.send(stage.room, "-"))
        event = await gateway.event("MESSAGE_CREATE")
        while "referenced_message" not in event:
            event = await gateway.event("MESSAGE_CREATE")
        _, alone = await client.ask("GET", f"/channels/{stage.room.id}/messages/{event['id']}")
        for message in (event, alone):
            assert message["content"].endswith("so?")
            assert message["referenced_message"]["content"] == ""


async def test_rest_goes_by_the_portal_and_events_by_the_session() -> None:
    approved = discord.Intents.default()
    approved.message_content = True
    async with LoopbackDiscord(approved=approved) as server:
        event, listed, alone = await told(Stage(server), HIDDEN["plain"])
        assert (event["content"], listed["content"], alone["content"]) == ("", "e4", "e4")
    async with LoopbackDiscord(approved=approved) as server:
        event, listed, alone = await told(Stage(server), HIDDEN["plain"], approved)
        assert (event["content"], listed["content"], alone["content"]) == ("e4", "e4", "e4")
