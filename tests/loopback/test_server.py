"""The server answers a real discord.py bot in another process as Discord does."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.loopback import BackendError, BotProcess, LoopbackDiscord, Person, SetupError
from tests.loopback.tiny_bot import PICTURE
from tests.openapi import loopback_errors

pytestmark = pytest.mark.process


def tiny_bot(server: LoopbackDiscord, **env: str) -> BotProcess:
    """The small bot of these tests, not yet started."""
    script = Path(__file__).with_name("tiny_bot.py")
    address = {"LOOPBACK_URL": server.url, "LOOPBACK_TOKEN": server.token}
    return BotProcess(server, [sys.executable, script], {**address, **env})


class Stage:
    """A guild with one channel, two people and the bot."""

    def __init__(self, server: LoopbackDiscord) -> None:
        self.server = server
        self.guild = server.create_guild("Harbour")
        self.room: ChannelHandle = self.guild.create_text_channel("games")
        self.ann: Person = server.create_person("ann", self.guild)
        self.bob: Person = server.create_person("bob", self.guild)
        self.bot = tiny_bot(server)


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with LoopbackDiscord() as server:
        stage = Stage(server)
        async with stage.bot:
            yield stage
        assert server.gaps == []
        assert loopback_errors(server.requests) == []


async def test_the_bot_connects_and_registers_its_commands(stage: Stage) -> None:
    await stage.bot.wait_for_line(lambda line: line == "READY")
    assert stage.server.gateway.identified == 1
    assert stage.server.gateway.heartbeats >= 1
    names = {request.template for request in stage.server.requests}
    assert names >= {"/users/@me", "/oauth2/applications/@me", "/applications/{application_id}/commands"}
    assert {request.launch for request in stage.server.requests} == {1}
    actor = stage.ann.members[stage.guild.id]
    assert set(actor.available_commands(stage.room)) == {"think", "ask", "pick", "thread"}


async def test_a_deferred_answer_is_edited_and_followed_up(stage: Stage) -> None:
    answer = await stage.ann.slash(stage.room, "think", about="tea", times=2)
    await answer.complete()
    assert answer.content == "tea tea "
    more = await answer.followup()
    assert more.content == "and more"
    assert stage.server.file(more.attachments[0]) == PICTURE


async def test_a_modal_opens_and_is_answered(stage: Stage) -> None:
    shown = await stage.ann.slash(stage.room, "ask")
    assert shown.modal is not None
    assert shown.modal["title"] == "A question"
    answer = await stage.ann.submit_modal(shown, {"reply": "forty-two"})
    assert answer.content == "you wrote forty-two"


async def test_autocomplete_and_an_ephemeral_answer(stage: Stage) -> None:
    choices = await stage.ann.autocomplete(stage.room, "pick", "fruit", "ap")
    assert [choice["value"] for choice in choices] == ["apple", "apricot"]
    answer = await stage.ann.slash(stage.room, "pick", fruit="apple")
    assert answer.content == "picked apple"
    assert answer.ephemeral
    assert stage.server.messages(stage.room) == []


async def test_buttons_and_menus_on_a_plain_message(stage: Stage) -> None:
    stage.ann.send(stage.room, "panel", mention=True)
    panel = await stage.server.wait_for_message(stage.room)
    await stage.bob.click(panel, "Press 1")
    await stage.server.wait_for_message(stage.room, lambda message: message.content == "pressed 1")
    await stage.bob.click(panel, "press:2")
    await stage.server.wait_for_message(stage.room, lambda message: message.content == "pressed 2")
    answer = await stage.bob.select(panel, "cherry")
    await answer.complete()
    assert answer.ephemeral
    assert "you chose cherry" in {answer.content, *(one.content for one in answer.followups)}


async def test_a_thread_on_a_message_its_archive_and_its_waking(stage: Stage) -> None:
    await stage.ann.slash(stage.room, "thread", name="match")
    thread = await stage.server.wait_for_thread(stage.room, "match")
    welcome = await stage.server.wait_for_message(thread, lambda message: message.content == "welcome")
    stage.ann.send(thread, "archive", mention=True)
    meta = thread._channel.thread_metadata
    assert meta is not None
    await stage.server.wait_until(lambda: meta.archived)
    stage.ann.send(thread, "say awake", mention=True)
    assert not meta.archived
    await stage.server.wait_for_message(thread, after=welcome.id)


async def test_a_picture_comes_with_its_alt_text_and_is_served(stage: Stage) -> None:
    stage.ann.send(stage.room, "picture 7", mention=True)
    message = await stage.server.wait_for_message(stage.room)
    assert message.attachments[0].description == "A board"
    assert message.attachments[0].size == len(PICTURE)
    request = await stage.server.wait_for_request(lambda request: bool(request.files))
    assert request.template == "/channels/{channel_id}/messages"
    assert request.args == {"channel_id": str(stage.room.id)}
    assert request.body["nonce"] == "7"
    assert [(file.filename, file.size) for file in request.files] == [("board.png", len(PICTURE))]
    stage.ann.send(stage.room, "back", mention=True, files=[("there.png", PICTURE)])
    await stage.server.wait_for_message(stage.room, lambda one: one.content == f"{len(PICTURE)} bytes")


async def test_a_repeated_nonce_posts_once(stage: Stage) -> None:
    for _ in range(2):
        stage.ann.send(stage.room, "picture 7", mention=True)
    stage.ann.send(stage.room, "picture 8", mention=True)

    def pictures() -> list[discord.Message]:
        return [message for message in stage.server.messages(stage.room) if message.content == "picture"]

    def answered() -> int:
        return sum(request.sent == 200 and bool(request.files) for request in stage.server.requests)

    await stage.server.wait_until(lambda: answered() == 3)
    assert len(pictures()) == 2


async def test_without_the_intent_only_some_texts_are_readable(stage: Stage) -> None:
    stage.ann.send(stage.room, "reply")  # blank to the bot: it looks, and no more
    await stage.server.wait_for_request(
        lambda request: request.method == "PUT" and "reactions" in request.path
    )
    stage.ann.send(stage.room, "say one", mention=True)
    own = await stage.server.wait_for_message(stage.room, lambda message: message.content == "one")
    stage.ann.send(stage.room, "reply", reply_to=own)
    reply = await stage.server.wait_for_message(stage.room, lambda message: message.content == "here")
    assert reply.reference is not None
    assert stage.ann.id in {user.id for user in reply.mentions}
    before = len(stage.server.requests)
    stage.ann.send(stage.room, "reply", reply_to=own, ping=False)
    await stage.server.wait_for_request(lambda request: "reactions" in request.path, after=before - 1)
    stage.ann.send(stage.ann.dm, "say private")
    await stage.server.wait_for_message(stage.ann.dm, lambda message: message.content == "private")


async def test_with_the_intent_every_text_is_readable() -> None:
    approved = discord.Intents.default()
    approved.message_content = True
    async with LoopbackDiscord(approved=approved) as server:
        stage = Stage(server)
        async with tiny_bot(server, CONTENT="1"):
            stage.ann.send(stage.room, "say aloud")
            await server.wait_for_message(stage.room, lambda message: message.content == "aloud")


async def test_with_the_members_intent_the_members_are_listed() -> None:
    approved = discord.Intents.default()
    approved.members = True
    async with LoopbackDiscord(approved=approved) as server:
        stage = Stage(server)
        async with tiny_bot(server, MEMBERS="1") as bot:
            await bot.wait_for_line(lambda line: line == "READY")
            stage.ann.send(stage.room, "members", mention=True)
            message = await server.wait_for_message(stage.room)
            assert message.content == "Dominium Harbour Owner ann bob"
            stage.bob.leave(stage.guild)
            server.create_person("cyd", stage.guild)
            stage.ann.send(stage.room, "members", mention=True)
            message = await server.wait_for_message(stage.room, after=message.id)
            assert message.content == "Dominium Harbour Owner ann cyd"


async def test_an_intent_that_is_not_switched_on_is_refused() -> None:
    async with LoopbackDiscord() as server:
        bot = tiny_bot(server, CONTENT="1")
        with pytest.raises(AssertionError, match="PrivilegedIntentsRequired"):
            await bot.start()
        assert server.gateway.close_codes == [4014]


async def test_a_wrong_token_is_refused() -> None:
    async with LoopbackDiscord() as server:
        with pytest.raises(AssertionError, match="LoginFailure"):
            await tiny_bot(server, LOOPBACK_TOKEN="wrong").start()


async def test_history_pages_from_the_oldest_and_is_blanked_like_events(stage: Stage) -> None:
    start = stage.ann.send(stage.room, "start")
    for number in range(120):
        stage.ann.send(stage.room, f"{stage.server.bot_mention}x{number}" if number % 50 == 0 else "hidden")
    stage.bob.send(stage.room, f"history {start.id}", mention=True)
    answer = await stage.server.wait_for_message(stage.room)
    texts = answer.content.split("|")
    assert len(texts) == 121
    mention = stage.server.bot_mention
    assert [text for text in texts if text][:3] == [f"{mention}x0", f"{mention}x50", f"{mention}x100"]


async def test_direct_messages_and_their_refusal(stage: Stage) -> None:
    stage.ann.send(stage.room, "dm", mention=True)
    await stage.server.wait_for_message(stage.ann.dm, lambda message: message.content == "psst")
    stage.bob.close_dms()
    stage.bob.send(stage.room, "dm", mention=True)
    refused = await stage.server.wait_for_request(lambda request: request.status == 403)
    assert refused.answer["code"] == 50007


async def test_everything_works_in_direct_messages_too(stage: Stage) -> None:
    stage.ann.send(stage.ann.dm, "panel")
    panel = await stage.server.wait_for_message(stage.ann.dm)
    await stage.ann.click(panel, "Press 1")
    await stage.server.wait_for_message(stage.ann.dm, lambda message: message.content == "pressed 1")
    choices = await stage.ann.autocomplete(stage.ann.dm, "pick", "fruit", "b")
    assert [choice["value"] for choice in choices] == ["banana"]
    answer = await stage.ann.slash(stage.ann.dm, "pick", fruit="banana")
    assert answer.content == "picked banana"


async def test_people_edit_and_delete_their_messages(stage: Stage) -> None:
    message = stage.ann.send(stage.room, "draft")
    await stage.ann.edit(message, "final")
    assert [one.content for one in stage.server.messages(stage.room)] == ["final"]
    with pytest.raises(SetupError):
        await stage.bob.edit(message, "mine")
    await stage.ann.delete(message)
    assert stage.server.messages(stage.room) == []


async def test_rights_are_checked_for_people_and_for_the_bot(stage: Stage) -> None:
    quiet = stage.guild.create_text_channel(
        "quiet", overwrites={stage.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    with pytest.raises(BackendError) as refusal:
        stage.ann.send(quiet, "psst")
    assert refusal.value.code == 50013
    outsider = stage.server.create_person("cyd")
    with pytest.raises(SetupError, match="no member"):
        await outsider.slash(stage.room, "ask")


async def test_an_unknown_route_is_recorded() -> None:
    async with LoopbackDiscord() as server:
        stage = Stage(server)
        async with stage.bot:
            stage.ann.send(stage.room, "strange", mention=True)
            request = await server.wait_for_request(lambda request: request.gap is not None)
            assert request.status == 404
            assert request.answer == {"message": "404: Not Found", "code": 0}
            assert server.gaps == [request]
