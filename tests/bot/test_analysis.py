"""Finished matches analysed: the button, the command, progress, the chart, its words, and the mistakes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

import render
from bot.actions import interaction_responses
from bot.messages.analyses import build_chart, chart_alt_text, mistakes_of, percent, report
from bot.messages.components import Call
from games.ai.analysis import Analysis, Mistake, SeatReport
from games.ai.appraisal import Appraisal
from games.engine import registry
from games.engine.game import Seat
from games.engine.lookback import ShareChart, WinChart
from games.engine.message import Msg
from locales import Catalogue
from matches.lookback import analyses
from matches.lookback.analyses import AnalysisRun
from matches.thinking.jobs import AppraisalJob, NoAnswerError
from matches.thinking.thread_thinker import ThreadThinker
from render import Say
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.stage import Stage, legal, menu_with, shown, text_of
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

    monkeypatch.setattr("render.charts.draw_win_chart", noted)
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


def buttons(message: Any) -> list[str]:
    return [label for row in rows_of(message) for label in row]


async def test_a_finished_match_is_looked_back_at(stage: Stage, curves: list[WinChart]) -> None:
    match, thread = await walked(stage)
    final = await last_board(stage, match)
    assert rows_of(final) == [["Rematch", "Replay", "Analysis", "My view", "More"], ["Story"]]
    result = await stage.cleo.click(final, label="Analysis")
    assert result.ephemeral
    answer = shown(result)
    source, ann, ben, worst, *_ = answer.content.splitlines()
    assert source == "By exact values."
    assert ann == "**A Ash (Ann)**: for all 2 moves I found nothing better."
    assert ben.startswith("**B Birch (Ben)**: accuracy ")
    assert ben.endswith(" of 100. For 0 of 2 moves I found nothing better.")
    assert worst.startswith("- Worst: Move ")
    (curve,) = curves
    assert len(curve.points) == 5
    assert curve.points[-1] in (0.0, 0.5, 1.0)
    assert [seat for _, seat in curve.flags] == [1]
    assert len(curve.marks) == 1, "the other mistake"
    assert curve.errors == ()
    assert all(not panel.rows for panel in curve.seats)
    (picture,) = answer.attachments
    assert (await picture.read())[:4] == b"\x89PNG"
    assert picture.description is not None
    assert picture.description.startswith("Win probability by the number of moves made. A Ash (Ann): 0: ")
    by_command = text_of(await stage.dan.slash(thread, "replay analysis"))
    assert by_command == answer.content
    named = text_of(await stage.ann.slash(stage.channel, "replay analysis", match=match))
    assert named == answer.content
    (choice,) = await stage.ann.autocomplete(stage.channel, "replay analysis", "match", match[:3])
    assert choice["value"] == match


async def test_it_is_made_once_and_kept_over_restarts(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await walked(stage)
    first = text_of(await stage.ann.slash(thread, "replay analysis", match=match))

    async def never(thinker: ThreadThinker, job: AppraisalJob) -> Appraisal | None:
        raise AssertionError("asked again")

    monkeypatch.setattr(ThreadThinker, "appraise", never)
    await stage.restart()
    assert text_of(await stage.ben.slash(thread, "replay analysis", match=match)) == first


async def test_mistakes_are_stepped_through_with_boards(stage: Stage) -> None:
    match, thread = await walked(stage)
    start = shown(await stage.ann.slash(thread, "replay analysis", match=match))
    assert buttons(start) == ["The 2 mistakes"]
    one = shown(await stage.ann.click(start, label="The 2 mistakes"))
    assert one.content.startswith("**Mistake 1 of 2**, by B Birch (Ben)\nMove ")
    assert "`card " in one.content
    (board,) = one.attachments
    assert board.filename.endswith(".png")
    assert buttons(one) == ["Previous", "Next", "Overview"]
    two = shown(await stage.ann.click(one, label="Next"))
    assert two.content.startswith("**Mistake 2 of 2**")
    await stage.restart()
    again = shown(await stage.ann.click(two, label="Previous"))
    assert again.content == one.content
    assert shown(await stage.ann.click(again, label="Overview")).content == start.content


async def test_a_step_shows_what_the_reader_may_know(stage: Stage) -> None:
    """The board before a mistake is the reader's own view of it; who only watches sees a spectator's."""
    match, thread = await walked(stage)
    words = {}
    for person in (stage.ben, stage.cleo):
        start = shown(await person.slash(thread, "replay analysis", match=match))
        step = shown(await person.click(start, label="The 2 mistakes"))
        words[person.id] = step.attachments[0].description or ""
    assert words[stage.ben.id] != words[stage.cleo.id]


async def test_ones_own_mistakes_are_done_better_one_after_another(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    for _ in range(26):
        person = await stage.mover(match)
        await person.slash(thread, "move", move=legal(await stage.match(match))[-1], match=match)
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    await stage.ann.slash(thread, "replay analysis")
    await stage.env.settle()
    await stage.env.advance_time(interaction_responses.EVERY)
    hidden, place = await walked(stage)
    theirs = shown(await stage.ben.slash(place, "replay analysis", match=hidden))
    assert not [label for label in buttons(theirs) if "Try again" in label], "too much was hidden"
    watching = shown(await stage.cleo.slash(thread, "replay analysis", match=match))
    assert not [label for label in buttons(watching) if "Try again" in label], "Cleo made none"
    start = shown(await stage.ben.slash(thread, "replay analysis", match=match))
    (label,) = [label for label in buttons(start) if "Try again" in label]
    one = shown(await stage.ben.click(start, label=label))
    assert one.content.startswith("**Your mistakes, 1 of 3**\nHere you played `")
    assert one.flags.ephemeral
    assert one.attachments
    form = await stage.ben.click(one, label="Type a move")
    wrong = shown(await stage.ben.submit_modal(form, {"move": "nonsense"}))
    assert "> " in wrong.content
    row = await stage.bot.context.service.queries.row(match)
    assert row is not None
    found = await stage.bot.context.service.analyses.kept(row)
    assert found is not None
    first, second, _ = (each for each in mistakes_of(found) if each.seat == 1)
    form = await stage.ben.click(wrong, label="Type a move")
    again = shown(await stage.ben.submit_modal(form, {"move": first.played}))
    assert f"`{first.played}` isn't the move I have in mind." in again.content
    await stage.restart()
    right = shown(await stage.ben.select(again, [first.best], custom_id=menu_with(again, first.best)))
    assert "**Right.**" in right.content
    assert f"`{first.best}`" in right.content
    two = shown(await stage.ben.click(right, label="Next mistake"))
    assert two.content.startswith("**Your mistakes, 2 of 3**")
    told = shown(await stage.ben.click(two, label="Show the answer"))
    assert f"The better move is `{second.best}`." in told.content
    assert buttons(told) == ["Next mistake", "Overview"]
    assert shown(await stage.ben.click(told, label="Overview")).content == start.content


# --- progress -------------------------------------------------------------------------------------------


@pytest.fixture
def held(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.Event]:
    """Let questions wait until the event is set, and show progress at once."""
    plain, wait, go = ThreadThinker.appraise, AnalysisRun.wait, asyncio.Event()
    outside = stage.env.external_wait

    async def appraise(thinker: ThreadThinker, job: AppraisalJob) -> Appraisal | None:
        await outside(go.wait(), reason="a question is thought about")
        return await plain(thinker, job)

    async def waits(run: AnalysisRun, seconds: float) -> bool:
        return bool(await outside(wait(run, seconds), reason="an analysis is waited for"))

    monkeypatch.setattr(interaction_responses, "QUICK", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(ThreadThinker, "appraise", appraise)
        patch.setattr(AnalysisRun, "wait", waits)
        yield go


def now(stage: Stage, message: discord.Message) -> str:
    """What a private message says by now."""
    return str(stage.env.backend.messages[message.channel.id][message.id].content)


async def test_progress_is_shown_and_the_result_takes_its_place(stage: Stage, held: asyncio.Event) -> None:
    match, thread = await walked(stage)
    message = shown(await stage.ann.slash(thread, "replay analysis", match=match))
    assert message.content.startswith(f"I'm about to analyse `{match}`.")
    assert buttons(message) == ["Analysis", "Stop"]
    await stage.env.advance_time(interaction_responses.EVERY)
    assert now(stage, message) == f"Analysing `{match}`: 0 of 4 moves."
    held.set()
    await stage.env.settle()
    await stage.env.advance_time(interaction_responses.EVERY)
    assert now(stage, message).startswith("By exact values.")


async def test_each_person_waits_for_one_and_may_stop(stage: Stage, held: asyncio.Event) -> None:
    match, thread = await walked(stage)
    other = (await stage.open(stage.ann, stage.ben, game="toy"))[0]
    place = stage.home(await stage.row(other))
    while not (await stage.match(other)).ending:
        for person in (stage.ann, stage.ben):
            await move_by(stage, "slash", other, place, person, "lowest")
    message = shown(await stage.ann.slash(thread, "replay analysis", match=match))
    said = text_of(await stage.ann.slash(place, "replay analysis", match=other))
    assert said.startswith(f"I'm still analysing `{match}` for you.")
    service = stage.bot.context.service.analyses
    assert service.running(match) is not None
    stopped = shown(await stage.ann.click(message, label="Stop"))
    assert stopped.content == f"The analysis of `{match}` is stopped for you."
    await stage.env.settle()
    assert service.running(match) is None
    held.set()
    assert text_of(await stage.ann.slash(place, "replay analysis", match=other)).startswith(
        "By exact values."
    )


async def test_a_restart_ends_it_and_asking_again_begins_it_anew(stage: Stage, held: asyncio.Event) -> None:
    match, thread = await walked(stage)
    message = shown(await stage.ann.slash(thread, "replay analysis", match=match))
    await stage.restart()
    assert stage.bot.context.service.analyses.running(match) is None
    held.set()
    await stage.ann.click(message, label="Analysis")
    await stage.env.advance_time(interaction_responses.EVERY)
    assert now(stage, message).startswith("By exact values.")


async def test_a_failing_worker_is_told(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await walked(stage)

    async def fail(thinker: ThreadThinker, job: AppraisalJob) -> Appraisal | None:
        raise NoAnswerError

    monkeypatch.setattr(ThreadThinker, "appraise", fail)
    said = text_of(await stage.ann.slash(thread, "replay analysis", match=match))
    assert said == f"The analysis of `{match}` was cut short. Press Analysis to try again, now or later."


# --- where there is none --------------------------------------------------------------------------------


async def test_the_button_of_a_mirror_and_of_another_day(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    while not (await stage.match(match)).ending:
        for person in (stage.ann, stage.ben):
            await move_by(stage, "slash", match, thread, person, "lowest")
    (mirror,) = await stage.boards_in(stage.gallery, match)
    assert rows_of(mirror) == [["Replay", "Analysis", "My view", "More", "Story"]]
    (stage.path.parent / "walkers.values").unlink()
    await stage.restart()
    late = text_of(await stage.cleo.click(mirror, label="Analysis"))
    assert late.startswith("I can't judge positions of Three Walkers here")


async def test_where_nothing_can_be_analysed(stage: Stage) -> None:
    match, thread = await walked(stage, table=False)
    assert rows_of(await last_board(stage, match)) == [["Rematch", "Replay", "My view", "More", "Story"]]
    assert "I can't judge positions" in text_of(await stage.ann.slash(thread, "replay analysis"))
    lay(stage.path.parent)
    await stage.restart()
    assert "I found nothing better" in text_of(await stage.ann.slash(thread, "replay analysis"))
    live, other = await stage.open(stage.ann, stage.ben, game="toy")
    assert "is still in progress" in text_of(await stage.ann.slash(other, "replay analysis"))
    await stage.press_id(stage.ann, await last_board(stage, live), f"domb:{Call('abort', live, 1).custom_id}")
    board = await last_board(stage, live)
    assert rows_of(board) == [["Rematch", "Replay", "My view", "More"]], "nobody moved"
    assert "was called off" in text_of(await stage.ann.slash(other, "replay analysis", match=live))


async def test_three_walkers_are_in_no_table(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, thread = await stage.open(stage.ann, stage.ben, stage.cleo, game="toy")
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    for person in (stage.ann, stage.ben):
        sure = shown(await person.slash(thread, "match resign"))
        await person.click(sure, label="Yes, I resign")
    said = text_of(await stage.ann.slash(thread, "replay analysis"))
    assert said.startswith("None of the moves could be judged")


SEARCHED = "By a search. These are estimates"


@pytest.mark.parametrize(
    ("game", "seats", "begins"),
    [("focus", 3, SEARCHED), ("dominance", 2, SEARCHED), ("two_domains", 2, "By exact values.")],
)
async def test_any_game_is_analysed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, held: asyncio.Event, game: str, seats: int, begins: str
) -> None:
    monkeypatch.setattr(analyses, "effort_for", lambda decisions: 0.01)
    held.set()
    people = (stage.ann, stage.ben, stage.cleo)[:seats]
    match, thread = await stage.open(*people, game=game)
    for _ in range(3):
        person = await stage.mover(match)
        await person.slash(thread, "move", move=legal(await stage.match(match))[0], match=match)
    for person in people[1:]:
        sure = shown(await person.slash(thread, "match resign"))
        await person.click(sure, label="Yes, I resign")
    await stage.ann.slash(thread, "replay analysis")
    await stage.env.settle()
    await stage.env.advance_time(interaction_responses.EVERY)
    answer = shown(await stage.ben.slash(thread, "replay analysis"))
    assert answer.content.startswith(begins)
    assert answer.attachments[0].description


# --- words --------------------------------------------------------------------------------------------


def say(message: Msg) -> str:
    """Strictly: what is missing or left over raises."""
    return Catalogue(strict=True).say(message, "en", lambda seat: ("Red", "Blue", "Green")[seat])


def mistake(seat: int, turn: int, value: float, best: float, error: float = 0.0) -> Mistake:
    """A decision worth `value` where `best` could be had."""
    return Mistake(Seat(seat), turn, turn, "grow 3", value, "battle", best, error, ("grow 3", "battle"), ())


def seat_report(seat: int, *mistakes: Mistake, moves: int = 2, luck: float | None = 0.0) -> SeatReport:
    return SeatReport(
        Seat(seat), moves, moves - len(mistakes), 100.0 - 20 * len(mistakes), mistakes, luck, 0.0
    )


EVEN = (0.5, 0.5)
GOOD = Analysis(
    (0, 1), (EVEN, EVEN, (1.0, 0.0)), (0.0,) * 3, (seat_report(0), seat_report(1, moves=1)), "test"
)


async def test_what_an_analysis_says(stage: Stage) -> None:
    match = await stage.match((await stage.open(stage.ann, stage.ben))[0])
    lucky = replace(seat_report(0, mistake(0, 3, 0.41, 0.55)), luck=-0.234)
    bad = replace(GOOD, seats=(lucky, replace(seat_report(1, moves=1), luck=0.234)))
    assert [say(line) for line in report(match, bad)] == [
        "By exact values.",
        "**Red**: accuracy 80 of 100. For 1 of 2 moves I found nothing better.",
        "- Worst: Move 3, `grow 3` (41 %); `battle` was worth 55 %.",
        "**Blue**: for the only move I found nothing better.",
        "Luck gave Blue 23 percentage points in total.",
    ]
    assert say(report(match, GOOD)[-1]) == "Luck favoured nobody."
    still = replace(GOOD, seats=(seat_report(0, luck=None), seat_report(1, luck=None)))
    assert len(report(match, still)) == 3, "no dice, no luck"
    nobody = replace(seat_report(1), moves=0, best=0, accuracy=None, unjudged=2, defaults=1)
    assert [say(line) for line in report(match, replace(GOOD, seats=(seat_report(0), nobody)))][2:4] == [
        "**Blue**: 2 moves couldn't be judged.",
        "**Blue**: one move was made because time was up. It doesn't count.",
    ]


async def test_estimates_say_how_sure_they_are(stage: Stage) -> None:
    match = await stage.match((await stage.open(stage.ann, stage.ben))[0])
    seats = (
        replace(seat_report(0, mistake(0, 3, 0.41, 0.55, 0.06)), luck=0.3, luck_error=0.1),
        replace(seat_report(1), luck=-0.3, luck_error=0.1),
    )
    about = replace(GOOD, errors=(0.1, 0.08, 0.0), seats=seats)
    said = [say(line) for line in report(match, about)]
    assert said[0].startswith("By a search. These are estimates: points of the chart may be off by about 9 ")
    assert said[2].endswith("`battle` was worth 55 %. That's 14 ± 6 points.")
    assert said[-1] == "Luck gave Red about 30 ± 10 percentage points in total."
    vague = replace(about, seats=tuple(replace(seat, luck_error=0.2) for seat in seats))
    assert say(report(match, vague)[-1]) == (
        "It's too close to say whom luck favoured: the estimate is off by about 20 percentage points."
    )


def test_a_chart_in_words_has_both_ends_and_not_too_much() -> None:
    assert say(chart_alt_text(GOOD)) == (
        "Win probability by the number of moves made. Red: 0: 50 %, 1: 50 %, and 2: 100 %"
    )
    points = tuple((n / 600, 1 - n / 600) for n in range(601))
    long = say(chart_alt_text(replace(GOOD, points=points)))
    assert "0: 0 %" in long
    assert "600: 100 %" in long
    assert len(long) < 600


def test_three_sides_have_a_line_each_and_partners_one_together() -> None:
    game = registry.get("focus")
    three = Analysis(
        (0, 1, 2),
        ((1 / 3,) * 3, (0.0, 0.0, 1.0)),
        (0.1, 0.0),
        (seat_report(0, mistake(0, 1, 0.2, 0.33, 0.05)), seat_report(1), seat_report(2)),
        "test",
    )
    for setup, analysis in (
        (game.setup(3), three),
        (
            game.setup(4, {"partners": True}),
            replace(
                three,
                teams=game.setup(4, {"partners": True}).teams,
                points=((0.5,) * 4, (0.0, 1.0, 0.0, 1.0)),
                seats=tuple(seat_report(seat) for seat in range(4)),
            ),
        ),
    ):
        state = game.start(setup).state
        chart = build_chart(game, analysis, game.scene(state, None))
        if setup.seats == 3:
            assert isinstance(chart, ShareChart)
            assert chart.flags == ((0, 0),)
            assert chart.points[-1] == (0.0, 0.0, 1.0)
            assert say(chart_alt_text(analysis)).count(": 0: 33 %") == 3
        else:
            assert isinstance(chart, WinChart)
            assert chart.errors == (0.1, 0.0)
            assert say(chart.seats[0].name) == "Green and Yellow"


@pytest.mark.parametrize(
    ("of", "told"),
    [(0.0, "0 %"), (1e-6, "0.1 %"), (0.004, "0.4 %"), (0.414, "41 %"), (0.9999999, "99.9 %"), (1.0, "100 %")],
)
def test_what_is_not_certain_is_not_called_so(of: float, told: str) -> None:
    assert percent(of) == told
