"""The daily puzzle of a server: a week with restarts, who has solved it, and channels that are lost."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.outbound.showcases import Showcases
from bot.platform.puzzle_files import shipped_puzzles
from games.engine import registry
from games.engine.lessons import position_of
from games.engine.puzzles import Puzzle, step_of
from matches.daily_puzzles import DAY
from matches.store.standing import PRIVATE
from storage import SqliteStore
from tests.bot.lobby_acts import labels
from tests.bot.ping_acts import direct, notified
from tests.bot.stage import Stage, menu_with, shown, text_of
from tests.bot.test_places import manager
from tests.bot.test_privacy import forget
from tests.bot.test_showcase import ours

WEEK = 7


async def begin(stage: Stage) -> str:
    """Let Ann choose the gallery, and wait until the first puzzle is there; what is said."""
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", daily_puzzle=stage.gallery))
    await stage.later(seconds=16)
    return said


async def next_day(stage: Stage) -> discord.Message:
    """Let a day pass, and return the message of the new one."""
    await stage.later(hours=24, seconds=16)
    return ours(stage.gallery)[-1]


async def puzzle_of_day(stage: Stage) -> tuple[str, Puzzle]:
    """The current puzzle of the server, with its game."""
    (row,) = await stage.bot.context.store.daily_puzzles(stage.guild.id, 1)
    return row.game, shipped_puzzles(row.game)[row.puzzle]


async def answered(stage: Stage, person: MemberActor, message: discord.Message, *, right: bool) -> str:
    """Let a person answer the puzzle of a message; what they are told."""
    key, puzzle = await puzzle_of_day(stage)
    game = registry.get(key)
    view = game.view(position_of(game, step_of(game, puzzle)), puzzle.seat)
    move = game.format(view, game.decode(puzzle.best if right else puzzle.rival))
    panel = shown(await person.click(message, label="Solve it"))
    assert panel.flags.ephemeral
    if not any(move == option.value for menu in menus(panel) for option in menu.options):
        form = await person.click(panel, label="Type a move")
        return shown(await person.submit_modal(form, {"move": move})).content
    return shown(await person.select(panel, [move], custom_id=menu_with(panel, move))).content


def menus(message: discord.Message) -> list[Any]:
    return [child for row in message.components for child in row.children if hasattr(child, "options")]  # type: ignore[union-attr]


@pytest.mark.slow
async def test_a_week_of_puzzles_with_restarts(stage: Stage) -> None:
    said = await begin(stage)
    assert f"{stage.gallery.mention} gets a daily puzzle" in said
    assert f"Daily puzzle: {stage.gallery.mention}" in said
    (message,) = ours(stage.gallery)
    posted, names = [], []
    for day in range(1, WEEK + 1):
        assert message.content.startswith(f"**Puzzle of the day {day}**")
        assert "is to move" in message.content
        assert len(message.attachments) == 1
        assert message.attachments[0].description
        assert labels(message) == {"Solve it", "More puzzles"}
        assert message.flags.suppress_notifications
        posted.append(message.id)
        names.append((await puzzle_of_day(stage))[1].key)
        told = await answered(stage, stage.ann, message, right=True)
        assert "**Right.**" in told
        assert (f"{day} daily puzzles in a row solved at once." in told) == (day > 1)
        told = await answered(stage, stage.ben, message, right=day == 3)
        assert ("**Right.**" in told) == (day == 3)
        if day % 2:
            await stage.restart()
        await stage.later(seconds=31)
        assert [each.id for each in ours(stage.gallery)] == posted, "one message a day"
        key, puzzle = await puzzle_of_day(stage)
        message = await next_day(stage)
        game = registry.get(key)
        best = game.format(
            game.view(position_of(game, step_of(game, puzzle)), puzzle.seat), game.decode(puzzle.best)
        )
        assert f"**Puzzle {day}**" in message.content
        assert f"The best move is `{best}`" in message.content
        ann = f"<@{stage.ann.id}>" if day == 1 else f"<@{stage.ann.id}> ({day} days in a row)"
        both = f"{ann} and <@{stage.ben.id}>" if day == 3 else ann
        assert f"Solved by {both}." in message.content
    assert len(set(names)) == WEEK
    assert len(ours(stage.gallery)) == WEEK + 1
    assert notified(stage, "Puzzle of the day") == [set()] * (WEEK + 1)
    assert not direct(stage.ann)


@pytest.mark.slow
async def test_a_downtime_of_days_brings_one_puzzle_and_keeps_the_hour(stage: Stage) -> None:
    await begin(stage)
    await stage.later(hours=80, seconds=16)
    first, second = await _messages(stage, 2)
    assert first.content.startswith("**Puzzle of the day 1**")
    assert second.content.startswith("**Puzzle of the day 2**")
    assert "Nobody solved it at once." in second.content
    days = await stage.bot.context.store.daily_puzzles(stage.guild.id, 9)
    assert days[0].due - days[1].due == 3 * DAY


async def _messages(stage: Stage, count: int) -> list[discord.Message]:
    found = ours(stage.gallery)
    assert len(found) == count
    return found


@pytest.mark.slow
async def test_a_crash_and_two_processes_post_it_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def dies(*args: Any) -> bool:
        if args[1].message is not None:
            raise OSError("the process was killed here")
        return True

    monkeypatch.setattr(SqliteStore, "note_showcase", dies)
    await begin(stage)
    assert len(ours(stage.gallery)) == 1
    monkeypatch.undo()
    await stage.restart()
    await stage.later(seconds=76)
    assert len(ours(stage.gallery)) == 1
    stage.bot.pollers.stop()
    stage.env.backend.advance_clock(DAY.total_seconds())
    others = [Showcases(stage.bot.context) for _ in range(2)]
    await asyncio.gather(*(each.tick() for each in others))
    for each in others:
        await each.tick()
    assert len(await stage.bot.context.store.daily_puzzles(stage.guild.id, 9)) == 2
    assert len(ours(stage.gallery)) == 2


@pytest.mark.slow
async def test_those_who_are_forgotten_or_private_leave(stage: Stage) -> None:
    await begin(stage)
    for person in (stage.ann, stage.ben, stage.cleo):
        await answered(stage, person, ours(stage.gallery)[0], right=True)
    message = await next_day(stage)
    assert all(f"<@{each.id}>" in message.content for each in (stage.ann, stage.ben, stage.cleo))
    await stage.bot.context.preferences.save("user", stage.ben.id, dict(PRIVATE))
    await forget(stage, stage.ann)
    await stage.later(seconds=76)
    _, message = await _messages(stage, 2)
    assert f"Solved by <@{stage.cleo.id}>." in message.content


@pytest.mark.slow
async def test_what_was_answered_before_and_days_that_are_over(stage: Stage) -> None:
    await begin(stage)
    (first,) = ours(stage.gallery)
    await answered(stage, stage.ann, first, right=False)
    again = shown(await stage.ann.click(first, label="Solve it"))
    assert "your first answer counts" in again.content
    await answered(stage, stage.ann, first, right=True)
    await next_day(stage)
    late = shown(await stage.ben.click(first, label="Solve it"))
    assert "The day of this puzzle is over." in late.content
    assert "Nobody solved it at once." in ours(stage.gallery)[-1].content


@pytest.mark.slow
async def test_a_lost_channel_switches_it_off_and_says_so(stage: Stage) -> None:
    await begin(stage)
    path = f"/channels/{stage.gallery.id}/messages"
    stage.env.inject_error("POST", path, status=403, code=50013, message="Missing Permissions")
    await next_day(stage)
    assert await stage.bot.context.store.showcase(stage.guild.id, "puzzle") is None
    assert [m for m in direct(stage.ann) if "I can't post the daily puzzle" in m.content]
    await begin(stage)
    assert len(ours(stage.gallery)) == 2, "the puzzle of the day is still to come"
    said = text_of(await stage.ann.slash(stage.channel, "server settings", daily_puzzle_off="yes"))
    assert "Daily puzzle: off" in said
    assert "is off." in said
    assert len(ours(stage.gallery)) == 1


@pytest.mark.slow
async def test_a_message_that_is_deleted_comes_back_as_the_same_puzzle(stage: Stage) -> None:
    await begin(stage)
    (first,) = ours(stage.gallery)
    await stage.remove(first)
    await stage.later(seconds=76)
    (again,) = ours(stage.gallery)
    assert again.content == first.content


@pytest.mark.slow
async def test_pictures_that_are_refused_become_text(stage: Stage) -> None:
    path = f"/channels/{stage.gallery.id}/messages"
    stage.env.inject_error("POST", path, status=413, code=40005, message="Request entity too large")
    await begin(stage)
    await stage.later(seconds=76)
    (message,) = ours(stage.gallery)
    assert not message.attachments
    assert "```" in message.content
