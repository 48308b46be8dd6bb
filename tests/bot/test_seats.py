"""Seats change hands on the stage: given, offered, left to a computer, and taken back."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from games.engine.game import Seat
from games.engine.match import Kind
from games.engine.record import read
from matches.store.rows import Commit
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow

NOT_YOURS = "You're not playing in this match, but you're welcome to watch."


async def holder(stage: Stage, match: str, seat: int) -> int | None:
    return (await stage.row(match)).seats[seat].user


async def seat_of(stage: Stage, match: str, who: MemberActor) -> int:
    row = await stage.row(match)
    return next(seat.seat for seat in row.seats if seat.user == who.id)


async def given(stage: Stage) -> tuple[str, ChannelHandle, int]:
    """A match in which Ann offers her seat to Cleo: its id, its thread, the seat."""
    match, thread = await stage.open(stage.ann, stage.ben)
    seat = await seat_of(stage, match, stage.ann)
    said = text_of(await stage.ann.slash(thread, "match seat give", user=stage.cleo.user))
    assert said == f"I've asked <@{stage.cleo.id}>. The seat in `{match}` stays yours until they accept."
    return match, thread, seat


async def test_a_seat_is_handed_over(stage: Stage) -> None:
    match, thread, seat = await given(stage)
    offer = thread.history()[-1]
    assert offer.raw_mentions == [stage.cleo.id], "nobody else is called"
    assert rows_of(offer) == [["Accept", "Decline"]]
    told = text_of(await stage.dan.click(offer, label="Accept"))
    assert told == f"That offer is for <@{stage.cleo.id}>."
    await stage.restart()
    await stage.press_all((stage.cleo, offer, "seat_yes"), (stage.cleo, offer, "seat_yes"))
    assert await holder(stage, match, seat) == stage.cleo.id
    board = await last_board(stage, match)
    assert "(Cleo) takes over the seat" in board.content
    assert len([m for m in thread.history() if "takes over the seat" in m.content]) == 1
    again = text_of(await stage.press_id(stage.cleo, offer, button(match, "seat_yes", seat, stage)))
    assert again == "That seat is no longer theirs to give."
    gone = text_of(await stage.ann.slash(thread, "match resign"))
    assert gone == f"You're not playing in `{match}`, but you're welcome to watch."
    mover = await stage.mover(match)
    await move_by(stage, "reply", match, thread, mover, legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 1
    assert match in text_of(await stage.cleo.slash(thread, "matches mine"))


def button(match: str, verb: str, seat: int, stage: Stage) -> str:
    """The id of a button of an offer that is gone."""
    return f"domb:{verb}:{match}:1:{seat}.{stage.ann.id}.{stage.cleo.id}"


async def test_a_gift_is_declined_or_withdrawn(stage: Stage) -> None:
    match, thread, seat = await given(stage)
    await stage.cleo.click(thread.history()[-1], label="Decline")
    last = thread.history()[-1]
    assert last.content.startswith(f"<@{stage.cleo.id}> declines the seat in `{match}`.")
    assert not last.components
    assert await holder(stage, match, seat) == stage.ann.id
    stale = button(match, "seat_yes", seat, stage)
    gone = "That seat is no longer on offer. `/match seat offer` can offer it again."
    assert text_of(await stage.press_id(stage.cleo, last, stale)) == gone, "shown by an app that lags"
    await stage.ann.slash(thread, "match seat give", user=stage.cleo.user)
    offer = thread.history()[-1]
    await stage.restart()
    await stage.press_all((stage.ann, offer, "seat_no"), (stage.ann, offer, "seat_no"))
    assert "has withdrawn" in thread.history()[-1].content
    assert text_of(await stage.press_id(stage.cleo, offer, stale)) == gone
    assert await holder(stage, match, seat) == stage.ann.id
    assert thread.history()[-1].id == offer.id


async def test_an_offer_whose_message_is_deleted_meanwhile_counts_all_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread, seat = await given(stage)
    offer = thread.history()[-1]
    commit = stage.bot.context.store.commit

    async def delete_and_commit(change: Commit) -> None:
        await commit(change)
        stage.env.backend.delete_message(thread.id, offer.id)

    monkeypatch.setattr(stage.bot.context.store, "commit", delete_and_commit)
    said = await stage.cleo.click(offer, label="Accept")
    assert text_of(said) == f"<@{stage.cleo.id}> takes over a seat in `{match}`.\n-# `{match}`"
    assert await holder(stage, match, seat) == stage.cleo.id
    assert "(Cleo) takes over the seat" in (await last_board(stage, match)).content


async def test_bad_gifts_are_refused_kindly(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    twice = text_of(await stage.ann.slash(thread, "match seat give", user=stage.ben.user))
    assert twice == "Nobody can hold two seats of one match."
    assert text_of(await stage.dan.slash(thread, "match seat give", user=stage.cleo.user)) == NOT_YOURS
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    over = text_of(await stage.ann.slash(thread, "match seat give", user=stage.cleo.user, match=match))
    assert over == "This match is over."


async def test_a_seat_is_offered_to_everyone(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    seat = await seat_of(stage, match, stage.ann)
    await stage.ann.slash(thread, "match seat offer")
    offer = thread.history()[-1]
    assert rows_of(offer) == [["Take this seat", "Withdraw"]]
    assert not offer.raw_mentions
    assert text_of(await stage.ben.click(offer, label="Take this seat")) == (
        "Nobody can hold two seats of one match."
    )
    assert text_of(await stage.eve.click(offer, label="Withdraw")) == NOT_YOURS
    await stage.press_all((stage.cleo, offer, "seat_take"), (stage.dan, offer, "seat_take"))
    assert await holder(stage, match, seat) in (stage.cleo.id, stage.dan.id)
    assert len([m for m in thread.history() if "takes over the seat" in m.content]) == 1
    late = text_of(await stage.press_id(stage.eve, offer, f"domb:seat_take:{match}:1:{seat}.own"))
    assert late == "Someone has already taken that seat."


async def test_a_vanished_persons_seat(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, other = await stage.mover(match), await stage.waiting(match)
    seat = await seat_of(stage, match, mover)
    early = text_of(await other.slash(thread, "match seat offer", player=mover.user))
    assert "can still come" in early
    await stage.later(hours=7 * 24 + 1)
    told = text_of(await other.slash(thread, "match seat offer", player=mover.user))
    assert told.startswith("The seat of ")
    assert f"({mover.user.name}) is on offer" in told
    offer = thread.history()[-1]
    await move_by(stage, "slash", match, thread, mover, legal(await stage.match(match))[0])
    assert "has moved since" in text_of(await stage.cleo.click(offer, label="Take this seat"))
    assert await holder(stage, match, seat) == mover.id


async def test_a_computer_fills_in_and_the_person_comes_back(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    seat = await seat_of(stage, match, mover)
    said = text_of(await mover.slash(thread, "match seat computer", level="random"))
    assert said.startswith(f"A computer plays for you in `{match}`")
    now = await stage.match(match)
    assert now.plays == 1, "it has moved"
    assert now.seats.stand_ins == {Seat(seat)}
    board = await last_board(stage, match)
    assert "Come back" in rows_of(board)[-1]
    stranger = text_of(await stage.eve.click(board, label="Come back"))
    assert stranger == "No seat is being kept for you in this match."
    await stage.restart()
    await stage.press_all((mover, board, "seat_back"), (mover, board, "seat_back"))
    assert await holder(stage, match, seat) == mover.id
    board = await last_board(stage, match)
    assert "Come back" not in str(rows_of(board))
    assert "takes over the seat" in board.content
    other = await stage.mover(match)
    await move_by(stage, "reply", match, thread, other, legal(await stage.match(match))[0])
    await move_by(stage, "reply", match, thread, mover, legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 3


async def test_someone_takes_over_from_the_computer(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, other = await stage.mover(match), await stage.waiting(match)
    seat = await seat_of(stage, match, mover)
    await mover.slash(thread, "match seat computer", level="random")
    await other.slash(thread, "match seat offer", player=mover.user)
    offer = thread.history()[-1]
    assert "A computer plays" in offer.content
    await stage.cleo.click(offer, label="Take this seat")
    assert await holder(stage, match, seat) == stage.cleo.id
    assert (
        text_of(await mover.slash(thread, "match seat back"))
        == "No seat is being kept for you in this match."
    )


async def test_a_moderator_leaves_a_seat_to_a_computer(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    seat = await seat_of(stage, match, stage.ben)
    told = text_of(
        await stage.eve.slash(thread, "match seat computer", level="random", player=stage.ben.user)
    )
    assert "the host or a moderator can leave that seat to a computer" in told
    host = text_of(
        await stage.ann.slash(thread, "match seat computer", level="random", player=stage.ben.user)
    )
    assert "can still come" in host
    stage.env.backend.guilds[stage.guild.id].owner_id = stage.eve.id  # who may do anything
    done = text_of(
        await stage.eve.slash(thread, "match seat computer", level="random", player=stage.ben.user)
    )
    assert done.startswith(f"A computer plays that seat in `{match}` until someone takes it over.")
    assert await holder(stage, match, seat) is None
    await stage.eve.slash(thread, "match seat offer", player=stage.ben.user)
    assert "A computer plays" in thread.history()[-1].content
    await stage.ben.click(await last_board(stage, match), label="Come back")
    assert await holder(stage, match, seat) == stage.ben.id


async def test_the_seat_of_someone_who_left_the_server(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    seat = await seat_of(stage, match, stage.ben)
    assert "can still come" in text_of(
        await stage.ann.slash(thread, "match seat offer", player=stage.ben.user)
    )
    stage.guild.remove_member(stage.ben)
    await stage.later(hours=7)
    told = text_of(await stage.ann.slash(thread, "match seat offer", player=stage.ben.user))
    assert told.endswith(f"is on offer in the channel of `{match}`. It changes hands once someone takes it.")
    await stage.dan.click(thread.history()[-1], label="Take this seat")
    assert await holder(stage, match, seat) == stage.dan.id


async def test_the_last_person_cant_leave_to_a_computer(stage: Stage) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    await stage.ann.slash(thread, "match seat computer", level="random")
    told = text_of(await stage.ben.slash(thread, "match seat computer", level="random"))
    assert told.startswith("No other person is left in this match")
    wrong = text_of(await stage.ben.slash(thread, "match seat computer", level="godlike"))
    assert "beginner" in wrong.casefold()


async def test_the_new_person_sees_what_the_seat_knows_and_nobody_else(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy", players=2)
    before = shown(await stage.ann.click(await last_board(stage, match), label="My view"))
    await stage.ann.slash(thread, "match seat give", user=stage.cleo.user)
    offer = thread.history()[-1]
    guest = shown(await stage.cleo.click(await last_board(stage, match), label="My view"))
    await stage.cleo.click(offer, label="Accept")
    hand = [line for line in before.content.splitlines() if "card" in line.casefold()]
    mine = shown(await stage.cleo.click(await last_board(stage, match), label="My view"))
    left = shown(await stage.ann.click(await last_board(stage, match), label="My view"))
    for line in hand:
        assert line in mine.content
        assert line not in guest.content
        assert line not in left.content


async def test_in_direct_messages(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="toy", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    host, guest = stage.ann.user.dm_channel, stage.ben.user.dm_channel
    await stage.ben.user.click(next(m for m in guest.history() if m.author.bot), label="Accept")
    lobby = next(message for message in host.history() if message.id == row.lobby.message)
    await stage.ann.user.click(lobby, label="Start")
    seat = await seat_of(stage, row.id, stage.ben)
    nowhere = text_of(await stage.ben.user.slash("match seat offer", match=row.id))
    assert nowhere.startswith("This match is played in direct messages")
    await stage.ben.user.slash("match seat computer", level="random", match=row.id)
    stranger = text_of(await stage.eve.user.slash("match seat back", match=row.id))
    assert stranger == text_of(await stage.eve.user.slash("match seat back", match="T-NONE22")).replace(
        "T-NONE22", row.id
    ), "to others there is no such match"
    await stage.ben.user.slash("match seat back", match=row.id)
    assert await holder(stage, row.id, seat) == stage.ben.id
    await stage.ben.user.slash("match seat computer", level="random", match=row.id)
    last = guest.history()[-1]
    assert "Come back" in str(rows_of(last)), "the one who leaves gets a last board"
    await stage.ben.user.click(last, label="Come back")
    assert await holder(stage, row.id, seat) == stage.ben.id
    await stage.ben.user.slash("match seat give", user=stage.cleo.user, match=row.id)
    offer = stage.cleo.user.dm_channel.history()[-1]
    await stage.cleo.user.click(offer, label="Accept")
    assert await holder(stage, row.id, seat) == stage.cleo.id
    assert len(await stage.boards_in(stage.cleo.user.dm_channel, row.id)) == 1


async def test_the_record_names_all_who_sat_there(stage: Stage) -> None:
    match, thread, seat = await given(stage)
    await stage.cleo.click(thread.history()[-1], label="Accept")
    await stage.cleo.slash(thread, "match seat computer", level="random")
    await stage.cleo.slash(thread, "match seat back")
    ben = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(ben, label="Yes, I resign")
    final = await last_board(stage, match)
    text = (await next(a for a in final.attachments if a.filename.endswith(".txt")).read()).decode()
    plain = text.replace("\n  ", "")
    (line,) = [each for each in plain.splitlines() if each.startswith(f"Seat {seat + 1}:")]
    names = [part.partition(" (from")[0] for part in line.partition(": ")[2].split("), ")]
    assert names == ["Ann, Cleo", "a random computer", "Cleo"]
    held = await stage.bot.context.store.holders(match)
    assert f"(from {held[-1].since}, {held[-1].at.date().isoformat()})" in line
    assert " !substitute person\n" in text
    back = read(text)
    assert back.headers[f"Seat {seat + 1}"] == line.partition(": ")[2]
    assert [entry.data for entry in back.entries if entry.kind is Kind.SUBSTITUTE] == [
        "person",
        "computer",
        "person",
    ]
    again = shown(await stage.ann.slash(thread, "replay record", match=match))
    assert (await again.attachments[0].read()).decode() == text


@pytest.mark.parametrize("verb", ["seat_take", "seat_keep", "seat_yes", "seat_no", "seat_back"])
async def test_a_match_that_is_not_there(stage: Stage, verb: str) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    arg = f":0.{stage.ann.id}.{stage.ann.id}" if verb in ("seat_yes", "seat_no") else ":0.own"
    told = text_of(await stage.press_id(stage.ann, board, f"domb:{verb}:F-NONE22:1{arg}"))
    assert told
    assert (await stage.match(match)).plays == 0
