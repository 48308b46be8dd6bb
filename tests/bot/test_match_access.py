"""A match is shown to its people and to those who can read its channel; for all others its id is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import ChannelType

from bot.platform.permissions import INVITE
from matches.results import Person
from tests.bot.acts import answers, last_board, move_by
from tests.bot.stage import Stage, allow, button_ids, legal, shown, text_of

pytestmark = pytest.mark.slow

UNKNOWN = "There is no match `{}`"
COMMANDS: dict[str, dict[str, str]] = {  # all that take a match
    "ask board": {},
    "ask about": {"what": "last"},
    "ask hand": {},
    "ask moves": {},
    "ask odds": {},
    "ask hint": {},
    "replay analysis": {},
    "move": {"move": "a1"},
    "match resign": {},
    "match draw": {},
    "match undo": {},
    "match continue": {},
    "match claim": {},
    "match pause": {},
    "match resume": {},
    "match plan add": {"line": "a1: a2"},
    "match plan show": {},
    "match plan clear": {},
    "match plan only": {"answer": "yes"},
    "match seat give": {},
    "match seat offer": {},
    "match seat computer": {"level": "random"},
    "match seat back": {},
    "match share": {"answer": "yes"},
    "replay steps": {},
    "replay film": {},
    "replay record": {},
    "replay fork": {},
    "replay story": {},
    "replay dice": {},
    "replay verify": {},
    "matches watch here": {},
    "matches watch follow": {},
    "matches watch stop": {},
}


def options(stage: Stage, command: str) -> dict[str, Any]:
    """The options that a command needs besides its match."""
    return {"user": stage.cleo.user} if command == "match seat give" else dict(COMMANDS[command])


async def test_all_commands_that_take_a_match_are_tried(stage: Stage) -> None:
    listed = [one for one in stage.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
    assert {one.qualified_name for one in listed if one.get_parameter("match") is not None} == {
        *COMMANDS,
        "moderate match",  # moderators alone see it: test_moderation
    }


@dataclass
class Abroad:
    """A second server with the bot: Zoe is only there, Eve is a member of both."""

    guild: GuildHandle
    channel: ChannelHandle
    zoe: MemberActor
    eve: MemberActor


@pytest.fixture
async def abroad(stage: Stage) -> Abroad:
    guild = stage.env.create_guild("Elsewhere")
    allow(stage.env, guild, INVITE)
    zoe = guild.add_member(stage.env.create_user("Zoe"))
    return Abroad(guild, guild.create_text_channel("lounge"), zoe, guild.add_member(stage.eve.user))


async def begun(stage: Stage, channel: ChannelHandle) -> str:
    """A match of Ann and Ben whose table stands in a channel; its id."""
    await stage.ann.slash(channel, "play", game="focus", friend=stage.ben)
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = next(m for m in channel.history() if m.id == row.lobby.message)
    await stage.ben.click(lobby, label="Accept")
    await stage.ann.click(lobby, label="Start")
    return row.id


@pytest.fixture
async def secret(stage: Stage) -> ChannelHandle:
    """A channel of Ann and Ben alone."""
    stored = stage.env.backend.guilds[stage.guild.id].roles
    bot_role = next(role for role in stage.guild.roles.values() if stored[role.id].managed)
    return stage.guild.create_text_channel(
        "secret",
        overwrites={
            stage.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            bot_role: discord.PermissionOverwrite(view_channel=True),
            stage.ann: discord.PermissionOverwrite(view_channel=True),
            stage.ben: discord.PermissionOverwrite(view_channel=True),
        },
    )


def private_thread(stage: Stage, *members: MemberActor) -> ChannelHandle:
    """A private thread of the games' channel, with these members and the bot."""
    backend = stage.env.backend
    kind = ChannelType.PRIVATE_THREAD
    thread = backend.create_thread(stage.channel.id, "alone", backend.bot_user.id, type=kind)
    for person in members:
        backend.add_thread_member(thread.id, person.id)
    return next(one for one in stage.channel.threads if one.id == thread.id)


async def test_a_stranger_who_guesses_an_id_learns_nothing(stage: Stage, abroad: Abroad) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    told = {}
    for command in COMMANDS:
        await stage.env.advance_time(5)
        said, nothing = [
            text_of(await abroad.zoe.slash(abroad.channel, command, match=each, **options(stage, command)))
            for each in (match, "F-ZZZ")
        ]
        if not said.startswith(UNKNOWN.format(match)) or said != nothing.replace("F-ZZZ", match):
            told[command] = said
    assert told == {}


async def test_suggestions_tell_a_stranger_nothing(stage: Stage, abroad: Abroad) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    assert await abroad.zoe.autocomplete(abroad.channel, "ask about", "what", "", match=match) == []
    assert await stage.dan.autocomplete(stage.gallery, "ask about", "what", "", match=match) != []


