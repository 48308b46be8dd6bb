"""What a moderator decides about a match of a tournament counts there as any other result."""

from __future__ import annotations

from typing import Any

import pytest

from matches.clocks.control import per_move, to_json
from matches.people.moderation import Ruling, SeatHeld
from matches.standing.match_results import result_of
from matches.store.rows import MatchRow
from tests.matches.clock_acts import DAY, shown
from tests.matches.test_tournaments import PARTNERS, PEOPLE, begun, now, play
from tests.matches.world import World
from tournaments.standings import standings

MODERATOR = 99


def by(world: World) -> Ruling:
    return Ruling(900, MODERATOR, "no show", world.new)


async def award(world: World, row: MatchRow, seat: int) -> MatchRow:
    """Let a moderator award a match to a seat."""
    held = SeatHeld(seat, row.seats[seat].user)
    ended = await world.service.moderation.award(row.id, by(world), held)
    assert isinstance(ended, MatchRow), ended
    return ended


async def draw(world: World, row: MatchRow) -> MatchRow:
    """Let a moderator end a match as a draw."""
    ended = await world.service.moderation.draw(row.id, by(world))
    assert isinstance(ended, MatchRow), ended
    return ended


@pytest.mark.parametrize("how", ["round_robin", "swiss"])
async def test_a_ruling_counts_in_the_standings(world: World, how: Any) -> None:
    cup = await begun(world, *PEOPLE[:4], format=how, at_once=1)
    one, other = await world.service.tournaments.tick()
    await award(world, one, 1)
    await draw(world, other)
    await world.service.tournaments.tick()
    row = await now(world, cup)
    points = {row.matches[index]: pairing.points for index, pairing in enumerate(row.pairings)}
    assert (points[one.id], points[other.id]) == ((0, 2), (1, 1))
    assert all(pairing.played for pairing in row.pairings[:2]), "it is no forfeit"
    winner = row.number_of(one.seats[1].user or 0)
    assert (standings(row.event)[0].number, standings(row.event)[0].points) == (winner, 2)
    kinds = [entry.kind for entry in await world.store.tournament_log(cup)]
    assert kinds.count("result") == 2
    assert (await play(world, cup)).status == "over"


@pytest.mark.parametrize("how", ["single", "double"])
async def test_who_is_awarded_a_match_goes_on_in_an_elimination(world: World, how: Any) -> None:
    cup = await begun(world, *PEOPLE[:4], format=how)
    started = await world.service.tournaments.tick()
    for row in started:
        await award(world, row, 1)
    await world.service.tournaments.tick()
    winners = {row.seats[1].user for row in started}
    after = await now(world, cup)
    met = [{after.entrant(number).user for number in one.seats} for one in after.pairings[2:]]
    assert winners in met
    over = await play(world, cup)
    assert over.entrant(standings(over.event)[0].number).user in winners


async def test_a_match_of_an_elimination_drawn_by_a_moderator_is_played_once_more(world: World) -> None:
    cup = await begun(world, *PEOPLE[:2], format="single")
    (first,) = await world.service.tournaments.tick()
    await draw(world, first)
    (second,) = await world.service.tournaments.tick()
    assert [seat.user for seat in second.seats] == [seat.user for seat in reversed(first.seats)]
    await draw(world, second)
    assert await world.service.tournaments.tick() == ()
    row = await now(world, cup)
    assert [one.points for one in row.pairings] == [(1, 1), (1, 1)]
    assert (row.status, standings(row.event)[0].number) == ("over", 1), "the better seed passes"


async def test_an_award_counts_for_the_side_of_a_team(world: World) -> None:
    cup = await begun(world, *PEOPLE[:4], format="single", game="focus", teams=("Reds", "Blues"), **PARTNERS)
    (match,) = await world.service.tournaments.tick()
    await award(world, match, 3)
    await world.service.tournaments.tick()
    row = await now(world, cup)
    assert (row.status, row.pairings[0].points) == ("over", (0, 2, 0, 2))
    assert standings(row.event)[0].number == row.entrant(row.pairings[0].seats[1]).team


async def test_an_award_in_a_group_counts_although_someone_never_moved(world: World) -> None:
    clock = to_json(per_move(DAY))
    cup = await begun(world, *PEOPLE[:3], format="groups", seats=3, rounds=1, clock=clock)
    (match,) = await world.service.tournaments.tick()
    await shown(world, match.id)
    for seat in match.seats[1:]:
        await world.move(match.id, next(one for one in PEOPLE if one.id == seat.user))
    for _ in range(2):
        world.clock.advance(DAY / 2)
        await world.service.time_up.tick()
    live = await world.store.match(match.id)
    assert live is not None
    assert live.status == "live", "the first seat's time is up, and the others play on"
    await award(world, live, 2)
    stored = await world.store.match_result(match.id)
    assert stored is not None
    out = [(one.timed_out is not None, one.moves) for one in stored[0].people]
    assert out == [(True, 0), (False, 1), (False, 1)]
    await world.service.tournaments.tick()
    row = await now(world, cup)
    assert row.status == "over"
    assert row.pairings[0].points == (1, 1, 4)


async def test_a_ruling_in_a_rated_match_of_a_tournament_follows_from_its_log(world: World) -> None:
    await begun(world, *PEOPLE[:4], format="round_robin", rated=True, at_once=1)
    started = await world.service.tournaments.tick()
    for number, row in enumerate(started):
        for who in row.seats:
            await world.move(row.id, next(one for one in PEOPLE if one.id == who.user))
        fresh = await world.store.match(row.id)
        assert fresh is not None
        ended = await (draw(world, fresh) if number else award(world, fresh, 1))
        stored = await world.store.match_result(row.id)
        assert stored is not None
        result, changes = stored
        assert result == result_of(ended, await world.store.log(row.id), await world.store.holders(row.id))
        assert len(changes) == 4, "it counts, here and everywhere"
        assert [one.place for one in result.people] == ([1, 1] if number else [2, 1])
