"""Leagues: seasons with a start and an end, divisions, and the next season that follows from the last."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from matches.results import Person
from matches.store.moderation import ModerationRow
from matches.store.tournaments import TournamentRow
from matches.tournaments import tournament_rules
from tests.matches.test_tournaments import ORG, PEOPLE, PLAN, begun, finish, now, opened, play, told
from tests.matches.world import World, refused
from tournaments.league import next_order, sizes

MORE = [Person(n, f"P{n}") for n in range(10, 15)]
CROWD = [*PEOPLE, *MORE][:9]


async def season(world: World, *people: Person, **plan: Any) -> int:
    """A league of divisions of three that has begun."""
    return await begun(world, *people, format="league", group=3, at_once=9, **plan)


async def latest(world: World) -> TournamentRow:
    """The tournament of the server that goes on."""
    return (await world.store.tournaments_in(900, 1))[0]


async def kinds(world: World, cup: int) -> list[str]:
    return [entry.kind for entry in await world.store.tournament_log(cup)]


async def test_a_season_is_played_in_divisions_and_the_next_follows_from_it(world: World) -> None:
    cup = await season(world, *CROWD)
    row = await play(world, cup)
    assert len(row.pairings) == 9
    assert sizes(9, row.plan.group) == (3, 3, 3)
    following = await latest(world)
    assert following.id != cup
    assert (following.status, following.plan.season, following.plan.followed) == ("open", 2, False)
    assert following.deadline == world.clock.now() + tournament_rules.BREAK
    order = [row.entrant(number).user for number in next_order(row.event)]
    assert [one.user for one in following.entrants] == order
    assert (await kinds(world, cup))[-2:] == ["over", "next"]
    assert await kinds(world, following.id) == ["season"]
    late = PEOPLE[0] if PEOPLE[0].id not in order else MORE[0]
    told(await world.service.tournaments.join(following.id, late))
    world.clock.advance(tournament_rules.BREAK)
    await world.service.tournaments.tick()
    started = await latest(world)
    assert started.status == "running"
    assert [one.user for one in started.entrants] == [*order, late.id], "whoever is new comes last"
    row = await play(world, following.id)
    assert (await latest(world)).plan.season == 3


async def test_who_left_or_never_played_is_not_in_the_next_season(world: World) -> None:
    cup = await season(world, *CROWD[:4], days=10)
    row = await now(world, cup)
    lazy, gone = row.entrants[3].user or 0, row.entrants[2].user or 0
    for match in await world.service.tournaments.tick():
        if lazy not in {seat.user for seat in match.seats}:
            await finish(world, match)
    await world.service.tournaments.tick()
    told(await world.service.tournaments.leave(cup, gone))
    world.clock.advance(timedelta(days=10))
    await world.service.tournaments.tick()
    row = await now(world, cup)
    assert row.status == "over"
    assert "unplayed" in await kinds(world, cup)
    assert {one.user for one in (await latest(world)).entrants} == {1, 2, 3, 4} - {lazy, gone}


async def test_a_season_ends_on_its_day_and_what_is_not_over_gives_nobody_a_point(world: World) -> None:
    cup = await season(world, *CROWD[:3], days=7)
    first, *_ = await world.service.tournaments.tick()
    await finish(world, first)
    await world.service.tournaments.tick()
    world.clock.advance(timedelta(days=6, hours=23))
    await world.service.tournaments.tick()
    assert (await now(world, cup)).status == "running"
    world.clock.advance(timedelta(hours=1))
    await world.service.tournaments.tick()
    row = await now(world, cup)
    assert row.status == "over"
    assert sorted(one.points or () for one in row.pairings) == [(0, 0), (0, 0), (2, 0)]
    other = next(match for match in row.matches if match not in (None, first.id))
    live = await world.store.match(str(other))
    assert live is not None
    assert live.status == "live", "the match itself goes on"


async def test_the_organiser_moves_the_end_and_a_pause_keeps_the_season_open(world: World) -> None:
    cup = await season(world, *CROWD[:3], days=7)
    cups, at = world.service.tournaments, world.clock.now()
    later = at + timedelta(days=20)
    told(await cups.organise(cup, ORG.id, lambda row: tournament_rules.set_deadline(row, later, ORG.id, at)))
    told(await cups.organise(cup, ORG.id, lambda row: tournament_rules.set_status(row, "paused", ORG.id, at)))
    world.clock.advance(timedelta(days=21))
    await cups.tick()
    assert (await now(world, cup)).status == "paused"
    at = world.clock.now()
    told(await cups.organise(cup, ORG.id, lambda row: tournament_rules.set_deadline(row, None, ORG.id, at)))
    told(
        await cups.organise(cup, ORG.id, lambda row: tournament_rules.set_status(row, "running", ORG.id, at))
    )
    await cups.tick()
    assert (await now(world, cup)).status == "running", "now it ends once everything is played"
    assert (await play(world, cup)).status == "over"


async def test_a_repair_after_the_end_opens_no_second_season(world: World) -> None:
    cup = await season(world, *CROWD[:3])
    await play(world, cup)
    told(await world.service.tournaments.repair(cup, ORG.id, 1, "draw"))
    for _ in range(3):
        await world.service.tournaments.tick()
    assert (await now(world, cup)).status == "over"
    rows = await world.store.tournaments_in(900, 9)
    assert sorted(row.plan.season for row in rows) == [1, 2]


async def test_a_league_that_nobody_plays_any_longer_ends(world: World) -> None:
    cup = await season(world, *CROWD[:3], days=7)
    await world.service.tournaments.tick()
    world.clock.advance(timedelta(days=8))
    await world.service.tournaments.tick()
    assert (await now(world, cup)).status == "over"
    assert len(await world.store.tournaments_in(900, 9)) == 1


async def test_a_kill_at_the_end_of_a_season_opens_the_next_one_once(world: World) -> None:
    cup = await season(world, *CROWD[:3])
    for match in await world.service.tournaments.tick():
        await finish(world, match)
    real = world.store

    class Killed:
        def __getattr__(self, name: str) -> Any:
            if name == "save_tournament":
                raise ConnectionError("killed")
            return getattr(real, name)

    world.store = Killed()
    world.restart()
    await world.service.tournaments.tick()
    world.store = real
    world.restart()
    world.clock.advance(timedelta(minutes=2))
    for _ in range(3):
        await world.service.tournaments.tick()
    assert (await now(world, cup)).status == "over"
    assert sorted(row.plan.season for row in await world.store.tournaments_in(900, 9)) == [1, 2]


async def test_barred_people_are_not_in_the_next_season(world: World) -> None:
    cup = await season(world, *CROWD[:4])
    await play(world, cup)
    following = await latest(world)
    await world.store.moderate(ModerationRow(900, 99, "forbid", "spam", world.clock.now(), person=1))
    await world.service.tournaments.tick()
    assert 1 not in {one.user for one in (await now(world, following.id)).entrants}


async def test_divisions_have_at_least_three(world: World) -> None:
    cups = world.service.tournaments
    plan = replace(PLAN, format="league", group=2)
    assert refused(await cups.create(ORG, 900, 10, "x", "toy", plan)) == "tournament.refuse.division"
    assert await opened(world, format="league", group=3)
