"""The bot installed by a person: commands in guilds and conversations that it isn't in."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.errors import SetupError

from tests.loopback.installs import FOR_USER
from tests.loopback.raw_client import RawClient
from tests.loopback.test_server import Stage

EVERYWHERE = {"integration_types": [0, 1], "contexts": [0, 1, 2]}


async def commands(stage: Stage, client: RawClient, *listed: dict[str, Any]) -> None:
    path = f"/applications/{stage.server.world.backend.application_id}/commands"
    status, _ = await client.ask("PUT", path, list(listed))
    assert status == 200


def slash(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": name, "type": 1, **fields}


@pytest.mark.parametrize("path", ["/applications/@me", "/oauth2/applications/@me"])
async def test_an_application_says_how_it_may_be_installed(
    stage: Stage, client: RawClient, path: str
) -> None:
    status, told = await client.ask("GET", path)
    assert (status, set(told["integration_types_config"])) == (200, {"0", "1"})
    stage.server.world.installs.kinds.remove(FOR_USER)
    status, told = await client.ask("GET", path)
    assert (status, set(told["integration_types_config"])) == (200, {"0"})
    with pytest.raises(SetupError):
        stage.ann.install()


async def test_an_interaction_names_its_context_and_who_installed_the_bot(
    stage: Stage, client: RawClient
) -> None:
    await commands(stage, client, slash("look", **EVERYWHERE))
    stage.ann.install()
    elsewhere = stage.server.create_foreign_guild()
    room = elsewhere.create_text_channel("room")
    stage.ann.join(elsewhere)
    private = stage.server.create_private_channel(stage.ann, stage.bob)
    own, guild = str(stage.ann.id), str(stage.guild.id)
    async with client.gateway() as gateway:
        for channel, context, owners in (
            (stage.room, 0, {"0": guild, "1": own}),
            (room, 0, {"1": own}),
            (stage.ann.dm, 1, {"0": "0", "1": own}),
            (private, 2, {"1": own}),
        ):
            await stage.ann.slash(channel, "look", answered=False)
            event = await gateway.event("INTERACTION_CREATE")
            assert (event["context"], event["authorizing_integration_owners"]) == (context, owners)
            assert event["channel_id"] == str(channel.id)
            assert ("guild" in event) is (context == 0)


async def test_clients_offer_what_a_command_declares(stage: Stage, client: RawClient) -> None:
    menu = {"name": "Play this", "type": 3, **EVERYWHERE}
    await commands(
        stage,
        client,
        slash("watch", integration_types=[0], contexts=[0]),
        slash("server", integration_types=[0], contexts=[0], default_member_permissions="32"),
        slash("old"),
        menu,
    )
    elsewhere = stage.server.create_foreign_guild()
    room = elsewhere.create_text_channel("room")
    private = stage.server.create_private_channel(stage.ann, stage.bob)
    stage.ann.join(elsewhere)
    said = stage.ann.send(room, "e4")
    with pytest.raises(SetupError):
        await stage.ann.apps(said, "Play this", answered=False)
    stage.ann.install()
    await stage.ann.apps(said, "Play this", answered=False)
    await stage.ann.slash(stage.room, "watch", answered=False)
    await stage.ann.slash(stage.ann.dm, "old", answered=False)
    for channel, name in (
        (room, "watch"),
        (private, "watch"),
        (stage.ann.dm, "watch"),
        (stage.room, "server"),
        (room, "old"),
        (private, "old"),
    ):
        with pytest.raises(SetupError):
            await stage.ann.slash(channel, name, answered=False)


async def test_where_the_bot_is_not_it_reads_and_posts_nothing(stage: Stage, client: RawClient) -> None:
    elsewhere = stage.server.create_foreign_guild()
    room = elsewhere.create_text_channel("room")
    private = stage.server.create_private_channel(stage.ann, stage.bob)
    stage.ann.install()
    stage.ann.join(elsewhere)
    async with client.gateway() as gateway:
        stage.ann.send(room, f"{stage.server.bot_mention} e4")
        seen = stage.ann.send(stage.room, f"{stage.server.bot_mention} e5")
        assert (await gateway.event("MESSAGE_CREATE"))["id"] == str(seen.id)
    for channel in (room, private):
        for method, body in (("GET", None), ("POST", {"content": "hello"})):
            status, answer = await client.ask(method, f"/channels/{channel.id}/messages", body)
            assert (status, answer["code"]) == (403, 50001)
    status, answer = await client.ask("GET", f"/guilds/{elsewhere.id}/members/{stage.ann.id}")
    assert (status, answer["code"]) == (403, 50001)


async def test_an_interaction_takes_five_followups_where_the_bot_is_not(
    stage: Stage, client: RawClient
) -> None:
    await commands(stage, client, slash("look", **EVERYWHERE))
    stage.ann.install()
    private = stage.server.create_private_channel(stage.ann, stage.bob)
    async with client.gateway() as gateway:
        await stage.ann.slash(private, "look", answered=False)
        event = await gateway.event("INTERACTION_CREATE")
        callback = f"/interactions/{event['id']}/{event['token']}/callback"
        await client.ask("POST", callback, {"type": 5, "data": {"flags": 64}})
        webhook = f"/webhooks/{event['application_id']}/{event['token']}"
        sent = [await client.ask("POST", webhook, {"content": "more", "flags": 64}) for _ in range(6)]
        assert [status for status, _ in sent] == [*[204] * 5, 400]
        assert sent[5][1]["code"] == 40094


async def test_a_message_command_carries_the_text_of_its_message(stage: Stage, client: RawClient) -> None:
    await commands(stage, client, {"name": "Play this", "type": 3, **EVERYWHERE})
    said = stage.ann.send(stage.room, "e4")
    async with client.gateway(discord.Intents(guilds=True)) as gateway:
        await stage.ann.apps(said, "Play this", answered=False)
        data = (await gateway.event("INTERACTION_CREATE"))["data"]
        assert data["target_id"] == str(said.id)
        (message,) = data["resolved"]["messages"].values()
        assert message["content"] == "e4"
        assert "guild_id" not in message