async def test_a_member_may_look_from_another_server(stage: Stage, abroad: Abroad) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    said = text_of(await abroad.eve.slash(abroad.channel, "ask about", what="last", match=match))
    assert f"`{match}`" in said
    assert "no match" not in said


async def test_a_closed_channel_is_closed_for_commands(stage: Stage, secret: ChannelHandle) -> None:
    match = await begun(stage, secret)
    for command in COMMANDS:
        said = text_of(await stage.dan.slash(stage.gallery, command, match=match, **options(stage, command)))
        assert said.startswith(UNKNOWN.format(match)), command
    said = text_of(await stage.ann.slash(stage.gallery, "ask about", what="last", match=match))
    assert "no match" not in said


async def test_a_closed_channel_is_closed_for_moderators_who_cant_read_it(
    stage: Stage, secret: ChannelHandle
) -> None:
    match = await begun(stage, secret)
    role = stage.guild.create_role("Moderators", permissions=discord.Permissions(manage_messages=True))
    stage.env.backend.guilds[stage.guild.id].members[stage.dan.id].role_ids.append(role.id)
    said = text_of(await stage.dan.slash(stage.gallery, "moderate match", match=match))
    assert said.startswith(UNKNOWN.format(match))
    shown = (await stage.dan.slash(stage.gallery, "help")).response
    assert shown is not None
    for verb in ("mod_match", "mod_ask"):
        pressed = await stage.press_id(stage.dan, shown.message, f"domb:{verb}:{match}:1:pause")
        assert text_of(pressed).startswith(UNKNOWN.format(match))
    assert not (await stage.match(match)).hosting.held


async def test_a_private_thread_is_for_its_members(stage: Stage) -> None:
    thread = private_thread(stage, stage.ann, stage.ben, stage.cleo)
    match = await begun(stage, thread)
    for command in ("ask board", "matches watch here"):
        said = text_of(await stage.dan.slash(stage.gallery, command, match=match))
        assert said.startswith(UNKNOWN.format(match)), command
    assert shown(await stage.cleo.slash(stage.gallery, "ask board", match=match)).attachments
    assert "kept up to date" in text_of(
        await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    )


async def test_direct_messages_are_for_their_people(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    service, ben = stage.bot.context.service, Person(stage.ben.id, "Ben")
    await service.lobbies.join(row.id, ben, request="join")
    await service.lobbies.start(row.id, stage.ann.id, request="start")
    said = text_of(await stage.cleo.slash(stage.gallery, "ask board", match=row.id))
    assert said.startswith(UNKNOWN.format(row.id))
    assert shown(await stage.ben.slash(stage.gallery, "ask board", match=row.id)).attachments


async def test_a_button_is_no_way_around(stage: Stage, abroad: Abroad, secret: ChannelHandle) -> None:
    match = await begun(stage, secret)
    board = await last_board(stage, match)
    for custom_id in [*button_ids(board), f"domb:replay:{match}:1", f"domb:sealed:{match}:1"]:
        for person, channel in ((stage.dan, stage.gallery), (abroad.zoe, abroad.channel)):
            result = await stage.press_id(person, board, custom_id, channel)
            assert text_of(result).startswith(UNKNOWN.format(match)), custom_id


async def test_a_mirror_may_be_pressed_by_all_who_see_it(stage: Stage, secret: ChannelHandle) -> None:
    match = await begun(stage, secret)
    await stage.ann.slash(stage.gallery, "matches watch here", match=match)
    mirror = next(m for m in stage.gallery.history() if m.author.bot and m.attachments)
    assert shown(await stage.dan.click(mirror, label="My view")).attachments
    said = text_of(await stage.dan.slash(stage.channel, "ask board", match=match))
    assert said.startswith(UNKNOWN.format(match))


async def test_a_mention_tells_a_stranger_nothing(stage: Stage, abroad: Abroad) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    told = []
    for each in (match, "F-ZZZ"):
        said = await abroad.zoe.send(abroad.channel, f"{stage.mention} {each} a1")
        told.append([one.content.replace(each, "?") for one in answers(abroad.channel, said)])
    assert told[0] == told[1]


async def test_players_play_from_anywhere(stage: Stage, abroad: Abroad, secret: ChannelHandle) -> None:
    match = await begun(stage, secret)
    for route in ("dm", "menu"):
        mover, text = await stage.mover(match), legal(await stage.match(match))[0]
        await move_by(stage, route, match, secret, mover, text)
    mover, text = await stage.mover(match), legal(await stage.match(match))[0]
    await mover.slash(stage.gallery, "move", move=text, match=match)
    assert (await stage.match(match)).plays == 3
