"""Several orders in one text, warnings before a move, and choices that no one else may see."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.messages.match import what_happened
from bot.platform.reader_settings import Reader
from games.engine.game import Fact, Seat
from games.engine.message import msg
from tests.bot.acts import answers, button_with, last_board, move_by, rows_of
from tests.bot.stage import Stage, shown, text_of

pytestmark = pytest.mark.slow

OPEN = "It counts, but everyone here could read it."
SECRET = "Only you should see the answer"


async def walkers(stage: Stage, *, lies: bool = True) -> tuple[str, ChannelHandle]:
    """A match of walkers, in which Ann's highest card lies unless said otherwise."""
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    if lies:
        await move_by(stage, "slash", match, thread, stage.ann, "highest")
    return match, thread


async def hand(stage: Stage, match: str, seat: int) -> tuple[int, ...]:
    """The cards of a seat."""
    now = await stage.match(match)
    cards: tuple[int, ...] = now.game.view(now.state, Seat(seat)).hand
    return cards


async def test_two_orders_make_one_board(stage: Stage) -> None:
    match, thread = await walkers(stage)
    low, _, high = await hand(stage, match, 1)
    boards = len(await stage.boards(match))
    await move_by(stage, "reply", match, thread, stage.ben, f"{high} ! {low}")
    assert (await stage.match(match)).plays == 3
    assert len(await stage.boards(match)) == boards + 1
    board = await last_board(stage, match)
    told = board.content.splitlines()
    assert told[0].count("has put down a card") == 2
    assert "walks" in told[1], "the second line of the story"
    await stage.restart()
    mine = shown(await stage.cleo.click(board, label="My view"))
    assert mine.content.splitlines()[:2] == told[:2]


@pytest.mark.parametrize("route", ["slash", "reply", "dm"])
async def test_what_is_left_undone_is_told_to_its_author(stage: Stage, route: str) -> None:
    match, thread = await walkers(stage)
    _, _, high = await hand(stage, match, 1)
    text = f"{high} ! card 99"
    at = stage.ben.user.dm_channel if route == "dm" else thread
    result = await move_by(stage, route, match, thread, stage.ben, text)
    assert (await stage.match(match)).plays == 2
    if route == "slash":
        said = text_of(result)
        assert result is not None
        assert result.followups[-1].ephemeral
    else:
        said = at.history()[-1].content
    if route == "reply":
        assert said.startswith(SECRET), "the reason names the cards of a hand"
        assert all("99" not in m.content for m in thread.history() if m.author.bot)
    else:
        assert "Not carried out: `card 99`. You don't hold 99." in said


async def test_a_warning_has_a_button_that_plays_it(stage: Stage) -> None:
    match, thread = await walkers(stage)
    middle = (await hand(stage, match, 1))[1]
    result = await stage.ben.slash(thread, "move", move=f"{middle}")
    assert result.ephemeral
    warning = shown(result)
    assert warning.content.startswith(f"The {middle} lies between your other cards")
    assert f"send `card {middle}` again" in warning.content
    assert rows_of(warning) == [["Play it"]]
    assert (await stage.match(match)).plays == 1
    foreign = await stage.press_id(stage.cleo, warning, button_with(warning, "Play it"))
    assert "welcome to watch" in text_of(foreign)
    await stage.ben.click(warning, label="Play it")
    assert (await stage.match(match)).plays == 2
    board = await last_board(stage, match)
    late = await stage.press_id(stage.ben, board, button_with(warning, "Play it"))
    assert "moved on" in text_of(late)
    assert (await stage.match(match)).plays == 2


async def test_after_a_restart_it_is_asked_again(stage: Stage) -> None:
    match, thread = await walkers(stage)
    middle = (await hand(stage, match, 1))[1]
    warning = shown(await stage.ben.slash(thread, "move", move=f"{middle}"))
    await stage.restart()
    again = await stage.ben.click(warning, label="Play it")
    assert again.ephemeral
    assert rows_of(shown(again)) == [["Play it"]]
    assert (await stage.match(match)).plays == 1
    await stage.ben.click(shown(again), label="Play it")
    assert (await stage.match(match)).plays == 2


async def test_a_warning_by_one_route_counts_for_all(stage: Stage) -> None:
    match, thread = await walkers(stage)
    middle = (await hand(stage, match, 1))[1]
    await stage.ben.send_dm(f"{match} {middle}")
    warning = stage.ben.user.dm_channel.history()[-1]
    assert "Nothing is played until you send" in warning.content
    assert rows_of(warning) == [["Play it"]]
    await move_by(stage, "reply", match, thread, stage.ben, f"card {middle}")
    assert (await stage.match(match)).plays == 2


