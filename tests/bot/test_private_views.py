"""Private answers: views, lists of moves, rules, matches, help; and forms after a restart."""

from __future__ import annotations

import re

import discord
import pytest

from bot.messages.components import Call, walk_components
from bot.platform.permissions import INVITE
from tests.bot.acts import last_board, move_by, play_quickly, rehearse, rows_of
from tests.bot.stage import Stage, allow, computer, legal, menu_with, shown, text_of, words_of

pytestmark = pytest.mark.slow


def label_of(message: discord.Message, beginning: str) -> str:
    """The label of the button that begins so."""
    return next(
        child.label
        for child in walk_components(message.components)
        if isinstance(child, discord.Button) and child.label and child.label.startswith(beginning)
    )


def values(message: discord.Message) -> list[str]:
    """All values that the message's menus offer."""
    return [
        option.value
        for child in walk_components(message.components)
        for option in getattr(child, "options", ())
    ]


async def test_my_view_has_my_side_my_theme_and_my_text(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    public = await board.attachments[0].read()
    red = await shown(await stage.ann.click(board, label="My view")).attachments[0].read()
    result = await stage.ben.click(board, label="My view")
    assert result.ephemeral
    green = await shown(result).attachments[0].read()
    assert red != green, "each has the own side at the bottom"
    assert public in (red, green)
    said = text_of(await stage.ben.slash(thread, "settings me", theme="dark"))
    assert "Theme: Dark" in said
    dark = await shown(await stage.ben.click(board, label="My view")).attachments[0].read()
    assert dark != green
    said = text_of(await stage.ben.slash(thread, "settings me", board="text"))
    assert "Theme: Dark" in said
    assert "Board: Text" in said
    view = shown(await stage.ben.click(board, label="My view"))
    assert not view.attachments
    assert view.content.startswith("```")
    assert len(view.content) <= 2000
    picture = shown(await stage.ben.slash(thread, "ask board", look="picture"))
    assert picture.attachments[0].description
    text = shown(await stage.cleo.slash(thread, "ask board", look="text"))
    assert text.content.startswith("```")


@pytest.mark.slow
async def test_a_text_board_fits_with_the_longest_names(stage: Stage) -> None:
    for person in stage.people.values():
        stage.env.backend.guilds[stage.guild.id].members[person.id].nick = "*_~|`>" * 5 + "__"
    match, thread = await stage.open(stage.ann, stage.ben, stage.cleo, stage.dan)
    play = rehearse(await stage.match(match), 4)
    await play_quickly(stage, match, play.moves[:60])
    for person in (stage.ann, stage.cleo, stage.eve):
        view = shown(await person.slash(thread, "ask board", look="text"))
        assert len(view.content) < 2000, "nothing was cut off"
        assert view.content.count("```") == 2
        assert f"`{match}` · Focus · move 60" in view.content
    await stage.ann.slash(thread, "settings me", board="text")
    assert len(shown(await stage.ann.click(await last_board(stage, match), label="My view")).content) < 2000


async def test_the_moves_panel_pages_through_all_moves(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    play = rehearse(await stage.match(match), 5)
    for at in range(0, len(play.moves), 6):
        await play_quickly(stage, match, play.moves[at : at + 6])
        if (await stage.match(match)).ending or len(legal(await stage.match(match))) > 100:
            break
    now = await stage.match(match)
    moves = legal(now)
    assert len(moves) > 100
    mover = await stage.mover(match)
    first = shown(await mover.click(await last_board(stage, match), label="Moves"))
    assert f"{len(moves)} legal moves." in first.content
    offered = values(first)
    assert len(offered) == 100
    second = shown(await mover.click(first, label=label_of(first, "Next (1/2)")))
    assert sorted(offered + values(second)) == sorted(moves)
    wanted = values(second)[-1]
    result = await mover.select(second, [wanted], custom_id=menu_with(second, wanted))
    assert "Played in" in text_of(result)
    assert (await stage.match(match)).plays == now.plays + 1
    idle = shown(await (await stage.waiting(match)).click(await last_board(stage, match), label="Moves"))
    assert "to move" in idle.content
    assert not idle.components
    guest = await stage.cleo.click(await last_board(stage, match), label="Moves")
    assert "welcome to watch" in text_of(guest)
    assert f"{match}" in text_of(await stage.cleo.slash(thread, "ask moves"))


async def test_rules_page_by_page(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    more = shown(await stage.cleo.click(await last_board(stage, match), label="More"))
    page = shown(await stage.cleo.click(more, label="Rules"))
    titles = []
    for _ in range(20):
        words = words_of(page)
        titles.append(words.splitlines()[0])
        assert ("Sid Sackson" in words) == (not titles[1:])
        assert [each.filename for each in page.attachments] == ["rules.png"]
        (container,) = page.components
        assert isinstance(container, discord.Container)
        gallery = container.children[0]
        assert isinstance(gallery, discord.MediaGalleryComponent), "the picture stands above the text"
        assert gallery.items[0].description, "it has an alt text"
        number, of = map(int, re.findall(r"\((\d+)/(\d+)\)", titles[-1])[0])
        if number == of:
            break
        page = shown(await stage.cleo.click(page, label="Next"))
    assert len(titles) == of
    back = shown(await stage.cleo.click(page, label="Back"))
    assert f"({of - 1}/{of})" in words_of(back)
    await stage.restart()
    forward = shown(await stage.cleo.click(back, label="Next"))
    assert f"({of}/{of})" in words_of(forward)
    first = await stage.cleo.slash(stage.channel, "learn rules", game="focus")
    assert "(1/" in text_of(first)
    lesson = shown(await stage.cleo.click(shown(first), label="Try it"))
    assert lesson.content.startswith("**Lessons of Focus") or "Focus" in lesson.content.splitlines()[0]
    assert lesson.id != shown(first).id
    assert "(1/" in text_of(await stage.cleo.slash(thread, "learn rules"))


async def test_matches_over_two_servers(stage: Stage) -> None:
    assert text_of(await stage.ann.slash(stage.channel, "matches mine")).startswith("You have no match")
    first, _ = await stage.open(stage.ann, stage.ben)
    if await stage.mover(first) == stage.ann:
        thread = stage.home(await stage.row(first))
        await move_by(stage, "slash", first, thread, stage.ann, legal(await stage.match(first))[0])
    second_guild = stage.env.create_guild("Other club")
    allow(stage.env, second_guild, INVITE)
    lounge = second_guild.create_text_channel("lounge")
    there = second_guild.add_member(stage.ann.user)
    await there.slash(lounge, "play", game="focus")
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = next(m for m in lounge.history() if m.id == row.lobby.message)
    await computer(there, lobby)
    await there.click(lobby, label="Start")
    said = text_of(await stage.ann.slash(stage.channel, "matches mine"))
    head, mine, theirs = (line for line in said.splitlines() if not line.startswith("-# "))
    assert head == "Your matches, your turn first:"
    assert mine.startswith(f"▶ `{row.id}`")
    assert f"[the board](<https://discord.com/channels/{second_guild.id}/" in mine
    assert theirs.startswith(f"· `{first}`")
    assert f"/{(await last_board(stage, first)).id}" in theirs
    direct = shown(await stage.ann.user.slash("matches mine"))
    assert direct.content == said
    choices = await stage.ann.autocomplete(stage.channel, "ask board", "match", "")
    assert [choice["value"] for choice in choices] == [row.id, first]
    assert choices[1]["name"].count(first) == 1


async def test_help_without_plain_text(stage: Stage) -> None:
    said = text_of(await stage.dan.slash(stage.channel, "help", about="move"))
    assert "isn't read on this host" in said


async def test_help_with_plain_text(open_stage: Stage) -> None:
    said = text_of(await open_stage.dan.slash(open_stage.channel, "help", about="move"))
    assert "plain text works too" in said


async def test_autocomplete_of_moves(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, waiting = await stage.mover(match), await stage.waiting(match)
    moves = legal(await stage.match(match))
    start = moves[0].split("-")[0]
    choices = await mover.autocomplete(thread, "move", "move", start.upper())
    found = [choice["value"] for choice in choices]
    assert found[0].startswith(start)
    assert set(found) <= set(moves)
    assert len(await mover.autocomplete(thread, "move", "move", "")) == 25
    assert not await waiting.autocomplete(thread, "move", "move", "")
    assert not await stage.cleo.autocomplete(thread, "move", "move", "")
    assert not await mover.autocomplete(thread, "move", "move", "((((" * 500)
    elsewhere = await mover.autocomplete(stage.channel, "move", "move", start, match=match)
    assert [choice["value"] for choice in elsewhere] == found


async def test_a_form_shown_before_a_restart(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    panel = shown(await mover.click(await last_board(stage, match), label="Moves"))
    form = await mover.click(panel, label="Type a move")
    assert form.modal is not None
    assert form.modal["title"] == f"Your move in {match}"
    await stage.restart()
    text = legal(await stage.match(match))[0]
    result = await mover.submit_modal(form, {"move": text})
    assert f"Played in `{match}`." in text_of(result)
    assert (await stage.match(match)).plays == 1
    assert len(await stage.boards(match)) == 2


async def test_every_button_works_after_a_restart(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    await stage.restart()
    for label in ("Moves", "My view", "Undo", "Resign or draw", "More"):
        assert text_of(await stage.ann.click(board, label=label)), label
    await stage.press_id(stage.ann, board, f"domb:{Call('draw', match, 0).custom_id}")
    assert (await stage.match(match)).talk.offers


async def test_buttons_of_another_version(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    for call in (Call("castle", match, 3), Call("castle_long", "-", -1, "x.1")):
        result = await stage.press_id(stage.ann, board, f"domb:{call.custom_id}")
        assert text_of(result) == (
            "This button is from an older version. `/ask board` shows the current position."
        )
    result = await stage.press_id(stage.ann, board, f"domb:{Call('view', 'F-ZZZ', 1).custom_id}")
    assert text_of(result).startswith("There is no match `F-ZZZ`")


async def test_the_animation_of_a_short_match(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    for _ in range(3):
        await move_by(
            stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
    sure = shown(await stage.ann.slash(thread, "match resign"))
    await stage.ann.click(sure, label="Yes, I resign")
    result = shown(await stage.dan.slash(thread, "replay film", part="all"))
    assert result.content == f"Match `{match}`: the whole match."
    (film,) = result.attachments
    assert (await film.read())[:4] == b"GIF8"
    assert film.description
    over = text_of(await stage.ann.slash(thread, "match resign"))
    assert over == "This match is over."
    assert "wins" in text_of(await stage.ann.slash(thread, "ask board"))


async def test_a_spectator_is_offered_what_a_spectator_can_do(stage: Stage) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    view = shown(await stage.eve.slash(thread, "ask board"))
    assert rows_of(view)[0] == ["My view", "Replay", "More"]
    replay = shown(await stage.eve.click(view, label="Replay"))
    assert "still being played" in replay.content
