"""What Discord would refuse is refused by the server, and fails the test that doesn't expect it."""

from __future__ import annotations

import pytest

from tests.loopback import LoopbackDiscord
from tests.loopback.raw_client import raw_client

ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}


async def test_a_bad_request_is_refused_and_fails_the_test() -> None:
    async def post_too_much() -> None:
        async with LoopbackDiscord() as server, raw_client(server) as client:
            room = server.create_guild().create_text_channel("games")
            status, body = await client.ask("POST", f"/channels/{room.id}/messages", {"content": "x" * 2001})
            assert (status, body["code"]) == (400, 50035)
            assert server.messages(room) == []

    with pytest.raises(AssertionError, match=r"content: Must be 2000 or fewer in length"):
        await post_too_much()


async def test_a_bad_request_that_is_expected_fails_nothing() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        room = server.create_guild().create_text_channel("games")
        assert (await client.ask("POST", f"/channels/{room.id}/messages", {"content": ""}))[1][
            "code"
        ] == 50006
        (refused,) = server.take_refused()
        assert [fault.key for fault in refused.verdict.faults] == ["MESSAGE_EMPTY"]
        assert (await client.ask("POST", f"/channels/{room.id}/messages", {"content": "e4"}))[0] == 200
        assert server.take_refused() == []


async def test_a_bad_request_is_seen_although_a_planted_fault_answers_it() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        server.faults.error(503)
        assert (await client.ask("POST", "/channels/1/messages", {"content": ""}))[0] == 503
        assert len(server.take_refused()) == 1


async def test_an_edit_that_leaves_nothing_is_refused() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        posts = f"/channels/{server.create_guild().create_text_channel('games').id}/messages"
        _, posted = await client.ask("POST", posts, {"content": "e4"})
        assert await client.code("PATCH", f"{posts}/{posted['id']}", {"content": ""}) == (400, 50006)
        _, board = await client.ask("POST", posts, {"content": "e4", "components": [ROW]})
        assert (await client.ask("PATCH", f"{posts}/{board['id']}", {"content": ""}))[0] == 200
        assert await client.code("PATCH", f"{posts}/{board['id']}", {"components": []}) == (400, 50006)
        assert (await client.ask("GET", f"{posts}/{posted['id']}"))[1]["content"] == "e4"


async def test_an_answer_that_leaves_nothing_is_refused() -> None:
    async with LoopbackDiscord() as server, raw_client(server) as client:
        guild = server.create_guild()
        room, ann = guild.create_text_channel("games"), server.create_person("ann", guild)
        await client.ask("POST", f"/channels/{room.id}/messages", {"content": "e4", "components": [ROW]})
        (panel,) = server.messages(room)
        nothing = {"content": "", "components": []}

        async def press() -> tuple[str, str]:
            record = (await ann.click(panel, "go", answered=False)).result._interaction
            hook = f"/webhooks/{server.world.backend.application_id}/{record.token}/messages/@original"
            return f"/interactions/{record.id}/{record.token}/callback", hook

        callback, hook = await press()
        assert await client.code("POST", callback, {"type": 7, "data": nothing}) == (400, 50006)
        assert (await client.ask("POST", callback, {"type": 6}))[0] == 204
        assert await client.code("PATCH", hook, nothing) == (400, 50006)
        assert (await client.ask("PATCH", hook, {"content": "d4"}))[0] == 200
