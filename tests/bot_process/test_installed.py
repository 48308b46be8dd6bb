"""Where only a person has installed the bot, it answers that person, and plays in direct messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle

from tests.bot_process.house import House, calls, let_manage, open_house
from tests.bot_process.lobbies import newest, seated
from tests.loopback.installs import FOR_USER

pytestmark = pytest.mark.process

MOST = 2000
"""Characters of a message."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "installed") as made:
        made.elsewhere = made.server.create_foreign_guild()
        for person in made.people.values():
            person.install()
            person.join(made.elsewhere)
        await made.start()
        await seated(made, mirrored=False)
        yield made


def foreign_room(house: House) -> ChannelHandle:
    return house.elsewhere.create_text_channel("foreign")


def private_room(house: House) -> ChannelHandle:
    return house.server.create_private_channel(house.ann, house.ben)


ROOMS = pytest.mark.parametrize("room", [foreign_room, private_room])


async def open_there(house: House, room: ChannelHandle, **options: Any) -> str:
    """A match that Ann opens in a room without the bot, and both begin in direct messages."""
    answer = await (await house.ann.slash(room, "play", game="focus", players=2, **options)).complete()
    assert "not a member here" in answer.content
    assert f"Friends here can add me to their own account, too: <{_link(house)}>" in answer.content
    match = newest(house).id
    await house.quiet()
    lobby = await house.server.wait_for_message(house.ben.dm, lambda one: bool(calls(one)))
    await house.ben.click(lobby, f"domb:join:{match}:-1", answered=False)
    lobby = await house.server.wait_for_message(house.ann.dm, _can_start)
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    await house.quiet(lambda: newest(house).status == "live")
    return match


@ROOMS
async def test_a_match_begun_where_the_bot_is_not_is_played_in_direct_messages(
    house: House, room: Any
) -> None:
    there = room(house)
    match = await open_there(house, there, friend=_friend(house, there), clock="2d")
    for person in house.people.values():
        lobbies = [one.content for one in house.server.messages(person.dm) if "**Clock**" in one.content]
        assert len(lobbies) == 1
        assert "**Clock**: 2 days a move" in lobbies[0]
    mover = house.mover(newest(house), house.now(match))
    answer = await mover.slash(there, "move", move=house.any_move(match), match=match)
    assert f"Played in `{match}`" in answer.content
    await house.quiet(lambda: len(house.plays(match)) == 1)
    mover = house.mover(newest(house), house.now(match))
    mover.send(mover.dm, house.any_move(match))
    await house.quiet(lambda: len(house.plays(match)) == 2)
    for person in house.people.values():
        boards = [one for one in house.server.messages(person.dm) if ("moves", match) in _shown(one)]
        assert len(boards) == 3
    assert [one for one in house.server.messages(there) if one.author.id == house.server.bot_id] == []


def _can_start(message: discord.Message) -> bool:
    buttons = (child for row in message.components for child in getattr(row, "children", ()))
    return any(":start:" in str(button.custom_id) and not button.disabled for button in buttons)


def _friend(house: House, room: ChannelHandle) -> Any:
    return house.ben.user if room.guild is None else house.ben.members[room.guild.id]


def _shown(message: discord.Message) -> set[tuple[str, str]]:
    return {(verb, match) for verb, match, _ in calls(message)}


@ROOMS
async def test_help_says_what_it_can_not_do_there(house: House, room: Any) -> None:
    there = room(house)
    said = (await house.ann.slash(there, "help")).content
    assert "not a member here" in said
    assert said.endswith(f"Friends here can add me to their own account, too: <{_link(house)}>")
    assert len(said) < MOST
    assert "not a member here" not in (await house.ann.slash(house.room, "help")).content
    assert "not a member here" not in (await house.ann.slash(house.ann.dm, "help")).content


async def test_help_offers_the_installation_to_those_who_lack_it(house: House) -> None:
    cleo = house.server.create_person("Cleo", house.guild)
    said = (await cleo.slash(house.room, "help")).content
    assert f"[Add me to your own account](<{_link(house)}>)" in said
    assert len(said) < MOST
    cleo.install()
    for place in (house.room, cleo.dm):
        assert "oauth2" not in (await cleo.slash(place, "help")).content


async def test_no_link_is_offered_that_would_not_work(house: House) -> None:
    house.server.world.installs.kinds.remove(FOR_USER)
    await house.bots.kill()
    await house.start()
    cleo = house.server.create_person("Cleo", house.guild)
    for answer in (
        await cleo.slash(house.room, "help"),
        await house.ann.slash(foreign_room(house), "help"),
        await (await house.ann.slash(foreign_room(house), "play", game="focus")).complete(),
    ):
        assert answer.content
        assert "oauth2" not in answer.content


def _link(house: House) -> str:
    application = house.server.world.backend.application_id
    return (
        f"https://discord.com/oauth2/authorize?client_id={application}"
        "&integration_type=1&scope=applications.commands"
    )


@ROOMS
async def test_a_match_is_not_moved_to_where_the_bot_is_not(house: House, room: Any) -> None:
    answer = await house.ann.slash(room(house), "match continue", match=newest(house).id)
    assert "not a member here" in answer.content


async def test_closed_direct_messages_are_told(house: House) -> None:
    house.ann.close_dms()
    house.server.faults.refuse(50007, path="/users/@me/channels")
    answer = await (await house.ann.slash(foreign_room(house), "play", game="focus")).complete()
    assert "accept no direct messages" in answer.content
    assert len(house.records.rows()) == 1


async def test_a_lobby_that_does_not_arrive_is_told(house: House) -> None:
    house.ann.close_dms()
    answer = await (await house.ann.slash(foreign_room(house), "play", game="focus")).complete()
    assert "didn't arrive" in answer.content
    assert newest(house).id in answer.content
    assert newest(house).status == "lobby"


@ROOMS
async def test_what_needs_the_bot_is_not_offered_there(house: House, room: Any) -> None:
    there = room(house)
    with pytest.raises(SetupError):
        await house.ann.slash(there, "server settings")


@ROOMS
async def test_nothing_is_mirrored_where_the_bot_is_not(house: House, room: Any) -> None:
    there, match = room(house), newest(house).id
    answer = await house.ann.slash(there, "matches watch here", match=match)
    assert "can only be shown on its own server" in answer.content
    assert "isn't shown here" in (await house.ann.slash(there, "matches watch stop", match=match)).content


async def test_settings_of_a_server_are_for_those_who_manage_it(house: House) -> None:
    with pytest.raises(SetupError):
        await house.ann.slash(house.room, "server settings")
    let_manage(house, house.ann)
    assert "Where matches are played" in (await house.ann.slash(house.room, "server settings")).content
