"""Stepping through matches: positions, moments, forms, sides, themes, and showing it to everyone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.messages.components import Call, walk_components
from bot.messages.names import seat_names
from bot.messages.replay import NO_BOARD, ReplayView, read_view
from bot.platform.reader_settings import Reader
from games.ai.analysis import LEVEL, Analysis, Mistake, SeatReport, public_reason
from games.ai.analysis_json import dump_analysis
from games.ai.appraisal import source_of
from games.ai.decisions import decisions_of
from games.engine.game import Seat
from locales import Catalogue
from matches.lookback.turning_points import coach_words
from tests.bot.acts import last_board, move_by, play_quickly, rehearse, rows_of
from tests.bot.stage import Stage, button_ids, legal, shown, text_of
from tests.bot.test_match_access import UNKNOWN, Abroad, abroad, begun, secret

__all__ = ["abroad", "secret"]
pytestmark = pytest.mark.slow

STEPS = ["First", "Back", "Forward", "Last", "Jump to"]


async def played(
    stage: Stage, *people: Any, moves: int = 4, resign: bool = True, **options: Any
) -> tuple[str, ChannelHandle, Sequence[str]]:
    """A match of Focus, by default given up after some moves, and these moves."""
    match, thread = await stage.open(*(people or (stage.ann, stage.ben)), **options)
    texts = rehearse(await stage.match(match), 4).moves[:moves]
    await play_quickly(stage, match, texts)
    if resign:
        sure = shown(await stage.ann.slash(thread, "match resign"))
        await stage.ann.click(sure, label="Yes, I resign")
    return match, thread, texts


def enabled(message: discord.Message) -> list[str]:
    """The labels of the buttons that can be pressed."""
    return [
        str(child.label)
        for child in walk_components(message.components)
        if isinstance(child, discord.Button) and not child.disabled
    ]


async def test_a_finished_match_is_stepped_through(stage: Stage) -> None:
    match, _, moves = await played(stage)
    result = await stage.dan.click(await last_board(stage, match), label="Replay")
    assert result.ephemeral
    start = shown(result)
    assert start.content.startswith("**The start**, before 4 moves\n")
    assert rows_of(start)[0] == STEPS
    assert enabled(start)[:3] == ["Forward", "Last", "Jump to"]
    (board,) = start.attachments
    assert board.description
    one = shown(await stage.dan.click(start, label="Forward"))
    assert one.content.startswith("**Move 1 of 4**\n")
    assert moves[0] in one.content
    assert len(one.attachments) == 1
    two = shown(await stage.dan.click(one, label="Forward"))
    assert moves[1] in two.content
    await stage.restart()
    last = shown(await stage.dan.click(two, label="Last"))
    assert "wins" in last.content
    assert "Forward" not in enabled(last)
    back = shown(await stage.dan.click(last, label="Back"))
    assert moves[3] in back.content
    again = shown(await stage.dan.click(back, label="First"))
    assert again.content == start.content
    assert len(set(button_ids(last))) == len(button_ids(last))


async def test_a_jump_by_number_and_kind_errors(stage: Stage) -> None:
    match, _, moves = await played(stage)
    replay = shown(await stage.ann.click(await last_board(stage, match), label="Replay"))
    for typed, begins in (("3", "**Move 3 of 4**"), ("0", "**The start**"), (" #2 ", "**Move 2 of 4**")):
        form = await stage.ann.click(replay, label="Jump to")
        replay = shown(await stage.ann.submit_modal(form, {"at": typed}))
        assert replay.content.startswith(begins)
    for typed, why in (("5", "There is no move 5: the last one is 4."), ("x`y", "`x'y` isn't the number")):
        form = await stage.ann.click(replay, label="Jump to")
        assert why in text_of(await stage.ann.submit_modal(form, {"at": typed}))
    named = shown(await stage.cleo.slash(stage.channel, "replay steps", match=match, move=3))
    assert named.content.startswith("**Move 3 of 4**")
    assert moves[2] in named.content
    far = text_of(await stage.cleo.slash(stage.channel, "replay steps", match=match, move=9))
    assert far == "There is no move 9: the last one is 4."


async def test_a_running_match_grows_while_it_is_stepped_through(stage: Stage) -> None:
    match, thread, moves = await played(stage, resign=False)
    replay = shown(await stage.eve.slash(thread, "replay steps"))
    assert replay.content.startswith("**Move 4 of 4**")
    assert "still being played" in replay.content
    assert "to move" in replay.content
    mover = await stage.mover(match)
    text = legal(await stage.match(match))[0]
    await move_by(stage, "slash", match, thread, mover, text)
    back = shown(await stage.eve.click(replay, label="Back"))
    assert back.content.startswith("**Move 3 of 5**")
    assert moves[2] in back.content
    assert text in shown(await stage.eve.click(back, label="Last")).content
    nobody, _ = await stage.open(stage.ann, stage.ben)
    empty = shown(await stage.ann.slash(stage.channel, "replay steps", match=nobody))
    assert enabled(empty) == ["Turn the board", "Other colours", "Show here"], "there is nowhere to go"


async def test_sides_and_colours(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread, _ = await played(stage)
    replay = shown(await stage.ben.slash(thread, "replay steps", match=match, move=2))
    pictures = [await replay.attachments[0].read()]
    for label in ("Turn the board", "Other colours", "Forward", "Back"):
        replay = shown(await stage.ben.click(replay, label=label))
        pictures.append(await replay.attachments[0].read())
    assert len(set(pictures)) == 4
    assert pictures[-1] == pictures[2], "side and colours stay"


async def test_moments_are_in_a_menu(stage: Stage) -> None:
    _, thread, _ = await played(stage, moves=30)
    replay = shown(await stage.ann.slash(thread, "replay steps"))
    (menu,) = [child for child in walk_components(replay.components) if isinstance(child, discord.SelectMenu)]
    assert menu.placeholder == "Moments that mattered"
    assert 1 <= len(menu.options) <= 25
    assert "leaves the match" in menu.options[-1].label
    option = menu.options[0]
    there = shown(await stage.ann.select(replay, [option.value]))
    number = option.label.partition(":")[0]
    assert there.content.startswith(f"**Move {number} of 30**")


async def test_a_moment_that_was_a_mistake_says_why(stage: Stage) -> None:
    match, thread, _ = await played(stage, moves=30)
    found = await stage.match(match)
    game = found.game
    for decision in decisions_of(found):
        view = game.view(decision.state, decision.seat)
        for better in game.actions(view, decision.seat):
            actions = (game.encode(decision.action), game.encode(better))
            worst = Mistake(decision.seat, decision.seq, decision.turn, "", 0.4, "", 0.5, 0.0, actions, ())
            reason = public_reason(game, decision.state, worst)
            if reason is not None and reason.good:
                break
        else:
            continue
        break
    assert reason is not None
    seats = tuple(SeatReport(Seat(n), 15, 0, 80.0, (worst,) * (n == worst.seat), None, 0.0) for n in (0, 1))
    analysis = Analysis((0, 1), ((0.5, 0.5),) * 32, (0.0,) * 32, seats, "test")
    context = stage.bot.context
    source = source_of(game, context.service.levels, LEVEL)
    await context.store.save_analysis(match, source, dump_analysis(analysis), context.clock.now())
    replay = shown(await stage.ann.slash(thread, "replay steps"))
    assert "coach" not in replay.content
    (menu,) = [child for child in walk_components(replay.components) if isinstance(child, discord.SelectMenu)]
    (option,) = [each for each in menu.options if "mistake of 10 points" in each.label]
    there = shown(await stage.ann.select(replay, [option.value]))
    row = await context.service.queries.row(match)
    assert row is not None
    reader = Reader(Catalogue(strict=True))
    names = seat_names(row, reader)
    assert reader.say(coach_words(worst.seat, reason), names) in there.content.splitlines()
    assert "coach" not in shown(await stage.ann.click(there, label="Back")).content


async def test_it_is_shown_to_everyone_and_stepped_by_one(stage: Stage) -> None:
    match, thread, moves = await played(stage)
    mine = shown(await stage.ann.slash(thread, "replay steps", match=match, move=1))
    result = await stage.ann.click(mine, label="Show here")
    assert not result.ephemeral
    public = shown(result)
    assert public.content.startswith("**Move 1 of 4**")
    assert f"<@{stage.ann.id}> steps through this" in public.content
    assert "Show here" not in enabled(public)
    theirs = await stage.ben.click(public, label="Forward")
    assert theirs.ephemeral
    assert shown(theirs).content.startswith("Only the person who showed this can step through it")
    assert moves[1] in shown(theirs).content
    await stage.restart()
    on = shown(await stage.ann.click(public, label="Forward"))
    assert on.id == public.id
    assert moves[1] in on.content
    form = await stage.dan.click(on, label="Jump to")
    jumped = await stage.dan.submit_modal(form, {"at": "4"})
    assert jumped.ephemeral
    assert "**Move 4 of 4**" in text_of(jumped)


async def test_a_public_replay_is_no_board(stage: Stage) -> None:
    match, thread, _ = await played(stage, resign=False)
    mine = shown(await stage.ann.slash(thread, "replay steps"))
    public = shown(await stage.ann.click(mine, label="Show here"))
    assert all(f":{match}:{NO_BOARD}:" in each and len(each) <= 100 for each in button_ids(public))
    mover, text = await stage.mover(match), legal(await stage.match(match))[0]
    before = (await stage.match(match)).plays
    await mover.send(thread, text, reply_to=public)
    assert (await stage.match(match)).plays == before
    await move_by(stage, "reply", match, thread, mover, text)
    assert (await stage.match(match)).plays == before + 1


async def test_a_private_match_is_not_shown_elsewhere(
    stage: Stage, abroad: Abroad, secret: ChannelHandle
) -> None:
    match = await begun(stage, secret)
    mine = shown(await stage.ann.slash(stage.gallery, "replay steps", match=match))
    call = Call("step_show", match, NO_BOARD, f"show.{ReplayView(1).text}")
    film = Call("film_show", match, NO_BOARD, "1-1")
    for each in (call, film):
        said = await stage.press_id(stage.ann, mine, f"domb:{each.custom_id}", stage.gallery)
        assert "only where everyone may see it" in text_of(said)
        unknown = await stage.press_id(abroad.zoe, mine, f"domb:{each.custom_id}", abroad.channel)
        assert text_of(unknown).startswith(UNKNOWN.format(match))
    there = await stage.press_id(stage.ann, mine, f"domb:{call.custom_id}", secret)
    assert f"<@{stage.ann.id}> steps through this" in shown(there).content
    await stage.ann.slash(stage.gallery, "matches watch here", match=match)
    mirrored = await stage.press_id(stage.ann, mine, f"domb:{call.custom_id}", stage.gallery)
    assert shown(mirrored).attachments, "all can see it there"


async def test_strangers_old_buttons_and_nonsense(stage: Stage) -> None:
    match, _, _ = await played(stage)
    board = await last_board(stage, match)
    for arg in ("", "x", "a.b.c.d.e", "first.99999999999.77.neon.f.-3", "first.2.9..."):
        call = Call("step", match, NO_BOARD, arg)
        seen = shown(await stage.press_id(stage.cleo, board, f"domb:{call.custom_id}"))
        assert seen.attachments, arg
    for verb in ("step", "step_jump", "film_form", "step_show", "film_show"):
        call = Call(verb, "F-NONE22", NO_BOARD, "first.1....")
        said = text_of(await stage.press_id(stage.cleo, board, f"domb:{call.custom_id}"))
        assert "no match" in said.lower(), verb
    assert read_view("x")[1] == ReplayView()


async def test_text_boards(stage: Stage) -> None:
    match, thread, moves = await played(stage)
    await stage.ann.slash(thread, "settings me", board="text")
    replay = shown(await stage.ann.slash(thread, "replay steps", match=match, move=2))
    assert replay.content.startswith("```")
    assert moves[1] in replay.content
    assert not replay.attachments


async def test_from_an_archived_thread_elsewhere_and_in_direct_messages(stage: Stage) -> None:
    match, thread, moves = await played(stage)
    archived = {"archived": True, "archive_timestamp": stage.env.backend.now_iso()}
    stage.env.backend.edit_channel(thread.id, {}, thread_metadata=archived)
    replay = shown(await stage.ann.slash(stage.channel, "replay steps", match=match, move=1))
    assert moves[1] in shown(await stage.ann.click(replay, label="Forward")).content
    direct = shown(await stage.ann.user.slash("replay steps", match=match, move=1))
    assert moves[0] in direct.content
    assert "Show here" not in enabled(direct), "nobody else is here"
    assert moves[1] in shown(await stage.ann.user.click(direct, label="Forward")).content


async def test_what_was_chosen_in_secret_stays_so(stage: Stage) -> None:
    """In a running match each person sees the position as they may know it."""
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    await move_by(stage, "slash", match, thread, stage.ann, "highest")
    await move_by(stage, "slash", match, thread, stage.ben, "lowest")
    alts = {}
    for person in (stage.ann, stage.ben, stage.cleo):
        replay = shown(await person.slash(thread, "replay steps", match=match, move=0))
        alts[person.id] = replay.attachments[0].description
    assert len(set(alts.values())) == 3
    mine = shown(await stage.ann.slash(thread, "replay steps", match=match, move=0))
    public = shown(await stage.ann.click(mine, label="Show here"))
    assert public.attachments[0].description == alts[stage.cleo.id]


async def test_turns_and_single_steps(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="dominion")
    row = await stage.row(match)
    for _ in range(60):
        now = await stage.match(match)
        seat = min(now.to_act)
        who = stage.who(row.seats[seat].user).id
        view = now.game.view(now.state, seat)
        text = now.game.format(view, next(now.game.actions(view, seat)))
        await stage.bot.context.service.play.submit(match, who, text, request=f"q{now.seq}")
        line = await stage.bot.context.service.playback.timeline(await stage.row(match))
        if len(line.steps) != len(line.turns):
            break
    await stage.deliver(match)
    replay = shown(await stage.ann.slash(thread, "replay steps"))
    if len(line.steps) == len(line.turns):
        assert "Single steps" not in enabled(replay)
        return
    assert replay.content.startswith("**Turn ")
    finer = shown(await stage.ann.click(replay, label="Single steps"))
    assert finer.content.startswith("**Move ")
    assert "By turns" in enabled(finer)


async def test_moments_are_those_that_the_viewer_may_know(stage: Stage) -> None:
    """A private replay asks for the seat of whom it is for, one that is shown to everyone for a spectator."""
    match, thread, _ = await played(stage, resign=False)
    viewers: list[object] = []
    playback = stage.bot.context.service.playback
    moments = playback.moments

    async def noted(line: Any, mistakes: Any = None, viewer: Any = None) -> Any:
        viewers.append(viewer)
        return await moments(line, mistakes, viewer)

    playback.moments = noted  # type: ignore[method-assign]
    replay = shown(await stage.ben.slash(thread, "replay steps", match=match))
    await stage.ben.click(replay, label="Back")
    await stage.dan.slash(thread, "replay steps", match=match)
    await stage.ben.click(replay, label="Show here")
    assert viewers == [1, 1, None, None]
