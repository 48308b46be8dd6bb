"""Shortcuts: a turn is one tap. Late, twice, by others, after a restart: they do what they should."""

from __future__ import annotations

from fractions import Fraction

import discord
import pytest
from simcord.actors import MemberActor

from bot.messages.components import Call, walk_components
from games.engine.game import Odds, Partial, Seat
from games.engine.message import msg
from tests.bot.acts import button_with, last_board, move_by, rows_of
from tests.bot.stage import Stage, menu_with, shown, text_of
from tests.toy.game import Toy
from tests.toy.rules import View

pytestmark = pytest.mark.slow

USUAL = ["Moves", "My view", "Undo", "Resign or draw", "More"]
QUICK = ["Highest card", "Lowest card", "Card"]


async def one_to_act(stage: Stage) -> tuple[str, discord.Message, MemberActor, MemberActor]:
    """A match of walkers in which one card lies: its id and board, who is to act, and who has acted."""
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    return match, await last_board(stage, match), stage.ben, stage.ann


async def test_shortcuts_lie_in_a_row_of_their_own_while_one_is_to_act(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    both = await last_board(stage, match)
    assert rows_of(both) == [USUAL], "two are to choose"
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    board = await last_board(stage, match)
    assert rows_of(board) == [QUICK, USUAL], "no card of the hand stands in public"
    styles = [[b.style for b in row.children] for row in board.components]  # type: ignore[union-attr] # rows
    assert set(styles[0]) == {discord.ButtonStyle.primary}
    assert set(styles[1]) == {discord.ButtonStyle.secondary}
    focus, _ = await stage.open(stage.cleo, stage.dan)
    assert rows_of(await last_board(stage, focus)) == [USUAL]


async def test_a_tap_plays_and_only_the_board_answers(stage: Stage) -> None:
    match, board, mover, _ = await one_to_act(stage)
    before = await stage.match(match)
    thread = stage.home(await stage.row(match))
    seen = {message.id for message in thread.history()}
    result = await mover.click(board, label="Highest card")
    assert not result.followups
    (new,) = [message for message in thread.history() if message.id not in seen]
    assert new == await last_board(stage, match), "nothing but the board was said, not even in private"
    after = await stage.match(match)
    assert after.plays == before.plays + 1
    assert after.state.at != before.state.at
    assert len(await stage.boards(match)) == 3


async def test_a_tap_that_asks_offers_exactly_what_may_follow(stage: Stage) -> None:
    match, board, mover, _ = await one_to_act(stage)
    now = await stage.match(match)
    view = now.game.view(now.state, Seat(1))
    result = await mover.click(board, label="Card")
    assert result.ephemeral
    panel = shown(result)
    assert panel.content.startswith("Which card?")
    assert rows_of(panel) == [[f"card {card}" for card in view.hand], ["Type a move", "Show"]]
    await stage.restart()
    thread = stage.home(await stage.row(match))
    other = shown(await mover.click(board, label="Card"))
    await mover.click(panel, label=f"card {view.hand[2]}")
    assert panel.id not in {message.id for message in thread.history()}, "the question goes with its answer"
    assert len(await stage.boards(match)) == 3
    assert (await stage.match(match)).plays == now.plays + 1
    again = await mover.click(other, label=f"card {view.hand[0]}")
    assert "moved on" in text_of(again)
    assert (await stage.match(match)).plays == now.plays + 1


async def test_a_choice_says_what_is_certain_to_come_of_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, board, mover, _ = await one_to_act(stage)

    def sure(self: Toy, view: View, seat: Seat, text: str) -> tuple[Odds, ...]:
        return (Odds(text, ((Fraction(1), msg("toy.odds.near")),)),)

    monkeypatch.setattr(Toy, "odds", sure)
    panel = shown(await mover.click(board, label="Card"))
    labels = rows_of(panel)[0]
    assert all(label.endswith(": one step, if it is the highest") for label in labels)
    await mover.click(panel, label=labels[0])
    assert (await stage.match(match)).plays == 2


async def test_taps_of_others_are_kindly_refused(stage: Stage) -> None:
    match, board, _, waiting = await one_to_act(stage)
    seq = (await stage.row(match)).version
    for person, why in ((waiting, "n't your turn"), (stage.cleo, "welcome to watch")):
        for label in QUICK:
            result = await person.click(board, label=label)
            assert result.ephemeral
            assert why in text_of(result)
    assert (await stage.row(match)).version == seq


async def test_a_tap_on_an_old_board_shows_the_current_one(stage: Stage) -> None:
    match, board, mover, _ = await one_to_act(stage)
    await mover.click(board, label="Lowest card")
    seq = (await stage.row(match)).version
    late = await stage.press_id(mover, board, button_with(board, "Highest card"))
    assert late.ephemeral
    assert "moved on" in text_of(late)
    assert shown(late).attachments
    assert (await stage.row(match)).version == seq


async def test_two_taps_at_once_count_once(stage: Stage) -> None:
    match, board, mover, _ = await one_to_act(stage)
    plays = (await stage.match(match)).plays
    rows = [row.to_dict() for row in board.components]
    for label in ("Highest card", "Lowest card"):
        stage._press(mover, board, button_with(board, label), rows)
    await stage.env.settle()
    assert (await stage.match(match)).plays == plays + 1
    assert len(await stage.boards(match)) == 3


async def test_a_tap_after_a_restart(stage: Stage) -> None:
    match, board, mover, _ = await one_to_act(stage)
    await stage.restart()
    await mover.click(board, label="Highest card")
    assert (await stage.match(match)).plays == 2
    assert len(await stage.boards(match)) == 3


async def test_my_view_has_the_cards_too_and_plays_in_place(stage: Stage) -> None:
    match, board, mover, waiting = await one_to_act(stage)
    now = await stage.match(match)
    hand = now.game.view(now.state, Seat(1)).hand
    mine = shown(await mover.click(board, label="My view"))
    assert rows_of(mine)[:3] == [[*QUICK, *(f"Card {card}" for card in hand[:2])], [f"Card {hand[2]}"], USUAL]
    other = shown(await waiting.click(board, label="My view"))
    guest = shown(await stage.cleo.click(board, label="My view"))
    assert rows_of(other)[0] == USUAL
    assert rows_of(guest)[0] == ["My view", "Replay", "More"]
    said = await mover.click(mine, label=f"Card {hand[2]}")
    assert f"Played in `{match}`." in text_of(said)
    assert (await stage.match(match)).plays == now.plays + 1


async def test_those_to_choose_at_once_find_shortcuts_in_their_own_views(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, game="toy")
    board = await last_board(stage, match)
    mine = shown(await stage.ben.click(board, label="My view"))
    assert rows_of(mine)[0][:3] == QUICK
    await stage.ben.click(mine, label="Lowest card")
    assert (await stage.match(match)).to_act == {0}


async def test_no_shortcuts_where_a_computer_is_to_act_or_all_is_over(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, start=False, game="toy", players=2)
    await stage.ann.click(await stage.lobby(match), label="Add computer")
    await stage.ann.click(await stage.lobby(match), label="Start")
    thread = stage.home(await stage.row(match))
    (first, *_) = await stage.boards(match)
    assert rows_of(first) == [USUAL]
    waits = rows_of(await last_board(stage, match))
    assert waits == [QUICK, USUAL], "the computer has put down its card"
    await move_by(stage, "slash", match, thread, stage.ann, "lowest")
    between = (await stage.boards(match))[-2]
    assert rows_of(between) == [USUAL, ["Since you left"]], "the computer is not alone to act"
    await stage.ann.slash(thread, "match resign")
    await stage.bot.context.service.play.resign(match, stage.ann.id, request="end")
    await stage.env.advance_time(3)
    assert "Highest card" not in str(rows_of(await last_board(stage, match)))


async def test_in_direct_messages_each_has_the_own_shortcuts(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="toy", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    host, guest = stage.ann.user.dm_channel, stage.ben.user.dm_channel
    invitation = next(m for m in guest.history() if m.author.bot)
    await stage.ben.user.click(invitation, label="Accept")
    lobby = next(message for message in host.history() if message.id == row.lobby.message)
    await stage.ann.user.click(lobby, label="Start")
    mine = (await stage.boards_in(host, row.id))[-1]
    quick = rows_of(mine)[0]
    assert quick[:3] == QUICK
    assert len([label for label in quick if label.startswith("Card ")]) == 2
    await stage.ann.user.click(mine, label="Highest card")
    assert (await stage.match(row.id)).plays == 1
    assert rows_of((await stage.boards_in(host, row.id))[-1]) == [USUAL], "it is not her turn"
    theirs = (await stage.boards_in(guest, row.id))[-1]
    assert rows_of(theirs)[0][:3] == QUICK
    await stage.ben.user.click(theirs, label="Lowest card")
    assert (await stage.match(row.id)).plays == 2
    assert host.history()[-1].content.count("walks") == 1


async def test_a_mirror_has_no_shortcuts(stage: Stage) -> None:
    match, _, _, _ = await one_to_act(stage)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    (mirror,) = await stage.boards_in(stage.gallery, match)
    assert rows_of(mirror) == [["My view", "More"]]


async def test_a_reply_to_a_board_with_shortcuts_finds_its_match(stage: Stage) -> None:
    """A board is found by its buttons, even before its post is recorded."""
    match, board, mover, _ = await one_to_act(stage)
    store, find = stage.bot.context.store, stage.bot.context.store.find_post

    async def not_yet(message: int) -> None:
        assert await find(message) is not None

    store.find_post = not_yet  # type: ignore[method-assign] # as if the row were still to be written
    await mover.send(stage.home(await stage.row(match)), "lowest", reply_to=board)
    store.find_post = find  # type: ignore[method-assign] # back to normal
    assert (await stage.match(match)).plays == 2


def many(count: int) -> tuple[str, ...]:
    """Choices by the hundred."""
    return tuple(f"card {number}" for number in range(1, count + 1))


@pytest.mark.parametrize(("count", "pages"), [(21, 1), (130, 2)])
async def test_many_choices_come_in_menus_and_pages(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, count: int, pages: int
) -> None:
    match, board, mover, _ = await one_to_act(stage)
    seq = (await stage.row(match)).version
    parse = Toy.parse

    def asks(self: Toy, view: View, seat: Seat, text: str) -> object:
        return (
            Partial(msg("toy.ask.card", hand=()), many(count))
            if text == "card"
            else parse(self, view, seat, text)
        )

    monkeypatch.setattr(Toy, "parse", asks)
    panel = shown(await mover.click(board, label="Card"))
    offered = values(panel)
    if pages > 1:
        assert len(offered) == 100
        panel = shown(await mover.click(panel, label="Next (1/2)"))
        offered += values(panel)
        assert rows_of(panel)[-1] == ["Type a move", "Show", "Next (2/2)"]
    assert offered == list(many(count))
    now = await stage.match(match)
    own = f"card {now.game.view(now.state, Seat(1)).hand[0]}"
    if own not in values(panel):
        panel = shown(await mover.click(panel, label="Next (2/2)"))
    said = await mover.select(panel, [own], custom_id=menu_with(panel, own))
    assert "Played in" in text_of(said)
    assert (await stage.row(match)).version > seq
    old = await stage.press_id(mover, panel, f"domb:{Call('asked', match, seq, '2.card').custom_id}")
    assert "moved on" in text_of(old)


def values(message: discord.Message) -> list[str]:
    """All values that the message's menus offer."""
    return [
        option.value
        for child in walk_components(message.components)
        for option in getattr(child, "options", ())
    ]
