"""Computers move in the background: nobody waits for them, and the channel shows that they think."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import discord
import pytest

from games.engine.match import Change
from matches.thinking.jobs import BusyError, Job
from matches.thinking.thread_thinker import ThreadThinker
from tests.bot.stage import Stage, computer, legal

pytestmark = pytest.mark.slow

TYPING = "/typing"


@contextmanager
def thinking(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.Future[None]]:
    """Let computers think until the result is set."""
    plain, go = ThreadThinker.think, asyncio.get_running_loop().create_future()

    async def think(thinker: ThreadThinker, job: Job) -> tuple[Change, ...] | None:
        await stage.env.external_wait(asyncio.shield(go), reason="a computer thinks")
        return await plain(thinker, job)

    with monkeypatch.context() as patch:
        patch.setattr(ThreadThinker, "think", think)
        yield go


async def started(stage: Stage) -> str:
    """Start a match of Ann and a computer in which she is to move; return its id."""
    match, _ = await stage.open(stage.ann, start=False)
    await computer(stage.ann, await stage.lobby(match))
    await stage.ann.click(await stage.lobby(match), label="Start")
    return match


async def move(stage: Stage, match: str) -> None:
    """Let Ann make a move."""
    now = await stage.match(match)
    await stage.ann.slash(stage.home(await stage.row(match)), "move", move=legal(now)[0])


def typings(stage: Stage) -> int:
    """Return how often the bot showed that it is typing."""
    return sum(request.path.endswith(TYPING) for request in stage.env.http_requests)


async def test_nobody_waits_for_a_computer_and_typing_shows_that_it_thinks(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await started(stage)
    with thinking(stage, monkeypatch) as go:
        before = (await stage.match(match)).plays
        await move(stage, match)
        assert (await stage.match(match)).plays == before + 1
        other, _ = await stage.open(stage.ben, stage.cleo)
        assert (await stage.match(other)).plays == 0, "all others are served meanwhile"
        await stage.env.advance_time(1.5)
        shown = typings(stage)
        assert shown
        await stage.env.advance_time(8)
        assert typings(stage) > shown
        go.set_result(None)
        await stage.env.settle()
    assert (await stage.match(match)).plays == before + 2
    shown = typings(stage)
    await stage.env.advance_time(20)
    assert typings(stage) == shown


async def test_typing_that_discord_refuses_stops_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await started(stage)

    def refuse(*_: object) -> None:
        raise discord.DiscordException

    before = (await stage.match(match)).plays
    monkeypatch.setattr(discord.PartialMessageable, "typing", refuse)
    with thinking(stage, monkeypatch) as go:
        await move(stage, match)
        await stage.env.advance_time(1.5)
        go.set_result(None)
        await stage.env.settle()
    assert (await stage.match(match)).plays == before + 2


async def test_where_too_many_wait_people_are_told_once_and_the_computer_moves_later(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await started(stage)
    home = stage.home(await stage.row(match))

    async def busy(thinker: ThreadThinker, job: Job) -> None:
        raise BusyError

    with monkeypatch.context() as patch:
        patch.setattr(ThreadThinker, "think", busy)
        before = (await stage.match(match)).plays
        await move(stage, match)
        await stage.later()
        await stage.later()
        said = [one.content for one in home.history() if "waiting for their computer" in one.content]
        assert len(said) == 1
    await stage.later()
    assert (await stage.match(match)).plays == before + 2


async def test_a_bot_that_closes_leaves_the_computer_to_the_next_start(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await started(stage)
    with thinking(stage, monkeypatch):
        before = (await stage.match(match)).plays
        await move(stage, match)
        await stage.bot.close()
    await stage.restart()
    await stage.later()
    assert (await stage.match(match)).plays == before + 2
