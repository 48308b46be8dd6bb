"""The front page in a channel of a server: what it lists, for whom, and where it may stand."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle

from bot.messages import front_panel
from bot.messages.components import CallButton
from bot.messages.outgoing import File, Outgoing
from bot.platform.reader_settings import Reader
from tests.bot.acts import rows_of
from tests.bot.stage import Stage, shown, text_of, words_of
from tests.bot.test_follow import begun, resigned, secret_room
from tests.bot.test_match_access import private_thread
from tests.bot.test_places import manager
from tests.bot.test_showcase import choose, minute, ours

pytestmark = pytest.mark.slow
START = "**Dominium**: "


async def put(stage: Stage, channel: ChannelHandle) -> str:
    """Let Ann put the panel into a channel, and wait until it is there; what is said."""
    manager(stage)
    said = text_of(await stage.ann.slash(channel, "server panel"))
    await stage.later(seconds=16)
    return said


def the_panel(stage: Stage) -> discord.Message:
    """The only panel in the spectators' channel."""
    (found,) = [m for m in ours(stage.gallery) if words_of(m).startswith(START)]
    return found


async def test_a_panel_that_is_kept_current(stage: Stage) -> None:
    assert (await put(stage, stage.gallery)).startswith(f"The front page stands in {stage.gallery.mention}")
    first = the_panel(stage)
    assert words_of(first).splitlines() == [words_of(first)]
    assert rows_of(first) == [["Play", "Against the computer", "Learn", "My matches", "More"]]
    assert [each.filename for each in first.attachments] == ["games.png"]
    match, thread = await stage.open(stage.ann, start=False, players=3, game="domination")
    await minute(stage)
    panel = the_panel(stage)
    assert panel.id == first.id
    link = (await stage.lobby(match)).jump_url
    assert words_of(panel).splitlines()[1:] == [
        "**One lobby waits for players**",
        f"- Domination, Ann: 2 seats are free · [Join](<{link}>)",
    ]
    await stage.ben.click(await stage.lobby(match), label="Join")
    await minute(stage)
    assert words_of(the_panel(stage)).endswith(f"Ann and Ben: one seat is free · [Join](<{link}>)")
    await stage.dan.click(await stage.lobby(match), label="Join")
    await minute(stage)
    assert words_of(the_panel(stage)) == words_of(first), "it is full"
    await stage.ann.click(await stage.lobby(match), label="Start")
    await minute(stage)
    head, line = words_of(the_panel(stage)).splitlines()[1:]
    assert head == "**One live match**"
    assert line.startswith(f"- {stage.home(await stage.row(match)).mention} ")
    assert thread.id != stage.gallery.id


async def test_one_of_an_earlier_version_becomes_a_layout(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plain(text: str, reader: Reader, files: tuple[File, ...], items: tuple[CallButton, ...]) -> Outgoing:
        return Outgoing(text, files, items)

    with monkeypatch.context() as earlier:
        earlier.setattr(front_panel, "panel", plain)
        await put(stage, stage.gallery)
        old = the_panel(stage)
        assert old.content
        assert not old.flags.components_v2
    await stage.open(stage.ann, start=False, players=3)
    await minute(stage)
    panel = the_panel(stage)
    assert (panel.id, panel.content, panel.flags.components_v2) == (old.id, "", True)
    assert rows_of(panel) == rows_of(old)
    assert [each.filename for each in panel.attachments] == ["games.png"]
    offered = shown(await stage.cleo.click(old, label="Play"))
    assert offered.flags.ephemeral, "who still sees the old one can press it"


async def test_five_are_listed_and_the_others_counted(stage: Stage) -> None:
    for _ in range(7):
        await stage.open(stage.ann, start=False, channel=stage.channel)
    await put(stage, stage.gallery)
    lines = words_of(the_panel(stage)).splitlines()
    assert len(lines) == 8
    assert lines[-1] == "And 2 more."


async def test_two_people_press_its_buttons_and_are_answered_privately(stage: Stage) -> None:
    await put(stage, stage.gallery)
    panel = the_panel(stage)
    for person in (stage.cleo, stage.dan):
        offered = shown(await person.click(panel, label="Play"))
        assert offered.flags.ephemeral
        await person.click(offered, label="Focus")
    assert len(await stage.bot.context.store.by_status("lobby")) == 2
    assert words_of(the_panel(stage)) == words_of(panel)


async def test_it_stands_beside_a_showcase(stage: Stage) -> None:
    await choose(stage, stage.gallery)
    await put(stage, stage.gallery)
    await stage.open(stage.ann, stage.ben)
    await minute(stage)
    both = ours(stage.gallery)
    assert len(both) == 2
    assert all("**One live match**" in words_of(message) for message in both)
    said = text_of(await stage.ann.slash(stage.gallery, "server settings", showcase_off="yes"))
    assert "is off" in said
    await minute(stage)
    assert [message.id for message in ours(stage.gallery)] == [the_panel(stage).id]


async def test_moved_and_removed(stage: Stage) -> None:
    await put(stage, stage.gallery)
    hall = stage.guild.create_text_channel("hall")
    await stage.ann.slash(stage.gallery, "server panel", channel=hall)
    await stage.later(seconds=16)
    assert not ours(stage.gallery)
    assert len(ours(hall)) == 1
    await stage.ann.slash(stage.channel, "server panel", channel=hall)
    await minute(stage)
    assert len(ours(hall)) == 1, "once more changes nothing"
    said = text_of(await stage.ann.slash(stage.gallery, "server panel", remove="yes"))
    assert said == f"The front page in {hall.mention} is gone."
    await minute(stage)
    assert not ours(hall)
    said = text_of(await stage.ann.slash(stage.gallery, "server panel", remove="yes"))
    assert said.startswith("No channel has the front page.")


async def test_what_not_all_readers_may_see_is_not_listed(stage: Stage) -> None:
    secret = secret_room(stage, stage.ann, stage.ben)
    hidden = await begun(stage, private_thread(stage, stage.ann, stage.ben))
    await stage.ann.slash(secret, "play", game="focus")
    await put(stage, stage.gallery)
    assert len(words_of(the_panel(stage)).splitlines()) == 1
    await resigned(stage, hidden)
    await stage.ann.slash(secret, "server panel")
    await minute(stage)
    assert "Focus, Ann: one seat is free" in words_of(ours(secret)[-1])


async def test_where_it_can_not_stand_is_explained(stage: Stage) -> None:
    manager(stage)
    closed = stage.guild.create_text_channel(
        "closed",
        overwrites={stage.guild.default_role: discord.PermissionOverwrite(send_messages=False)},
    )
    assert "I need a permission in" in text_of(await stage.ann.slash(closed, "server panel"))
    _, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await stage.ann.slash(thread, "server panel"))
    assert said == f"{thread.mention} isn't a text or announcement channel. Choose one of these."
    assert await stage.bot.context.store.showcases() == ()


async def test_only_those_who_manage_the_server_put_it_up(stage: Stage) -> None:
    with pytest.raises(SetupError, match="not visible"):
        await stage.ben.slash(stage.gallery, "server panel")
