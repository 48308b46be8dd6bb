"""Finished matches looked back at by exact values: the button, the command, the curve, and what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simcord.builders import ChannelHandle

import render
from bot.actions.analysis import curve_alt_text, percent, report
from bot.messages.components import Call
from games.ai.analysis import Analysis, Move
from games.engine.game import Seat
from games.engine.message import Msg, Who
from games.engine.scene import WinChart
from locales import Catalogue
from render import Say
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, shown, text_of
from tests.bot.test_tablebases import lay

pytestmark = pytest.mark.slow


@pytest.fixture
def curves(monkeypatch: pytest.MonkeyPatch) -> list[WinChart]:
    """The curves that are drawn."""
    seen: list[WinChart] = []
    plain = render.draw_win_chart

    def noted(curve: WinChart, say: Say, *, theme: str) -> bytes:
        seen.append(curve)
        return plain(curve, say, theme=theme)

    monkeypatch.setattr(render, "draw_win_chart", noted)
    return seen


async def walked(stage: Stage, *, table: bool = True) -> tuple[str, ChannelHandle]:
    """A match of walkers played to its end: Ann puts down her best cards, Ben his worst."""
    if table:
        lay(stage.path.parent)
        await stage.restart()
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    while not (await stage.match(match)).ending:
        await move_by(stage, "slash", match, thread, stage.ann, "highest")
        await move_by(stage, "slash", match, thread, stage.ben, "lowest")
    return match, thread


async def test_a_finished_match_is_looked_back_at(stage: Stage, curves: list[WinChart]) -> None:
    match, thread = await walked(stage)
    final = await last_board(stage, match)
    assert rows_of(final) == [["Rematch", "Replay", "Analysis", "My view", "Rules"]]
    result = await stage.cleo.click(final, label="Analysis")
    assert result.ephemeral
    answer = shown(result)
    start, ann, ben, luck, _ = answer.content.splitlines()
    assert start.startswith("A Ash (Ann) began with a ")
    assert ann == "A Ash (Ann): all 2 moves were best moves."
    assert ben.startswith("B Birch (Ben): 0 of 2 moves were best moves. The worst mistake was move ")
    assert luck.startswith("Luck ")
    (curve,) = curves
    assert len(curve.points) == 5
    assert curve.points[-1] in (0.0, 0.5, 1.0)
    assert [seat for _, seat in curve.flags] == [1]
    assert all(not panel.rows for panel in curve.seats)
    (picture,) = answer.attachments
    assert (await picture.read())[:4] == b"\x89PNG"
    assert picture.description is not None
    assert picture.description.startswith("Win probability of A Ash (Ann), by the number of moves")
    by_command = text_of(await stage.dan.slash(thread, "analyse"))
    assert by_command == answer.content
    named = text_of(await stage.ann.slash(stage.channel, "analyse", match=match))
    assert named == answer.content
    (choice,) = await stage.ann.autocomplete(stage.channel, "analyse", "match", match[:3])
    assert choice["value"] == match


async def test_the_button_of_a_mirror_and_of_another_day(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    await stage.cleo.slash(stage.gallery, "watch here", match=match)
    while not (await stage.match(match)).ending:
        for person in (stage.ann, stage.ben):
            await move_by(stage, "slash", match, thread, person, "lowest")
    (mirror,) = await stage.boards_in(stage.gallery, match)
    assert rows_of(mirror) == [["Replay", "Analysis", "My view", "Rules"]]
    (stage.path.parent / "walkers.values").unlink()
    await stage.restart()
    late = text_of(await stage.cleo.click(mirror, label="Analysis"))
    assert late.startswith("This host has no exact values for Three Walkers")


async def test_where_nothing_can_be_analysed(stage: Stage) -> None:
    match, thread = await walked(stage, table=False)
    assert rows_of(await last_board(stage, match)) == [["Rematch", "Replay", "My view", "Rules"]]
    assert "This host has no exact values" in text_of(await stage.ann.slash(thread, "analyse"))
    lay(stage.path.parent)
    await stage.restart()
    assert "moves were best" in text_of(await stage.ann.slash(thread, "analyse"))
    live, other = await stage.open(stage.ann, stage.ben, game="toy")
    assert "is still in progress" in text_of(await stage.ann.slash(other, "analyse"))
    await stage.press_id(stage.ann, await last_board(stage, live), f"domb:{Call('abort', live, 1).custom_id}")
    board = await last_board(stage, live)
    assert rows_of(board) == [["Rematch", "Replay", "My view", "Rules"]], "nobody moved"
    assert "ended before the first move" in text_of(await stage.ann.slash(other, "analyse", match=live))


async def test_three_walkers_are_in_no_table(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, thread = await stage.open(stage.ann, stage.ben, stage.cleo, game="toy")
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    for person in (stage.ann, stage.ben):
        sure = shown(await person.slash(thread, "resign"))
        await person.click(sure, label="Yes, I resign")
    said = text_of(await stage.ann.slash(thread, "analyse"))
    assert "some of its positions have no known value" in said


# --- words --------------------------------------------------------------------------------------------


def say(message: Msg) -> str:
    """Strictly: what is missing or left over raises."""
    return Catalogue(strict=True).say(message, "en", lambda seat: ("Red", "Blue")[seat])


def move(seat: int, value: float, best: float) -> Move:
    """A decision worth `value` where `best` could be had."""
    return Move(Seat(seat), 3, "grow 3", value, "battle", best)


GOOD = Analysis((0.5, 0.5, 1.0), (move(0, 0.5, 0.5), move(1, 0.5, 0.5)), 0.0)


async def test_what_an_analysis_says(stage: Stage) -> None:
    match = await stage.match((await stage.open(stage.ann, stage.ben))[0])
    bad = replace(GOOD, moves=(*GOOD.moves, move(0, 0.41, 0.55)), luck=-0.234)
    worst = "move 3, `grow 3` (41 %)"
    assert [say(line) for line in report(match, bad)] == [
        "Red began with a 50 % chance of winning.",
        f"Red: 1 of 2 moves were best moves. The worst mistake was {worst}; `battle` was worth 55 %.",
        "Blue: the only move was a best move.",
        "Luck gave Blue 23 percentage points in total.",
    ]
    assert say(report(match, GOOD)[-1]) == "Luck favoured nobody."
    only = replace(GOOD, moves=(move(0, 0.2, 0.4),))
    assert say(report(match, only)[1]) == (
        "Red: no best move. Move 1 was `grow 3` (20 %); `battle` was worth 40 %."
    )


def test_a_curve_in_words_has_both_ends_and_not_too_much() -> None:
    assert dict(curve_alt_text(GOOD).values)["points"] == ("0: 50 %", "1: 50 %", "2: 100 %")
    assert dict(curve_alt_text(GOOD).values)["who"] == Who(0)
    points = tuple(n / 600 for n in range(601))
    long = say(curve_alt_text(replace(GOOD, points=points)))
    assert "0: 0 %" in long
    assert "600: 100 %" in long
    assert len(long) < 600


@pytest.mark.parametrize(
    ("of", "told"),
    [(0.0, "0 %"), (1e-6, "0.1 %"), (0.004, "0.4 %"), (0.414, "41 %"), (0.9999999, "99.9 %"), (1.0, "100 %")],
)
def test_what_is_not_certain_is_not_called_so(of: float, told: str) -> None:
    assert percent(of) == told
