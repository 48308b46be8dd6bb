"""The database fails at any step of a typed move: it counts once, and its author has one answer."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.inbound import messages
from matches.ports import StoreError
from tests.bot.acts import answers
from tests.bot.stage import Stage, legal

pytestmark = pytest.mark.slow


class Failing:
    """A method of the store that raises some times, before its work or after it."""

    def __init__(self, stage: Stage, patch: pytest.MonkeyPatch, name: str, *, after: bool = False) -> None:
        self.left = 1
        real = getattr(stage.bot.context.store, name)

        async def failing(*args: Any, **kwargs: Any) -> Any:
            result = await real(*args, **kwargs) if after or not self.left else None
            if self.left:
                self.left -= 1
                raise StoreError("the disk is full")
            return result

        patch.setattr(stage.bot.context.store, name, failing, raising=False)


async def elsewhere(stage: Stage) -> tuple[str, MemberActor, ChannelHandle]:
    """A match, who is to move, and a channel in which a move is answered, as the board comes elsewhere."""
    match, _ = await stage.open(stage.ann, stage.ben)
    await stage.open(stage.cleo, stage.dan)  # another match, whose boards may come meanwhile
    return match, await stage.mover(match), stage.channel


@pytest.mark.parametrize(
    ("step", "after"),
    [
        ("match", False),
        ("commit", False),
        ("commit", True),
        ("outbox", False),
        ("outbox_sent", False),
        ("posts", False),
    ],
)
async def test_a_move_counts_once_and_is_answered_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    match, mover, channel = await elsewhere(stage)
    text = legal(await stage.match(match))[0]
    failing = Failing(stage, monkeypatch, step, after=after)
    said = await mover.send(channel, f"{stage.mention} {match} {text}")
    assert failing.left == 0
    await stage.later(seconds=10)
    assert (await stage.match(match)).plays == 1
    assert len(await stage.boards(match)) == 2
    (answer,) = answers(channel, said)
    assert match in answer.content


async def test_a_reply_that_was_not_recognised_counts(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, board = await stage.mover(match), (await stage.boards(match))[-1]
    Failing(stage, monkeypatch, "post_and_match")
    await mover.send(thread, legal(await stage.match(match))[0], reply_to=board)
    assert (await stage.match(match)).plays == 0
    await stage.later(seconds=5)
    assert (await stage.match(match)).plays == 1


async def test_what_is_written_meanwhile_waits_for_its_turn(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, text = await stage.mover(match), legal(await stage.match(match))[0]
    Failing(stage, monkeypatch, "commit")
    first = await mover.send(thread, f"{stage.mention} {text}")
    second = await mover.send(thread, f"{stage.mention} {text}")
    await stage.later(seconds=5)
    assert (await stage.match(match)).plays == 1
    assert answers(thread, first) == []
    (answer,) = answers(thread, second)
    assert "turn" in answer.content


async def test_what_memory_has_no_room_for_is_read_at_the_next_start(
    open_stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, text = await stage.mover(match), legal(await stage.match(match))[0]
    monkeypatch.setattr(messages, "_MAX_WAITING", 1)
    Failing(stage, monkeypatch, "commit")
    await mover.send(thread, text)
    later = await mover.send(thread, f"{stage.mention} {text}")
    await stage.later(seconds=5)
    await mover.send(thread, "and a remark that is read at once")
    assert (await stage.match(match)).plays == 1
    assert answers(thread, later) == []
    await stage.restart()
    (answer,) = answers(thread, later)
    assert "turn" in answer.content


async def test_a_mistake_of_ours_is_not_tried_again(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, text = await stage.mover(match), legal(await stage.match(match))[0]
    Failing(stage, monkeypatch, "post_and_match")
    board = (await stage.boards(match))[-1]
    tries = []

    async def broken(*args: Any, **kwargs: Any) -> None:
        tries.append(args)
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(stage.bot.context.service.play, "submit", broken)
    await mover.send(thread, text, reply_to=board)
    await stage.later(seconds=10)
    assert len(tries) == 1
    stage.expected = stage.env.errors
    monkeypatch.undo()
    await mover.send(thread, text, reply_to=board)
    assert (await stage.match(match)).plays == 1
