"""People who want no pings, or whose quiet hours run, are named by messages of others, but not notified."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from simcord.actors import MemberActor

from tests.bot.lobby_acts import open_lobby
from tests.bot.ping_acts import direct, night, notified, wants
from tests.bot.stage import Stage, menu_with, shown, text_of, words_of

pytestmark = pytest.mark.slow


async def at_night(stage: Stage, person: MemberActor) -> None:
    """The quiet hours of a person run."""
    await wants(stage, person, quiet=night(stage))


async def without_pings(stage: Stage, person: MemberActor) -> None:
    """A person wants no pings."""
    await wants(stage, person, style="none")


Unwilling = Callable[[Stage, MemberActor], Awaitable[None]]
both = pytest.mark.parametrize("unwilling", [at_night, without_pings])


@both
async def test_an_invitation_waits_in_their_list(stage: Stage, unwilling: Unwilling) -> None:
    await unwilling(stage, stage.ben)
    await stage.ann.slash(
        stage.channel, "play", game="focus", players=4, friend=stage.ben, friend2=stage.cleo
    )
    row = await open_lobby(stage)
    lobby = await stage.lobby(row.id)
    assert stage.ben.mention in words_of(lobby)
    assert notified(stage, stage.ben.mention) == [{stage.cleo.id}]
    listed = text_of(await stage.ben.slash(stage.channel, "matches mine"))
    assert listed.startswith("You have no matches right now.")
    link = f"[the lobby](<{lobby.jump_url}>)"
    assert f"Your open lobby:\n▶ `{row.id}` Focus: **you're invited** · {link}" in listed
    other, _ = await stage.open(stage.ben, start=False)
    listed = text_of(await stage.ben.slash(stage.channel, "matches mine"))
    assert [other in line for line in listed.split("\n")][-2:] == [False, True], "the invitation comes first"
    assert f"Your open lobbies:\n▶ `{row.id}`" in listed
    assert f"\n· `{other}` Focus: waiting for its start · [the lobby](" in listed


@both
async def test_a_later_invitation_notifies_those_who_want_it(stage: Stage, unwilling: Unwilling) -> None:
    await unwilling(stage, stage.ben)
    match, _ = await stage.open(stage.ann, players=4, start=False)
    menu = shown(await stage.ann.click(await stage.lobby(match), label="Invite"))
    await stage.ann.select(menu, [stage.ben, stage.cleo])
    assert notified(stage, "you're invited") == [{stage.cleo.id}]


@both
async def test_an_invitation_in_direct_messages_comes_silently(stage: Stage, unwilling: Unwilling) -> None:
    await unwilling(stage, stage.ben)
    await stage.ann.user.slash(
        "play", game="focus", players=3, friend=stage.ben.user, friend2=stage.cleo.user
    )
    row = await open_lobby(stage)
    for guest, silent in ((stage.ben, True), (stage.cleo, False)):
        (sent,) = direct(guest)
        assert sent.flags.suppress_notifications is silent
    assert "in our direct messages" in text_of(await stage.ben.user.slash("matches mine"))
    await unwilling(stage, stage.ann)
    for guest in (stage.ben, stage.cleo):
        await guest.user.click(direct(guest)[0], label="Accept")
    assert [one.flags.suppress_notifications for one in direct(stage.ann)] == [False, True], row.id


@both
async def test_a_clock_that_changes(stage: Stage, unwilling: Unwilling) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo, start=False)
    await unwilling(stage, stage.ben)
    panel = shown(await stage.ann.click(await stage.lobby(match), label="Clock"))
    await stage.ann.select(panel, ["steady"], custom_id=menu_with(panel, "steady"))
    assert notified(stage, "has changed the clock") == [{stage.cleo.id}]


@both
async def test_a_full_lobby_and_an_offered_seat(stage: Stage, unwilling: Unwilling) -> None:
    await unwilling(stage, stage.ann)
    await unwilling(stage, stage.cleo)
    match, thread = await stage.open(stage.ann, stage.ben)
    assert notified(stage, "the last seat of your match") == [set()]
    await stage.ben.slash(thread, "match seat give", user=stage.cleo)
    offer = thread.history()[-1]
    assert words_of(offer).startswith(stage.cleo.mention), match
    assert notified(stage, words_of(offer)) == [set()]


@both
async def test_the_question_about_an_idle_match(stage: Stage, unwilling: Unwilling) -> None:
    stage.env.backend.guilds[stage.guild.id].owner_id = stage.ann.id
    await stage.ann.slash(stage.channel, "server settings", idle=14)
    await stage.open(stage.ann, stage.ben)
    await unwilling(stage, stage.ben)
    await stage.later(hours=14 * 24 + 1)
    assert notified(stage, "Nobody has moved") == [{stage.ann.id}]


@both
async def test_questions_by_direct_message_come_silently(stage: Stage, unwilling: Unwilling) -> None:
    await stage.ann.user.slash("play", game="focus", players=2, friend=stage.ben.user)
    match = (await open_lobby(stage)).id
    await stage.ben.user.click(direct(stage.ben)[0], label="Accept")
    await stage.ann.user.click(direct(stage.ann)[-1], label="Start")
    await stage.ann.user.slash("match draw", match=match)
    assert not direct(stage.ben)[-1].flags.suppress_notifications
    await stage.ben.user.click(direct(stage.ben)[-1], label="Decline")
    await unwilling(stage, stage.ben)
    await stage.ann.user.slash("match draw", match=match)
    offer = direct(stage.ben)[-1]
    assert "draw" in words_of(offer)
    assert offer.flags.suppress_notifications
    await stage.ann.user.slash("match share", match=match, answer="yes")
    question = direct(stage.ben)[-1]
    assert "would like to make" in words_of(question)
    assert question.flags.suppress_notifications
