"""What a gateway session goes through: resumes, invalid sessions, dead sockets, guilds that come and go."""

from __future__ import annotations

import pytest

from tests.loopback import Drop, SetupError
from tests.loopback.raw_client import RawClient
from tests.loopback.sessions import Op
from tests.loopback.test_errors import TEXT, make_thread, posts
from tests.loopback.test_server import Stage


async def test_resume_replays_in_order_and_then_says_so(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as first:
        await first.event("GUILD_CREATE")
        stage.server.drop_gateway()
        for number in range(3):
            stage.ann.send(stage.ann.dm, str(number))
        async with client.gateway(None) as second:
            await second.resume(first.session, first.sequence)
            heard = [(await second.event("MESSAGE_CREATE"))["content"] for _ in range(3)]
            assert heard == ["0", "1", "2"]
            await second.event("RESUMED")
            stage.ann.send(stage.ann.dm, "3")
            assert (await second.event("MESSAGE_CREATE"))["content"] == "3"
            assert second.sequence == first.sequence + 5


async def test_an_unknown_session_is_invalid_and_can_not_be_resumed(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as first:
        stage.server.drop_gateway(resume=False)
    async with client.gateway(None) as second:
        await second.resume(first.session, first.sequence)
        assert await second.next(Op.INVALID_SESSION) is False
        await second.identify()


async def test_a_sequence_of_the_future_is_refused(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as first:
        stage.server.drop_gateway()
    async with client.gateway(None) as second:
        await second.resume(first.session, first.sequence + 100)
        assert await second.closed() == 4007


@pytest.mark.parametrize("resumable", [True, False])
async def test_a_session_is_declared_invalid(stage: Stage, client: RawClient, resumable: bool) -> None:
    async with client.gateway() as first:
        await first.event("GUILD_CREATE")
        stage.server.gateway.invalidate(resumable=resumable)
        assert await first.next(Op.INVALID_SESSION) is resumable
    stage.ann.send(stage.ann.dm, "missed")
    async with client.gateway(None) as second:
        await second.resume(first.session, first.sequence)
        if resumable:
            assert (await second.event("MESSAGE_CREATE"))["content"] == "missed"
        else:
            assert await second.next(Op.INVALID_SESSION) is False


async def test_the_gateway_asks_for_a_reconnect(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as first:
        stage.server.drop_gateway(how=Drop.ASK)
        await first.next(Op.RECONNECT)


async def test_heartbeats_are_answered_until_the_socket_is_dead(stage: Stage, client: RawClient) -> None:
    stage.server.gateway.heartbeat_interval = 500
    async with client.gateway() as first:
        await first.event("GUILD_CREATE")
        await first.send(Op.HEARTBEAT, first.sequence)
        await first.next(Op.HEARTBEAT_ACK)
        stage.server.gateway.mute()
        await first.send(Op.HEARTBEAT, first.sequence)
        stage.ann.send(stage.ann.dm, "missed")
        await stage.server.wait_until(lambda: stage.server.gateway.heartbeats == 2)
    async with client.gateway(None) as second:
        await second.resume(first.session, first.sequence)
        assert (await second.event("MESSAGE_CREATE"))["content"] == "missed"


@pytest.mark.parametrize(("code", "resumable"), [(4000, True), (4004, False), (4009, False), (4014, False)])
async def test_a_socket_is_closed_with_a_code(
    stage: Stage, client: RawClient, code: int, resumable: bool
) -> None:
    async with client.gateway() as first:
        stage.server.gateway.close_with(code)
        assert await first.closed() == code
    async with client.gateway(None) as second:
        await second.resume(first.session, first.sequence)
        if resumable:
            await second.event("RESUMED")
        else:
            assert await second.next(Op.INVALID_SESSION) is False


async def test_a_revoked_token_ends_the_session_and_is_refused(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as first:
        stage.server.revoke_token()
        assert await first.closed() == 4004
    assert await client.code("GET", "/users/@me") == (401, 0)
    async with client.gateway(None) as second:
        await second.send(Op.IDENTIFY, {"token": client.token, "intents": 0, "properties": {}})
        assert await second.closed() == 4004
    client.token = stage.server.token
    assert (await client.ask("GET", "/users/@me"))[0] == 200


async def test_a_guild_may_come_late_or_never(stage: Stage, client: RawClient) -> None:
    other = stage.server.create_guild("Island")
    stage.server.gateway.withhold(stage.guild)
    async with client.gateway(None) as gateway:
        ready = await gateway.identify()
        assert {int(one["id"]) for one in ready["guilds"]} == {stage.guild.id, other.id}
        assert all(one["unavailable"] for one in ready["guilds"])
        assert int((await gateway.event("GUILD_CREATE"))["id"]) == other.id
        stage.ann.send(stage.room, "unheard", mention=True)
        stage.server.gateway.restore(stage.guild)
        late = await gateway.event("GUILD_CREATE")
        assert (int(late["id"]), late["unavailable"]) == (stage.guild.id, False)
        stage.ann.send(stage.room, "heard", mention=True)
        assert (await gateway.event("MESSAGE_CREATE"))["content"].endswith(" heard")


async def test_an_unavailable_guild_is_silent_until_it_is_back(stage: Stage, client: RawClient) -> None:
    async with client.gateway() as gateway:
        await gateway.event("GUILD_CREATE")
        stage.server.gateway.withhold(stage.guild)
        assert await gateway.event("GUILD_DELETE") == {"id": str(stage.guild.id), "unavailable": True}
        stage.ann.send(stage.room, "unheard", mention=True)
        stage.server.gateway.restore(stage.guild)
        assert (await gateway.event("GUILD_CREATE"))["unavailable"] is False
        stage.ann.send(stage.room, "heard", mention=True)
        assert (await gateway.event("MESSAGE_CREATE"))["content"].endswith(" heard")


async def test_an_interaction_comes_although_its_guild_did_not(stage: Stage, client: RawClient) -> None:
    command = {"name": "ask", "description": "Ask"}
    path = f"/applications/{stage.server.world.backend.application_id}/commands"
    assert (await client.ask("PUT", path, [command]))[0] == 200
    stage.server.gateway.withhold(stage.guild)
    async with client.gateway() as gateway:
        await stage.ann.slash(stage.room, "ask", answered=False)
        assert (await gateway.event("INTERACTION_CREATE"))["guild_id"] == str(stage.guild.id)


async def test_a_bot_that_is_thrown_out_hears_it_once_and_may_do_nothing(
    stage: Stage, client: RawClient
) -> None:
    thread = await make_thread(stage, client)
    async with client.gateway() as gateway:
        await gateway.event("GUILD_CREATE")
        stage.server.kick_bot(stage.guild)
        assert await gateway.event("GUILD_DELETE") == {"id": str(stage.guild.id)}
        stage.ann.send(stage.room, "unheard", mention=True)
        for room in (stage.room, thread):
            assert await client.code("POST", posts(room), TEXT) == (403, 50001)
            assert await client.code("GET", posts(room)) == (403, 50001)
        with pytest.raises(SetupError, match="bot that"):
            await stage.ann.slash(stage.room, "ask")
        stage.server.invite_bot(stage.guild)
        back = await gateway.event("GUILD_CREATE")
        assert "unavailable" not in back
        assert [int(one["id"]) for one in back["threads"]] == [thread.id]
        assert (await client.ask("POST", posts(thread), TEXT))[0] == 200
    stage.server.kick_bot(stage.guild)
    async with client.gateway(None) as gateway:
        assert (await gateway.identify())["guilds"] == []


async def test_events_come_late_and_twice(stage: Stage, client: RawClient) -> None:
    interference = stage.server.gateway.interference
    async with client.gateway() as gateway:
        await gateway.event("GUILD_CREATE")
        late = interference.hold("MESSAGE_CREATE", fits=lambda message: message["content"] == "0")
        interference.double("MESSAGE_CREATE", fits=lambda message: message["content"] == "2")
        for number in range(4):
            stage.ann.send(stage.ann.dm, str(number))
        late.release()
        heard = [(await gateway.event("MESSAGE_CREATE"))["content"] for _ in range(5)]
        assert heard == ["1", "2", "2", "3", "0"]
        stage.ann.send(stage.ann.dm, "0")
        assert (await gateway.event("MESSAGE_CREATE"))["content"] == "0"
