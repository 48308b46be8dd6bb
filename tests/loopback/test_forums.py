"""Forums take posts and nothing else; tags, media channels, announcement threads, commands in forums."""

from __future__ import annotations

import pytest

from tests.loopback import BackendError, SetupError
from tests.loopback.raw_client import RawClient
from tests.loopback.test_errors import TEXT, posts
from tests.loopback.test_server import Stage

POST = {"name": "match", "message": TEXT}


async def test_a_post_is_a_thread_with_its_starter_message(stage: Stage, client: RawClient) -> None:
    forum = stage.server.world.forums.create(stage.guild, "matches", tags=("Focus", "Talk"))
    async with client.gateway() as gateway:
        guild = await gateway.event("GUILD_CREATE")
        told = next(one for one in guild["channels"] if one["id"] == str(forum.id))
        assert (told["type"], told["flags"]) == (15, 0)
        focus = told["available_tags"][0]
        assert (focus["name"], focus["moderated"]) == ("Focus", False)
        body = POST | {"applied_tags": [focus["id"]], "auto_archive_duration": 10080}
        status, made = await client.ask("POST", f"/channels/{forum.id}/threads", body)
        assert status == 200
        assert made["message"]["id"] == made["id"], "post, thread and starter have one id"
        assert made["message"]["channel_id"] == made["id"]
        thread = await gateway.event("THREAD_CREATE")
        assert thread["parent_id"] == str(forum.id)
        assert thread["applied_tags"] == [focus["id"]]
        assert (await gateway.event("MESSAGE_CREATE"))["id"] == made["id"]
    (post,) = stage.server.threads(forum)
    assert stage.server.world.forums.tag_names(post) == ["Focus"]
    assert (await client.ask("POST", posts(post), TEXT))[0] == 200
    assert await client.code("POST", posts(forum), TEXT) == (400, 50008)
    with pytest.raises(BackendError, match="50008"):
        stage.ann.send(forum, "hello?")


async def test_a_tag_may_be_required_and_moderated(stage: Stage, client: RawClient) -> None:
    forum = stage.server.world.forums.create(
        stage.guild, "matches", tags=("Talk",), moderated=("News",), required=True
    )
    path = f"/channels/{forum.id}/threads"
    _, told = await client.ask("GET", f"/channels/{forum.id}")
    assert told["flags"] == 1 << 4
    news, talk = (tag["id"] for tag in told["available_tags"])
    assert await client.code("POST", path, POST) == (400, 40067)
    assert await client.code("POST", path, POST | {"applied_tags": [news]}) == (403, 50013)
    assert (await client.ask("POST", path, POST | {"applied_tags": [talk]}))[0] == 200
    stage.server.allow(forum, "manage_threads")
    assert (await client.ask("POST", path, POST | {"applied_tags": [news]}))[0] == 200
    stage.server.world.forums.set_tags(forum)
    assert (await client.ask("POST", path, POST))[0] == 200


async def test_posts_need_send_messages_and_what_is_written_in_them_another_right(
    stage: Stage, client: RawClient
) -> None:
    forum = stage.server.world.forums.create(stage.guild, "matches")
    path = f"/channels/{forum.id}/threads"
    stage.server.forbid(forum, "send_messages")
    assert await client.code("POST", path, POST) == (403, 50013)
    stage.server.forbid(forum, "create_public_threads", "send_messages_in_threads")
    assert (await client.ask("POST", path, POST))[0] == 200
    (post,) = stage.server.threads(forum)
    assert await client.code("POST", posts(post), TEXT) == (403, 50013)


async def test_commands_are_given_in_posts_and_not_in_the_forum(stage: Stage, client: RawClient) -> None:
    commands = f"/applications/{stage.server.world.backend.application_id}/commands"
    await client.ask("PUT", commands, [{"name": "ask", "description": "Ask", "type": 1}])
    forum = stage.server.world.forums.create(stage.guild, "matches")
    post = stage.server.world.forums.thread_of(stage.ann.id, forum, "my post")
    with pytest.raises(SetupError, match="only in its posts"):
        await stage.ann.slash(forum, "ask", answered=False)
    await stage.ann.slash(post, "ask", answered=False)


async def test_a_media_channel_is_told_as_one(stage: Stage, client: RawClient) -> None:
    media = stage.server.world.forums.create_media(stage.guild, "pictures")
    _, told = await client.ask("GET", f"/channels/{media.id}")
    assert (told["type"], told["available_tags"]) == (16, [])
    assert await client.code("POST", posts(media), TEXT) == (400, 50008)


async def test_threads_of_announcement_channels_have_their_own_type(stage: Stage, client: RawClient) -> None:
    news = stage.guild.create_news_channel("news")
    _, start = await client.ask("POST", posts(news), TEXT)
    async with client.gateway() as gateway:
        status, made = await client.ask("POST", f"{posts(news)}/{start['id']}/threads", {"name": "match"})
        assert (status, made["type"]) == (200, 10)
        assert (await gateway.event("THREAD_CREATE"))["type"] == 10
    assert (await client.ask("GET", f"/channels/{made['id']}"))[1]["type"] == 10
