"""The coach on the simulated Discord: switched on in More, it speaks in public, and says why in private."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import discord
import pytest

from bot.outbound.computer_turns import ComputerTurns
from games.engine.game import Seat
from games.engine.match import Kind
from matches.play import coach as room
from tests.bot.acts import last_board
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, shown, text_of, words_of
from tests.bot.test_elsewhere import against_a_computer

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach is as good as a beginner, and is content with less."""
    monkeypatch.setattr(room, "LEVEL", "beginner")
    monkeypatch.setattr(room, "LEAST", 0.02)


async def switched(stage: Stage, match: str, label: str, who: Any = None) -> discord.Message:
    """Switch the coach by the panel of More; the panel then."""
    board, person = await last_board(stage, match), who or stage.ann
    panel = shown(await person.click(board, label="More"))
    return shown(await person.click(panel, label=label))


async def settled(stage: Stage, match: str) -> None:
    """Let the computer answer, and the coach look."""
    await stage.deliver(match)
    while running := [task for task in asyncio.all_tasks() if task.get_name() == f"coach of {match}"]:
        await asyncio.wait(running)
    await stage.env.settle()


async def strayed(stage: Stage, match: str, rng: Random) -> list[discord.Message]:
    """Let Ann move at random; what the coach has said so far."""
    now = await stage.match(match)
    (seat,) = now.to_act
    view = now.game.view(now.state, Seat(seat))
    text = now.game.format(view, now.game.pick(view, Seat(seat), rng.randrange))
    await stage.bot.context.service.play.submit(match, stage.ann.id, text, request=f"{now.seq}")
    await settled(stage, match)
    return await spoken(stage, match)


async def spoken(stage: Stage, match: str) -> list[discord.Message]:
    """What the coach has said."""
    home = stage.home(await stage.row(match))
    return [m for m in home.history() if m.content.startswith("Coach: ")]


async def remark(stage: Stage, match: str) -> discord.Message:
    """Let Ann move at random until the coach speaks; its message."""
    rng = Random(1)
    for _ in range(30):
        if found := await strayed(stage, match, rng):
            return found[-1]
    raise AssertionError("the coach has said nothing")


async def begun(stage: Stage) -> str:
    """A match of Focus of Ann against a computer, in a thread, with the coach on."""
    match, _ = await stage.open(stage.ann, start=False)
    service = stage.bot.context.service
    await service.lobbies.add_computer(match, stage.ann.id, request="computer", level="random")
    await service.lobbies.start(match, stage.ann.id, request="start")
    await settled(stage, match)
    panel = await switched(stage, match, "Switch the coach on")
    assert words_of(panel).startswith("Your coach is on.")
    assert "Switch the coach off" in labels(panel)
    return match


async def test_it_speaks_says_why_in_private_and_takes_back(stage: Stage) -> None:
    match = await begun(stage)
    said = await remark(stage, match)
    assert "(Ann) gives up about" in said.content
    assert labels(said) == {"Why?", "Take it back"}
    before = await stage.match(match)
    await stage.restart()
    why = shown(await stage.ann.click(said, label="Why?"))
    assert why.flags.ephemeral
    assert "by what you could know" in why.content
    assert why.content.endswith("Only you can see this; the record counts it.")
    assert len(why.attachments) == 1
    theirs = await stage.ben.click(said, label="Why?")
    assert theirs.ephemeral
    assert "by what you could know" not in text_of(theirs)
    await stage.ann.click(why, label="Take it back")
    now = await stage.match(match)
    assert now.log[-1].kind is Kind.TAKEBACK
    assert now.plays < before.plays
    counted = text_of(await stage.ann.slash(stage.home(await stage.row(match)), "ask about", what="hints"))
    assert "(Ann) once." in counted
    late = await stage.ann.click(said, label="Take it back")
    assert (await stage.match(match)).seq == now.seq
    assert late.ephemeral


async def test_it_looks_again_at_what_a_killed_process_has_left(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "LEAST", 0.0)  # whatever isn't best
    match = await begun(stage)
    with monkeypatch.context() as killed:
        killed.setattr(ComputerTurns, "_look", lambda self, match_id: None)
        assert not await strayed(stage, match, Random(1))
    await stage.restart()
    await stage.later(seconds=31)
    (said,) = await spoken(stage, match)
    await stage.restart()
    await stage.later(seconds=31)
    assert [each.id for each in await spoken(stage, match)] == [said.id]


async def test_it_is_there_in_direct_messages_and_can_be_switched_off(stage: Stage) -> None:
    match = await against_a_computer(stage)
    await settled(stage, match)
    await switched(stage, match, "Switch the coach on", stage.ann.user)
    panel = await switched(stage, match, "Switch the coach off", stage.ann.user)
    assert words_of(panel).startswith("Your coach is off.")
    kinds = [e.data for e in (await stage.match(match)).log if e.kind is Kind.COACH]
    assert kinds == ["on", "off"]


async def test_people_against_each_other_have_none(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    panel = shown(await stage.ann.click(await last_board(stage, match), label="More"))
    assert not any("coach" in label for label in labels(panel))
