"""A match shown live in another channel: one message that is kept up to date."""

from __future__ import annotations

import discord
import pytest

from bot.messages.components import walk_components
from tests.bot.acts import move_by
from tests.bot.stage import Stage, legal, shown, text_of

pytestmark = pytest.mark.slow


def mirrors(stage: Stage) -> list[discord.Message]:
    """Return the boards in the spectators' channel."""
    return [m for m in stage.gallery.history() if m.author.bot and not m.flags.ephemeral and m.attachments]


async def play(stage: Stage, match: str) -> str:
    """One move; what it was."""
    text = legal(await stage.match(match))[0]
    thread = stage.home(await stage.row(match))
    await move_by(stage, "slash", match, thread, await stage.mover(match), text)
    return text


async def test_one_message_kept_up_to_date(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await stage.cleo.slash(stage.gallery, "matches watch here", match=match.lower()))
    assert "in one message that is kept up to date" in said
    (first,) = mirrors(stage)
    assert first.content.startswith(f"`{match}`, live from {thread.mention}")
    assert "to move" in first.content
    assert not first.mentions, "a mirror calls nobody"
    for restart in (False, True, False):
        if restart:
            await stage.restart()
        text = await play(stage, match)
        (mirror,) = mirrors(stage)
        assert mirror.id == first.id
        assert text in mirror.content
        assert f"move {(await stage.match(match)).plays}" in mirror.content
        assert not mirror.mentions
    view = shown(await stage.dan.click(mirrors(stage)[0], label="My view"))
    assert "moved on" not in view.content
    labels = {child.label for child in walk_components(first.components) if isinstance(child, discord.Button)}
    assert labels == {"My view", "More"}


async def test_to_the_end_with_a_replay(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    await play(stage, match)
    sure = shown(await stage.ann.slash(thread, "match resign"))
    await stage.ann.click(sure, label="Yes, I resign")
    (mirror,) = mirrors(stage)
    assert "wins" in mirror.content
    replay = shown(await stage.cleo.click(mirror, label="Replay"))
    assert replay.attachments[0].filename == f"{match}-replay-1.png"
    said = text_of(await stage.cleo.slash(stage.channel, "matches watch here", match=match))
    assert said == "This match is over."


async def test_a_deleted_mirror_comes_back(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    (first,) = mirrors(stage)
    await stage.remove(first)
    assert not mirrors(stage)
    text = await play(stage, match)
    (again,) = mirrors(stage)
    assert again.id != first.id
    assert text in again.content
    await play(stage, match)
    assert [m.id for m in mirrors(stage)] == [again.id]


async def test_an_edit_that_came_too_late(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    (first,) = mirrors(stage)
    path = f"/channels/{stage.gallery.id}/messages/{first.id}"
    stage.env.inject_error("PATCH", path, status=429, code=30046, message="Maximum number of edits")
    text = await play(stage, match)
    (fresh,) = mirrors(stage)
    assert fresh.id != first.id
    assert text in fresh.content


async def test_who_may_show_what(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await stage.cleo.slash(thread, "matches watch here", match=match))
    assert said == "The match is played in this channel. It needs no mirror here."
    said = text_of(await stage.cleo.slash(stage.gallery, "matches watch here", match="F-ZZZ"))
    assert said.startswith("There is no match `F-ZZZ`")
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    said = text_of(await stage.dan.slash(stage.gallery, "matches watch here", match=match))
    assert said == "This channel already mirrors the match."
    said = text_of(await stage.dan.slash(stage.gallery, "matches watch stop", match=match))
    assert said.startswith(f"{stage.cleo.mention} set this up")
    said = text_of(await stage.cleo.slash(stage.gallery, "matches watch stop", match=match))
    assert said == f"Match `{match}` is no longer shown here."
    said = text_of(await stage.cleo.slash(stage.gallery, "matches watch stop", match=match))
    assert said == f"Match `{match}` isn't shown here."
    before = mirrors(stage)[0].content
    await play(stage, match)
    assert mirrors(stage)[0].content == before, "it stands as it was"


async def test_a_closed_channel_stays_closed(stage: Stage) -> None:
    everyone = stage.guild.default_role
    stored = stage.env.backend.guilds[stage.guild.id].roles
    bot_role = next(role for role in stage.guild.roles.values() if stored[role.id].managed)
    secret = stage.guild.create_text_channel(
        "secret",
        overwrites={
            everyone: discord.PermissionOverwrite(view_channel=False),
            bot_role: discord.PermissionOverwrite(view_channel=True),
            stage.ann: discord.PermissionOverwrite(view_channel=True),
            stage.ben: discord.PermissionOverwrite(view_channel=True),
        },
    )
    await stage.ann.slash(secret, "play", game="focus", friend=stage.ben)
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobby = next(m for m in secret.history() if m.id == row.lobby.message)
    await stage.ben.click(lobby, label="Accept")
    await stage.ann.click(lobby, label="Start")
    said = text_of(await stage.cleo.slash(stage.gallery, "matches watch here", match=row.id))
    assert said.startswith(f"There is no match `{row.id}`")
    assert not mirrors(stage)
    await stage.ann.slash(stage.gallery, "matches watch here", match=row.id)
    assert len(mirrors(stage)) == 1


async def test_the_bot_is_sent_away_from_the_mirror(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    path = f"/channels/{stage.gallery.id}/messages/*"
    stage.env.inject_error("PATCH", path, status=403, code=50001, message="Missing Access")
    await play(stage, match)
    assert not await stage.bot.context.store.watches(match)
    assert not (await stage.row(match)).unreachable, "the match itself is not touched"
    assert len(await stage.boards(match)) == 2
