"""How often a message calls the store: a move at most six times, a remark in a live thread once."""

from __future__ import annotations

from typing import cast

import pytest

from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal
from tests.fakes import CountingStore


def counted_so_far(stage: Stage) -> dict[str, int]:
    """The calls of the bot's store since it was opened."""
    return cast("CountingStore", stage.bot.context.store).taken()


def counted(stage: Stage) -> CountingStore:
    """The bot's store, counted from here on."""
    store = cast("CountingStore", stage.bot.context.store)
    store.taken()
    return store


@pytest.mark.parametrize("route", ["reply", "mention", "bare"])
async def test_a_move_calls_the_store_six_times_at_most(open_stage: Stage, route: str) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    for number in range(4):
        mover, move = await stage.mover(match), legal(await stage.match(match))[0]
        board = await last_board(stage, match)
        store = counted(stage)
        match route:
            case "reply":
                await mover.send(thread, move, reply_to=board)
            case "mention":
                await mover.send(thread, f"{stage.mention} {move}")
            case _:
                await mover.send(thread, move)
        calls = store.taken()
        calls.pop("settings", None)  # a reader's settings are read once in a process
        assert sum(calls.values()) <= 6, calls
        assert (await stage.match(match)).plays == number + 1


async def test_a_remark_in_a_live_thread_calls_it_once(open_stage: Stage) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    await move_by(stage, "bare", match, thread, mover, legal(await stage.match(match))[0])
    for person in (stage.ann, stage.ben, stage.cleo):
        await person.send(thread, "hello everyone")  # a reader's settings are read once in a process
        store = counted(stage)
        await person.send(thread, "what do you think of this?")
        assert store.taken() == {"by_place": 1}


async def test_a_missed_remark_behind_a_match_calls_it_once(open_stage: Stage) -> None:
    stage = open_stage
    threads = [(await stage.open(stage.ann, stage.ben))[1] for _ in range(4)]
    counts = []
    for talked in ((), threads[:1], threads):
        await stage.bot.close()
        for thread in talked:
            for text in ("what a game", "e4 is strong"):
                stage.env.backend.create_message(thread.id, stage.dan.id, text)
        await stage.restart()
        counts.append(counted_so_far(stage))
    quiet, one, four = (sum(calls.values()) for calls in counts)
    assert counts[2]["by_place"] == 8
    assert one - quiet <= 2, counts
    assert four - one == 6, counts
