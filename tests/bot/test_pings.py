"""Pings as people want them: withdrawn when over, held back at night, in digests."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.bot.acts import last_board, move_by
from tests.bot.ping_acts import (
    calling,
    calls_made,
    direct,
    moves,
    night,
    pair,
    thread_message,
    wants,
)
from tests.bot.stage import Stage, button_ids, legal, shown, words_of

pytestmark = pytest.mark.slow


async def test_a_mention_goes_when_the_turn_is_over_and_the_board_stays(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    before = await last_board(stage, match)
    assert [m.id for m in calling(thread, mover)] == [before.id]
    _, other = await moves(stage, match)
    after = await thread_message(stage, before)
    assert after.content == before.content.replace(f" <@{mover.id}>", "")
    assert after.raw_mentions == []
    assert button_ids(after) == button_ids(before)
    assert [a.filename for a in after.attachments] == [a.filename for a in before.attachments]
    assert [m.id for m in calling(thread, other)] == [(await last_board(stage, match)).id]
    await moves(stage, match)
    assert calling(thread, other) == []
    assert calls_made(stage, other) == 1


async def test_of_two_who_choose_one_mention_stays(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    assert calling(thread, stage.ann) == calling(thread, stage.ben) != []
    card = (await stage.bot.context.service.queries.legal(match, stage.ann.id))[0]
    await stage.ann.slash(thread, "move", move=card)
    assert calling(thread, stage.ann) == []
    (still,) = calling(thread, stage.ben)
    assert still.raw_mentions == [stage.ben.id]
    assert calls_made(stage, stage.ben) == 1


async def test_the_result_is_told_to_the_others(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    board = await last_board(stage, match)
    assert board.raw_mentions == [stage.ben.id]
    await stage.later(seconds=61)
    assert (await thread_message(stage, board)).raw_mentions == [stage.ben.id]


async def test_a_ping_by_direct_message_links_to_the_board_and_goes(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, where="dm")
    await moves(stage, match)
    board = await last_board(stage, match)
    assert board.raw_mentions == []
    (ping,) = direct(one)
    assert ping.content.startswith(f"Your move in `{match}`, Focus against") or match in ping.content
    assert board.jump_url in ping.content
    assert "Type a move" in ping.content, "what is to be decided"
    view = await one.user.click(ping, label="My view")
    assert shown(view).attachments
    await move_by(stage, "slash", match, thread, one, legal(await stage.match(match))[0])
    assert direct(one) == []
    assert calls_made(stage, one) == 1
    assert calling(thread, other) != []


async def test_a_reply_to_a_ping_is_a_move(stage: Stage) -> None:
    match, _, one, _ = await pair(stage, where="dm")
    await moves(stage, match)
    (ping,) = direct(one)
    stage.post(one, one.user.dm_channel, legal(await stage.match(match))[0], reply_to=ping)
    await stage.env.settle()
    assert (await stage.match(match)).plays == 2


async def test_quiet_hours_hold_a_ping_back_and_send_one(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, quiet=night(stage))
    await moves(stage, match)
    assert calling(thread, one) == []
    await stage.later(hours=1)
    assert calling(thread, one) == []
    await stage.later(hours=1)
    (ping,) = calling(thread, one)
    assert ping.raw_mentions == [one.id]
    assert (await last_board(stage, match)).jump_url in ping.content
    await stage.later(hours=1)
    assert calls_made(stage, one) == 1
    await moves(stage, match)
    assert calling(thread, one) == []
    assert calling(thread, other) != []


async def test_a_turn_that_ends_in_the_night_is_never_told(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, quiet=night(stage))
    await moves(stage, match)
    await moves(stage, match)
    await stage.later(hours=3)
    assert calls_made(stage, one) == 0
    assert calling(thread, one) == []


async def test_a_digest_is_one_message_for_all_that_waits(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    one = stage.ann
    await wants(stage, one, style="digest", digests=(at,))
    matches = []
    for rival in (stage.ben, stage.cleo):
        match, _ = await stage.open(one, rival)
        if await stage.mover(match) is rival:
            await moves(stage, match)
        matches.append(match)
        await stage.env.advance_time(60)
    assert calls_made(stage, one) == 0
    await stage.later(hours=2.5)
    (digest,) = direct(one)
    lines = digest.content.splitlines()
    assert lines[0] == "2 matches have news:"
    assert [match for line in lines for match in matches if f"`{match}`" in line] == matches, (
        "longest waiting first"
    )
    for match in matches:
        assert (await last_board(stage, match)).jump_url in digest.content
    assert digest.content.count("**your move**") == 2
    await stage.later(hours=24)
    assert len(direct(one)) == 1, "nothing is new"
    panel = shown(await one.user.click(digest, label="Ping settings"))
    assert "in a digest at" in words_of(panel)


async def test_a_digest_tells_results_and_nothing_that_has_gone_on(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    one = stage.ann
    await wants(stage, one, style="digest", digests=(at,))
    match, thread = await stage.open(one, stage.ben)
    if await stage.mover(match) is stage.ben:
        await moves(stage, match)
    await moves(stage, match)
    await stage.later(hours=3)
    assert direct(one) == []
    await stage.ben.click(shown(await stage.ben.slash(thread, "match resign")), label="Yes, I resign")
    assert calls_made(stage, one) == 0
    await stage.later(hours=24)
    (digest,) = direct(one)
    assert digest.content.startswith("One match has news:")
    assert "wins" in digest.content or "resign" in digest.content
    await stage.later(hours=24)
    assert len(direct(one)) == 1


async def test_one_until_they_have_looked(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, style="looked")
    await moves(stage, match)
    assert calls_made(stage, one) == 1
    await other.click(shown(await other.slash(thread, "match undo")), label="Take it back")
    assert calling(thread, one) == []
    await moves(stage, match)
    assert calls_made(stage, one) == 1, "they haven't looked"
    await other.click(shown(await other.slash(thread, "match undo")), label="Take it back")
    await one.slash(thread, "ask board")
    await moves(stage, match)
    assert calls_made(stage, one) == 2


async def test_reminders_at_an_interval(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, interval=6)
    await moves(stage, match)
    assert len(calling(thread, one)) == 1
    for number in range(2, 4):
        await stage.later(hours=6.5)
        (ping,) = calling(thread, one)
        assert "Still your move" in ping.content
        assert calls_made(stage, one) == number
    await moves(stage, match)
    await stage.later(hours=20)
    assert calling(thread, one) == []
    assert calls_made(stage, one) == 3


async def test_everyone_waits_for_one(stage: Stage) -> None:
    await wants(stage, stage.ben, alone=True)
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    first = calling(thread, stage.ben)
    card = (await stage.bot.context.service.queries.legal(match, stage.ann.id))[0]
    await stage.ann.slash(thread, "move", move=card)
    await stage.later(seconds=3)
    (second,) = calling(thread, stage.ben)
    assert [second.id] != [m.id for m in first], "the newer one stands"
    assert calls_made(stage, stage.ben) == 2


async def test_who_is_next_is_told_if_they_want_it(stage: Stage) -> None:
    people = (stage.ann, stage.ben, stage.cleo)
    for person in people:
        await wants(stage, person, next_up=True)
    match, thread = await stage.open(*people)
    board = await last_board(stage, match)
    mover = await stage.mover(match)
    row, now = await stage.row(match), await stage.match(match)
    following = stage.who(row.seats[(min(now.to_act) + 1) % 3].user)
    assert set(board.raw_mentions) == {mover.id, following.id}
    await moves(stage, match)
    assert await stage.mover(match) is following
    (standing,) = calling(thread, following)
    assert standing.id == (await last_board(stage, match)).id
    assert calls_made(stage, following) == 2


async def test_a_match_in_direct_messages(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    (invitation,) = direct(stage.ben)
    await stage.ben.user.click(invitation, label="Accept")
    lobby = next(m for m in direct(stage.ann) if m.id == row.lobby.message)
    await stage.ann.user.click(lobby, label="Start")
    mover = await stage.mover(row.id)
    other = await stage.waiting(row.id)
    await wants(stage, other, quiet=night(stage))
    await mover.user.send_dm(f"{row.id} {legal(await stage.match(row.id))[0]}")
    assert calling(mover.user.dm_channel, mover) == []
    assert calling(other.user.dm_channel, other) == [], "the board comes in silence"
    await stage.later(hours=3)
    last = direct(other)[-1]
    assert "Your move in" in last.content
    await other.user.send_dm(f"{row.id} {legal(await stage.match(row.id))[0]}")
    assert last.id not in {m.id for m in direct(other)}
    assert len(calling(mover.user.dm_channel, mover)) == 1
