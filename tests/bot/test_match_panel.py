"""More, under every board: a short private panel of what one can do in the match now, and of nothing else."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from tests.bot.acts import button_with, last_board, move_by, rows_of
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, computer, legal, menu_with, shown, text_of, words_of

pytestmark = pytest.mark.slow
MAX_FIRST = 600
"""Maximum length of what people are shown first, in characters."""


async def more(stage: Stage, who: MemberActor, match: str) -> discord.Message:
    """Return the panel of a person, from the last board."""
    panel = shown(await who.click(await last_board(stage, match), label="More"))
    assert panel.flags.ephemeral
    assert len(words_of(panel)) <= MAX_FIRST
    return panel


async def test_what_one_can_do_follows_the_match(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    assert rows_of(await more(stage, mover, match)) == [
        ["Moves", "My view", "Hint"],
        ["Resign or draw", "My seat"],
        ["Rules", "Help", "Ping settings"],
    ]
    assert rows_of(await more(stage, waiting, match))[0] == ["Plan", "My view"]
    await move_by(stage, "slash", match, thread, mover, legal(await stage.match(match))[0])
    assert rows_of(await more(stage, mover, match))[1:3] == [
        ["Undo", "Resign or draw", "My seat"],
        ["Replay"],
    ]
    assert rows_of(await more(stage, waiting, match))[1:3] == [["Resign or draw", "My seat"], ["Replay"]]
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    assert rows_of(await more(stage, stage.ben, match)) == [
        ["My view"],
        ["Rematch"],
        ["Replay", "Story", "Record"],
        ["Rules", "Help", "Ping settings"],
    ]


async def test_those_who_watch_are_offered_what_they_can_do(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    panel = await more(stage, stage.cleo, match)
    assert rows_of(panel) == [["My view"], ["Rules", "Help", "Tell me the result"]]
    assert match in text_of(await stage.cleo.click(panel, label="Tell me the result"))
    assert "Tell me the result" not in labels(await more(stage, stage.cleo, match))


async def test_dice_and_odds_are_offered_where_there_are_some(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    mover = await stage.mover(match)
    assert "Odds" in labels(await more(stage, mover, match))
    await move_by(stage, "slash", match, thread, mover, "gather")
    panel = await more(stage, mover, match)
    assert "1 roll" in text_of(await mover.click(panel, label="Dice"))


async def test_a_clock_can_be_paused_and_claimed(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, clock="1h")
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    panel = await more(stage, mover, match)
    await mover.click(panel, label="Ask for a pause")
    await waiting.click(await more(stage, waiting, match), label="Ask for a pause")
    assert (await stage.match(match)).talk.paused
    await mover.click(await more(stage, mover, match), label="End the pause")
    assert not (await stage.match(match)).talk.paused
    await stage.later(hours=2)
    assert "Claim" in labels(await more(stage, waiting, match))
    assert "Claim" not in labels(await more(stage, mover, match))


async def test_a_seat_is_offered_handed_over_and_left_by_the_panel(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    panel = shown(await stage.ann.click(await more(stage, stage.ann, match), label="My seat"))
    said = text_of(await stage.ann.click(panel, label="Offer it to everyone here"))
    assert "on offer" in said
    assert any("Take this seat" in labels(one) for one in thread.history() if one.author.bot)
    await stage.ann.select(panel, ["easy"], custom_id=menu_with(panel, "easy"))
    await stage.deliver(match)
    row = await stage.row(match)
    assert [seat.level for seat in row.seats if seat.user is None] == ["easy"]
    await stage.ann.click(await more(stage, stage.ann, match), label="Come back")
    assert stage.ann.id in {seat.user for seat in (await stage.row(match)).seats}


async def test_a_panel_of_a_match_that_has_ended_is_judged_again(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, start=False)
    await computer(stage.ann, await stage.lobby(match))
    await stage.ann.click(await stage.lobby(match), label="Start")
    thread = stage.home(await stage.row(match))
    panel = await more(stage, stage.ann, match)
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    for label in ("My seat", "Undo"):
        if label in labels(panel):
            said = text_of(await stage.press_id(stage.ann, panel, button_with(panel, label)))
            assert "over" in said
