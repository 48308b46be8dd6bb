"""Following a match: direct messages at its end, at each turn, or once a day, each told once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from matches.results import Played
from storage import SqliteStore
from tests.bot.ping_acts import direct, night, wants
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow


async def play(stage: Stage, match: str) -> str:
    """A move is made; what it was."""
    text = legal(await stage.match(match))[0]
    mover = await stage.mover(match)
    request = f"play {match} {(await stage.row(match)).version}"
    played = await stage.bot.context.service.play.submit(match, mover.id, text, request=request)
    assert isinstance(played, Played)
    return text


async def follow(stage: Stage, person: MemberActor, match: str, tell: str = "turns") -> str:
    """A person follows a match; what they are told."""
    return text_of(await person.slash(stage.channel, "matches watch follow", match=match, tell=tell))


async def resigned(stage: Stage, match: str) -> None:
    """Ann gives up."""
    result = await stage.bot.context.service.play.resign(match, stage.ann.id, request=f"resign {match}")
    assert isinstance(result, Played)


async def test_each_turn_is_told_once_with_its_board(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    said = await follow(stage, stage.cleo, match)
    assert (
        said
        == f"I'll send you a direct message at each turn of `{match}`, at most one a minute, and at its end."
    )
    await stage.later(seconds=20)
    assert direct(stage.cleo) == []
    text = await play(stage, match)
    await stage.later(seconds=20)
    (first,) = direct(stage.cleo)
    assert first.content.startswith(f"You follow `{match}`, Focus: Ann – Ben. https://discord.com/")
    assert text in first.content
    assert "to move" in first.content
    assert len(first.attachments) == 1
    assert not first.mentions
    labels = [child.label for row in first.components for child in row.children]  # type: ignore[union-attr]
    assert labels == ["My view", "Stop following"]
    view = shown(await stage.cleo.user.click(first, label="My view"))
    assert "moved on" not in view.content
    await stage.restart()
    await stage.later(seconds=61)
    assert len(direct(stage.cleo)) == 1


async def test_turns_within_a_minute_are_one_message(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match)
    await play(stage, match)
    await stage.later(seconds=16)
    for _ in range(3):
        await play(stage, match)
    await stage.later(seconds=20)
    assert len(direct(stage.cleo)) == 1
    await stage.later(seconds=61)
    _, second = direct(stage.cleo)
    assert f"move {(await stage.match(match)).plays}" in second.content
    await stage.later(seconds=120)
    assert len(direct(stage.cleo)) == 2


async def test_the_end_is_told_with_a_replay_and_ends_it(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    assert await follow(stage, stage.cleo, match, "end") == (
        f"I'll send you a direct message when `{match}` is over."
    )
    await play(stage, match)
    await stage.later(seconds=20)
    assert direct(stage.cleo) == []
    await resigned(stage, match)
    await stage.later(seconds=20)
    (told,) = direct(stage.cleo)
    assert told.content.startswith(f"**`{match}` is over**, Focus: Ann – Ben.")
    assert "wins" in told.content
    replay = shown(await stage.cleo.user.click(told, label="Replay"))
    assert replay.attachments[0].filename.startswith(f"{match}-replay-")
    assert await stage.bot.context.store.follows_of(stage.cleo.id) == ()
    assert await follow(stage, stage.cleo, match) == "This match is over."


async def test_once_a_day_at_the_first_digest_time_if_there_is_news(stage: Stage) -> None:
    first, _ = await stage.open(stage.ann, stage.ben)
    second, _ = await stage.open(stage.ann, stage.dan)
    quiet, _ = await stage.open(stage.ben, stage.dan)
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    late = (now + timedelta(hours=6)).time().replace(second=0, microsecond=0)
    await wants(stage, stage.cleo, digests=(min(at, late), max(at, late)))
    for match in (first, second, quiet):
        assert "once a day" in await follow(stage, stage.cleo, match, "daily")
    await play(stage, first)
    await play(stage, first)
    await resigned(stage, second)
    await stage.later(seconds=61)
    assert direct(stage.cleo) == []
    await stage.later(hours=24)
    (news,) = direct(stage.cleo)
    assert news.content.startswith("News of 2 matches that you follow:")
    assert f"`{first}` Focus: Ann – Ben: 2 moves since the last message. " in news.content
    assert "wins" in news.content
    assert quiet not in news.content
    await stage.later(hours=24)
    assert len(direct(stage.cleo)) == 1, "nothing is new"
    left = {row.match for row in await stage.bot.context.store.follows_of(stage.cleo.id)}
    assert left == {first, quiet}
    listed = text_of(await stage.cleo.user.click(news, label="My matches"))
    assert "You follow 2 matches:" in listed
    assert "once a day" in listed


async def test_quiet_hours_are_kept(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await wants(stage, stage.cleo, quiet=night(stage))
    await follow(stage, stage.cleo, match)
    await play(stage, match)
    await stage.later(seconds=61)
    assert direct(stage.cleo) == []
    await resigned(stage, match)
    await stage.later(hours=2.5)
    (told,) = direct(stage.cleo)
    assert "is over" in told.content


async def test_stopping_by_command_and_by_button(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    assert await follow(stage, stage.cleo, match, "stop") == f"You don't follow `{match}`."
    await follow(stage, stage.cleo, match)
    assert "You follow one match:" in text_of(await stage.cleo.slash(stage.channel, "matches mine"))
    assert await follow(stage, stage.cleo, match, "stop") == f"You no longer follow `{match}`."
    assert "You follow" not in text_of(await stage.cleo.slash(stage.channel, "matches mine"))
    said = text_of(await stage.cleo.slash(thread, "matches watch follow"))
    assert "is over" in said, "in its thread no id is needed"
    said = text_of(await stage.cleo.slash(thread, "matches watch stop", match=match))
    assert said == f"You no longer follow `{match}`."
    await follow(stage, stage.cleo, match)
    await play(stage, match)
    await stage.later(seconds=20)
    (told,) = direct(stage.cleo)
    for wanted in (f"You no longer follow `{match}`.", f"You don't follow `{match}`."):
        assert text_of(await stage.cleo.user.click(told, label="Stop following")) == wanted
    await play(stage, match)
    await stage.later(seconds=90)
    assert len(direct(stage.cleo)) == 1


async def test_what_is_queued_is_not_sent_once_stopped(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match)
    await play(stage, match)
    await stage.bot.context.service.follows.tick()
    await follow(stage, stage.cleo, match, "stop")
    await stage.later(seconds=4)
    assert direct(stage.cleo) == []


async def test_who_can_not_follow(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    assert "You play in" in await follow(stage, stage.ann, match)
    assert (await follow(stage, stage.cleo, "F-ZZZ")).startswith("There is no match `F-ZZZ`")
    lobby, _ = await stage.open(stage.dan, start=False)
    assert (await follow(stage, stage.cleo, lobby)).startswith(f"There is no match `{lobby}`")
    said = text_of(await stage.cleo.user.slash("matches watch follow", match=match, tell="end"))
    assert "is over" in said, "it can be said in direct messages"
    said = text_of(await stage.cleo.user.slash("matches watch here", match=match))
    assert "can only be shown on its own server" in said


async def test_there_is_a_limit(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.watching.MAX_FOLLOWS", 1)
    match, _ = await stage.open(stage.ann, stage.ben)
    other, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match)
    assert "which is the limit" in await follow(stage, stage.cleo, other)
    assert "once a day" in await follow(stage, stage.cleo, match, "daily")


def secret_room(stage: Stage, *people: MemberActor) -> ChannelHandle:
    """A channel for these people and the bot."""
    stored = stage.env.backend.guilds[stage.guild.id].roles
    bot_role = next(role for role in stage.guild.roles.values() if stored[role.id].managed)
    shown_to = discord.PermissionOverwrite(view_channel=True)
    overwrites: dict[Any, discord.PermissionOverwrite] = {
        stage.guild.default_role: discord.PermissionOverwrite(view_channel=False),
        bot_role: shown_to,
        **dict.fromkeys(people, shown_to),
    }
    return stage.guild.create_text_channel("secret", overwrites=overwrites)


async def begun(stage: Stage, channel: ChannelHandle) -> str:
    """A match of Ann and Ben in a channel; its id."""
    await stage.ann.slash(channel, "play", game="focus", friend=stage.ben)
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = next(m for m in channel.history() if m.id == row.lobby.message)
    await stage.ben.click(lobby, label="Accept")
    await stage.ann.click(lobby, label="Start")
    return row.id


async def test_who_may_not_look_any_longer_is_told_no_more(stage: Stage) -> None:
    room = secret_room(stage, stage.ann, stage.ben, stage.cleo)
    match = await begun(stage, room)
    assert (await follow(stage, stage.dan, match)).startswith(f"There is no match `{match}`")
    said = text_of(await stage.cleo.slash(room, "matches watch follow", match=match, tell="turns"))
    assert "at each turn" in said
    await play(stage, match)
    await stage.later(seconds=20)
    assert len(direct(stage.cleo)) == 1
    overwrites = stage.env.backend.channels[room.id].overwrites
    overwrites[:] = [one for one in overwrites if one.target_id != stage.cleo.id]
    await stage.restart()  # as Discord would tell it
    await play(stage, match)
    await stage.later(seconds=90)
    _, last = direct(stage.cleo)
    assert last.content == f"I can't show you `{match}` any longer, so you no longer follow it."
    assert not last.attachments
    await play(stage, match)
    await stage.later(seconds=90)
    assert len(direct(stage.cleo)) == 2
    assert match not in text_of(await stage.cleo.slash(stage.channel, "matches mine"))


async def test_closed_direct_messages_end_it_and_that_is_said_once(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    other, _ = await stage.open(stage.ann, stage.ben)
    for each in (match, other):
        await follow(stage, stage.cleo, each)
    posts = f"/channels/{stage.cleo.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=1)
    await play(stage, match)
    await stage.later(seconds=20)
    assert not await stage.bot.context.store.outbox_pending()
    await play(stage, other)
    await stage.later(seconds=61)
    assert direct(stage.cleo) == []
    listed = text_of(await stage.cleo.slash(stage.channel, "matches mine"))
    wanted = sorted(f"`{each}`" for each in (match, other))
    assert f"so you no longer follow these matches: {' and '.join(wanted)}." in listed
    assert "no longer follow" not in text_of(await stage.cleo.slash(stage.channel, "matches mine"))


@pytest.mark.parametrize("tell", ["turns", "end", "daily"])
async def test_killed_between_message_and_record_it_is_told_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tell: str
) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match, tell)
    await play(stage, match)
    if tell == "end":
        await resigned(stage, match)
    await stage.later(seconds=3)

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(SqliteStore, "outbox_sent", dies)
    await stage.later(hours=24 if tell == "daily" else 0, seconds=20)
    assert len(direct(stage.cleo)) == 1
    monkeypatch.undo()
    await stage.restart()
    await stage.later(seconds=20)
    assert len(direct(stage.cleo)) == 1
    assert not await stage.bot.context.store.outbox_pending()


async def test_killed_between_news_and_message_it_is_told_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match)
    await play(stage, match)

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(SqliteStore, "follow_work", dies)
    await stage.later(seconds=20)
    assert direct(stage.cleo) == []
    monkeypatch.undo()
    await stage.restart()
    await stage.later(seconds=20)
    assert len(direct(stage.cleo)) == 1


async def test_discord_is_away_then_the_newest_is_told(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match)
    posts = f"/channels/{stage.cleo.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=503, times=6)
    await play(stage, match)
    await stage.later(seconds=20)
    await play(stage, match)
    await stage.later(seconds=61)
    (told,) = direct(stage.cleo)
    assert f"move {(await stage.match(match)).plays}" in told.content


async def test_who_takes_a_seat_follows_no_longer(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await follow(stage, stage.cleo, match)
    mover = await stage.mover(match)
    await mover.slash(stage.home(await stage.row(match)), "match seat offer")
    offer = next(m for m in stage.home(await stage.row(match)).history() if "Take this seat" in m.content)
    await stage.cleo.click(offer, label="Take this seat")
    await play(stage, match)
    await stage.later(seconds=61)
    assert not any("You follow" in m.content for m in direct(stage.cleo))
    assert await stage.bot.context.store.follows_of(stage.cleo.id) == ()
