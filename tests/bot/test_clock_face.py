"""Boards, pictures and answers say what the clocks of a match show."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import time, timedelta
from zoneinfo import ZoneInfo

import discord
import pytest

from matches.clocks.control import TimeControl, per_move
from matches.clocks.hours import PlayingHours
from matches.spans import Span
from tests.bot.acts import last_board, move_by
from tests.bot.clocks import clocked, direct, pass_time, sweep
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
THREE_DAYS = per_move(3 * DAY)
BANK = TimeControl(10 * HOUR, HOUR, 20 * HOUR)


def deadline(stage: Stage, message: discord.Message | str) -> timedelta:
    """How far away the deadline is that a text gives, to the minute."""
    text = message if isinstance(message, str) else message.content
    found = re.search(r"eadline:? <t:(\d+):f> \(<t:\1:R>\)", text)
    assert found is not None, text
    seconds = int(found[1]) - stage.bot.context.clock.now().timestamp()
    return timedelta(minutes=round(seconds / 60))


async def moved(stage: Stage, match: str, route: str = "slash") -> None:
    mover, now = await stage.mover(match), await stage.match(match)
    await move_by(stage, route, match, stage.home(await stage.row(match)), mover, legal(now)[0])


async def test_the_first_board_has_a_deadline_though_nobody_has_seen_it_yet(stage: Stage) -> None:
    match, _ = await clocked(stage, THREE_DAYS)
    board = await last_board(stage, match)
    assert deadline(stage, board) == 3 * DAY
    line = next(line for line in board.content.splitlines() if "to move." in line)
    assert re.fullmatch(r".+ to move\. Deadline: <t:\d+:f> \(<t:\d+:R>\)\. <@\d+>", line)
    assert "3 d left" in (board.attachments[0].description or "")


async def test_each_board_has_the_deadline_of_who_is_next(stage: Stage) -> None:
    match, thread = await clocked(stage, BANK)
    await sweep(stage)
    await pass_time(stage, hours=4)
    await moved(stage, match)
    assert deadline(stage, await last_board(stage, match)) == 10 * HOUR
    await pass_time(stage, hours=3)
    await moved(stage, match)
    assert deadline(stage, await last_board(stage, match)) == 7 * HOUR
    await pass_time(stage, hours=1)
    mover = await stage.mover(match)
    own = shown(await mover.click(await last_board(stage, match), label="My view"))
    assert deadline(stage, own) == 6 * HOUR
    assert "6 h left" in (own.attachments[0].description or "")
    listed = shown(await mover.slash(thread, "ask board", look="text"))
    assert deadline(stage, listed) == 6 * HOUR
    assert "• 6 h left" in listed.content
    last = text_of(await mover.slash(thread, "ask about", what="last"))
    assert deadline(stage, last) == 6 * HOUR


async def test_a_match_without_a_clock_says_nothing_about_one(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    assert "<t:" not in board.content
    assert "left" not in (board.attachments[0].description or "")
    assert "played without a clock" in text_of(await stage.ann.slash(thread, "ask about", what="clock"))
    assert "<t:" not in text_of(await stage.ann.slash(thread, "matches mine"))


async def test_a_mirror_is_not_edited_because_time_passes(stage: Stage) -> None:
    match, _ = await clocked(stage, THREE_DAYS)
    await stage.ann.slash(stage.gallery, "matches watch here", match=match)
    mirror = stage.gallery.history()[-1]
    assert deadline(stage, mirror) == 3 * DAY
    edits = len([r for r in stage.env.http_requests if r.method == "PATCH"])
    await stage.later(hours=20)
    await sweep(stage)
    assert len([r for r in stage.env.http_requests if r.method == "PATCH"]) == edits
    await moved(stage, match)
    assert deadline(stage, stage.gallery.history()[-1]) == 3 * DAY


async def test_those_who_decide_at_once_share_a_line(stage: Stage) -> None:
    match, thread = await clocked(stage, BANK, stage.ann, stage.ben, stage.cleo, game="dominion")
    board = await last_board(stage, match)
    assert len((await stage.match(match)).to_act) == 3
    assert board.content.count("Deadline:") == 1
    assert deadline(stage, board) == 10 * HOUR
    asked = text_of(await stage.ann.slash(thread, "ask about", what="clock"))
    assert asked.count("the clock runs, deadline") == 3
    await stage.ann.slash(thread, "settings vacation take", days=1)
    own = shown(await stage.ann.click(board, label="My view"))
    first = re.search(r"First deadline: <t:\d+:f> \(<t:\d+:R>\), for (.+)\. (.+)$", own.content, re.MULTILINE)
    assert first is not None, own.content
    assert "(Ben)" in first[1]
    assert "(Cleo)" in first[1]
    assert "(Ann)" not in first[1]
    assert "(Ann) is on vacation until <t:" in first[2]
    assert deadline(stage, own) == 10 * HOUR


async def test_why_a_clock_stands_is_said(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    opens = (now + 3 * HOUR).time().replace(second=0, microsecond=0, tzinfo=None)
    closes = time((opens.hour + 8) % 24, opens.minute)
    hours = PlayingHours(ZoneInfo("UTC"), opens, closes)
    match, thread = await clocked(stage, replace(BANK, hours=hours))
    board = await last_board(stage, match)
    assert "Outside playing hours the clocks stop. They run again <t:" in board.content
    assert deadline(stage, board) > 12 * HOUR, "eight hours today and two tomorrow"
    assert "left" not in (board.attachments[0].description or ""), "it doesn't run"
    mover = await stage.mover(match)
    await mover.slash(thread, "settings vacation take", days=2)
    own = shown(await mover.click(board, label="My view"))
    assert f"({mover.user.name}) is on vacation until <t:" in own.content
    asked = text_of(await mover.slash(thread, "ask about", what="clock"))
    assert "10 hours left; stopped by a vacation until <t:" in asked
    assert "10 hours left; not to move." in asked
    assert f"during playing hours only: every day, {opens:%H:%M}–{closes:%H:%M} (UTC)." in asked


async def test_everything_about_a_clock_in_answer_to_a_question(stage: Stage) -> None:
    match, thread = await clocked(stage, BANK)
    await sweep(stage)
    now = stage.bot.context.clock.now()
    await stage.bot.context.store.add_downtime(Span(now - 9 * DAY, now - 8 * DAY))
    await stage.bot.context.store.add_downtime(Span(now + HOUR, now + 2 * HOUR))
    stage.bot.context.service.time_up._core.timekeeper.forget()
    await pass_time(stage, hours=3)
    asked = text_of(await stage.dan.slash(thread, "ask about", what="clock"))
    assert "Clock: 10 hours and 1 hour more each move, saved up to 20 hours." in asked
    assert "When time is up and an opponent claims it, a safe move is played." in asked
    assert "Vacations stop the clock." in asked
    assert deadline(stage, asked) == 8 * HOUR
    assert "8 hours left; the clock runs, deadline <t:" in asked
    assert asked.count("Given back for a downtime") == 1
    assert asked.count("<t:") == 4, "a deadline twice, and one downtime"
    await (await stage.mover(match)).slash(thread, "match resign")
    await stage.bot.context.service.play.resign(match, stage.ann.id, request="r")
    over = text_of(await stage.dan.slash(thread, "ask about", what="clock", match=match))
    assert "The match is over, so no clock runs." in over
    assert "Clock: 10 hours and" in over


async def test_what_a_clock_shows_survives_a_restart(stage: Stage) -> None:
    match, thread = await clocked(stage, BANK)
    await sweep(stage)
    await pass_time(stage, hours=2)
    await moved(stage, match)
    before = text_of(await stage.ann.slash(thread, "ask about", what="clock"))
    await stage.restart()
    assert text_of(await stage.ann.slash(thread, "ask about", what="clock")) == before


async def test_matches_are_listed_by_urgency(stage: Stage) -> None:
    ids = {}
    for name, clock in (("slow", THREE_DAYS), ("fast", BANK), ("none", None)):
        if clock is None:
            ids[name], _ = await stage.open(stage.ann, stage.ben)
        else:
            ids[name], _ = await clocked(stage, clock)
        if await stage.mover(ids[name]) is not stage.ann:
            await moved(stage, ids[name])
    theirs, thread = await clocked(stage, BANK)
    if await stage.mover(theirs) is stage.ann:
        await moved(stage, theirs)
    await sweep(stage)

    async def listed() -> list[str]:
        said = text_of(await stage.ann.slash(thread, "matches mine"))
        return [line for line in said.splitlines()[1:] if not line.startswith("-# ")]

    lines = await listed()
    assert [re.search(r"[A-Z]-\w+", line)[0] for line in lines] == [  # type: ignore[index]
        ids["fast"], ids["slow"], ids["none"], theirs
    ]  # fmt: skip
    assert [line[0] for line in lines] == ["▶", "▶", "▶", "·"]
    assert "**your move**, deadline <t:" in lines[0]
    assert "**your move** " in lines[2]
    assert "waiting for others" in lines[3]
    await pass_time(stage, hours=11)
    lines = await listed()
    assert "**your move**, and your time is up" in lines[0]
    assert f"waiting for others, whose time is up: `/match claim match:{theirs}`" in lines[3]


async def test_a_match_in_direct_messages(stage: Stage) -> None:
    match = await direct(stage, THREE_DAYS)
    posts = await stage.bot.context.store.posts(match, "board")
    assert len(posts) == 2
    for post in posts:
        text = stage.env.backend.get_message(post.channel, post.message).content
        assert deadline(stage, text) == 3 * DAY
