"""Short answers that say what was asked: draws, matches, maps that ship, games to choose from."""

from __future__ import annotations

from bot.inbound.commands.common import game_choices
from games.engine.dice import commitment
from tests.bot.stage import Stage, shown, text_of


async def test_a_draw_by_command_is_told_as_what_it_is(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await stage.ann.slash(thread, "draw"))
    assert said == f"You have offered a draw in `{match}`. The match goes on until everyone agrees."
    said = text_of(await stage.ben.slash(thread, "draw", answer="decline"))
    assert said == f"You have declined the draw in `{match}`."
    await stage.ann.slash(thread, "draw")
    said = text_of(await stage.ben.slash(thread, "draw", answer="accept"))
    assert said == f"Agreed: match `{match}` is a draw."


async def test_matches_are_listed_with_who_else_plays(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo)
    said = text_of(await stage.ann.slash(stage.channel, "matches"))
    assert f"`{match}` Focus (Domination) against Ben and Cleo: " in said
    assert "Ann" not in said


async def test_maps_that_ship_are_listed_and_shown(stage: Stage) -> None:
    listed = text_of(await stage.ann.slash(stage.channel, "maps list"))
    assert "- `world` " in listed
    assert "- `islands` " in listed
    assert "This server has added none yet" in listed
    world = shown(await stage.ann.slash(stage.channel, "maps show", map="world"))
    assert "42 countries" in world.content
    assert world.attachments[0].filename == "world.png"


async def test_games_are_offered_with_a_few_words_on_each(stage: Stage) -> None:
    names = [choice.name for choice in game_choices(stage.bot.context)]
    assert "Focus (Domination): pile up and jump, no luck, 2 to 4" in names
    assert all(": " in name and len(name) <= 100 for name in names)


async def test_the_seal_of_the_dice_is_short_and_whole_under_a_button(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    row = await stage.row(match)
    lobby = await stage.lobby(match)
    sealed = commitment(bytes.fromhex(row.secret))
    board = (await stage.boards(match))[0]
    assert f"`{sealed[:8]}…`" in board.content
    assert sealed not in board.content + lobby.content
    said = text_of(await stage.press_id(stage.cleo, lobby, f"domb:sealed:{match}:-1"))
    assert sealed in said
    assert row.secret not in said
    await stage.ann.click(shown(await stage.ann.slash(thread, "resign")), label="Yes, I resign")
    said = text_of(await stage.press_id(stage.cleo, lobby, f"domb:sealed:{match}:-1"))
    assert row.secret in said


async def test_dice_are_told_after_a_roll(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move="gather")
    said = text_of(await stage.cleo.slash(thread, "look", what="dice"))
    assert "rolls " in said
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move="grow 1")
    assert "No dice" in text_of(await stage.cleo.slash(thread, "look", what="dice"))
