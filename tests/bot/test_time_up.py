"""Time runs out on the stage: it is said, claimed, and what follows isn't taken for the person's own move."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import to_discord_message

from games.engine.match import Kind
from matches.clocks.control import Follows, TimeControl, per_move
from tests.bot.acts import last_board
from tests.bot.clocks import clocked, direct, pass_time, sweep
from tests.bot.stage import Stage, button_ids, legal, text_of
from tests.bot.test_database_failures import Failing

pytestmark = pytest.mark.slow

DAILY = per_move(timedelta(days=1))
NOT_YOURS = "You're not playing in this match, but you're welcome to watch."


async def late(
    stage: Stage, clock: TimeControl = DAILY, *people: MemberActor, game: str = "focus"
) -> tuple[str, ChannelHandle, MemberActor, discord.Message]:
    """A match in which time is up: its id and channel, who is late, and the notice."""
    match, thread = await clocked(stage, clock, *people, game=game)
    await sweep(stage)
    mover = await stage.mover(match)
    await pass_time(stage, hours=25)
    return match, thread, mover, thread.history()[-1]


def opponent(stage: Stage, mover: MemberActor) -> MemberActor:
    return stage.ben if mover is stage.ann else stage.ann


async def test_the_notice_says_what_can_be_claimed_and_an_opponent_claims(stage: Stage) -> None:
    match, thread, mover, notice = await late(stage)
    other = opponent(stage, mover)
    line = notice.content.splitlines()[0]
    assert f"({mover.user.name})'s time is up. " in line
    assert "An opponent can claim it: then a safe move is played for them. Until then they can" in line
    assert notice.raw_mentions == [other.id]
    assert [i.split(":")[1] for i in button_ids(notice)] == ["claim"]
    assert text_of(await stage.dan.click(notice, label="Claim")) == NOT_YOURS
    own = text_of(await mover.click(notice, label="Claim"))
    assert own == "That's your own time. You can still move until someone claims it."
    await stage.restart()
    boards = len(await stage.boards(match))
    await other.click(notice, label="Claim")
    board = await last_board(stage, match)
    assert len(await stage.boards(match)) == boards + 1
    played = (await stage.match(match)).log[-1]
    assert played.kind is Kind.DEFAULT
    told = board.content.splitlines()[0]
    assert f"({other.user.name}) claims the time of " in told
    assert ". A safe move is played for them: " in told
    assert f"({mover.user.name}): " not in told, "they haven't played it"
    assert board.raw_mentions == [], "who claimed knows that it is their turn"
    again = text_of(await other.click(notice, label="Claim"))
    assert again == "Nobody's time is up here. I say so in the match as soon as it is."
    assert text_of(await mover.slash(thread, "match undo")) == "There is nothing to take back."


async def test_two_presses_claim_once(stage: Stage) -> None:
    match, _, mover, notice = await late(stage)
    other = opponent(stage, mover)
    await stage.press_all((other, notice, "claim"), (other, notice, "claim"))
    kinds = [entry.kind for entry in (await stage.match(match)).log]
    assert kinds.count(Kind.CLAIM) == kinds.count(Kind.DEFAULT) == 1


@pytest.mark.parametrize("step", ["match", "commit", "stops"])
async def test_a_claim_that_the_database_fails_for_can_be_made_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    match, _, mover, notice = await late(stage)
    failing = Failing(stage, monkeypatch, step)
    failed = text_of(await opponent(stage, mover).click(notice, label="Claim"))
    assert failing.left == 0
    assert "Something went wrong on our side. Nothing is lost. Please try again." in failed
    assert (await stage.match(match)).log[-1].kind is Kind.FLAG
    await opponent(stage, mover).click(notice, label="Claim")
    assert (await stage.match(match)).log[-1].kind is Kind.DEFAULT


async def test_a_move_in_time_leaves_nothing_to_claim(stage: Stage) -> None:
    match, thread, mover, notice = await late(stage)
    other = opponent(stage, mover)
    await mover.slash(thread, "move", move=legal(await stage.match(match))[0])
    told = "Nobody's time is up here. I say so in the match as soon as it is."
    assert text_of(await other.click(notice, label="Claim")) == told
    assert text_of(await other.slash(thread, "match claim")) == told
    board = await last_board(stage, match)
    assert f"({mover.user.name}): " in board.content
    assert "safe move" not in board.content


@pytest.mark.parametrize("follows", ["default", "loss", "computer"])
async def test_by_command(stage: Stage, follows: Follows) -> None:
    match, thread, mover, notice = await late(stage, replace(DAILY, follows=follows))
    assert "claim it: then " in notice.content
    assert text_of(await stage.dan.slash(thread, "match claim")) == NOT_YOURS
    done = text_of(await opponent(stage, mover).slash(thread, "match claim"))
    assert done == f"You have claimed the time in `{match}`."
    board = await last_board(stage, match)
    assert (await stage.match(match)).ending is None or follows == "loss"
    if follows == "loss":
        assert "ran out of time" in board.content
        told = text_of(await opponent(stage, mover).slash(thread, "match claim", match=match))
        assert told == "This match is over."
        assert text_of(await mover.click(notice, label="Claim")) == "This match is over."
        assert "<t:" not in board.content


async def test_without_a_clock_there_is_nothing_to_claim_or_pause(stage: Stage) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    for command in ("match claim", "match pause", "match resume"):
        assert text_of(await stage.ann.slash(thread, command)) == "This match has no clock."
        assert text_of(await stage.dan.slash(thread, command)) == NOT_YOURS


async def test_an_automatic_default_is_said_to_be_the_clocks(stage: Stage) -> None:
    match, thread, mover, board = await late(stage, replace(DAILY, acts="automatic"))
    told = board.content.splitlines()[0]
    assert f"({mover.user.name})'s time is up. A safe move is played for them: " in told
    assert board.id == (await last_board(stage, match)).id
    assert board.raw_mentions == [opponent(stage, mover).id]
    assert "Deadline: <t:" in board.content
    assert f"({mover.user.name}): " not in text_of(await mover.slash(thread, "ask about", what="last"))


async def test_a_default_choice_in_secret_tells_nothing(stage: Stage) -> None:
    people = (stage.ann, stage.ben, stage.cleo)
    match, _ = await clocked(stage, replace(DAILY, acts="automatic"), *people, game="dominion")
    await sweep(stage)
    await pass_time(stage, hours=25)
    now = await stage.match(match)
    assert sum(entry.kind is Kind.DEFAULT for entry in now.log) == 3
    texts = "\n".join(board.content for board in await stage.boards(match))
    assert texts.count("A safe ") == 3
    assert now.state is not None


async def test_on_an_allied_side_the_other_side_claims(stage: Stage) -> None:
    people = (stage.ann, stage.ben, stage.cleo, stage.dan)
    match, thread = await clocked(stage, DAILY, *people, options="partners")
    now = await stage.match(match)
    await sweep(stage)
    mover = await stage.mover(match)
    await pass_time(stage, hours=25)
    notice = thread.history()[-1]
    row, (seat,) = await stage.row(match), tuple(now.to_act)
    teams = now.setup.teams
    others = {row.seats[each].user for each in range(4) if teams[each] != teams[seat]}
    assert set(notice.raw_mentions) == others
    partner = next(
        stage.who(row.seats[each].user) for each in range(4) if teams[each] == teams[seat] and each != seat
    )
    assert "is on your side" in text_of(await partner.click(notice, label="Claim"))
    assert mover.id not in notice.raw_mentions


async def test_in_an_archived_thread_time_is_claimed_from_elsewhere(stage: Stage) -> None:
    match, thread = await clocked(stage, DAILY)
    await sweep(stage)
    mover = await stage.mover(match)
    archived = {"archived": True, "archive_timestamp": stage.env.backend.now_iso()}
    stage.env.backend.edit_channel(thread.id, {}, thread_metadata=archived)
    await pass_time(stage, hours=25)
    assert "An opponent can claim it" in thread.history()[-1].content
    stage.env.backend.edit_channel(thread.id, {}, thread_metadata=archived)
    other = opponent(stage, mover)
    done = text_of(await other.slash(stage.channel, "match claim", match=match))
    assert done == f"You have claimed the time in `{match}`."
    assert "A safe move is played for them: " in thread.history()[-1].content


async def test_a_match_in_direct_messages_is_claimed_by_button(stage: Stage) -> None:
    match = await direct(stage, DAILY)
    mover = await stage.mover(match)
    await pass_time(stage, hours=25)
    notices = {}
    for post in await stage.bot.context.store.posts(match, "notice"):
        message = to_discord_message(stage.env, stage.env.backend.get_message(post.channel, post.message))
        notices[post.channel] = message
    assert len(notices) == 2
    claims = [message for message in notices.values() if button_ids(message)]
    assert len(claims) == 1, "only who may claim has the button"
    assert claims[0].raw_mentions == [opponent(stage, mover).id]
    await opponent(stage, mover).user.click(claims[0], label="Claim")
    assert (await stage.match(match)).log[-1].kind is Kind.DEFAULT


async def test_a_private_view_says_that_time_is_up(stage: Stage) -> None:
    match, thread, mover, _ = await late(stage)
    own = await mover.slash(thread, "ask board", look="text")
    assert f"({mover.user.name}) has no time left: an opponent can use `/match claim`." in text_of(own)
    assert "! Time is up" in text_of(own)
    assert "no time left; an opponent can claim." in text_of(
        await mover.slash(thread, "ask about", what="clock")
    )
    assert match in text_of(own)
