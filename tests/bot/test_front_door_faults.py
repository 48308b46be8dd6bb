"""The front door where something goes wrong: each fault has a sentence for its reader, and costs nothing."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.backend.errors import OptionError

from bot.actions.servers import joined_servers
from bot.messages.front_panel import front_panel
from bot.messages.outgoing import Outgoing
from bot.outbound.showcases import EVERY, Showcases
from matches.store.servers import Showcase
from tests.bot.acts import last_board, rows_of
from tests.bot.stage import Stage, shown, text_of, withhold, words_of
from tests.bot.test_front_panel import FIRST, title
from tests.bot.test_greeting import invite, said
from tests.bot.test_server_panel import put, the_panel
from tests.bot.test_showcase import minute, ours

pytestmark = pytest.mark.slow


# --- the panel of a channel ---------------------------------------------------------------------------


async def test_a_deleted_panel_comes_back_once(stage: Stage) -> None:
    await put(stage, stage.gallery)
    before = the_panel(stage)
    await stage.remove(before)
    await stage.open(stage.ann, start=False, players=3)
    for _ in range(2):
        await minute(stage)
    again = the_panel(stage)
    assert again.id != before.id
    assert rows_of(again) == rows_of(before)


@pytest.mark.parametrize("fault", ["deleted", "forbidden"])
async def test_a_panel_whose_channel_is_lost_is_off_and_both_hear_of_it_once(
    stage: Stage, fault: str
) -> None:
    hall = stage.guild.create_text_channel("hall")
    await put(stage, hall)
    await stage.open(stage.ann, start=False, players=3)
    if fault == "deleted":
        stage.env.backend.delete_channel(hall.id)
    else:
        (panel,) = ours(hall)
        path = f"/channels/{hall.id}/messages/{panel.id}"
        stage.env.inject_error("PATCH", path, status=403, code=50001, message="Missing Access")
    for _ in range(3):
        await minute(stage)
    assert await stage.bot.context.store.showcase(stage.guild.id, "panel") is None
    for person in (stage.ann.user, stage.guild.owner):
        told = [m.content for m in person.dm_channel.history() if "the front page" in m.content]
        assert len(told) == 1
        assert f"I can't keep the front page of the server Club in {hall.mention} current" in told[0]
        assert "use `/server panel` there again" in told[0]
    assert not await stage.bot.context.store.outbox_pending()
    assert (await put(stage, stage.gallery)).startswith("The front page stands in")
    assert the_panel(stage)


async def test_two_processes_at_once_post_one_panel(stage: Stage) -> None:
    ctx = stage.bot.context
    stage.bot.pollers.stop()
    now = ctx.clock.now()
    await ctx.store.save_showcase(Showcase(stage.guild.id, stage.gallery.id, stage.ann.id, now, kind="panel"))
    processes = Showcases(ctx), Showcases(ctx)
    for _ in range(2):
        await asyncio.gather(*(each.tick() for each in processes))
        stage.env.backend.advance_clock(EVERY.total_seconds())
    assert the_panel(stage)


async def test_what_can_be_archived_never_has_a_panel(stage: Stage) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    await put(stage, stage.gallery)
    with pytest.raises(OptionError, match="only allows channel types"):
        await stage.ann.slash(stage.channel, "server panel", channel=thread)
    told = text_of(await stage.ann.slash(thread, "server panel"))
    assert told == f"{thread.mention} isn't a text or announcement channel. Choose one of these."
    await minute(stage)
    assert the_panel(stage), "that of the other channel stays"


async def test_a_panel_where_boards_can_no_longer_be_posted_says_what_is_missing(stage: Stage) -> None:
    await put(stage, stage.gallery)
    panel = the_panel(stage)
    withhold(stage, "create_public_threads", "create_private_threads", "attach_files")
    offered = shown(await stage.ben.click(panel, label="Play"))
    told = text_of(await stage.ben.click(offered, label=title(stage, FIRST)))
    assert "I need" in told
    assert "Attach Files" in told
    assert not await stage.bot.context.store.by_status("lobby")


async def test_two_people_press_one_panel_at_the_same_moment(stage: Stage) -> None:
    await put(stage, stage.gallery)
    panel = the_panel(stage)
    both = await stage.press_all((stage.cleo, panel, "front_solo"), (stage.dan, panel, "front_solo"))
    for person, offered in zip((stage.cleo, stage.dan), map(shown, both), strict=True):
        assert offered.flags.ephemeral
        begun = shown(await person.click(offered, label=title(stage, FIRST)))
        assert begun.flags.ephemeral
    rows = await stage.bot.context.store.by_status("live")
    seated = [{seat.user for seat in row.seats if seat.user is not None} for row in rows]
    assert sorted(map(sorted, seated)) == sorted([[stage.cleo.id], [stage.dan.id]])
    assert words_of(the_panel(stage)).splitlines()[0] == words_of(panel).splitlines()[0]


# --- the greeting -------------------------------------------------------------------------------------


async def test_a_server_that_removes_the_bot_while_it_is_greeted_hears_nothing_then_or_later(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await stage.bot.close()
    guild = invite(stage, "chat", "news", system="news")
    for room in guild.channels.values():
        path = f"/channels/{room.id}/messages"
        stage.env.inject_error("POST", path, status=403, code=50001, message="Missing Access")
    drawn: list[discord.Guild] = []

    async def removed_meanwhile(*args: Any, **more: Any) -> Outgoing:
        here = next(each for each in stage.env.bot.guilds if each.id == guild.id)
        drawn.append(here)
        here._state._remove_guild(here)
        return await front_panel(*args, **more)

    monkeypatch.setattr(joined_servers, "front_panel", removed_meanwhile)
    await stage.restart()
    monkeypatch.undo()
    assert [each.id for each in drawn] == [guild.id]
    assert said(guild) == []
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    await stage.restart()
    stage.env.backend.advance_clock(timedelta(days=20).total_seconds())
    await stage.restart()
    assert said(guild) == []


async def test_a_server_that_is_already_left_is_not_greeted(stage: Stage) -> None:
    guild = stage.bot.get_guild(stage.guild.id)
    assert guild is not None
    guild._members.pop(guild._state.self_id or 0)
    await joined_servers.greet(stage.bot.context, guild)
    assert not [m for room in stage.guild.channels.values() for m in room.history() if m.author.bot]


# --- forms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["Type a move", "Add a line"])
async def test_a_form_that_is_sent_after_its_match_has_ended_says_so(stage: Stage, label: str) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    who, other = (mover, waiting) if label == "Type a move" else (waiting, mover)
    button = {"Type a move": "Moves", "Add a line": "Plan"}[label]
    more = shown(await who.click(await last_board(stage, match), label="More"))
    panel = shown(await who.click(more, label=button))
    form = await who.click(panel, label=label)
    await other.click(shown(await other.slash(thread, "match resign")), label="Yes, I resign")
    before = (await stage.match(match)).seq
    filled = {"Type a move": {"move": "e4-e6"}, "Add a line": {"line": "e4-e6: c3-c5"}}[label]
    answer = await who.submit_modal(form, filled)
    assert shown(answer).flags.ephemeral
    assert "is over" in text_of(answer)
    assert (await stage.match(match)).seq == before
