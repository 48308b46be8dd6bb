"""Plans on the stage: made in private, played at once, told to the planner alone."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import to_discord_message

from bot.messages.components import walk_components
from games.engine.match import Match
from tests.bot.acts import button_with, last_board, move_by, rows_of
from tests.bot.stage import Stage, computer, legal, menu_with, shown, text_of

pytestmark = pytest.mark.slow


def course(match: Match, turns: int, pick: int = 0) -> list[str]:
    """Return moves that can follow on each other."""
    state, texts = match.state, []
    for _ in range(turns):
        (seat,) = match.game.to_act(state)
        action = list(match.game.actions(state, seat))[pick]
        texts.append(match.game.format(state, action))
        state = match.game.apply(state, seat, action).state
    return texts


async def opened(stage: Stage, **options: Any) -> tuple[str, ChannelHandle, MemberActor, MemberActor]:
    """A match with its thread, who is to move and who plans meanwhile."""
    match, thread = await stage.open(stage.ann, stage.ben, **options)
    return match, thread, await stage.mover(match), await stage.waiting(match)


def told(person: MemberActor) -> list[discord.Message]:
    """Return what the bot has said to a person in direct messages."""
    return [message for message in person.user.dm_channel.history() if message.author.bot]


async def test_a_plan_is_played_and_told_to_its_owner_alone(stage: Stage) -> None:
    match, thread, mover, planner = await opened(stage)
    one, two, three, four = course(await stage.match(match), 4)
    before = len(thread.history())
    planned = await planner.slash(thread, "match plan add", line=f"{one}:{two}; {three} : {four}")
    assert planned.ephemeral
    text = text_of(planned)
    assert text.startswith(f"Planned in `{match}`: `{one}: {two}; {three}: {four}`\n")
    assert f"1. `{one}: {two}; {three}: {four}`\n" in text
    assert "plan" not in "".join(message.content for message in thread.history()[before:]).casefold()
    assert len(thread.history()) == before
    await move_by(stage, "reply", match, thread, mover, one)
    assert (await stage.match(match)).plays == 2
    board = await last_board(stage, match)
    assert two in board.content
    assert board.raw_mentions == [mover.id]
    (news,) = told(planner)
    assert news.content == f"Your plan for `{match}` has played `{two}`. <#{thread.id}>"
    assert told(mover) == []
    assert not any("plan" in message.content.casefold() for message in thread.history())
    await stage.restart()
    await move_by(stage, "slash", match, thread, mover, three)
    assert (await stage.match(match)).plays == 4
    assert len(told(planner)) == 2
    assert text_of(await planner.slash(thread, "match plan show")).startswith("You have nothing planned")


@pytest.mark.parametrize("where", ["thread", "dm"])
async def test_nobody_is_pinged_for_a_turn_that_their_plan_answers(stage: Stage, where: str) -> None:
    match, thread, mover, planner = await opened(stage)
    ctx = stage.bot.context
    await ctx.preferences.save("user", planner.id, {"pings": {"where": where}})
    one, two, *_ = course(await stage.match(match), 4)
    await planner.slash(thread, "match plan add", line=f"{one}: {two}")
    before = len(thread.history())
    await ctx.service.play.submit(
        match, mover.id, one, request="brought in by someone slower than the poller"
    )
    await ctx.delivery.send()
    await stage.env.settle()
    assert (await stage.match(match)).plays == 2
    assert [m.raw_mentions for m in thread.history()[before:]] == [[], [mover.id]]
    (news,) = told(planner)
    assert news.content.startswith(f"Your plan for `{match}` has played `{two}`.")


async def test_what_was_not_foreseen_is_told_once(stage: Stage) -> None:
    match, thread, mover, planner = await opened(stage)
    one, two = course(await stage.match(match), 2)
    await planner.slash(thread, "match plan add", line=f"{one}: {two}")
    await move_by(stage, "reply", match, thread, mover, legal(await stage.match(match))[1])
    assert await stage.mover(match) is planner
    await stage.later()
    (news,) = told(planner)
    assert news.content.startswith(f"Your plan for `{match}` didn't foresee what happened")


async def test_after_a_crash_it_is_played_by_the_next_process(stage: Stage) -> None:
    match, thread, mover, planner = await opened(stage)
    one, two = course(await stage.match(match), 2)
    await planner.slash(thread, "match plan add", line=f"{one}: {two}")
    await stage.bot.context.service.play.submit(match, mover.id, one, request="as a process that dies then")
    await stage.restart()
    await stage.later()
    assert (await stage.match(match)).plays == 2
    assert len(told(planner)) == 1
    assert two in (await last_board(stage, match)).content


async def test_the_panel_adds_removes_and_switches(stage: Stage) -> None:
    match, thread, _, planner = await opened(stage)
    moves = legal(await stage.match(match))
    _, reply = course(await stage.match(match), 2)
    board = await last_board(stage, match)
    assert not any("Plan" in row for row in rows_of(board)), "nothing of it in public"
    view = shown(await planner.click(board, label="My view"))
    panel = await planner.click(view, label="Plan")
    assert panel.ephemeral
    assert text_of(panel).startswith(f"You have nothing planned in `{match}`.")
    await stage.restart()
    for number, move in enumerate((moves[0], moves[1]), 1):
        form = await planner.click(shown(panel), label="Add a line")
        done = await planner.submit_modal(form, {"line": f"{move}: {reply}"})
        assert f"{number}. `{move}: {reply}`" in stage_text(stage, shown(panel))
        assert done is not None
    now, older = fresh(stage, shown(panel)), shown(await planner.slash(thread, "match plan show"))
    value = next(o for o in options_of(now) if o.label.startswith(moves[0])).value
    menu = menu_with(now, value)
    await planner.select(now, [value], custom_id=menu)
    assert f"1. `{moves[1]}: {reply}`" in stage_text(stage, now)
    await planner.select(older, [value], custom_id=menu)
    assert "That was played, dropped or removed before." in stage_text(stage, older)
    await planner.click(fresh(stage, now), label="Play my only move for me")
    assert "If you have only one legal move, it's played for you." in stage_text(stage, now)
    await planner.click(fresh(stage, now), label="Don't play my only move for me")
    assert text_of(await planner.slash(thread, "match plan clear")).startswith("You have nothing planned")
    assert (
        text_of(await planner.slash(thread, "match plan clear")) == f"You have nothing planned in `{match}`."
    )


def fresh(stage: Stage, message: discord.Message) -> discord.Message:
    """The message as it is now."""
    return to_discord_message(stage.env, stage.env.backend.get_message(message.channel.id, message.id))


def stage_text(stage: Stage, message: discord.Message) -> str:
    return fresh(stage, message).content


def options_of(message: discord.Message) -> list[discord.SelectOption]:
    return [
        option for child in walk_components(message.components) for option in getattr(child, "options", ())
    ]


async def test_a_form_that_is_refused_leaves_the_panel(stage: Stage) -> None:
    match, thread, mover, planner = await opened(stage)
    one, two = course(await stage.match(match), 2)
    panel = shown(await planner.slash(thread, "match plan show"))
    form = await planner.click(panel, label="Add a line")
    refused = await planner.submit_modal(form, {"line": f"{one}: h1-h8"})
    assert "isn't possible then" in text_of(refused)
    assert stage_text(stage, panel) == panel.content
    late = await planner.click(panel, label="Add a line")
    await move_by(stage, "reply", match, thread, mover, one)
    told_off = text_of(await planner.submit_modal(late, {"line": f"{one}: {two}"}))
    assert told_off.splitlines()[-1] == f"It's your turn in `{match}`. Move first, then plan what comes next."


async def test_whoever_may_not_plan_gets_a_sentence(stage: Stage) -> None:
    match, thread, mover, planner = await opened(stage)
    one, two = course(await stage.match(match), 2)
    line = f"{one}: {two}"
    assert text_of(await mover.slash(thread, "match plan add", line=line)).startswith("It's your turn")
    watching = "You're not playing in this match, but you're welcome to watch."
    for command, options in (
        ("add", {"line": line}),
        ("show", {}),
        ("clear", {}),
        ("only", {"answer": "yes"}),
    ):
        assert text_of(await stage.dan.slash(thread, f"match plan {command}", **options)) == watching
    panel = shown(await planner.slash(thread, "match plan add", line=line))
    for label in ("Add a line", "Play my only move for me"):
        custom_id = button_with(panel, label)
        if label != "Add a line":  # a form opens for everyone, and is judged when it is sent
            assert text_of(await stage.press_id(stage.dan, panel, custom_id)) == watching
    await stage.press_id(planner, panel, f"domb:plan_clear:{match}:1")
    assert (
        text_of(await planner.slash(thread, "match plan clear")) == f"You have nothing planned in `{match}`."
    )
    await planner.slash(thread, "match plan add", line=line)
    await mover.click(shown(await mover.slash(thread, "match resign")), label="Yes, I resign")
    over = "This match is over."
    assert text_of(await planner.slash(thread, "match plan add", line=line, match=match)) == over
    assert text_of(await planner.slash(thread, "match plan show", match=match)) == over
    assert text_of(await stage.press_id(planner, panel, f"domb:plan_only:{match}:1:on")) == over
    assert told(planner) == [], "the result says it all"


async def test_two_presses_count_once(stage: Stage) -> None:
    match, thread, _, planner = await opened(stage)
    panel = shown(await planner.slash(thread, "match plan show"))
    await stage.press_all((planner, panel, "plan_only"), (planner, panel, "plan_only"))
    (plan,) = await stage.bot.context.store.plans(match)
    assert plan.only_move


async def test_lines_are_suggested(stage: Stage) -> None:
    match, thread, mover, planner = await opened(stage)
    one, two = course(await stage.match(match), 2)
    values = [c["value"] for c in await planner.autocomplete(thread, "match plan add", "line", one[:2])]
    assert one in values
    values = [
        c["value"] for c in await planner.autocomplete(thread, "match plan add", "line", f"{one}: {two[:2]}")
    ]
    assert f"{one}: {two}" in values
    assert await mover.autocomplete(thread, "match plan add", "line", one[:2]) == []


async def test_in_direct_messages_too(stage: Stage) -> None:
    """Both write to the bot alone, and a plan is told where the boards are."""
    match, _, mover, planner = await opened(stage)
    one, two = course(await stage.match(match), 2)
    said = text_of(await planner.user.slash("match plan add", line=f"{one}: {two}", match=match))
    assert said.startswith(f"Planned in `{match}`")
    await mover.send_dm(f"{match} {one}")
    assert (await stage.match(match)).plays == 2
    assert len([message for message in told(planner) if "Your plan" in message.content]) == 1


async def test_plans_and_computers_take_turns(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, players=3, start=False)
    await computer(stage.ann, await stage.lobby(match))
    await stage.ann.click(await stage.lobby(match), label="Start")
    thread = stage.home(await stage.row(match))
    mover, now = await stage.mover(match), await stage.match(match)
    planner = stage.ben if mover is stage.ann else stage.ann
    seat = next(s.seat for s in (await stage.row(match)).seats if s.user == planner.id)
    one, *others = course(now, 3)
    reply = others[(seat - min(now.to_act)) % 3 - 1]
    await planner.slash(thread, "match plan add", line=f"{one}, any: {reply}")
    await move_by(stage, "reply", match, thread, mover, one)
    after = await stage.match(match)
    assert after.plays - now.plays == 3, "the person, the computer, the plan"
    assert [entry.data for entry in after.log if entry.seat == seat] == [reply]
    assert await stage.mover(match) is mover
