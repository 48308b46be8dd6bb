"""Messages besides boards are few, and are deleted when they have served their purpose."""

from __future__ import annotations

import discord
import pytest

from tests.bot.acts import last_board
from tests.bot.stage import Stage, button_ids, legal, shown

pytestmark = pytest.mark.slow


async def test_answers_to_mistakes_go_when_the_right_move_comes(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    wrong = [
        await mover.send(thread, f"{stage.mention} e4-e9"),
        await mover.send(thread, f"{stage.mention} c3"),
    ]
    said = [m for m in thread.history() if m.author.bot and m.reference]
    assert len(said) == 2, "a mistake, and half a move"
    await mover.send(thread, f"{stage.mention} {move}")
    assert (await stage.match(match)).plays == 1
    left = {m.id for m in thread.history()}
    assert left.isdisjoint(m.id for m in said)
    assert {m.id for m in wrong} <= left, "what people wrote stays"


async def test_a_server_may_keep_the_answers(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.bot.context.preferences.save("guild", stage.guild.id, {"corrections": "keep"})
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    (said,) = await stage.hears(thread, mover.send(thread, f"{stage.mention} e4-e9"))
    await mover.send(thread, f"{stage.mention} {move}")
    assert said.id in {m.id for m in thread.history()}


async def test_half_a_move_is_answered_with_buttons_that_play_it(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, other = await stage.mover(match), await stage.waiting(match)
    square = legal(await stage.match(match))[0].partition("-")[0]
    (asks,) = await stage.hears(thread, mover.send(thread, f"{stage.mention} {square}"))
    follow = [each for each in button_ids(asks) if each.startswith("domb:pick:")]
    assert follow
    await stage.press_id(other, asks, follow[0])
    assert (await stage.match(match)).plays == 0, "others can't play it"
    await stage.press_id(mover, asks, follow[0])
    assert (await stage.match(match)).plays == 1
    assert asks.id not in {m.id for m in thread.history()}


async def test_a_try_in_public_is_marked_and_says_how_to_try_alone(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    (said,) = await stage.hears(thread, mover.send(thread, f"{stage.mention} ?{move}"))
    assert f"`/move` with `?{move}`" in said.content
    assert "nothing was played" in (said.attachments[0].description or "")
    form = await mover.click(said, label="Try privately")
    alone = shown(await mover.submit_modal(form, {"move": move}))
    assert alone.flags.ephemeral
    assert "nothing was played" in (alone.attachments[0].description or "")
    assert not alone.components, "this one is private"
    assert "Everyone here" not in alone.content
    assert (await stage.match(match)).plays == 0
    board = await last_board(stage, match)
    await mover.slash(stage.channel, "settings me", board="text")
    (said,) = await stage.hears(thread, mover.send(thread, f"?{move}", reply_to=board))
    assert "=== Preview only" in said.content
    assert not said.attachments


async def test_a_reminder_is_right_and_goes_with_its_lobby(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    await stage.later(hours=21)
    (said,) = [m for m in stage.channel.history() if "closes" in m.content and not m.components]
    assert "is full and ready" in said.content
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert said.id not in {m.id for m in stage.channel.history()}


async def test_after_a_downtime_the_lobby_says_when_it_really_closes(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    await stage.later(hours=25)
    row = await stage.row(match)
    assert row.status == "lobby"
    assert row.lobby.expires is not None
    closes, left = (discord.utils.format_dt(row.lobby.expires, style) for style in ("f", "R"))
    assert f"closes on {closes} ({left})" in (await stage.lobby(match)).content


def pinged(message: discord.Message) -> set[int]:
    """Who is notified by a message."""
    return {user.id for user in message.mentions}


async def test_nobody_is_pinged_for_their_own_next_step(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    first = (await stage.boards(match))[0]
    assert pinged(first) == {stage.ann.id, stage.ben.id}, "both choose a card at the same time"
    card = (await stage.bot.context.service.queries.legal(match, stage.ann.id))[0]
    await stage.ann.slash(thread, "move", move=card)
    assert pinged((await stage.boards(match))[-1]) == set(), "Ben was asked before"
    card = (await stage.bot.context.service.queries.legal(match, stage.ben.id))[0]
    await stage.ben.slash(thread, "move", move=card)
    assert pinged((await stage.boards(match))[-1]) == {stage.ann.id}, "a new round; Ben knows, he began it"


async def test_who_was_called_is_not_called_again_when_a_computer_has_chosen(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="toy", start=False)
    service = stage.bot.context.service
    await service.lobbies.add_computer(match, stage.ann.id, request="computer", level="random")
    await stage.deliver(match)
    await stage.ann.click(await stage.lobby(match), label="Start")
    boards = await stage.boards(match)
    assert [pinged(board) for board in boards] == [{stage.ann.id}, set()]


async def test_a_turn_of_several_computers_is_one_board(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, game="focus", players=4, start=False)
    service = stage.bot.context.service
    for number in range(3):
        await service.lobbies.add_computer(match, stage.ann.id, request=f"c{number}", level="random")
    await stage.deliver(match)
    await stage.ann.click(await stage.lobby(match), label="Start")
    boards = await stage.boards(match)
    now = await stage.match(match)
    assert now.to_act == {(await stage.row(match)).seats[0].seat}
    assert len(boards) == (1 if now.plays == 0 else 2), "the start, and what came before Ann's turn"
    plays = now.plays
    await stage.ann.slash(thread, "move", move=legal(now)[0])
    after = await stage.boards(match)
    assert (await stage.match(match)).plays == plays + 4
    mine, theirs = after[len(boards) :]
    assert pinged(mine) == set()
    assert pinged(theirs) == {stage.ann.id}
    told = theirs.content.splitlines()
    assert [line.count("(computer") for line in told[:3]] == [1, 1, 1], told
    view = shown(await stage.ann.click(theirs, label="My view"))
    assert view.content.splitlines()[:3] == told[:3], "everywhere the same is told"
