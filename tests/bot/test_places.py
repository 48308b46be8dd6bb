"""Where matches are played: threads, channels, direct messages, and a server's settings."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle

from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, computer, legal, menu_with, shown, text_of, withhold

pytestmark = pytest.mark.slow


def manager(stage: Stage, *more: MemberActor) -> None:
    """Let Ann manage the server, and these."""
    rights = discord.Permissions(manage_guild=True, manage_roles=True)
    role = stage.guild.create_role("managers", permissions=rights)
    for one in (stage.ann, *more):
        stage.env.backend.guilds[stage.guild.id].members[one.id].role_ids.append(role.id)


async def test_only_managers_change_a_servers_settings(stage: Stage) -> None:
    with pytest.raises(SetupError, match="not visible"):
        await stage.ben.slash(stage.channel, "server settings")
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings"))
    assert "Where matches are played: `thread`" in said
    assert "Where matches may start: everywhere" in said
    said = text_of(await stage.ann.slash(stage.channel, "server settings", place="channel", theme="dark"))
    assert "`channel`" in said
    assert "`dark`" in said
    said = text_of(await stage.ann.slash(stage.channel, "server settings", allow=stage.gallery))
    assert stage.gallery.mention in said
    assert "`channel`" in said, "what was not named stays"


async def test_matches_start_where_they_may(stage: Stage) -> None:
    manager(stage)
    await stage.ann.slash(stage.channel, "server settings", allow=stage.gallery)
    said = text_of(await stage.ben.slash(stage.channel, "play", game="focus"))
    assert said == f"On this server, matches can start in {stage.gallery.mention}."
    await stage.ben.slash(stage.gallery, "play", game="focus")
    assert len(await stage.bot.context.store.by_status("lobby")) == 1
    await stage.ann.slash(stage.channel, "server settings", forbid=stage.gallery)
    await stage.ben.slash(stage.channel, "play", game="focus")
    assert len(await stage.bot.context.store.by_status("lobby")) == 2


async def test_a_channel_without_threads_has_one_match(stage: Stage) -> None:
    manager(stage)
    await stage.ann.slash(stage.channel, "server settings", place="channel")
    match, home = await stage.open(stage.ann, stage.ben)
    assert home.id == stage.channel.id
    assert not stage.channel.threads
    said = text_of(await stage.cleo.slash(stage.channel, "play", game="focus"))
    assert said == (
        f"Match `{match}` is played in this channel. Finish it first, or start in another channel."
    )
    for route in ("reply", "mention", "slash", "menu"):
        text = legal(await stage.match(match))[0]
        await move_by(stage, route, match, home, await stage.mover(match), text)
    assert (await stage.match(match)).plays == 4


async def test_a_thread_for_each_match_of_a_channel(stage: Stage) -> None:
    first, one = await stage.open(stage.ann, stage.ben)
    second, two = await stage.open(stage.cleo, stage.dan)
    assert one.id != two.id
    assert one.name is not None
    assert two.name is not None
    assert first in one.name
    assert "Cleo – Dan" in two.name
    for match, thread in ((first, one), (second, two)):
        await move_by(
            stage, "reply", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
        assert (await stage.match(match)).plays == 1
    said = text_of(await stage.ann.slash(one, "play", game="focus"))
    assert f"Match `{first}` is played in this channel" in said


async def test_long_names_fit_everywhere(stage: Stage) -> None:
    ugly = "**_~|`" * 6
    for name in ("Ann", "Cleo", "Dan", "Eve"):
        member = stage.env.backend.guilds[stage.guild.id].members[stage.people[name].id]
        member.nick = ugly[:32]
    match, thread = await stage.open(stage.ann, stage.cleo, stage.dan, stage.eve, options="fast")
    board = await last_board(stage, match)
    assert len(board.content) <= 2000
    assert "\\*\\*\\_" in board.content
    assert thread.name is not None
    assert len(thread.name) <= 100
    assert thread.name.endswith(match)


# --- rights -------------------------------------------------------------------------------------------


async def test_a_missing_right_is_named_to_whom_can_grant_it(stage: Stage) -> None:
    manager(stage)
    withhold(stage, "attach_files")
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus"))
    assert said == (
        f"I need a permission in {stage.channel.mention}: Attach Files. "
        "You can grant it in the channel's settings, under Permissions."
    )
    withhold(stage, "attach_files", "create_public_threads")
    said = text_of(await stage.ben.slash(stage.channel, "play", game="focus"))
    assert "Attach Files and Create Public Threads" in said
    assert "ask someone who manages this server" in said
    withhold(stage, "create_public_threads")
    await stage.ann.slash(stage.channel, "server settings", place="channel")
    await stage.ben.slash(stage.channel, "play", game="focus")
    assert len(await stage.bot.context.store.by_status("lobby")) == 1, "a channel needs no thread"


# --- direct messages ----------------------------------------------------------------------------------


def told(channel: ChannelHandle) -> list[discord.Message]:
    """What the bot wrote there."""
    return [message for message in channel.history() if message.author.bot]


async def test_against_a_computer_in_direct_messages(stage: Stage) -> None:
    said = text_of(await stage.ann.user.slash("play", game="focus"))
    assert "Lobby `F-" in said
    assert "<#" not in said, "a direct channel has no name"
    home = stage.ann.user.dm_channel
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = next(m for m in told(home) if m.id == row.lobby.message)
    await computer(stage.ann.user, lobby)
    await stage.ann.user.click(lobby, label="Start")
    match = row.id
    for route in ("plain", "reply", "slash", "menu", "form"):
        now = await stage.match(match)
        text = legal(now)[0]
        board = await last_board(stage, match)
        match route:
            case "plain":
                await stage.ann.send_dm(text)
            case "reply":
                await stage.ann.send_dm(
                    text, reference={"channel_id": str(home.id), "message_id": str(board.id)}
                )
            case "slash":
                await stage.ann.user.slash("move", move=text)
            case "menu":
                panel = shown(await stage.ann.user.click(board, label="Moves"))
                await stage.ann.user.select(panel, [text], custom_id=menu_with(panel, text))
            case _:
                panel = shown(await stage.ann.user.click(board, label="Moves"))
                form = await stage.ann.user.click(panel, label="Type a move")
                await stage.ann.user.submit_modal(form, {"move": text})
        assert (await stage.match(row.id)).plays == now.plays + 2, route
        match = row.id
    await stage.restart()
    await stage.ann.send_dm("make it so")
    assert "isn't a move" in told(home)[-1].content
    await stage.ann.send_dm(legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays >= 12
    assert not stage.channel.history()


async def test_against_an_invited_person_in_direct_messages(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    guest, host = stage.ben.user.dm_channel, stage.ann.user.dm_channel
    (invitation,) = told(guest)
    assert stage.ben.mention in invitation.content
    await stage.ben.user.click(invitation, label="Accept")
    lobby = next(m for m in told(host) if m.id == row.lobby.message)
    assert "Ben" in lobby.content
    await stage.ann.user.click(lobby, label="Start")
    for _ in range(4):
        mover = await stage.mover(row.id)
        now = await stage.match(row.id)
        await mover.send_dm(legal(now)[0])
        assert (await stage.match(row.id)).plays == now.plays + 1
    assert len(await stage.boards_in(host, row.id)) == len(await stage.boards_in(guest, row.id)) == 5
    for plays in (5, 6):
        mover = await stage.mover(row.id)
        await stage.missed(mover.user.dm_channel, mover, legal(await stage.match(row.id))[0])
        assert (await stage.match(row.id)).plays == plays, "what was written to a bot that was down counts"
    mine = (await stage.boards_in(guest, row.id))[-1]
    sure = shown(await stage.ben.user.click(mine, label="Resign or draw"))
    await stage.ben.user.click(sure, label="Yes, I resign")
    assert "wins" in told(host)[-1].content
    over = (await stage.boards_in(guest, row.id))[-1]
    await stage.ben.user.click(over, label="Rematch")
    (again,) = await stage.bot.context.store.by_status("lobby")
    assert again.place.channel == guest.id, "the lobby is in the asker's channel"
    assert "is invited" in told(host)[-1].content
    await stage.ann.user.click(told(host)[-1], label="Decline")
    assert "open" in told(guest)[-1].content


async def test_a_guest_who_takes_no_direct_messages(stage: Stage) -> None:
    posts = f"/channels/{stage.ben.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=None)
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    home = stage.ann.user.dm_channel
    lobby = next(m for m in told(home) if m.id == row.lobby.message)
    panel = shown(await stage.ann.user.click(lobby, label="Options"))
    await stage.ann.user.select(panel, ["3"], custom_id=menu_with(panel, "3"))
    sorry = [m.content for m in told(home) if "I can't write to Ben" in m.content]
    assert len(sorry) == 1, "said once"
    assert not await stage.bot.context.store.outbox_pending()
