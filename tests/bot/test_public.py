"""A match is made public by its people: then anyone who has its id may look at it, and only as long."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from tests.bot.stage import Stage, shown, text_of
from tests.bot.test_match_access import UNKNOWN, Abroad, abroad, begun, secret

__all__ = ["abroad", "secret"]
pytestmark = pytest.mark.slow
LOOKS: dict[str, dict[str, str]] = {
    "ask board": {},
    "ask about": {"what": "last"},
    "replay steps": {},
    "replay record": {},
}


async def seen_abroad(stage: Stage, abroad: Abroad, match: str) -> bool:
    """Whether a stranger in another server can look at a match; all commands agree on it."""
    said = [
        text_of(await abroad.zoe.slash(abroad.channel, name, match=match, **options))
        for name, options in LOOKS.items()
    ]
    unknown = {each.startswith(UNKNOWN.format(match)) for each in said}
    assert len(unknown) == 1, said
    return unknown == {False}


async def make_public(stage: Stage, person: MemberActor, match: str, answer: str = "yes") -> str:
    return text_of(await person.slash(stage.channel, "match share", match=match, answer=answer))


async def test_in_a_public_channel_the_host_alone_makes_it_public(stage: Stage, abroad: Abroad) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    assert not await seen_abroad(stage, abroad, match)
    assert "Only the host" in await make_public(stage, stage.ben, match)
    assert "not playing" in await make_public(stage, stage.cleo, match)
    assert not await seen_abroad(stage, abroad, match)
    assert "is public" in await make_public(stage, stage.ann, match)
    assert await seen_abroad(stage, abroad, match)
    assert "· public" in shown(await abroad.zoe.slash(abroad.channel, "ask board", match=match)).content
    assert stage.ben.user.dm_channel.history() == []
    await stage.restart()
    assert await seen_abroad(stage, abroad, match)
    assert "is shown to its players" in await make_public(stage, stage.ben, match, "no")
    assert not await seen_abroad(stage, abroad, match)
    assert "· public" not in shown(await stage.ann.slash(stage.channel, "ask board", match=match)).content


async def test_what_was_shown_while_it_was_public_can_not_be_pressed_later(
    stage: Stage, abroad: Abroad
) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await make_public(stage, stage.ann, match)
    board = shown(await abroad.zoe.slash(abroad.channel, "ask board", match=match))
    assert not text_of(await abroad.zoe.click(board, label="More")).startswith(UNKNOWN.format(match))
    await make_public(stage, stage.ann, match, "no")
    assert text_of(await abroad.zoe.click(board, label="More")).startswith(UNKNOWN.format(match))


async def test_in_a_private_channel_all_players_have_to_agree(
    stage: Stage, abroad: Abroad, secret: ChannelHandle
) -> None:
    match = await begun(stage, secret)
    assert "Only the host" in await make_public(stage, stage.ben, match)
    said = await make_public(stage, stage.ann, match)
    assert "(Ben)" in said
    assert "asked them" in said
    (asked,) = stage.ben.user.dm_channel.history()
    assert f"/match share match:{match} answer:yes" in asked.content
    assert not await seen_abroad(stage, abroad, match)
    assert "(Ben)" in text_of(await stage.ben.slash(secret, "match share"))
    again = await make_public(stage, stage.ann, match)
    assert "asked them" not in again
    assert "is public" in await make_public(stage, stage.ben, match)
    assert await seen_abroad(stage, abroad, match)
    assert len(stage.ben.user.dm_channel.history()) == 1


async def test_one_player_who_declines_is_enough(stage: Stage, abroad: Abroad, secret: ChannelHandle) -> None:
    match = await begun(stage, secret)
    await make_public(stage, stage.ann, match)
    await make_public(stage, stage.ben, match, "no")
    assert (await stage.row(match)).publicity.agreed == ()
    assert "Only the host" in await make_public(stage, stage.ben, match)
    assert not await seen_abroad(stage, abroad, match)


async def test_a_match_in_direct_messages_can_be_made_public(stage: Stage, abroad: Abroad) -> None:
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = stage.ben.user.dm_channel.history()[0]
    await stage.ben.user.click(lobby, label="Accept")
    posted = (await stage.row(row.id)).lobby.message
    home = next(one for one in stage.ann.user.dm_channel.history() if one.id == posted)
    await stage.ann.user.click(home, label="Start")
    await stage.ann.user.slash("match share", answer="yes")
    assert not await seen_abroad(stage, abroad, row.id)
    await stage.ben.user.slash("match share", answer="yes")
    assert await seen_abroad(stage, abroad, row.id)
