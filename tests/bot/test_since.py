"""Since you left, on the stage: lines and a short animation, for the eyes of the one who asks."""

from __future__ import annotations

import pytest

from bot.actions.play.since import absence_lines
from bot.messages import films as module
from games.engine.game import Fact, Seat
from games.engine.message import Who, msg
from matches.lookback.since import Absence, Moment, PastTurn
from tests.bot.acts import last_board, move_by, play_quickly, rehearse, rows_of
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow


async def test_the_button_tells_what_was_missed(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, stage.cleo)
    first = await stage.mover(match)
    for _ in range(3):
        await move_by(
            stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
    board = await last_board(stage, match)
    assert rows_of(board)[-1] == ["Since you left"]
    told = shown(await first.click(board, label="Since you left"))
    assert told.flags.ephemeral
    head, *lines = told.content.splitlines()
    assert head == f"**Since your last move** in `{match}`:"
    assert len(lines) == 3
    assert f"({first.user.name})" in lines[-1], "who is to move"
    film = told.attachments[0]
    assert film.filename == f"{match}.gif"
    assert film.description
    assert (await film.read()).startswith(b"GIF89a")
    guest = shown(await stage.eve.click(board, label="Since you left"))
    assert guest.content.startswith(f"**The last round** of `{match}`:\n")
    mine = shown(await first.click(board, label="My view"))
    assert mine.content.startswith(head)
    assert "Since you left" in rows_of(mine)[-1]
    assert shown(await first.slash(thread, "ask board")).content.startswith(head)
    await stage.restart()
    assert shown(await first.click(board, label="Since you left")).content == told.content


async def test_nothing_was_missed(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    assert "Since you left" not in str(rows_of(board)), "nobody has moved"
    pressed = text_of(await stage.press_id(stage.ann, board, f"domb:since:{match}:0"))
    assert pressed == f"Nobody has moved yet in `{match}`."
    mover = await stage.mover(match)
    await move_by(stage, "slash", match, thread, mover, legal(await stage.match(match))[0])
    told = text_of(await stage.press_id(mover, board, f"domb:since:{match}:0"))
    assert told == f"Nothing has happened in `{match}` since your last move."


async def test_text_boards_and_long_absences(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.ann.slash(thread, "settings me", board="text")
    await stage.eve.slash(thread, "settings me", board="text")
    play = rehearse(await stage.match(match), 4)
    await play_quickly(stage, match, play.moves[:12])
    told = shown(await stage.eve.click(await last_board(stage, match), label="Since you left"))
    assert told.content.startswith("```")
    assert not told.attachments
    assert len(told.content) <= 2000


async def test_a_failed_animation_leaves_the_text(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    play = rehearse(await stage.match(match), 4)
    await play_quickly(stage, match, play.moves[:4])

    def fail(*args: object) -> None:
        raise ValueError("no colours left")

    monkeypatch.setattr(module, "_animate", fail)
    mover = await stage.mover(match)
    told = shown(await mover.click(await last_board(stage, match), label="Since you left"))
    assert told.content.startswith("```")
    assert "in `" in told.content


async def test_an_old_board_and_a_match_that_is_not_there(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    play = rehearse(await stage.match(match), 4)
    await play_quickly(stage, match, play.moves[:4])
    board = await last_board(stage, match)
    told = shown(
        await stage.press_id(await stage.mover(match), board, f"domb:since:{match}:2", stage.gallery)
    )
    assert "Since your last move" in told.content
    unknown = text_of(await stage.press_id(stage.ann, board, "domb:since:F-NONE22:0"))
    assert "no match" in unknown.lower()


async def test_many_long_turns_fit_into_a_message(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo)
    row, now = await stage.row(match), await stage.match(match)
    facts = tuple(Fact(msg("match.fact.takeback", who=Who(0), moves=(f"e4-e{n}",))) for n in range(80))
    turns = tuple(PastTurn(Seat(n % 3), facts, 1) for n in range(6))
    told = absence_lines(row, Absence(1, True, turns, 9, (Moment(now),)), stage.bot.context.readers.default)
    assert len(told.splitlines()) == 8
    assert len(told) < 1700, "it leaves room for the rest"
    assert "… +" in told


async def test_in_direct_messages(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="toy", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    host, guest = stage.ann.user.dm_channel, stage.ben.user.dm_channel
    await stage.ben.user.click(next(m for m in guest.history() if m.author.bot), label="Accept")
    lobby = next(message for message in host.history() if message.id == row.lobby.message)
    await stage.ann.user.click(lobby, label="Start")
    await stage.ann.user.click((await stage.boards_in(host, row.id))[-1], label="Highest card")
    await stage.ben.user.click((await stage.boards_in(guest, row.id))[-1], label="Lowest card")
    board = (await stage.boards_in(host, row.id))[-1]
    assert rows_of(board)[-1] == ["Since you left"]
    told = shown(await stage.ann.user.click(board, label="Since you left"))
    assert told.content.startswith(f"**Since your last move** in `{row.id}`:")
    assert told.attachments[0].filename == f"{row.id}.gif"
