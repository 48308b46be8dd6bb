"""The times of a tournament: sign-up that ends on its own, check-in before that, and more time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games.engine.match import Kind
from matches.clocks.control import per_move, to_json
from matches.results import Refused
from matches.store.tournaments import TournamentRow
from matches.tournaments import tournament_rules
from tests.matches.clock_acts import DAY
from tests.matches.test_tournaments import ORG, PEOPLE, begun, finish, now, opened, told
from tests.matches.world import World, refused


async def test_sign_up_ends_on_time_and_the_tournament_starts(world: World) -> None:
    cups = world.service.tournaments
    cup = await opened(world, *PEOPLE[:4], hours=2)
    await cups.tick()
    world.clock.advance(timedelta(hours=2))
    assert refused(await cups.join(cup, PEOPLE[4])) == "tournament.refuse.closed"
    assert refused(await cups.add_computer(cup, ORG.id, "random")) == "tournament.refuse.closed"
    await cups.tick()
    assert len(await cups.tick()) == 2
    row = await now(world, cup)
    assert row.status == "running"
    assert sorted(one.user or 0 for one in row.entrants) == [1, 2, 3, 4]
    (started,) = [one for one in await world.store.tournament_log(cup) if one.kind == "started"]
    assert started.user is None


async def test_with_too_few_people_sign_up_goes_on(world: World) -> None:
    cups = world.service.tournaments
    cup = await opened(world, PEOPLE[0], hours=1)
    world.clock.advance(timedelta(hours=1))
    await cups.tick()
    row = await now(world, cup)
    assert (row.status, row.deadline) == ("open", None)
    assert (await world.store.tournament_log(cup))[-1].kind == "few"
    told(await cups.join(cup, PEOPLE[1]))
    await cups.tick()
    assert (await now(world, cup)).status == "open", "now the organiser starts it"
    told(await cups.start(cup, ORG.id))


async def test_who_does_not_check_in_is_out(world: World) -> None:
    cups = world.service.tournaments
    cup = await opened(world, *PEOPLE[:4], hours=2, check_in=30)
    told(await cups.add_computer(cup, ORG.id, "random"))
    await cups.tick()
    assert refused(await cups.join(cup, PEOPLE[0])) == "tournament.refuse.check_in_early"
    world.clock.advance(timedelta(minutes=90))
    await cups.tick()
    assert (await now(world, cup)).checking
    for who in PEOPLE[:2]:
        told(await cups.join(cup, who))
    assert refused(await cups.join(cup, PEOPLE[0])) == "tournament.refuse.here"
    told(await cups.join(cup, PEOPLE[5]))  # who joins now is here
    await cups.tick()
    world.clock.advance(timedelta(minutes=30))
    await cups.tick()
    row = await now(world, cup)
    assert row.status == "running"
    assert {one.user for one in row.entrants} == {1, 2, 6, None}
    kinds = [one.kind for one in await world.store.tournament_log(cup)]
    assert [kind for kind in kinds if kind in ("check_in", "absent", "started")] == [
        "check_in",
        "absent",
        "started",
    ]


async def test_the_organiser_gives_more_time_and_check_in_begins_anew(world: World) -> None:
    cups = world.service.tournaments
    cup = await opened(world, *PEOPLE[:3], hours=1, check_in=30)

    async def until(hours: int | None, by: int = ORG.id) -> TournamentRow | Refused:
        at = world.clock.now()
        new = None if hours is None else at + timedelta(hours=hours)
        return await cups.organise(cup, by, lambda row: tournament_rules.set_deadline(row, new, by, at))

    world.clock.advance(timedelta(minutes=30))
    await cups.tick()
    told(await cups.join(cup, PEOPLE[0]))
    assert refused(await until(3, by=1)) == "tournament.refuse.organiser"
    assert refused(await until(None)) == "tournament.refuse.check_in"
    row = told(await until(3))
    assert not row.checking
    assert not any(one.here for one in row.entrants)
    world.clock.advance(timedelta(minutes=60))
    await cups.tick()
    assert (await now(world, cup)).status == "open"
    assert refused(await cups.join(cup, PEOPLE[0])) == "tournament.refuse.check_in_early"
    world.clock.advance(timedelta(minutes=90))
    await cups.tick()
    for who in PEOPLE[:3]:
        told(await cups.join(cup, who))
    world.clock.advance(timedelta(minutes=30))
    await cups.tick()
    assert (await now(world, cup)).status == "running"
    assert refused(await until(3)) == "tournament.refuse.begun"


async def test_the_organiser_gives_both_players_of_a_pairing_more_time(world: World) -> None:
    cups, hour = world.service.tournaments, 3600
    cup = await begun(world, *PEOPLE[:4], clock=to_json(per_move(DAY)))

    async def give(pairing: int, by: int = ORG.id, request: str = "") -> TournamentRow | Refused:
        return await cups.give_time(cup, by, pairing, hour, request=request or world.new)

    assert refused(await give(1)) == "tournament.refuse.pairing"
    first, second = await cups.tick()
    row = await now(world, cup)
    index = row.matches.index(first.id)
    assert refused(await give(3)) == "tournament.refuse.pairing"
    assert refused(await give(index + 1, by=1)) == "tournament.refuse.organiser"
    for request in ("once", "once"):
        told(await give(index + 1, request=request))
    logged = [one.entry for one in await world.store.log(first.id)]
    given = [(one.seat, one.data) for one in logged if one.kind is Kind.RULING]
    assert given == [(0, "time 3600"), (1, "time 3600")]
    assert all(one.entry.kind is not Kind.RULING for one in await world.store.log(second.id))
    entry = (await world.store.tournament_log(cup))[-1]
    assert (entry.user, entry.kind) == (ORG.id, "time")
    assert dict(entry.data) == {"pairing": index + 1, "seconds": hour, "entry": logged[-1].seq}
    kinds = [one.kind for one in await world.store.tournament_log(cup)]
    assert kinds.count("time") == 1, "the same request counts once"
    await finish(world, first)
    await cups.tick()
    assert refused(await give(index + 1)) == "tournament.refuse.not_played"


async def test_more_time_is_noted_although_the_pairing_has_its_result_by_then(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cups, core = world.service.tournaments, world.service.tournaments._core
    cup = await begun(world, *PEOPLE[:2], clock=to_json(per_move(DAY)))
    await cups.tick()
    plain = core.decide

    async def and_repaired(*args: Any, **how: Any) -> Any:
        given = await plain(*args, **how)
        told(await cups.repair(cup, ORG.id, 1, "draw"))
        return given

    monkeypatch.setattr(core, "decide", and_repaired)
    told(await cups.give_time(cup, ORG.id, 1, 60, request=world.new))
    assert [one.kind for one in await world.store.tournament_log(cup)][-2:] == ["repaired", "time"]


async def test_more_time_needs_a_clock_and_a_match_of_others(world: World) -> None:
    cups = world.service.tournaments
    plain = await begun(world, *PEOPLE[:2])
    timed = await begun(world, ORG, PEOPLE[2], clock=to_json(per_move(DAY)))
    await cups.tick()
    for cup, why in ((plain, "match.refuse.no_clock"), (timed, "match.refuse.moderate_own")):
        assert refused(await cups.give_time(cup, ORG.id, 1, 60, request=world.new)) == why
        assert (await world.store.tournament_log(cup))[-1].kind != "time"
    unknown = await cups.give_time(99, ORG.id, 1, 60, request=world.new)
    assert refused(unknown) == "tournament.refuse.unknown"
