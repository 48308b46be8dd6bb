"""Operators exclude people and servers from a running bot, on the stage."""

from __future__ import annotations

import discord
import pytest

from bot.actions.handlers import HANDLERS
from bot.inbound.interactions import OPEN_COMMANDS, OPEN_VERBS
from matches.ports import StoreUnavailableError
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal, text_of
from tests.bot.test_forks import finished
from tests.bot.test_places import manager
from tests.bot.test_record_import import elsewhere

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def owner(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dan owns the application."""
    manager(stage, stage.dan)
    dan = stage.dan.id
    monkeypatch.setattr("bot.inbound.commands.operator.is_owner", lambda client, user: user == dan)


async def operate(stage: Stage, do: str, **options: object) -> str:
    return text_of(await stage.dan.slash(stage.channel, "server operator", do=do, **options))


async def test_an_excluded_person_is_told_why_and_their_match_goes_on(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    waiting, _ = await stage.open(stage.ann, start=False)
    ann = str(stage.ann.id)
    said = await operate(stage, "exclude person", id=ann, reason="insults", days=3)
    assert said == f"`{ann}` is excluded now."
    assert (await stage.row(waiting)).status != "lobby"
    await stage.restart()
    refused = text_of(await stage.ann.slash(stage.channel, "play", game="focus"))
    assert refused.startswith("You can't start or join matches with this bot until <t:")
    assert refused.endswith("Reason: insults")
    for _ in range(2):
        before = (await stage.row(match)).version
        await move_by(
            stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
        assert (await stage.row(match)).version > before
    other, _ = await stage.open(stage.ben, start=False)
    joined = text_of(await stage.ann.click(await stage.lobby(other), label="Join"))
    assert joined.startswith("You can't start or join")
    assert await operate(stage, "lift person", id=ann) == f"`{ann}` is no longer excluded."
    await stage.ann.click(await stage.lobby(other), label="Join")
    assert stage.ann.id in {seat.user for seat in (await stage.row(other)).seats}
    lines = (await operate(stage, "log of people")).splitlines()
    assert len(lines) == 2
    assert "excluded until <t:" in lines[1]
    assert all(f"<@{stage.dan.id}>" in line for line in lines)


async def test_an_excluded_server_is_told_so_where_somebody_asks(stage: Stage) -> None:
    lobby, _ = await stage.open(stage.ann, start=False)
    said = await operate(stage, "exclude server", id=str(stage.guild.id), reason="raids")
    assert said.endswith("is excluded now.")
    assert (await stage.row(lobby)).status != "lobby"
    refused = text_of(await stage.ben.slash(stage.channel, "play", game="focus"))
    assert refused.startswith("This bot no longer hosts new matches in this server.")


@pytest.mark.parametrize(
    ("do", "options", "start"),
    [
        ("exclude person", {"id": "@ann", "reason": "spam"}, "`@ann` isn't an id"),
        ("exclude person", {"id": "12"}, "Give a reason"),
        ("lift server", {"id": "12"}, "`12` isn't excluded"),
        ("log of servers", {}, "Nothing has been done yet."),
    ],
)
async def test_what_cannot_be_done_is_explained(
    stage: Stage, do: str, options: dict[str, object], start: str
) -> None:
    assert (await operate(stage, do, **options)).startswith(start)


async def test_only_the_owner_operates(stage: Stage) -> None:
    said = text_of(
        await stage.ann.slash(stage.channel, "server operator", do="exclude person", id="12", reason="spam")
    )
    assert said == "Only the owner of this bot can see that."
    assert await stage.bot.context.service.exclusions.log("person") == ()


TOLD = "You can't start or join matches with this bot any more."


async def test_what_costs_much_is_closed_to_the_excluded(stage: Stage) -> None:
    over, _ = await finished(stage)
    match, thread = await stage.open(stage.ann, stage.ben)
    await operate(stage, "exclude person", id=str(stage.ann.id), reason="**spam** <@1> discord.gg/x")
    ann = stage.ann
    for refused in (
        await ann.slash(stage.channel, "matches import", file=("match.txt", elsewhere())),
        await ann.slash(stage.channel, "replay analysis", match=over),
        await ann.slash(stage.channel, "replay steps", match=over),
        await ann.slash(stage.channel, "matches archive"),
        await ann.slash(thread, "ask hint", match=match),
        await ann.user.slash("replay position", game="focus"),
    ):
        told = text_of(refused)
        assert told.startswith(TOLD)
        assert told.endswith(r"Reason: \*\*spam\*\* \<@1> discord\.gg/x")
        assert refused.ephemeral
    assert len(await stage.bot.context.store.by_user(ann.id, ("over",))) == 1
    assert TOLD not in text_of(await ann.user.slash("settings privacy"))
    assert TOLD not in text_of(await ann.slash(stage.channel, "replay record", match=over))
    assert TOLD not in text_of(await stage.ben.slash(thread, "ask hint", match=match))


@pytest.mark.parametrize("part", range(3))
async def test_every_verb_is_open_or_closed_to_the_excluded(stage: Stage, part: int) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    await operate(stage, "exclude person", id=str(stage.ann.id), reason="spam")
    for verb in sorted(HANDLERS)[part::3]:
        result = await stage.press_id(stage.ann, board, f"domb:{verb}:{match}:0:x")
        answers = [answer for answer in (result.response, *result.followups) if answer is not None]
        told = any(TOLD in answer.message.content for answer in answers)
        assert told == (verb not in OPEN_VERBS), verb


async def test_what_is_open_to_the_excluded_exists(stage: Stage) -> None:
    names = {
        name
        for command in stage.bot.tree.walk_commands(type=discord.AppCommandType.chat_input)
        for name in (command.qualified_name, command.qualified_name.split()[0])
    }
    assert names >= OPEN_COMMANDS
    assert HANDLERS.keys() >= OPEN_VERBS


async def test_a_gate_that_fails_is_answered(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(guild: int | None, user: int) -> None:
        raise StoreUnavailableError("full")

    monkeypatch.setattr(stage.bot.context.service.admission, "why_excluded", broken)
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus"))
    assert said.startswith("Something went wrong on our side.")
    assert text_of(await stage.ann.user.slash("settings privacy")), "what is open asks nothing"
    assert not await stage.ann.autocomplete(stage.channel, "replay analysis", "match", "F")
