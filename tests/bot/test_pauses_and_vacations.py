"""Pauses by consent, and vacations, on the stage."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.pollers import sweep as look_after
from games.engine.record import export
from matches.clocks.control import per_move
from matches.spans import Span
from tests.bot.acts import last_board
from tests.bot.clocks import clocked, pass_time, sweep
from tests.bot.stage import Stage, button_ids, legal, text_of

pytestmark = pytest.mark.slow

DAILY = per_move(timedelta(days=1))
NOT_YOURS = "You're not playing in this match, but you're welcome to watch."
STALE = "Nobody is asking for a pause now. `/match pause` asks for one."


async def test_a_pause_is_asked_for_and_agreed_to(stage: Stage) -> None:
    people = (stage.ann, stage.ben, stage.cleo)
    match, thread = await clocked(stage, DAILY, *people)
    asked = text_of(await stage.ann.slash(thread, "match pause"))
    assert asked == f"You have asked for a pause of `{match}`. The clocks run until everyone agrees."
    notice = thread.history()[-1]
    assert "(Ann) would like to pause the match" in notice.content
    assert set(notice.raw_mentions) == {stage.ben.id, stage.cleo.id}
    assert text_of(await stage.dan.click(notice, label="Agree")) == NOT_YOURS
    twice = text_of(await stage.ann.click(notice, label="Agree"))
    assert twice == "You have already agreed to a pause. Everyone else who plays must agree, too."
    await stage.restart()
    await stage.press_all((stage.ben, notice, "pause_agree"), (stage.ben, notice, "pause_agree"))
    second = thread.history()[-1]
    assert "(Ben) agrees to the pause" in second.content
    assert second.raw_mentions == [stage.cleo.id]
    assert button_ids(second) == button_ids(notice), "the same request"
    await stage.cleo.click(second, label="Agree")
    assert "(Cleo) agrees: the match is paused, and all clocks stop" in thread.history()[-1].content
    assert button_ids(thread.history()[-1]) == []
    assert text_of(await stage.ann.slash(thread, "match pause")) == "The match is paused already."
    await pass_time(stage, days=30)
    own = text_of(await stage.ann.slash(thread, "ask board", look="text"))
    assert "The match is paused, so the clocks have stopped." in own
    asked = text_of(await stage.ann.slash(thread, "ask about", what="clock"))
    assert asked.count("1 day left; not to move.") == 2
    assert asked.count(" left; stopped by the pause.") == 1
    assert "Paused once: since <t:" in asked
    assert text_of(await stage.dan.slash(thread, "match resume")) == NOT_YOURS
    assert (
        text_of(await stage.ben.slash(thread, "match resume")) == f"`{match}` isn't paused: its clocks run."
    )
    assert "(Ben) ends the pause: the clocks run again" in thread.history()[-1].content
    assert "Paused once: <t:" in text_of(await stage.ann.slash(thread, "ask about", what="clock"))
    assert text_of(await stage.ben.slash(thread, "match resume")) == "The match isn't paused."
    assert text_of(await stage.cleo.click(second, label="Agree")) == STALE


async def test_a_pause_is_declined_and_an_old_button_asks_for_nothing(stage: Stage) -> None:
    match, thread = await clocked(stage, DAILY)
    await stage.ann.slash(thread, "match pause")
    old = thread.history()[-1]
    await stage.ben.click(old, label="Decline")
    assert "There is no pause" in thread.history()[-1].content
    assert text_of(await stage.ben.click(old, label="Agree")) == STALE
    assert text_of(await stage.ben.click(old, label="Decline")) == STALE
    await stage.ann.slash(thread, "match pause")
    assert text_of(await stage.ben.click(old, label="Agree")) == STALE, "another request"
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move=legal(await stage.match(match))[0])
    assert text_of(await stage.ben.click(old, label="Agree")) == STALE, "a move ends it"
    assert not (await stage.match(match)).talk.pausing


async def test_a_pause_while_a_draw_is_offered_has_its_own_buttons(stage: Stage) -> None:
    match, thread = await clocked(stage, DAILY)
    await stage.ann.slash(thread, "match draw")
    await stage.ann.slash(thread, "match pause")
    verbs = [each.split(":")[1] for each in button_ids(thread.history()[-1])]
    assert verbs == ["pause_agree", "pause_refuse"]
    await stage.ben.slash(thread, "match resume")
    assert button_ids(thread.history()[-1]) == []
    await stage.ann.slash(thread, "match resign")
    await stage.bot.context.service.play.resign(match, stage.ann.id, request="r")
    assert text_of(await stage.ben.slash(thread, "match pause", match=match)) == "This match is over."


async def test_a_pause_in_direct_messages(stage: Stage) -> None:
    match, _ = await clocked(stage, DAILY)
    asked = text_of(await stage.ann.user.slash("match pause", match=match))
    assert asked.startswith(f"You have asked for a pause of `{match}`.")
    done = text_of(await stage.ben.user.slash("match pause", match=match))
    assert done == f"`{match}` is paused. `/match resume` ends the pause, and so does a move."


async def test_a_vacation_is_taken_shown_and_ended(stage: Stage) -> None:
    honours, thread = await clocked(stage, DAILY)
    strict, _ = await clocked(stage, replace(DAILY, vacations=False))
    await sweep(stage)
    none = text_of(await stage.ann.slash(thread, "settings vacation show"))
    assert none.startswith("You aren't on vacation.")
    assert "You have 30 days of vacation left in 2026." in none
    assert "A vacation begins only when you take one." in none
    taken = text_of(await stage.ann.slash(thread, "settings vacation take", days=7))
    assert taken.startswith("You're on vacation from <t:")
    assert "You have 23 days of vacation left in 2026." in taken
    assert f"It stops your clock in `{honours}`." in taken
    assert f"Played without vacations: `{strict}`." in taken
    assert text_of(await stage.ann.user.slash("settings vacation show")) == taken
    await pass_time(stage, days=2)
    assert "You have 23 days" in text_of(await stage.ann.slash(thread, "settings vacation show"))
    longer = text_of(await stage.ann.slash(thread, "settings vacation take", days=9))
    assert "You have 19 days of vacation left" in longer, "from its beginning"
    ended = text_of(await stage.ann.slash(thread, "settings vacation end"))
    assert ended.startswith("Your vacation has ended.\nYou have 28 days of vacation left")
    assert text_of(await stage.ann.slash(thread, "settings vacation end")).startswith(
        "You aren't on vacation."
    )
    refused = text_of(await stage.ann.slash(thread, "settings vacation take", days=29))
    assert refused == "You have 28 days of vacation left in 2026. Choose a shorter one."


async def test_what_stopped_clocks_is_said_and_stands_in_the_record(stage: Stage) -> None:
    match, thread = await clocked(stage, DAILY)
    await sweep(stage)
    mover = await stage.mover(match)
    await stage.bot.context.service.vacations.set_automatic(mover.id, automatic=True)
    await pass_time(stage, days=1)
    said = thread.history()[-1].content.splitlines()[0]
    assert said.startswith("A vacation of ")
    assert f"({mover.user.name}) begins automatically: their clock stops for 1 day 1 hour. Deadline: " in said
    await pass_time(stage, hours=2)
    assert sum("begins automatically" in message.content for message in thread.history()) == 1
    now = stage.bot.context.clock.now()
    await stage.bot.context.store.add_downtime(Span(now - timedelta(hours=26), now - timedelta(minutes=30)))
    stage.bot.context.service.heartbeat._core.timekeeper.forget()
    await mover.slash(thread, "move", move=legal(await stage.match(match))[0])
    first, second, *_ = (await last_board(stage, match)).content.splitlines()
    assert first.startswith("A vacation of ")
    assert first.endswith(" · The bot was away for 1 day 1 hour; that time is given back")
    assert f"({mover.user.name}): " in second
    record = export((await stage.match(match)).log)
    assert " !vacation 90000\n" in record
    assert " - !downtime 91800\n" in record


async def test_while_discord_cant_reach_a_server_its_clocks_stand(stage: Stage) -> None:
    match, thread = await clocked(stage, replace(DAILY, acts="automatic"))
    await sweep(stage)
    guild = stage.bot.get_guild(stage.guild.id)
    assert guild is not None
    guild.unavailable = True
    await look_after(stage.bot.context)
    await pass_time(stage, hours=30)
    asked = text_of(await stage.ann.user.slash("ask about", what="clock", match=match))
    assert "stopped while Discord can't reach the server" in asked
    guild.unavailable = False
    await look_after(stage.bot.context)
    asked = text_of(await stage.ann.slash(thread, "ask about", what="clock"))
    assert "Given back for a downtime: <t:" in asked
    assert "1 day left; the clock runs" in asked


async def test_who_plays_without_clocks_is_told_so(stage: Stage) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    taken = text_of(await stage.ann.slash(thread, "settings vacation take", days=1))
    assert "None of your matches has a clock that a vacation could stop." in taken


async def test_an_automatic_vacation_is_chosen_and_survives_other_settings(stage: Stage) -> None:
    _, thread = await clocked(stage, DAILY)
    await stage.ann.slash(thread, "settings me", theme="dark")
    on = text_of(await stage.ann.slash(thread, "settings vacation automatic", switch="on"))
    assert "If your time would run out, a day of vacation begins automatically." in on
    await stage.ann.slash(thread, "settings me", theme="classic")
    assert text_of(await stage.ann.slash(thread, "settings vacation show")) == on
    off = text_of(await stage.ann.slash(thread, "settings vacation automatic", switch="off"))
    assert "A vacation begins only when you take one." in off
    assert "Theme: Classic" in text_of(await stage.ann.slash(thread, "settings me"))