async def test_a_long_order_is_typed_again(stage: Stage) -> None:
    match, thread = await walkers(stage)
    middle = (await hand(stage, match, 1))[1]
    text = f"{middle} ! " + "card 1 ! " * 8
    warning = shown(await stage.ben.slash(thread, "move", move=text))
    assert "Nothing is played until you send" in warning.content
    assert not warning.components


async def test_choosing_at_once_is_offered_in_secret(stage: Stage) -> None:
    match, thread = await walkers(stage, lies=False)
    board = await last_board(stage, match)
    assert "everyone can read this channel" in board.content
    assert rows_of(board)[-1][:2] == ["Moves", "My view"]
    panel = await stage.ben.click(board, label="Moves")
    assert panel.ephemeral
    mine = shown(await stage.ben.click(board, label="My view"))
    assert rows_of(mine)[0][0] == "Highest card"
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    now = (await last_board(stage, match)).content
    assert now.splitlines()[-1].endswith(f"· move 1 · `{match}`")


@pytest.mark.parametrize("route", ["reply", "mention", "bare"])
async def test_what_is_typed_openly_counts_and_is_told_to_be_open(open_stage: Stage, route: str) -> None:
    stage = open_stage
    match, thread = await walkers(stage, lies=False)
    low, middle, high = await hand(stage, match, 0)
    before = {message.id for message in thread.history()}
    for text in ("card 99", "card", f"{middle}", "?highest", "card 0"):
        await move_by(stage, route, match, thread, stage.ann, text)
    said = [m.content for m in thread.history() if m.author.bot and m.id not in before]
    assert said
    assert all(text.startswith(SECRET) for text in said), said
    message = await typed(stage, route, match, thread, stage.ann, f"card {high}")
    assert (await stage.match(match)).plays == 1
    (remark,) = answers(thread, message)
    assert remark.content.startswith(OPEN)
    assert f"{high}" not in remark.content
    public = [m.content for m in thread.history() if m.author.bot]
    assert not [text for text in public if f"card {high}" in text or f"card is {high}" in text]
    last = await typed(stage, route, match, thread, stage.ben, "lowest")
    assert not answers(thread, last), "the last card is turned over at once"
    assert low < middle < high


async def test_a_message_played_from_its_menu_is_told_to_be_open(stage: Stage) -> None:
    match, thread = await walkers(stage, lies=False)
    _, _, high = await hand(stage, match, 0)
    wrong = await stage.ann.send(thread, "card 99")
    result = await stage.ann.context_menu(thread, "Play this", wrong)
    assert result.ephemeral
    assert text_of(result).startswith("You don't hold 99.")
    message = await stage.ann.send(thread, f"card {high}")
    result = await stage.ann.context_menu(thread, "Play this", message)
    assert result.ephemeral
    assert text_of(result).endswith("or use `/move`.")
    assert OPEN in text_of(result)
    assert (await stage.match(match)).plays == 1
    last = await stage.ben.send(thread, "lowest")
    assert OPEN not in text_of(await stage.ben.context_menu(thread, "Play this", last))
    assert (await stage.match(match)).plays == 2


async def typed(
    stage: Stage, route: str, match: str, thread: ChannelHandle, who: MemberActor, text: str
) -> discord.Message:
    """Make a move by a route, and return its message."""
    await move_by(stage, route, match, thread, who, text)
    return next(m for m in reversed(thread.history()) if m.author.id == who.id)


async def test_by_direct_message_all_is_answered(stage: Stage) -> None:
    match, thread = await walkers(stage, lies=False)
    _, _, high = await hand(stage, match, 0)
    home = stage.ann.user.dm_channel
    await move_by(stage, "dm", match, thread, stage.ann, "card 99")
    assert home.history()[-1].content.startswith("You don't hold 99.")
    await move_by(stage, "dm", match, thread, stage.ann, "card")
    asked = home.history()[-1]
    assert asked.content.startswith("Which card?")
    assert rows_of(asked)[-1] == ["Type a move", "Show"]
    await move_by(stage, "dm", match, thread, stage.ann, f"card {high}")
    assert (await stage.match(match)).plays == 1
    assert not any(OPEN in message.content for message in home.history())


async def test_a_summary_has_at_most_five_lines(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    row, now = await stage.row(match), await stage.match(match)
    facts = tuple(
        Fact(msg("match.fact.abort"), line=line, to=frozenset({Seat(1)}) if line == 3 else None)
        for line in (4, 0, 2, 0, 3)
    )
    everybody = Reader(stage.bot.context.readers.catalogue)
    told = what_happened(row, now, facts, everybody)
    assert [line.count("called off") for line in told.split("\n")] == [2, 1, 1]
    mine = what_happened(row, now, facts, replace(everybody, seat=Seat(1)))
    assert [line.count("called off") for line in mine.split("\n")] == [2, 1, 1, 1]
