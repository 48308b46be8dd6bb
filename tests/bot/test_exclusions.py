"""Operators exclude people and servers from a running bot, on the stage."""

from __future__ import annotations

import pytest

from tests.bot.acts import move_by
from tests.bot.stage import Stage, legal, text_of

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def owner(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dan owns the application."""
    dan = stage.dan.id
    monkeypatch.setattr("bot.inbound.commands.operator.is_owner", lambda client, user: user == dan)


async def operate(stage: Stage, do: str, **options: object) -> str:
    return text_of(await stage.dan.user.slash("operator", do=do, **options))


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
    said = text_of(await stage.ann.user.slash("operator", do="exclude person", id="12", reason="spam"))
    assert said == "Only the owner of this bot can see that."
    assert await stage.bot.context.service.exclusions.log("person") == ()
