"""Matches with a clock on the stage, before a lobby can choose one, and time that passes in them."""

from __future__ import annotations

from typing import Any

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from matches.clocks.control import TimeControl
from matches.results import Person
from tests.bot.stage import Stage


async def clocked(
    stage: Stage, clock: TimeControl, *people: MemberActor, **options: Any
) -> tuple[str, ChannelHandle]:
    """A match with that clock, by default of Ann and Ben; its id and its channel."""
    people = people or (stage.ann, stage.ben)
    match, _ = await stage.open(*people, start=False, **options)
    await stage.bot.context.service.lobbies.set_clock(match, people[0].id, clock, request=f"clock {match}")
    await people[0].click(await stage.lobby(match), label="Start")
    row = await stage.row(match)
    return match, stage.home(row)


async def direct(stage: Stage, clock: TimeControl) -> str:
    """A match with that clock of Ann and Ben in direct messages, whose first boards stand; its id."""
    await stage.ann.user.slash("play", game="focus", players=2, friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    lobbies = stage.bot.context.service.lobbies
    await lobbies.join(row.id, Person(stage.ben.id, "Ben"), request="join")
    await lobbies.set_clock(row.id, stage.ann.id, clock, request="clock")
    await lobbies.start(row.id, stage.ann.id, request="start")
    await stage.deliver(row.id)
    await sweep(stage)
    return row.id


async def pass_time(stage: Stage, **units: float) -> None:
    """Let time pass, and have done and posted what it makes due."""
    hours = units.get("days", 0) * 24 + units.get("hours", 0)
    stage.env.backend.advance_clock(hours * 3600 + units.get("minutes", 0) * 60)
    await sweep(stage)


async def sweep(stage: Stage) -> None:
    """Have done and posted what is due by the clocks."""
    await stage.bot.context.service.time_up.tick()
    await stage.bot.context.delivery.send()
    await stage.env.settle()
