"""People who block each other on the stage: no shared lobbies, and nobody is told why."""

from __future__ import annotations

import pytest

from tests.bot.acts import rows_of
from tests.bot.ping_acts import direct
from tests.bot.stage import Stage, menu_with, shown, text_of

pytestmark = pytest.mark.slow


async def test_someone_who_is_blocked_finds_no_seat_and_no_reason(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    said = text_of(await stage.ann.context_menu(stage.channel, "Block", stage.ben))
    assert said.startswith(f"You now block <@{stage.ben.id}>.")
    assert direct(stage.ben) == []
    await stage.restart()
    lobby = await stage.lobby(match)
    assert text_of(await stage.ben.click(lobby, label="Join")) == "That seat isn't available."
    invited = text_of(await stage.ben.slash(stage.channel, "play", game="focus", friend=stage.ann.user))
    assert invited == "Not everyone you named is available for this lobby."
    await stage.cleo.click(lobby, label="Join")
    assert len({seat.user for seat in (await stage.row(match)).seats}) == 2


async def test_blocks_are_listed_and_ended(stage: Stage) -> None:
    settings = shown(await stage.ann.slash(stage.channel, "settings me"))
    assert rows_of(settings)[-1][-1] == "Blocked people"
    empty = shown(await stage.ann.click(settings, label="Blocked people"))
    assert empty.content.startswith("You block nobody.")
    one = shown(await stage.ann.select(empty, [stage.ben.user]))
    assert f"You block <@{stage.ben.id}>." in one.content
    itself = text_of(await stage.ann.context_menu(stage.channel, "Block", stage.ann))
    assert itself.startswith("You can't block yourself.")
    value = str(stage.ben.id)
    await stage.ann.select(one, [value], custom_id=menu_with(one, value))
    assert await stage.bot.context.store.blocked_by(stage.ann.id) == ()
    await stage.open(stage.ann, stage.ben)
