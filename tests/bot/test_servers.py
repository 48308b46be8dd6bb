"""The owner lists the servers of a running bot, and lets it leave one, on the stage."""

from __future__ import annotations

import pytest

from bot.actions.servers.joined_servers import PAGE
from tests.bot.stage import Stage, button_ids, legal, shown, text_of
from tests.bot.test_places import manager

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def owner(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dan owns the application."""
    manager(stage, stage.dan)
    for module in ("bot.inbound.commands.operator", "bot.actions.servers.joined_servers"):
        monkeypatch.setattr(f"{module}.is_owner", lambda client, user: user == stage.dan.id)


async def test_servers_are_listed_by_use_in_pages(stage: Stage) -> None:
    for n in range(PAGE + 1):
        stage.env.create_guild(f"**Other** {n}")
    await stage.open(stage.ann, stage.ben)
    await stage.env.settle()
    first = shown(await stage.dan.slash(stage.channel, "server operator", do="list servers"))
    lines = first.content.splitlines()
    assert lines[0] == f"The bot is in {PAGE + 2} servers, those used most first."
    assert lines[1].startswith(f"`{stage.guild.id}` Club: one match in progress, ")
    assert "members, last used <t:" in lines[1]
    assert ", here since <t:" in lines[1]
    assert r"\*\*Other\*\* 0" in lines[2]
    assert lines[-1] == "-# Page 1 of 2"
    second = shown(await stage.dan.click(first, label="Next"))
    assert second.content.splitlines()[-1] == "-# Page 2 of 2"
    assert r"\*\*Other\*\* " in second.content
    again = shown(await stage.dan.click(second, label="Previous"))
    assert again.content == first.content


async def test_one_is_left_after_a_question_and_its_matches_stay(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    other = stage.env.create_guild("Other")
    await stage.env.settle()
    for guild, live in ((stage.guild, "One match is"), (other, "0 matches are")):
        asked = shown(
            await stage.dan.slash(stage.channel, "server operator", do="leave server", id=str(guild.id))
        )
        assert asked.content.startswith(f"Leave {guild.name} (`{guild.id}`)? {live} in progress there.")
        assert {one.id for one in stage.bot.guilds} >= {stage.guild.id, other.id} - {guild.id}
        if guild is other:
            left = shown(await stage.dan.click(asked, label="Leave the server"))
            assert left.content == f"The bot has left Other (`{other.id}`)."
    assert {one.id for one in stage.bot.guilds} == {stage.guild.id}
    again = text_of(
        await stage.dan.slash(stage.channel, "server operator", do="leave server", id=str(other.id))
    )
    assert again == f"The bot isn't in the server `{other.id}`."
    mover = await stage.mover(match)
    await mover.send(thread, f"{stage.mention} {legal(await stage.match(match))[0]}")
    assert (await stage.match(match)).plays == 1, "elsewhere all goes on"


async def test_a_live_match_there_waits_as_after_a_removal(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    asked = shown(
        await stage.dan.slash(stage.channel, "server operator", do="leave server", id=str(stage.guild.id))
    )
    await stage.dan.click(asked, label="Leave the server")
    assert not stage.bot.guilds
    await mover.user.send_dm(legal(await stage.match(match))[0])
    await stage.env.settle()
    row = await stage.row(match)
    assert (row.status, row.unreachable) == ("live", "guild")


async def test_only_the_owner_may(stage: Stage) -> None:
    guild = str(stage.guild.id)
    refused = "Only the owner of this bot can see that."
    for do in ("list servers", "leave server"):
        assert text_of(await stage.ann.slash(stage.channel, "server operator", do=do, id=guild)) == refused
    asked = shown(await stage.dan.slash(stage.channel, "server operator", do="leave server", id=guild))
    (button,) = button_ids(asked)
    await stage.open(stage.ann, stage.ben)
    message = next(m for m in stage.channel.history() if m.author.bot)
    for custom_id in (button, "domb:servers:-:1:next"):
        answer = await stage.press_id(stage.ann, message, custom_id)
        assert text_of(answer) == refused
    assert [one.id for one in stage.bot.guilds] == [stage.guild.id]


@pytest.mark.parametrize("typed", ["", "Club", "-5", "12"])
async def test_what_is_no_server_of_ours_is_explained(stage: Stage, typed: str) -> None:
    said = text_of(await stage.dan.slash(stage.channel, "server operator", do="leave server", id=typed))
    assert said.startswith("The bot isn't in" if typed == "12" else f"`{typed}` isn't an id")
