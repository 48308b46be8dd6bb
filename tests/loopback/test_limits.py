"""Rate limits: per route with headers, for everything, for old messages, and the ban for invalid requests."""

from __future__ import annotations

from tests.loopback.raw_client import RawClient
from tests.loopback.test_server import Stage

ROUTE = ("POST", "/channels/{channel_id}/messages")
TEXT = {"content": "e4"}


async def test_a_bucket_tells_what_is_left_and_refuses_the_rest(stage: Stage, client: RawClient) -> None:
    stage.server.limits.per_route(*ROUTE, 2, 5.0)
    posts = f"/channels/{stage.room.id}/messages"
    for left in ("1", "0"):
        assert (await client.ask("POST", posts, TEXT))[0] == 200
        assert (client.headers["X-RateLimit-Limit"], client.headers["X-RateLimit-Remaining"]) == ("2", left)
        assert 0 < float(client.headers["X-RateLimit-Reset-After"]) <= 5
    bucket = client.headers["X-RateLimit-Bucket"]
    status, body = await client.ask("POST", posts, TEXT)
    assert status == 429
    assert 0 < body["retry_after"] <= 5
    assert (body["global"], client.headers["X-RateLimit-Scope"]) == (False, "user")
    assert client.headers["Via"]
    other = stage.guild.create_text_channel("other")
    assert (await client.ask("POST", f"/channels/{other.id}/messages", TEXT))[0] == 200
    assert client.headers["X-RateLimit-Bucket"] == bucket
    assert (await client.ask("GET", posts))[0] == 200
    assert "X-RateLimit-Bucket" not in client.headers
    stage.server.advance(5)
    assert (await client.ask("POST", posts, TEXT))[0] == 200
    assert len(stage.server.messages(stage.room)) == 3


async def test_the_global_limit_leaves_interactions_out(stage: Stage, client: RawClient) -> None:
    stage.server.limits.everywhere(2)
    assert [(await client.ask("GET", "/users/@me"))[0] for _ in range(3)] == [200, 200, 429]
    assert (client.headers["X-RateLimit-Global"], client.headers["X-RateLimit-Scope"]) == ("true", "global")
    assert (await client.ask("GET", f"/channels/{stage.room.id}"))[1]["global"] is True
    answer = {"type": 4, "data": TEXT}
    assert await client.code("POST", "/interactions/1/nothing/callback", answer) == (404, 10062)
    stage.server.advance(1)
    assert (await client.ask("GET", "/users/@me"))[0] == 200


async def test_fifty_requests_a_second_are_the_limit_unless_a_test_says_otherwise(
    stage: Stage, client: RawClient
) -> None:
    found = [(await client.ask("GET", "/users/@me"))[0] for _ in range(51)]
    assert found.count(429) <= 1  # a slow machine may need more than a second for them
    stage.server.limits.everywhere(None)
    assert {(await client.ask("GET", "/users/@me"))[0] for _ in range(60)} == {200}


async def test_edits_of_old_messages_are_limited_by_themselves(stage: Stage, client: RawClient) -> None:
    stage.server.limits.edits_of_old_messages(2)
    posts = f"/channels/{stage.room.id}/messages"
    _, old = await client.ask("POST", posts, TEXT)
    for _ in range(5):
        assert (await client.ask("PATCH", f"{posts}/{old['id']}", TEXT))[0] == 200
    stage.server.advance(3601)
    _, new = await client.ask("POST", posts, TEXT)
    found = [await client.code("PATCH", f"{posts}/{old['id']}", TEXT) for _ in range(3)]
    assert found == [(200, 0), (200, 0), (429, 30046)]
    assert (await client.ask("PATCH", f"{posts}/{new['id']}", TEXT))[0] == 200
    stage.server.advance(3000)
    assert await client.code("PATCH", f"{posts}/{old['id']}", TEXT) == (429, 30046)
    stage.server.advance(601)
    assert (await client.ask("PATCH", f"{posts}/{old['id']}", TEXT))[0] == 200


async def test_too_many_invalid_requests_bar_the_address(stage: Stage, client: RawClient) -> None:
    limits = stage.server.limits
    assert limits.most_invalid == 10_000
    limits.most_invalid = 4
    stage.server.forbid(stage.room, "view_channel")
    history = f"/channels/{stage.room.id}/messages"
    assert await client.code("GET", history) == (403, 50001)
    stage.server.faults.rate_limit(1, path="/users/@me")
    stage.server.faults.rate_limit(1, path="/users/@me", scope="shared")  # not the bot's fault: isn't counted
    stage.server.faults.error(401, path="/users/@me")
    assert [(await client.ask("GET", "/users/@me"))[0] for _ in range(3)] == [429, 429, 401]
    assert limits.invalid == 3
    assert await client.code("GET", history) == (403, 50001)
    status, text = await client.ask("GET", "/users/@me")
    assert (status, text) == (429, "error code: 1015")
    assert "Via" not in client.headers  # it is the proxy that answers
    stage.server.advance(601)
    assert (await client.ask("GET", "/users/@me"))[0] == 200
    assert limits.invalid == 0
