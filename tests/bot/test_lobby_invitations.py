"""People invited to a lobby: by name, and by the host's menu."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.results import InteractionResult

from tests.bot.lobby_acts import labels, open_lobby
from tests.bot.stage import Stage, shown, text_of

pytestmark = pytest.mark.slow


async def test_friends_are_invited_by_name(stage: Stage) -> None:
    await stage.ann.slash(stage.channel, "play", game="focus", friend=stage.ben, friend2=stage.cleo)
    row = await open_lobby(stage)
    assert len(row.seats) == 3
    lobby = await stage.lobby(row.id)
    assert stage.ben.mention in lobby.content
    assert labels(lobby) >= {"Accept", "Decline"}
    assert "kept for invited guests" in text_of(await stage.dan.click(lobby, label="Accept"))
    await stage.ben.click(lobby, label="Accept")
    with pytest.raises(SetupError):
        await stage.ann.click(await stage.lobby(row.id), label="Start")
    await stage.cleo.click(lobby, label="Decline")
    lobby = await stage.lobby(row.id)
    assert "Cleo" not in lobby.content
    await stage.dan.click(lobby, label="Join")
    await stage.ann.click(await stage.lobby(row.id), label="Start")
    started = await stage.row(row.id)
    assert started.status == "live"
    assert [seat.user for seat in started.seats] == [stage.ann.id, stage.ben.id, stage.dan.id]


async def invite(stage: Stage, match: str, *guests: MemberActor) -> InteractionResult:
    """The host chooses people in the menu behind the button."""
    menu = shown(await stage.ann.click(await stage.lobby(match), label="Invite"))
    return await stage.ann.select(menu, list(guests))


def invitations(stage: Stage, match: str) -> list[discord.Message]:
    """The messages that call people to a lobby."""
    return [one for one in stage.channel.history() if one.author.bot and "you're invited" in one.content]


async def test_the_host_invites_people_by_a_menu(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", players=4, start=False)
    await invite(stage, match, stage.ben, stage.cleo)
    seats = [(seat.occupant, seat.name) for seat in (await stage.row(match)).seats]
    assert seats == [("person", "Ann"), ("invited", "Ben"), ("invited", "Cleo"), ("open", "")]
    (called,) = invitations(stage, match)
    assert {user.id for user in called.mentions} == {stage.ben.id, stage.cleo.id}
    assert str((await stage.row(match)).lobby.message) in called.content
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert (await stage.row(match)).seats[1].occupant == "person"
    await invite(stage, match, stage.dan)
    await stage.cleo.click(await stage.lobby(match), label="Decline")
    assert [seat.occupant for seat in (await stage.row(match)).seats] == [
        "person",
        "person",
        "open",
        "invited",
    ]
    assert len(invitations(stage, match)) == 2
    assert "Invite" not in labels(await stage.lobby(match), usable=False)


async def test_a_menu_offers_as_many_people_as_seats_are_free(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", players=3, start=False)
    lobby = await stage.lobby(match)
    menu = shown(await stage.ann.click(lobby, label="Invite"))
    with pytest.raises(SetupError, match="between 1 and 2"):
        await stage.ann.select(menu, [stage.ben, stage.cleo, stage.dan])
    await stage.ben.click(lobby, label="Join")
    said = text_of(await stage.ann.select(menu, [stage.cleo, stage.dan]))
    assert "only one free seat" in said
    await stage.cleo.click(await stage.lobby(match), label="Join")
    assert "All seats are taken" in text_of(await stage.ann.select(menu, [stage.dan]))
    assert "Invite" in labels(await stage.lobby(match), usable=False)
    assert invitations(stage, match) == []


async def test_only_the_host_invites_and_only_people_who_are_not_there(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", players=4, start=False)
    lobby = await stage.lobby(match)
    said = text_of(await stage.ben.click(lobby, label="Invite"))
    assert f"<@{stage.ann.id}>" in said
    assert "Anyone can join" in said
    await stage.ben.click(lobby, label="Join")
    assert "(Ben) is already in this lobby" in text_of(await invite(stage, match, stage.ben, stage.cleo))
    robot = stage.guild.add_member(stage.env.create_user("Robot", bot=True))
    assert "is a bot and can't play" in text_of(await invite(stage, match, stage.cleo, robot))
    assert [seat.user for seat in (await stage.row(match)).seats] == [stage.ann.id, stage.ben.id, None, None]
    menu = shown(await stage.ann.click(await stage.lobby(match), label="Invite"))
    await stage.ann.click(shown(await stage.ann.click(lobby, label="Options")), label="Close this lobby")
    assert "was closed" in text_of(await stage.ann.select(menu, [stage.cleo]))
    assert "no longer open" in text_of(await stage.press_id(stage.ann, lobby, f"domb:invite:{match}:-1"))
    assert invitations(stage, match) == []


async def test_people_invited_in_direct_messages_get_the_lobby(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", players=2)
    row = await open_lobby(stage)
    lobby = next(one for one in stage.ann.user.dm_channel.history() if one.id == row.lobby.message)
    menu = shown(await stage.ann.user.click(lobby, label="Invite"))
    await stage.ann.user.select(menu, [stage.ben.user])
    (sent,) = stage.ben.user.dm_channel.history()
    assert f"<@{stage.ben.id}>" in sent.content
    assert {user.id for user in sent.mentions} == {stage.ben.id}
    assert "Accept" in labels(sent)
