"""Rematches: seats rotated by one, the same options, one lobby for any number of requests."""

from __future__ import annotations

import asyncio

from matches.store.rows import Place
from tests.matches.test_lobby import seats
from tests.matches.world import ANN, BOB, CYD, DAN, World, opened, played, refused


async def test_the_seats_turn_and_the_others_are_invited(world: World) -> None:
    row = await world.open_lobby(ANN, BOB, options={"rounds": 3}, seats=3)
    await world.lobbies.add_computer(row.id, 1, request="a")
    await world.lobbies.start(row.id, 1, request="b")
    await world.channels.record(row.id, thread=77)
    await world.play.resign(row.id, 1, request="c")
    await world.play.resign(row.id, 2, request="d")
    new = opened(await world.rematches.open(row.id, BOB, request="e")).row
    assert seats(new) == "2 * 1?"
    assert (new.host, new.provenance.previous, new.options) == (BOB.id, row.id, {"pairs": False, "rounds": 3})
    assert new.place == Place(900, 10, 77)
    assert new.secret != row.secret


async def test_a_second_press_finds_the_lobby_and_accepts(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.play.abort(id_, 1, request="a")
    new = opened(await world.rematches.open(id_, ANN, request="b")).row
    assert opened(await world.rematches.open(id_, ANN, request="c")).row == new
    repeated = opened(await world.rematches.open(id_, ANN, request="b"))
    assert (repeated.row, repeated.repeated) == (new, True)
    accepted = opened(await world.rematches.open(id_, BOB, request="d")).row
    assert (accepted.id, seats(accepted)) == (new.id, "2 1")
    await world.lobbies.start(new.id, ANN.id, request="e")
    assert opened(await world.rematches.open(id_, BOB, request="f")).row.status == "live"


async def test_two_presses_at_once_make_one_lobby(world: World) -> None:
    id_ = (await world.match(ANN, BOB, CYD)).row.id
    await world.play.abort(id_, 1, request="a")
    answers = await asyncio.gather(
        *(world.rematches.open(id_, who, request=f"b{who.id}") for who in (ANN, BOB, CYD))
    )
    assert len({opened(answer).row.id for answer in answers}) == 1
    assert seats((await world.store.by_user(1, ("lobby",)))[0]) == "2 3 1"


async def test_who_declined_may_change_their_mind(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.play.abort(id_, 1, request="a")
    new = opened(await world.rematches.open(id_, ANN, request="b")).row
    await world.lobbies.leave(new.id, BOB.id, request="c")
    assert opened(await world.rematches.open(id_, BOB, request="d")).row.id == new.id


async def test_a_closed_rematch_makes_room_for_another(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.play.abort(id_, 1, request="a")
    new = opened(await world.rematches.open(id_, ANN, request="b", place=Place(900, 33))).row
    assert new.place == Place(900, 33)
    await world.lobbies.close(new.id, ANN.id, request="c")
    assert opened(await world.rematches.open(id_, BOB, request="d")).row.id != new.id


async def test_a_rematch_is_for_those_who_played_once_it_is_over(world: World) -> None:
    begun = await world.match(ANN, BOB)
    lobby = (await world.open_lobby(ANN)).id
    rematch = world.rematches.open
    assert refused(await rematch(begun.row.id, ANN, request="a")) == "match.refuse.rematch"
    assert refused(await rematch(begun.row.id, DAN, request="a")) == "match.refuse.not_yours"
    assert refused(await rematch(lobby, ANN, request="a")) == "match.refuse.not_started"
    assert refused(await rematch("W-ZZZ", ANN, request="a")) == "match.refuse.unknown"
    played(await world.play.resign(begun.row.id, 1, request="b"))
    world.settings = {"max_open_per_user": 1}
    world.restart()
    assert refused(await world.rematches.open(begun.row.id, ANN, request="c")) == "lobby.refuse.many"
