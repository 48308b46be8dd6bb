"""A server's showcase: a list of its live matches, kept current, and a post of each that is finished."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from storage import SqliteStore
from tests.bot.ping_acts import direct
from tests.bot.stage import Stage, shown, text_of
from tests.bot.test_follow import begun, play, resigned, secret_room
from tests.bot.test_match_access import private_thread
from tests.bot.test_places import manager

pytestmark = pytest.mark.slow


async def choose(stage: Stage, channel: ChannelHandle) -> str:
    """Let Ann choose a showcase, and wait until its list is there; what is said."""
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", showcase=channel))
    await stage.later(seconds=16)
    return said


def ours(channel: ChannelHandle) -> list[discord.Message]:
    """Our messages in a channel."""
    return [m for m in channel.history() if m.author.bot and not m.flags.ephemeral]


def the_list(stage: Stage) -> discord.Message:
    """The only list in the spectators' channel."""
    (found,) = [m for m in ours(stage.gallery) if "live match" in m.content]
    return found


async def minute(stage: Stage) -> None:
    """Let a minute pass, and a tick."""
    await stage.later(seconds=76)


async def test_a_list_that_is_kept_current(stage: Stage) -> None:
    said = await choose(stage, stage.gallery)
    assert f"Showcase of live matches: {stage.gallery.mention}" in said
    assert "The list appears within a minute." in said
    (first,) = ours(stage.gallery)
    assert first.content == "**No live matches right now.** `/play` starts one."
    match, thread = await stage.open(stage.ann, stage.ben)
    other, _ = await stage.open(stage.dan, stage.ben)
    await minute(stage)
    listed = the_list(stage)
    assert listed.id == first.id
    head, _, oldest = listed.content.splitlines()
    assert head == "**2 live matches**"
    mover = await stage.mover(match)
    assert oldest.startswith(f"- {thread.mention} **{mover.name}** to move · <t:")
    (picture,) = listed.attachments
    start = (await stage.match(other)).seq
    assert picture.filename == f"showcase-{other}-{start}.png"
    assert picture.description
    await play(stage, match)
    await minute(stage)
    listed = the_list(stage)
    assert thread.mention in listed.content.splitlines()[1], "the latest change comes first"
    assert (await stage.mover(match)).name in listed.content.splitlines()[1]
    assert listed.attachments[0].filename == f"showcase-{match}-{start + 1}.png"
    await resigned(stage, match)
    await minute(stage)
    assert the_list(stage).content.startswith("**One live match**")


def edits(stage: Stage) -> int:
    """How often a message in the showcase was edited."""
    path = f"/channels/{stage.gallery.id}/messages/"
    return sum(one.method == "PATCH" and one.path.startswith(path) for one in stage.env.http_requests)


