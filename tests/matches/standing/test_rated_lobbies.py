"""Whether a match counts for ratings is agreed in its lobby, before anyone joins."""

from __future__ import annotations

import json

from matches.standing.ratings import computer_ratings
from tests.matches.world import ANN, BOB, World, opened, played, refused


async def test_a_lobby_is_friendly_unless_its_host_makes_it_rated(world: World) -> None:
    row = await world.open_lobby(ANN)
    assert row.conditions.rated is False
    row = opened(await world.lobbies.set_rated(row.id, ANN.id, rated=True, request=world.new)).row
    assert row.conditions.rated is True
    answer = await world.lobbies.set_rated(row.id, BOB.id, rated=False, request=world.new)
    assert refused(answer) == "lobby.refuse.host"


async def test_once_someone_has_joined_it_stays_as_it_was(world: World) -> None:
    for before in (True, False):
        row = await world.open_lobby(ANN, BOB, rated=before)
        answer = await world.lobbies.set_rated(row.id, ANN.id, rated=not before, request=world.new)
        assert refused(answer) == "lobby.refuse.rated"
        same = await world.lobbies.set_rated(row.id, ANN.id, rated=before, request=world.new)
        assert opened(same).row.conditions.rated is before


async def test_a_rated_match_gives_no_hints_and_its_rematch_is_rated(world: World) -> None:
    row = (await world.match(ANN, BOB, rated=True)).row
    assert (row.conditions.rated, row.conditions.hints, row.takes_hints) == (True, True, False)
    for who in (ANN, BOB):
        answer = await world.service.hints.show(row.id, who.id, request=world.new)
        assert refused(answer) == "match.refuse.hints_rated"
    played(await world.play.resign(row.id, ANN.id, request=world.new))
    assert opened(await world.rematches.open(row.id, ANN, request=world.new)).row.conditions.rated is True


async def test_with_a_measured_computer_it_is_rated_and_its_log_has_the_strength(world: World) -> None:
    row = await world.open_lobby(ANN, game="dominance", rated=True)
    await world.lobbies.add_computer(row.id, ANN.id, request=world.new, level="average")
    begun = played(await world.lobbies.start(row.id, ANN.id, request=world.new))
    assert (begun.row.conditions.rated, begun.row.takes_hints) == (True, False)
    (computer,) = (seat for seat in begun.row.seats if seat.level)
    known = computer_ratings("dominance", "2")["average"]
    start = json.loads((await world.store.log(row.id))[0].entry.data)
    assert start["computers"] == {str(computer.seat): [known.mu, known.sigma]}


async def test_with_a_computer_of_unknown_strength_it_is_friendly_and_gives_hints(world: World) -> None:
    row = await world.open_lobby(ANN, rated=True)
    await world.lobbies.add_computer(row.id, ANN.id, request=world.new)
    begun = played(await world.lobbies.start(row.id, ANN.id, request=world.new))
    assert (begun.row.conditions.rated, begun.row.takes_hints) == (False, True)
