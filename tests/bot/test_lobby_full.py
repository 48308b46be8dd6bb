"""A lobby that others fill calls its host to start it, where it is, while it waits for that."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from simcord.actors import MemberActor

from matches import outbox_drafts as drafts
from matches.outbox.messages import LobbyFull
from matches.store.rows import Commit
from tests.bot.lobby_acts import labels, open_lobby
from tests.bot.ping_acts import notified
from tests.bot.stage import Stage, shown, text_of

pytestmark = pytest.mark.slow


CALL = "the last seat of your match"


def calls(messages: list[discord.Message]) -> list[discord.Message]:
    """The messages that call a host to start."""
    return [one for one in messages if CALL in one.content]


async def leave(stage: Stage, person: MemberActor, match: str) -> None:
    """Give a seat back."""
    await person.click(await stage.lobby(match), label="Leave")


async def test_the_host_is_called_and_starts_from_there(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, players=3)
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert calls(stage.channel.history()) == []
    await stage.cleo.click(await stage.lobby(match), label="Join")
    (call,) = calls(stage.channel.history())
    assert notified(stage, CALL) == [{stage.ann.id}]
    assert labels(call) == {"Start"}
    assert f"/{stage.channel.id}/{(await stage.row(match)).lobby.message}" in call.content
    assert "Only the host" in text_of(await stage.ben.click(call, label="Start"))
    await stage.ann.click(call, label="Start")
    assert (await stage.row(match)).status == "live"
    assert calls(stage.channel.history()) == [], "it has served"
    assert len(await stage.boards(match)) == 1


async def test_each_time_that_it_fills_and_not_when_the_host_fills_it(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    assert len(calls(stage.channel.history())) == 1
    await leave(stage, stage.ben, match)
    (call,) = calls(stage.channel.history())
    assert "1 seat is still free" in text_of(await stage.ann.click(call, label="Start"))
    await stage.cleo.click(await stage.lobby(match), label="Join")
    assert len(calls(stage.channel.history())) == 2
    await leave(stage, stage.cleo, match)
    menu = shown(await stage.ann.click(await stage.lobby(match), label="Add computer"))
    await stage.ann.select(menu, ["easy"])
    assert len(calls(stage.channel.history())) == 2
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    await stage.ann.click(panel, label="Close this lobby")
    assert calls(stage.channel.history()) == []


async def test_an_invitation_in_direct_messages_calls_the_host_there(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", players=2)
    row = await open_lobby(stage)
    host, guest = stage.ann.user.dm_channel, stage.ben.user.dm_channel
    lobby = next(one for one in host.history() if one.id == row.lobby.message)
    await stage.ann.user.select(shown(await stage.ann.user.click(lobby, label="Invite")), [stage.ben.user])
    assert calls(host.history()) == []
    (sent,) = guest.history()
    await stage.ben.user.click(sent, label="Accept")
    (call,) = calls(host.history())
    assert notified(stage, CALL) == [{stage.ann.id}]
    assert f"/@me/{host.id}/{row.lobby.message}" in call.content
    assert calls(guest.history()) == []
    await stage.ann.user.click(call, label="Start")
    assert (await stage.row(row.id)).status == "live"
    assert calls(host.history()) == []


async def test_calls_that_come_late_are_sent_once_or_not_at_all(stage: Stage) -> None:
    async def late(match: str) -> int:
        """How many calls are posted when two were waiting, as of a lobby that filled twice in an outage."""
        row, before = await stage.row(match), len(calls(stage.channel.history()))
        two = (drafts.draft(LobbyFull(stage.ann.id), match),) * 2
        after = replace(row, revision=row.revision + 1)
        await stage.bot.context.store.commit(Commit(after, row.updated, (), two))
        await stage.later(seconds=3)
        return len(calls(stage.channel.history())) - before

    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    assert await late(match) == 1
    await leave(stage, stage.ben, match)
    assert await late(match) == 0, "it isn't full any longer"
    await stage.cleo.click(await stage.lobby(match), label="Join")
    await leave(stage, stage.ann, match)
    await stage.ann.click(await stage.lobby(match), label="Join")
    assert (await stage.row(match)).host == stage.cleo.id
    assert await late(match) == 0, "someone else is the host"
