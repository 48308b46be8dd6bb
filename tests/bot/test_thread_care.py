"""Threads of finished matches are archived a day after the end, once, unless somebody still needs them."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.outbound import thread_care
from bot.platform.permissions import INVITE
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, allow, legal, shown, text_of
from tests.bot.test_places import manager

pytestmark = pytest.mark.slow


@pytest.fixture
def stage(stage: Stage) -> Stage:
    """Let the bot edit its threads: SimCord asks for Manage Channels, Discord of the owner for nothing."""
    allow(
        stage.env, stage.guild, discord.Permissions(INVITE.value | discord.Permissions.manage_channels.flag)
    )
    return stage


async def resign(stage: Stage, match: str) -> None:
    """End a match."""
    sure = shown(await stage.ann.slash(stage.channel, "match resign", match=match))
    await stage.ann.click(sure, label="Yes, I resign")


async def finished(stage: Stage) -> tuple[str, ChannelHandle]:
    """A match that is over after a move, and its thread."""
    match, thread = await stage.open(stage.ann, stage.ben)
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    await resign(stage, match)
    return match, thread


def is_archived(thread: ChannelHandle) -> bool:
    """Whether a thread is archived."""
    meta = thread._channel.thread_metadata
    return meta is not None and meta.archived


async def days(stage: Stage, number: float) -> None:
    """Days pass, and the poller has looked."""
    await stage.later(hours=24 * number, seconds=61)


async def test_a_thread_is_archived_a_day_after_the_end(stage: Stage) -> None:
    _, thread = await finished(stage)
    _, live = await stage.open(stage.ann, stage.ben)
    await days(stage, 0.9)
    assert not is_archived(thread)
    await days(stage, 0.2)
    assert is_archived(thread)
    await days(stage, 3)
    assert not is_archived(live)


async def test_remarks_after_the_end_keep_it_open(stage: Stage) -> None:
    _, thread = await finished(stage)
    await days(stage, 0.9)
    await stage.ben.send(thread, "That was close!")
    await days(stage, 0.9)
    assert not is_archived(thread)
    await days(stage, 0.2)
    assert is_archived(thread)


async def test_who_opens_it_again_keeps_it_open(stage: Stage) -> None:
    _, thread = await finished(stage)
    await days(stage, 1.1)
    assert is_archived(thread)
    stage.env.backend.edit_channel(
        thread.id, {}, thread_metadata={"archived": False, "archive_timestamp": stage.env.backend.now_iso()}
    )
    await days(stage, 3)
    assert not is_archived(thread)


async def test_a_rematch_keeps_it_open(stage: Stage) -> None:
    match, thread = await finished(stage)
    await stage.ben.click(await last_board(stage, match), label="Rematch")
    (lobby,) = await stage.bot.context.store.by_status("lobby")
    await stage.ann.click(await stage.lobby(lobby.id), label="Accept")
    await stage.ben.click(await stage.lobby(lobby.id), label="Start")
    await days(stage, 3)
    assert not is_archived(thread)
    await resign(stage, lobby.id)
    await days(stage, 1.1)
    assert is_archived(thread)


async def test_a_server_can_keep_them_open(stage: Stage) -> None:
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", archive="off"))
    assert "Archive threads a day after the end: `off`" in said
    _, thread = await finished(stage)
    await days(stage, 3)
    assert not is_archived(thread)
    await stage.ann.slash(stage.channel, "server settings", archive="on")
    await days(stage, 0.1)
    assert is_archived(thread)


async def test_a_thread_of_others_stays_open(stage: Stage) -> None:
    made = stage.env.backend.create_thread(stage.channel.id, "our corner", stage.ann.id)
    (thread,) = [one for one in stage.channel.threads if one.id == made.id]
    await stage.ann.slash(thread, "play", game="focus", players=2)
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = next(one for one in thread.history() if one.id == row.lobby.message)
    await stage.ben.click(lobby, label="Join")
    await stage.ann.click(lobby, label="Start")
    await resign(stage, row.id)
    _, ours = await finished(stage)
    await days(stage, 2)
    assert is_archived(ours)
    assert not is_archived(thread)


async def test_a_thread_that_discord_does_not_let_us_archive_is_tried_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_care, "_LOOK_FOR_FINISHED", timedelta(seconds=1))
    _, thread = await finished(stage)
    path = f"/channels/{thread.id}"
    stage.env.inject_error("PATCH", path, status=403, code=50013, message="Missing Permissions", times=None)
    await days(stage, 1.1)
    await stage.later(seconds=121)
    tried = [one for one in stage.env.http_requests if (one.method, one.path) == ("PATCH", path)]
    assert len(tried) == 1
    assert not is_archived(thread)
