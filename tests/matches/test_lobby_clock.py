"""The clock of a lobby: whoever hosts changes it, each change counts once, and the match begins with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.clocks.control import PRESETS, TimeControl, from_json, per_move, to_json
from tests.matches.world import ANN, BOB, World, opened, played, refused


def longer(clock: TimeControl | None) -> TimeControl:
    """Return a clock with a day more for each move."""
    return per_move(timedelta(days=1) if clock is None else clock.bank + timedelta(days=1))


async def test_the_host_changes_the_clock_by_what_it_is(world: World) -> None:
    row = await world.open_lobby(ANN, BOB)
    for days in (1, 2, 3):
        row = opened(await world.lobbies.change_clock(row.id, ANN.id, longer, request=world.new)).row
        assert row.conditions.clock == to_json(per_move(timedelta(days=days)))
    no = refused(await world.lobbies.change_clock(row.id, BOB.id, longer, request=world.new))
    assert no == "lobby.refuse.host"
    started = played(await world.lobbies.start(row.id, ANN.id, request=world.new))
    assert started.match.hosting.clock == row.conditions.clock
    no = refused(await world.lobbies.change_clock(row.id, ANN.id, longer, request=world.new))
    assert no == "lobby.refuse.live"


async def test_a_change_counts_once(world: World) -> None:
    row = await world.open_lobby(ANN)
    for _ in range(2):
        row = opened(await world.lobbies.change_clock(row.id, ANN.id, longer, request="twice")).row
    assert row.conditions.clock == to_json(per_move(timedelta(days=1)))
    world.restart()
    row = opened(await world.lobbies.change_clock(row.id, ANN.id, longer, request="twice")).row
    assert row.conditions.clock == to_json(per_move(timedelta(days=1)))


async def test_a_lobby_opens_with_a_clock_and_loses_it(world: World) -> None:
    row = await world.open_lobby(ANN, clock=PRESETS["steady"])
    assert row.conditions.clock is not None
    assert from_json(row.conditions.clock) == PRESETS["steady"]
    row = opened(await world.lobbies.set_clock(row.id, ANN.id, None, request=world.new)).row
    assert row.conditions.clock is None
    lost = replace(per_move(timedelta(days=3)), follows="loss")
    row = opened(await world.lobbies.set_clock(row.id, ANN.id, lost, request=world.new)).row
    assert row.conditions.clock is not None
    assert from_json(row.conditions.clock) == lost
