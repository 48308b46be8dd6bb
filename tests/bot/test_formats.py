"""Whole matches for two, three, four and pairs: every kind of board text, and every kind of ending."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import MemberActor

from tests.bot.acts import Rehearsal, find_play, last_board, move_by, play_by_doors, play_quickly, rehearse
from tests.bot.stage import Stage, legal, shown, text_of
from tests.soak import sampled

pytestmark = pytest.mark.slow


async def start_match(stage: Stage, people: int, options: str = "") -> tuple[str, str]:
    """Start a match of `people`, and return its id and the text of its first board."""
    sitting = list(stage.people.values())[:people]
    wanted: dict[str, Any] = {"options": options} if options else {}
    match, _ = await stage.open(*sitting, **wanted)
    return match, (await last_board(stage, match)).content


async def play_to_end(stage: Stage, match: str, play: Rehearsal, *, last: int = 7) -> list[str]:
    """Play the middle quickly and the last moves by all routes; return the text of every board."""
    thread = stage.home(await stage.row(match))
    cut = max(0, len(play.moves) - last)
    await play_quickly(stage, match, play.moves[:cut])
    await play_by_doors(stage, match, thread, play.moves[cut:])
    now = await stage.match(match)
    assert now.ending is not None
    assert now.ending.outcome is not None
    assert now.ending.outcome.why.key == play.why
    assert now.ending.outcome.ranks == play.ranks
    boards = await stage.boards(match)
    assert len(boards) == now.plays + 1, "one board for the start, and one for each move"
    last_one = boards[-1]
    assert {a.filename for a in last_one.attachments} >= {f"{match}.txt"}
    assert all(a.description for board in boards for a in board.attachments)
    assert all("to move" not in line for line in last_one.content.splitlines()[:2])
    assert (await stage.row(match)).status == "over"
    return [board.content for board in boards]


FORMATS = {
    "two": (2, "", "focus.outcome.domination"),
    "two, fast": (2, "fast", "focus.outcome.captures"),
    "three": (3, "", "focus.outcome.domination"),
    "three, fast": (3, "fast", "focus.outcome.captures"),
    "four": (4, "", "focus.outcome.domination"),
    "four, fast": (4, "fast", "focus.outcome.captures"),
    "pairs": (4, "partners", "focus.outcome.domination"),
}


@pytest.mark.parametrize("name", sampled(FORMATS, ("two", "pairs")))
async def test_every_format_to_its_end(open_stage: Stage, name: str) -> None:
    people, options, why = FORMATS[name]
    match, first = await start_match(open_stage, people, options)
    assert "to move." in first.splitlines()[0]
    assert "dice" not in first
    now = await open_stage.match(match)
    most = 60 if options == "fast" else 160
    play = find_play(now, lambda p: p.why == why and len(p.moves) <= most)
    texts = await play_to_end(open_stage, match, play)
    winners = sum(rank == 1 for rank in play.ranks)
    assert ("win by" if winners > 1 else "wins") in texts[-1]


TELLS = {
    "pass": (3, "", "has nothing to play and passes"),
    "back": (3, "", "is back in the game"),
    "reserve": (2, "", "from the reserve"),
    "kept": (2, "", "to reserve"),
    "thirteenth": (3, "fast", "the 13th piece is on the board"),
    "partner": (4, "partners", "'s reserve"),
}


@pytest.mark.parametrize("fact", sampled(TELLS, ("pass", "thirteenth", "partner")))
async def test_boards_tell(stage: Stage, fact: str) -> None:
    people, options, words = TELLS[fact]
    match, _ = await start_match(stage, people, options)
    key = f"focus.fact.{fact}"
    play = find_play(await stage.match(match), lambda p: p.all_told[key] > 0 and len(p.moves) < 260)
    at = next(number for number, keys in enumerate(play.told) if key in keys)
    await play_quickly(stage, match, play.moves[:at], at_once=25)
    await play_by_doors(stage, match, stage.home(await stage.row(match)), [play.moves[at]], ["reply"])
    board = await last_board(stage, match)
    assert words in board.content
    assert f"move {at + 1}" in board.content


async def test_captures_are_told_by_colour(stage: Stage) -> None:
    match, _ = await start_match(stage, 2)
    play = find_play(await stage.match(match), lambda p: any("captured" in k for k in p.all_told))
    at = next(n for n, keys in enumerate(play.told) if any("captured" in key for key in keys))
    await play_quickly(stage, match, play.moves[: at + 1])
    text = (await last_board(stage, match)).content
    assert "captured 1 red" in text or "captured 1 green" in text


async def test_fast_by_ten_pieces(stage: Stage) -> None:
    match, _ = await start_match(stage, 4, "fast")
    play = find_play(await stage.match(match), lambda p: p.why == "focus.outcome.ten", greedy=True)
    texts = await play_to_end(stage, match, play, last=2)
    assert "with ten pieces" in texts[-1]


async def test_draw_by_the_same_position(stage: Stage) -> None:
    match, _ = await start_match(stage, 2)
    thread = stage.home(await stage.row(match))
    there = {0: ("c7-c8", "c8-c7"), 1: ("c2-c1", "c1-c2")}
    rounds = 0
    while (now := await stage.match(match)).ending is None:
        (seat,) = now.to_act
        assert rounds < 12
        text = there[seat][(rounds // 2) % 2]
        await move_by(stage, "mention", match, thread, await stage.mover(match), text)
        rounds += 1
    assert rounds == 8
    text = (await last_board(stage, match)).content
    assert "the same position for the third time" in text
    assert "A draw between" in text


async def test_draw_without_captures(open_stage: Stage) -> None:
    match, _ = await start_match(open_stage, 2)
    play = find_play(
        await open_stage.match(match),
        lambda p: p.why == "focus.outcome.quiet" and len(p.moves) <= 70,
        greedy=False,
    )
    texts = await play_to_end(open_stage, match, play, last=3)
    assert "60 turns without a capture" in texts[-1]
    assert texts[-1].count("A draw between") == 1, "said once"


async def test_draw_by_agreement_of_all(stage: Stage) -> None:
    match, _ = await start_match(stage, 3)
    thread = stage.home(await stage.row(match))
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    sure = shown(await stage.ben.click(await last_board(stage, match), label="Resign or draw"))
    await stage.ben.click(sure, label="Offer a draw instead")
    offer = thread.history()[-1]
    assert "offers a draw" in offer.content
    for person in (stage.ann, stage.cleo):
        assert person.mention in offer.content
    assert stage.ben.mention not in offer.content
    await stage.ann.click(offer, label="Accept the draw")
    assert (await stage.match(match)).ending is None
    await stage.cleo.click(thread.history()[-1], label="Accept the draw")
    now = await stage.match(match)
    assert now.ending is not None
    assert now.ending.how == "draw"
    text = (await last_board(stage, match)).content
    assert "agree" in text
    assert "A draw between" in text


async def test_a_draw_declined_and_an_old_offer(stage: Stage) -> None:
    match, _ = await start_match(stage, 2)
    thread = stage.home(await stage.row(match))
    result = await stage.ann.slash(thread, "match draw")
    assert text_of(result)
    assert not result.deferred or result.response is not None
    offer = thread.history()[-1]
    await stage.ben.slash(thread, "match draw", answer="decline")
    assert "declines" in thread.history()[-1].content
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    late = await stage.ben.click(offer, label="Accept the draw")
    assert "moved on" in text_of(late)
    assert not (await stage.match(match)).talk.offers


async def resign(stage: Stage, match: str, person: MemberActor) -> None:
    """Resign by the button, with its question."""
    sure = shown(await person.click(await last_board(stage, match), label="Resign or draw"))
    assert "Resign match" in sure.content
    await person.click(sure, label="Yes, I resign")


async def test_resigning_with_two_ends_it(stage: Stage) -> None:
    match, _ = await start_match(stage, 2)
    await resign(stage, match, await stage.waiting(match))
    text = (await last_board(stage, match)).content
    assert "resigns" in text
    assert "wins: nobody else is left to play." in text


@pytest.mark.parametrize("people", [3, 4])
async def test_after_a_resignation_the_others_play_on(stage: Stage, people: int) -> None:
    match, _ = await start_match(stage, people)
    thread = stage.home(await stage.row(match))
    gone = await stage.mover(match)
    await resign(stage, match, gone)
    now = await stage.match(match)
    assert now.ending is None
    board = await last_board(stage, match)
    assert "the pieces stay on the board" in board.content
    assert await stage.mover(match) != gone
    assert gone.mention not in board.content
    play = rehearse(now, 1)
    await play_by_doors(stage, match, thread, play.moves[:people], ["reply", "slash"])
    message = await gone.send(thread, f"{stage.mention} e4-e5")
    said = [m.content for m in thread.history() if m.reference and m.reference.message_id == message.id]
    assert said == ["You're no longer playing in this match."]
    for _ in range(people - 2):
        await resign(stage, match, await stage.mover(match))
    now = await stage.match(match)
    assert now.ending is not None
    assert "wins: nobody" in (await last_board(stage, match)).content


async def test_a_pair_resigns_together(stage: Stage) -> None:
    match, _ = await start_match(stage, 4, "partners")
    await resign(stage, match, stage.dan)
    now = await stage.match(match)
    assert now.ending is not None
    assert now.ending.outcome is not None
    assert now.ending.outcome.ranks == (1, 2, 1, 2)
    assert "win: nobody" in (await last_board(stage, match)).content


async def test_called_off_before_the_first_move_only(stage: Stage) -> None:
    match, _ = await start_match(stage, 2)
    sure = shown(await stage.ben.click(await last_board(stage, match), label="Resign or draw"))
    await stage.ben.click(sure, label="Call it off instead")
    assert (await stage.row(match)).status == "aborted"
    assert "called off" in (await last_board(stage, match)).content

    match, _ = await start_match(stage, 2)
    thread = stage.home(await stage.row(match))
    early = shown(await stage.ann.slash(thread, "match resign"))
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    late = await stage.ann.click(early, label="Call it off instead")
    assert "can't be called off" in text_of(late)
    assert (await stage.row(match)).status == "live"
