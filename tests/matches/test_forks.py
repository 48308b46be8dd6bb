"""Matches that continue a finished one: their lobby, their position, and what stays as it was."""

from __future__ import annotations

from games.engine.match import fold, verify
from matches.store.rows import MatchRow, Place
from tests.matches.test_lobby import seats
from tests.matches.world import ANN, BOB, CYD, DAN, World, opened, played, refused


async def over(world: World, *, rounds: int = 2) -> MatchRow:
    """A match of three, over after some moves."""
    row = (await world.match(ANN, BOB, CYD, seats=3, rated=True, options={"rounds": rounds})).row
    for who in (ANN, BOB, CYD):
        await world.move(row.id, who)
    played(await world.play.resign(row.id, CYD.id, request=world.new))
    await world.move(row.id, ANN)
    return played(await world.play.resign(row.id, BOB.id, request=world.new)).row


async def test_a_fork_opens_a_lobby_with_the_position_of_a_move(world: World) -> None:
    source = await over(world)
    lobby = opened(await world.service.forks.open(source, DAN, Place(900, 33), request="f", move=3)).row
    assert (lobby.status, lobby.game, lobby.options) == ("lobby", source.game, source.options)
    assert lobby.provenance.origin is not None
    assert (lobby.provenance.origin.match, lobby.provenance.origin.move) == (source.id, 3)
    assert not lobby.conditions.rated
    assert source.conditions.rated
    begins = await world.service.forks.begins(lobby)
    assert begins is not None
    assert begins.plays == 3
    assert begins.log == ()
    await world.lobbies.join(lobby.id, ANN, request=world.new)
    begun = played(await world.lobbies.start(lobby.id, DAN.id, request="s"))
    assert begun.match.state == begins.state
    assert begun.match.id == lobby.id
    assert begun.match.commit != fold([one.entry for one in await world.store.log(source.id)]).commit
    assert begun.facts[0].msg.key == "match.fact.origin"


async def test_who_has_left_is_replaced_by_a_computer_that_never_plays(world: World) -> None:
    source = await over(world)
    lobby = opened(await world.service.forks.open(source, DAN, Place(900, 33), request="f", move=4)).row
    assert lobby.provenance.origin is not None
    assert lobby.provenance.origin.out == (2,)
    assert seats(lobby) == "4 - *"
    invited = world.service.forks.open(source, DAN, Place(900, 33), request="g", move=4, invited=(ANN, BOB))
    assert refused(await invited) == "lobby.refuse.invited"
    await world.lobbies.join(lobby.id, ANN, request=world.new)
    played(await world.lobbies.start(lobby.id, DAN.id, request="s"))
    end = await world.play_out(lobby.id, DAN, ANN)
    assert verify(end.match.log) == ()
    await world.check(lobby.id)
    again = opened(await world.rematches.open(lobby.id, DAN, request=world.new)).row
    assert again.provenance.origin == lobby.provenance.origin
    assert seats(again) == "1? 4 *"


async def test_seats_and_options_stay_as_they_were(world: World) -> None:
    source = await over(world, rounds=3)
    lobby = opened(await world.service.forks.open(source, ANN, Place(900, 33), request="f")).row
    assert lobby.options["rounds"] == 3
    why = await world.lobbies.configure(lobby.id, ANN.id, request="c", options={"rounds": 2})
    assert refused(why) == "lobby.refuse.origin"
    assert refused(await world.lobbies.configure(lobby.id, ANN.id, request="d", seats=2)) == (
        "lobby.refuse.origin"
    )
    swapped = opened(await world.lobbies.swap(lobby.id, ANN.id, 0, 1, request="e")).row
    assert swapped.seats[1].user == ANN.id


async def test_only_what_is_over_can_be_continued(world: World) -> None:
    live = (await world.match(ANN, BOB)).row
    lobby = await world.open_lobby(CYD)
    fork = world.service.forks.open
    assert refused(await fork(live, ANN, Place(900, 33), request="a")) == "match.fork.live"
    assert refused(await fork(lobby, ANN, Place(900, 33), request="b")) == "match.refuse.not_started"
    source = await over(world)
    assert refused(await fork(source, ANN, Place(900, 33), request="c", move=5)) == "match.fork.move"
    assert refused(await fork(source, ANN, Place(900, 33), request="c", move=10**6)) == "match.fork.move"


async def test_a_doubled_request_opens_one_lobby(world: World) -> None:
    source = await over(world)
    first = opened(await world.service.forks.open(source, ANN, Place(900, 33), request="f"))
    second = opened(await world.service.forks.open(source, ANN, Place(900, 33), request="f"))
    assert (second.row.id, second.repeated) == (first.row.id, True)


async def test_a_fork_of_a_fork_refers_to_the_fork(world: World) -> None:
    source = await over(world)
    lobby = opened(await world.service.forks.open(source, ANN, Place(900, 33), request="f", move=0)).row
    for who in (BOB, CYD):
        await world.lobbies.join(lobby.id, who, request=world.new)
    await world.lobbies.start(lobby.id, ANN.id, request="s")
    row = (await world.play_out(lobby.id, ANN, BOB, CYD)).row
    world.restart()
    again = opened(await world.service.forks.open(row, BOB, Place(900, 34), request="g", move=1)).row
    assert again.provenance.origin is not None
    assert (again.provenance.origin.match, again.provenance.origin.move) == (row.id, 1)
    assert (begins := await world.service.forks.begins(again)) is not None
    assert begins.hosting.origin is not None
    assert begins.hosting.origin.match == source.id


async def test_a_position_that_cannot_be_read_any_more_is_said(world: World) -> None:
    source = await over(world)
    lobby = opened(await world.service.forks.open(source, ANN, Place(900, 33), request="f")).row
    assert lobby.provenance.origin is not None
    await world.lobbies.join(lobby.id, BOB, request=world.new)
    world.restart()
    broken = world.service.lobbies._core.origins

    async def lost(*_: object) -> object:
        raise LookupError

    broken.origin = lost  # type: ignore[method-assign,assignment]
    assert refused(await world.service.lobbies.start(lobby.id, ANN.id, request="s")) == "match.fork.lost"
