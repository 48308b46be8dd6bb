"""Short answers that say what was asked: draws, matches, maps that ship, games to choose from."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.inbound.commands.common import game_choices
from bot.messages.names import match_title, options_text, seat_names
from games.engine import registry
from games.engine.dice import commitment
from games.engine.message import msg
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, computer, shown, text_of

pytestmark = pytest.mark.slow


async def test_a_draw_by_command_is_told_as_what_it_is(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await stage.ann.slash(thread, "match draw"))
    assert said == f"You have offered a draw in `{match}`. The match goes on until everyone agrees."
    said = text_of(await stage.ben.slash(thread, "match draw", answer="decline"))
    assert said == f"You have declined the draw in `{match}`."
    await stage.ann.slash(thread, "match draw")
    said = text_of(await stage.ben.slash(thread, "match draw", answer="accept"))
    assert said == f"Agreed: match `{match}` is a draw."


async def test_matches_are_listed_with_who_else_plays(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo)
    said = text_of(await stage.ann.slash(stage.channel, "matches mine"))
    assert f"`{match}` Focus against Ben and Cleo: " in said
    assert "Ann" not in said
    row, reader = await stage.row(match), stage.bot.context.readers.default
    ann, *others = sorted(row.seats, key=lambda seat: seat.name)
    seats = [replace(seat, occupant="computer", user=None, name="", level="easy") for seat in others]
    titles = [
        match_title(replace(row, seats=(ann, *now)), ann.seat, reader)
        for now in (others[:1] + seats[1:], seats, (replace(seats[0], level="careful"), others[1], seats[1]))
    ]
    assert [title.partition(" against ")[2] for title in titles] == [
        "Ben and an easy computer",
        "2 easy computers",
        "Cleo, a careful computer, and an easy computer",
    ]


async def test_an_option_that_is_as_usual_for_its_seats_is_not_listed(stage: Stage) -> None:
    reader = stage.bot.context.readers.default
    for players, shown_as_usual in ((2, True), (3, False)):
        match, _ = await stage.open(stage.ann, start=False, players=players, game="domination")
        row = await stage.row(match)
        usual = replace(row, options=row.options | {"even": shown_as_usual})
        assert options_text(usual, reader, chosen_only=True) == ""
        other = replace(row, options=row.options | {"even": not shown_as_usual})
        assert "Even start" in options_text(other, reader, chosen_only=True)


async def test_maps_that_ship_are_listed_and_shown(stage: Stage) -> None:
    listed = text_of(await stage.ann.slash(stage.channel, "learn maps"))
    assert "- `world` " in listed
    assert "- `islands` " in listed
    assert "This server has added none yet" in listed
    world = shown(await stage.ann.slash(stage.channel, "learn maps", map="world"))
    assert "42 countries" in world.content
    assert world.attachments[0].filename == "world.png"


async def test_games_are_offered_with_a_few_words_on_each(stage: Stage) -> None:
    names = [choice.name for choice in game_choices(stage.bot.context)]
    assert "Focus: pile up and jump, no luck, 2 to 4" in names
    assert all(": " in name and len(name) <= 100 for name in names)


async def test_the_seal_of_the_dice_is_short_and_whole_under_a_button(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    row = await stage.row(match)
    lobby = await stage.lobby(match)
    sealed = commitment(bytes.fromhex(row.secret))
    board = (await stage.boards(match))[0]
    assert f"`{sealed[:8]}…`" in board.content
    assert sealed not in board.content + lobby.content
    said = text_of(await stage.press_id(stage.cleo, lobby, f"domb:sealed:{match}:-1"))
    assert sealed in said
    assert row.secret not in said
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    said = text_of(await stage.press_id(stage.cleo, lobby, f"domb:sealed:{match}:-1"))
    assert row.secret in said


async def test_dice_are_told_after_a_roll(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move="gather")
    said = text_of(await stage.cleo.slash(thread, "ask about", what="dice"))
    assert "rolls " in said
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move="grow 1")
    assert "No dice" in text_of(await stage.cleo.slash(thread, "ask about", what="dice"))


async def test_help_names_every_game(stage: Stage) -> None:
    said = text_of(await stage.ann.slash(stage.channel, "help", about="start"))
    say = stage.bot.context.readers.default.say
    assert all(say(msg(f"{game.key}.title")) in said for game in registry.all_games())


async def test_a_start_pings_everyone_who_is_to_act_once(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    lobby, board = await stage.lobby(match), await last_board(stage, match)
    mover = await stage.mover(match)
    calling = [m.id for m in (lobby, *thread.history()) if mover.id in m.raw_mentions]
    assert calling == [board.id]


async def test_no_board_says_a_name_twice_or_brackets_in_brackets(stage: Stage) -> None:
    match, _ = await stage.open(
        stage.ann, start=False, game="domination", players=3, options="map=islands setup=auto"
    )
    for level in ("easy", "hard"):
        await computer(stage.ann, await stage.lobby(match), level)
    await stage.ann.click(await stage.lobby(match), label="Start")
    row, now = await stage.row(match), await stage.match(match)
    (seat,) = now.to_act
    view = now.game.view(now.state, seat)
    first = now.game.format(view, now.game.default(view, seat))
    await move_by(stage, "mention", match, stage.home(row), stage.ann, f"{first}; end")
    names = seat_names(row, stage.bot.context.readers.default)
    boards = await stage.boards(match)
    assert any("(computer, hard)" in board.content for board in boards)
    for board in boards:
        texts = [board.content, *(a.description or "" for a in board.attachments)]
        for line in "\n".join(texts).splitlines():
            assert not re.search(r"\([^()]*\(", line), line
            assert not any(f"{names(n)}: {names(n)}" in line for n in range(len(row.seats))), line