async def test_a_match_is_looked_at_from_the_menu(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await choose(stage, stage.gallery)
    listed = the_list(stage)
    board = shown(await stage.cleo.select(listed, [match]))
    assert board.attachments[0].filename.startswith(match)
    await resigned(stage, match)
    assert "That match is over." in shown(await stage.cleo.select(listed, [match])).content
    mine = text_of(await stage.cleo.click(listed, label="My matches"))
    assert "You have no matches" in mine


async def test_a_finished_match_is_posted_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    await choose(stage, stage.gallery)
    match, thread = await stage.open(stage.ann, stage.ben)
    await play(stage, match)

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(SqliteStore, "outbox_sent", dies)
    await resigned(stage, match)
    await stage.later(seconds=4)
    monkeypatch.undo()
    await stage.restart()
    await minute(stage)
    (post,) = [m for m in ours(stage.gallery) if m.attachments]
    lines = post.content.splitlines()
    assert lines[0] == "**Focus: Ann – Ben**"
    assert "wins" in lines[1]
    assert lines[2].startswith("1 move.")
    assert lines[-1] == f"-# `{match}` · {thread.mention}"
    assert not post.mentions
    replay = shown(await stage.cleo.click(post, label="Replay"))
    assert replay.attachments[0].filename.startswith(f"{match}-replay-")
    assert shown(await stage.cleo.click(post, label="My view")).attachments
    assert not await stage.bot.context.store.outbox_pending()


async def test_a_match_that_was_called_off_is_no_post(stage: Stage) -> None:
    await choose(stage, stage.gallery)
    match, thread = await stage.open(stage.ann, stage.ben)
    sure = shown(await stage.ann.slash(thread, "match resign"))
    await stage.ann.click(sure, label="Call it off instead")
    assert (await stage.row(match)).status == "aborted"
    await minute(stage)
    assert len(ours(stage.gallery)) == 1


async def test_what_not_all_readers_may_see_is_not_shown(stage: Stage) -> None:
    secret = secret_room(stage, stage.ann, stage.ben)
    hidden = await begun(stage, secret)
    private = await begun(stage, private_thread(stage, stage.ann, stage.ben))
    open_, _ = await stage.open(stage.ann, stage.ben)
    await choose(stage, stage.gallery)
    listed = the_list(stage)
    assert listed.content.startswith("**One live match**")
    assert open_ in str(listed.to_message_reference_dict()) + listed.attachments[0].filename
    for match in (hidden, private):
        await resigned(stage, match)
    await minute(stage)
    assert not [m for m in ours(stage.gallery) if "wins" in m.content]


async def test_a_public_match_is_shown_wherever_it_is_played(stage: Stage) -> None:
    match = await begun(stage, secret_room(stage, stage.ann, stage.ben))
    service = stage.bot.context.service
    for person in (stage.ann, stage.ben):
        await service.channels.agree_to_show(match, person.id, open_place=False)
    await choose(stage, stage.gallery)
    assert the_list(stage).content.startswith("**One live match**")
    await resigned(stage, match)
    await minute(stage)
    assert [m for m in ours(stage.gallery) if "wins" in m.content]


async def test_a_closed_showcase_shows_what_is_as_closed(stage: Stage) -> None:
    secret = secret_room(stage, stage.ann, stage.ben)
    await begun(stage, secret)
    await choose(stage, secret)
    assert any("**One live match**" in m.content for m in ours(secret))


async def test_a_post_that_is_refused_switches_it_off(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await choose(stage, stage.gallery)
    await play(stage, match)
    await minute(stage)
    path = f"/channels/{stage.gallery.id}/messages"
    stage.env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions")
    await resigned(stage, match)
    await stage.later(seconds=4)
    assert await stage.bot.context.store.showcases() == ()
    assert [m for m in direct(stage.ann) if "showcase is off" in m.content]
    assert not await stage.bot.context.store.outbox_pending()


async def test_moved_and_switched_off(stage: Stage) -> None:
    await stage.open(stage.ann, stage.ben)
    await choose(stage, stage.gallery)
    hall = stage.guild.create_text_channel("hall")
    await choose(stage, hall)
    assert not ours(stage.gallery), "the old list is gone"
    assert len(ours(hall)) == 1
    said = text_of(await stage.ann.slash(stage.channel, "server settings"))
    assert f"Showcase of live matches: {hall.mention}" in said
    said = text_of(await stage.ann.slash(stage.channel, "server settings", showcase_off="yes"))
    assert "Showcase of live matches: off" in said
    assert "Finished matches that were posted there stay" in said
    assert not ours(hall)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", showcase_off="yes"))
    assert "is off." not in said, "it was off before"
    await minute(stage)
    assert not ours(hall)


async def test_a_channel_in_which_we_may_not_write_is_refused(stage: Stage) -> None:
    closed = stage.guild.create_text_channel(
        "closed",
        overwrites={stage.guild.default_role: discord.PermissionOverwrite(send_messages=False)},
    )
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", showcase=closed))
    assert "I need a permission in" in said
    assert await stage.bot.context.store.showcases() == ()
