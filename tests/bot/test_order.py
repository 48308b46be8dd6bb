"""Messages of one channel count in the order in which they were written, however quickly they follow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bot.stage import Stage, legal


@pytest.mark.parametrize("first", ["reply", "mention"])
async def test_a_move_does_not_overtake_the_one_before(stage: Stage, first: str) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    (board,) = await stage.boards(match)
    now = await stage.match(match)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    (seat,) = now.to_act
    text = legal(now)[0]
    action = now.game.parse(now.game.view(now.state, seat), seat, text).action  # type: ignore[union-attr]
    then = replace(now, state=now.game.apply(now.state, seat, action).state)
    if first == "reply":
        stage.post(mover, thread, text, reply_to=board)
    else:
        stage.post(mover, thread, f"{stage.mention} {text}")
    stage.post(waiting, thread, f"{stage.mention} {legal(then)[0]}")
    await stage.env.settle()
    assert (await stage.match(match)).plays == 2
    assert len(await stage.boards(match)) == 3


async def test_a_refused_move_is_not_read_again_after_a_crash(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    waiting = await stage.waiting(match)
    early = stage.post(waiting, thread, f"{stage.mention} {legal(await stage.match(match))[0]}")
    await stage.env.settle()
    assert (await stage.match(match)).plays == 0
    (unread,) = await stage.bot.context.store.channels_to_read()
    assert unread.after == early.id
