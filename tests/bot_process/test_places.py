"""Where matches are played: forums, threads, posts, announcements, voice chats; what the bot needs there."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from tests.bot_process.house import House, calls, ends, open_house
from tests.bot_process.lobbies import newest
from tests.loopback import Answer, LoggedRequest, Moment

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "places") as made:
        await made.start(DOMINIUM_TEST_POLL="3600")  # handlers deliver what they bring about
        yield made


def is_board(message: discord.Message) -> bool:
    return bool(calls(message)) and calls(message)[0][0] == "moves"


async def play(house: House, at: ChannelHandle, **options: Any) -> str:
    """What the bot answers to `/play`."""
    answer = await house.ann.slash(at, "play", game="focus", players=2, **options)
    return await text_of(answer)


async def text_of(answer: Answer) -> str:
    """What the bot has answered to an interaction, once it is done."""
    await answer.complete()
    return "\n".join([answer.content, *(one.content for one in answer.followups)])


async def refused(house: House) -> None:
    """No match was opened, which elsewhere is possible."""
    assert house.records.rows() == []
    assert "is open" in await play(house, house.gallery)
    await house.server.wait_for_message(house.gallery)


async def start(house: House, home: ChannelHandle) -> str:
    """Take the second seat of the lobby in a channel, and start its match; its id."""
    lobby = await house.server.wait_for_message(home, lambda message: bool(calls(message)))
    match = calls(lobby)[0][1]
    await house.ben.click(lobby, f"domb:join:{match}:-1")
    await house.quiet(lambda: house.ben.id in newest(house).seats)
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    await house.server.wait_for_message(home, is_board)
    await house.quiet(lambda: newest(house).status == "live")
    return match


async def move_once(house: House, match: str, home: ChannelHandle) -> None:
    """A typed move, and its board."""
    row, now = newest(house), house.now(match)
    house.mover(row, now).send(home, house.any_move(match))
    await house.quiet(lambda: len(house.plays(match)) == 1)
    boards = [call for one in house.server.messages(home) for call in calls(one)[:1] if call[0] == "moves"]
    assert [seq for _, _, seq in boards] == ends(house.records.entries(match))


# --- forums -------------------------------------------------------------------------------------------


async def test_a_match_in_a_forum_is_a_post_with_the_lobby_first(house: House) -> None:
    forum = house.server.world.forums.create(house.guild, "matches", tags=("Talk", "Focus (Domination)"))
    said = await play(house, house.room, channel=forum)
    (post,) = house.server.threads(forum)
    assert post.mention in said
    assert house.server.world.forums.tag_names(post) == ["Focus (Domination)"]
    match = await start(house, post)
    assert newest(house).thread == post.id
    first = house.server.messages(post)[0]
    assert first.id == post.id, "the lobby is the starter message"
    assert "The match has begun." in first.content
    assert post.name == f"Focus: Ann – Ben · {match}"
    await move_once(house, match, post)
    assert not house.server.messages(house.room)
    assert not house.server.messages(forum)


async def test_each_match_of_a_forum_has_a_post_and_a_rematch_another(house: House) -> None:
    forum = house.server.world.forums.create(house.guild, "matches", tags=("Talk", "Dominium"), required=True)
    await play(house, house.room, channel=forum)
    (post,) = house.server.threads(forum)
    match = await start(house, post)
    await play(house, house.room, channel=forum)
    assert len(house.server.threads(forum)) == 2
    assert [house.server.world.forums.tag_names(one) for one in house.server.threads(forum)] == [
        ["Dominium"]
    ] * 2
    sure = await house.ann.slash(post, "match resign", match=match)
    shown = sure.message
    assert shown is not None
    await house.ann.click(shown, "Yes, I resign", answered=False)
    await house.quiet(lambda: house.records.rows()[0].status != "live")
    over = await house.server.wait_for_message(
        post, lambda one: bool(one.attachments) and len(one.attachments) > 1
    )
    said = await text_of(await house.ann.click(over, "Rematch"))
    await house.quiet(lambda: len(house.records.rows()) == 3)
    assert len(house.server.threads(forum)) == 3
    assert house.server.threads(forum)[-1].mention in said


async def test_a_forum_whose_tags_are_the_moderators_is_told(house: House) -> None:
    forum = house.server.world.forums.create(house.guild, "news", moderated=("Official",), required=True)
    said = await play(house, house.room, channel=forum)
    assert said == (
        f"Posts in {forum.mention} need a tag, and I can't set any of its tags. Someone who manages the "
        "channel can add the tag Focus, or let others use one of the tags."
    )
    await refused(house)
    house.server.world.forums.set_tags(forum, tags=("Talk", "More"), moderated=("focus",), required=True)
    await play(house, house.room, channel=forum)
    (post,) = house.server.threads(forum)
    assert house.server.world.forums.tag_names(post) == ["Talk"], "the first that everyone may set"


async def test_a_post_is_made_once_however_its_making_ends(house: House) -> None:
    await house.bots.kill()
    await house.start(**HASTE)
    forum = house.server.world.forums.create(house.guild, "matches")
    path = rf"/channels/{forum.id}/threads"
    house.server.faults.reset(method="POST", path=path, after_handling=True)
    await house.ann.slash(house.room, "play", answered=False, game="focus", players=2, channel=forum)
    await house.quiet(lambda: len(house.records.rows()) == 1)
    assert len(house.server.threads(forum)) == 1

    async def killed(moment: Moment, request: LoggedRequest) -> bool | None:
        if moment is not Moment.AFTER or request.path != path.replace("\\", "") or request.method != "POST":
            return None
        house.bots.signal(signal.SIGKILL)
        return False

    house.server.on_request = killed
    await house.ann.slash(house.room, "play", answered=False, game="focus", players=2, channel=forum)
    await house.bots.wait()
    house.server.on_request = None
    await house.start(**HASTE)
    await house.quiet(lambda: len(house.records.rows()) == 2)
    posts = house.server.threads(forum)
    assert sorted(row.thread or 0 for row in house.records.rows()) == sorted(post.id for post in posts)
    await start(house, posts[-1])


async def test_what_is_missing_in_a_forum_is_named_as_there(house: House) -> None:
    forum = house.server.world.forums.create(house.guild, "matches")
    house.server.forbid(forum, "send_messages", "attach_files", "send_messages_in_threads")
    said = await play(house, house.room, channel=forum)
    assert said == (
        f"I need permissions in {forum.mention}: Create Posts, Attach Files, and Send Messages in Threads. "
        "Please ask someone who manages this server to grant them."
    )
    await refused(house)


async def test_a_media_channel_is_refused_with_what_would_do(house: House) -> None:
    media = house.server.world.forums.create_media(house.guild, "pictures")
    said = await play(house, house.room, channel=media)
    assert said == (
        f"{media.mention} is a media channel, and a match doesn't fit there. "
        "Choose a text channel, a forum or a thread."
    )
    await refused(house)


# --- threads and posts of people ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["thread", "post"])
async def test_a_match_in_a_thread_is_played_in_that_thread(house: House, kind: str) -> None:
    forums = house.server.world.forums
    parent = house.room if kind == "thread" else forums.create(house.guild, "talk")
    home = forums.thread_of(house.ann.id, parent, "our corner")
    house.server.forbid(parent, "send_messages", "create_public_threads")
    assert "is open" in await play(house, home)
    match = await start(house, home)
    await move_once(house, match, home)
    assert len(house.server.threads(parent)) == 1


async def test_in_a_thread_the_permission_for_threads_decides(house: House) -> None:
    thread = house.server.world.forums.thread_of(house.ann.id, house.room, "our corner")
    house.server.forbid(house.room, "send_messages_in_threads")
    wanted = (
        f"I need a permission in {house.room.mention}: Send Messages in Threads. "
        "Please ask someone who manages this server to grant it."
    )
    assert await play(house, thread) == wanted, "it is set in the channel, not in its thread"
    assert await play(house, house.gallery, channel=thread) == wanted
    assert house.records.rows() == []
    house.server.forbid(house.room, "send_messages")
    assert "is open" in await play(house, house.gallery, channel=thread)
    await house.server.wait_for_message(thread)
    assert len(house.records.rows()) == 1


async def test_a_private_thread_asks_for_membership(house: House) -> None:
    thread = house.server.world.forums.thread_of(house.ann.id, house.room, "secret", private=True)
    said = await play(house, thread)
    assert (
        said == f"I'm not in the private thread {thread.mention}. Mention me there to add me, then try again."
    )
    assert house.records.rows() == []
    house.server.world.backend.add_thread_member(thread.id, house.server.bot_id)
    assert "is open" in await play(house, thread)
    await house.server.wait_for_message(thread)


# --- other channels -----------------------------------------------------------------------------------


async def test_a_match_in_an_announcement_channel_has_its_thread(house: House) -> None:
    news = house.guild.create_news_channel("news")
    await play(house, news)
    lobby = await house.server.wait_for_message(news, lambda message: bool(calls(message)))
    match = calls(lobby)[0][1]
    await house.ben.click(lobby, f"domb:join:{match}:-1")
    await house.quiet(lambda: house.ben.id in newest(house).seats)
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    thread = await house.server.wait_for_thread(news)
    await house.server.wait_for_message(thread, is_board)
    await move_once(house, match, thread)


@pytest.mark.parametrize("kind", ["voice", "stage"])
async def test_a_chat_has_no_threads_and_says_so(house: House, kind: str) -> None:
    make = house.guild.create_voice_channel if kind == "voice" else house.guild.create_stage_channel
    chat = make("chat")
    house.server.forbid(chat, "create_public_threads", "send_messages_in_threads")
    said = await play(house, chat)
    assert said.endswith("There are no threads here, so the match is played in the chat itself.")
    match = await start(house, chat)
    await move_once(house, match, chat)
    assert "is played in this channel" in await play(house, chat)


async def test_who_can_not_write_in_a_channel_starts_no_match_there(house: House) -> None:
    everyone = house.guild.default_role
    quiet = house.guild.create_text_channel(
        "quiet", overwrites={everyone: discord.PermissionOverwrite(send_messages=False)}
    )
    house.server.allow(quiet, "send_messages")
    said = await play(house, house.room, channel=quiet)
    assert said == f"You can't write in {quiet.mention}, so you can't start a match there."
    await refused(house)


async def test_a_missing_permission_is_told_before_a_match_starts(house: House) -> None:
    house.server.forbid(house.room, "create_public_threads", "attach_files", "read_message_history")
    assert await play(house, house.room) == (
        f"I need permissions in {house.room.mention}: Attach Files, Read Message History, and "
        "Create Public Threads. Please ask someone who manages this server to grant them."
    )
    house.server.forbid(house.room, "send_messages")
    assert "Send Messages." in await play(house, house.room), "an answer needs no permission"
    await refused(house)


async def test_a_permission_taken_from_an_open_lobby_is_told_to_the_host_who_starts(house: House) -> None:
    await play(house, house.room)
    lobby = await house.server.wait_for_message(house.room, lambda message: bool(calls(message)))
    match = calls(lobby)[0][1]
    await house.ben.click(lobby, f"domb:join:{match}:-1")
    await house.quiet(lambda: house.ben.id in newest(house).seats)
    house.server.forbid(house.room, "send_messages_in_threads")
    answer = await house.ann.click(lobby, f"domb:start:{match}:-1")
    assert answer.content == (
        f"I need a permission in {house.room.mention}: Send Messages in Threads. "
        "Please ask someone who manages this server to grant it."
    )
    assert newest(house).status == "lobby"
    house.server.forbid(house.room)
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    await house.server.wait_for_message(await house.server.wait_for_thread(house.room), is_board)


def is_put_off(house: House) -> bool:
    """Whether the bot has tried to make the thread, and knows what came of it."""
    waiting = house.records.ask("SELECT error FROM outbox WHERE kind = 'thread'")
    return all(error for (error,) in waiting)


@pytest.mark.parametrize("back", ["at once", "later"])
@pytest.mark.parametrize("how", ["thrown out", "shut out"])
async def test_a_match_that_starts_while_the_bot_is_sent_away_gets_its_thread_later(
    house: House, how: str, back: str
) -> None:
    await house.bots.kill()
    await house.start(**HASTE)
    await play(house, house.room)
    lobby = await house.server.wait_for_message(house.room, lambda message: bool(calls(message)))
    match = calls(lobby)[0][1]
    await house.ben.click(lobby, f"domb:join:{match}:-1")
    await house.quiet(lambda: house.ben.id in newest(house).seats)
    held = house.server.faults.hold(method="POST", path=r".*/threads")
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    await held.reached.wait()
    if how == "thrown out":
        house.server.kick_bot(house.guild)
    else:
        house.server.forbid(house.room, "view_channel")
    held.release()
    await house.server.wait_for_request(lambda one: one.path.endswith("/threads") and one.status == 403)
    if back == "later":
        await house.bots.wait_for(lambda: is_put_off(house), "the refusal is written down")
    if how == "thrown out":
        house.server.invite_bot(house.guild)
    else:
        house.server.forbid(house.room)
    await house.bots.kill()
    await house.start(**HASTE, DOMINIUM_TEST_AHEAD="3600")
    await house.server.wait_for_message(await house.server.wait_for_thread(house.room), is_board)


async def test_why_there_is_no_thread_is_told_in_the_channel(house: House) -> None:
    await play(house, house.room)
    house.server.forbid(house.room, "create_public_threads")
    match = await start(house, house.room)
    (told,) = [one.content for one in house.server.messages(house.room) if "couldn't make" in one.content]
    assert told == (
        f"I couldn't make a thread for match `{match}`: I need the permission Create Public Threads here. "
        "It's played in this channel."
    )
