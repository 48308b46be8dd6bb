"""Tournaments of the service: sign-up, matches that start and end, repairs, kills, and each refusal."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from games.engine import registry
from matches.clocks.control import per_move, to_json
from matches.results import Person, Refused
from matches.store.moderation import ModerationRow
from matches.store.rows import MatchRow
from matches.store.standing import EVERYWHERE, Ladder
from matches.store.tournaments import TournamentPlan, TournamentRow
from matches.tournaments import tournament_rules
from tests.matches.clock_acts import DAY, shown
from tests.matches.world import World, refused
from tournaments.standings import standings

ORG = Person(50, "Org")
PEOPLE = [Person(n, f"P{n}") for n in range(1, 10)]
PLAN = TournamentPlan("swiss", 3, 16, 2)
PARTNERS = {"seats": 4, "options": {"partners": True}}
ALLIES = {"seats": 4, "options": {"allied": True}}
KILLED: tuple[dict[str, Any], ...] = (
    {},
    {"format": "single", "teams": ("Reds", "Blues")},
    {"format": "swiss", "game": "focus", "teams": ("Reds", "Blues"), **PARTNERS},
    {"format": "double", "game": "dominion", "teams": ("Reds", "Blues"), **ALLIES},
)
"""Tournaments whose processes are killed: of single people, and of teams on two boards of two or four."""


def told(answer: TournamentRow | Refused) -> TournamentRow:
    assert isinstance(answer, TournamentRow), answer
    return answer


async def opened(world: World, *people: Person, hours: int = 0, game: str = "toy", **plan: Any) -> int:
    """A tournament that people have joined, by its id; sign-up ends in `hours`, if not 0."""
    cups = world.service.tournaments
    deadline = world.clock.now() + timedelta(hours=hours) if hours else None
    row = told(await cups.create(ORG, 900, 10, "Spring", game, replace(PLAN, **plan), deadline))
    for who in people:
        told(await cups.join(row.id, who))
    return row.id


async def begun(world: World, *people: Person, **plan: Any) -> int:
    cup = await opened(world, *people, **plan)
    told(await world.service.tournaments.start(cup, ORG.id))
    return cup


async def now(world: World, cup: int) -> TournamentRow:
    row = await world.store.tournament(cup)
    assert row is not None
    return row


async def finish(world: World, row: MatchRow) -> None:
    """The match ends: the second seat resigns."""
    loser = row.seats[1].user or row.seats[0].user
    assert loser is not None
    await world.play.resign(row.id, loser, request=world.new)


async def play(world: World, cup: int) -> TournamentRow:
    """Play a tournament to its end."""
    for _ in range(60):
        await world.service.tournaments.tick()
        for match in (await now(world, cup)).matches:
            row = None if match is None else await world.store.match(match)
            if row is not None and row.status == "live":
                await finish(world, row)
        if (await now(world, cup)).status == "over":
            return await now(world, cup)
    raise AssertionError("it doesn't end")


@pytest.mark.parametrize("how", ["swiss", "round_robin", "single", "double"])
async def test_a_tournament_is_played_to_its_end(world: World, how: Any) -> None:
    cup = await begun(world, *PEOPLE[:5], format=how)
    row = await play(world, cup)
    assert row.event.open == ()
    assert standings(row.event)[0].place == 1
    games = [match for match in row.matches if match is not None]
    assert len(set(games)) == len(games)
    for index, match in enumerate(row.matches):
        if match is not None:
            found = await world.store.match(match)
            assert found is not None
            seated = [row.entrant(number).user for number in row.pairings[index].seats]
            assert [seat.user for seat in found.seats] == seated
            assert row.pairings[index].points == (2, 0)
    kinds = [entry.kind for entry in await world.store.tournament_log(cup)]
    assert kinds.count("match") == kinds.count("result") == len(games)
    assert kinds[-1] == "over"


async def test_nobody_has_more_matches_at_once_than_agreed(world: World) -> None:
    cup = await begun(world, *PEOPLE[:6], format="round_robin", at_once=2)
    started = await world.service.tournaments.tick()
    for who in PEOPLE[:6]:
        assert sum(any(seat.user == who.id for seat in row.seats) for row in started) <= 2
    assert await world.service.tournaments.tick() == ()
    for row in started:
        await finish(world, row)
    assert len(await world.service.tournaments.tick()) > 1
    assert (await now(world, cup)).status == "running"


@pytest.mark.parametrize("step", ["create_match", "save_tournament"])
@pytest.mark.parametrize("left", [1, 2, 3])
@pytest.mark.parametrize("plan", KILLED)
async def test_a_kill_while_matches_start_makes_no_second_one(
    world: World, step: str, left: int, plan: dict[str, Any]
) -> None:
    people = PEOPLE[:4] if plan.get("seats", 2) == 2 else PEOPLE[:8]
    cup = await begun(world, *people, **plan)
    real = world.store

    class Killed:
        def __init__(self) -> None:
            self.left = left

        def __getattr__(self, name: str) -> Any:
            if name == {"create_match": "commit"}.get(step, step) and self.left <= 0:
                raise ConnectionError("killed")
            self.left -= name in ("commit", "save_tournament")
            return getattr(real, name)

    world.store = killed = Killed()
    world.restart()
    await world.service.tournaments.tick()
    assert killed.left <= 0
    world.store = real
    world.restart()
    world.clock.advance(timedelta(minutes=1))
    await world.service.tournaments.tick()
    assert await world.service.tournaments.tick() == ()
    for who in people:
        assert len(await real.by_user(who.id, ("live", "lobby"))) == 1
    row = await now(world, cup)
    assert all(row.matches)
    for pairing, match in zip(row.pairings, row.matches, strict=True):
        found = await real.match(str(match))
        assert found is not None
        assert [seat.user for seat in found.seats] == [row.entrant(number).user for number in pairing.seats]


@pytest.mark.parametrize("by_lot", [False, True])
async def test_people_are_seeded_by_rating_or_all_by_lot(world: World, by_lot: bool) -> None:
    toy = Ladder("toy", "2", EVERYWHERE)
    for who in PEOPLE[1:4]:  # the later ones have beaten more of the others
        for other in PEOPLE[: who.id - 1]:
            one = await world.match(other, who, rated=True)
            for each in (other, who):
                await world.move(one.row.id, each)
            await world.play.resign(one.row.id, other.id, request=world.new)
    ratings = {who.id: (await world.store.ratings_of(who.id))[toy].mu for who in PEOPLE[:4]}
    assert sorted(ratings.values()) == [ratings[who.id] for who in PEOPLE[:4]]
    orders = set()
    for _ in range(12):
        cup = await begun(world, *PEOPLE[:6], by_lot=by_lot)
        orders.add(tuple(one.user for one in (await now(world, cup)).entrants))
    rated = {order[:4] for order in orders}
    assert len({order[4:] for order in orders}) > 1, "those without a rating are seeded by lot"
    assert (rated == {(4, 3, 2, 1)}) == (not by_lot)
    assert len(rated) > 1 or not by_lot


async def test_a_withdrawal_forfeits_what_has_not_begun(world: World) -> None:
    cup = await begun(world, *PEOPLE[:4], format="round_robin", at_once=1)
    started = await world.service.tournaments.tick()
    told(await world.service.tournaments.leave(cup, 1))
    for row in started:
        await finish(world, row)
    await world.service.tournaments.tick()
    after = await now(world, cup)
    gone = next(one.number for one in after.entrants if one.user == 1)
    assert sorted(one.played for one in after.event.of(gone)) == [False, False, True]
    assert (await play(world, cup)).status == "over"


async def test_someone_who_never_moves_forfeits(world: World) -> None:
    cup = await begun(world, *PEOPLE[:2], clock=to_json(per_move(DAY)), format="single")
    (row,) = await world.service.tournaments.tick()
    await shown(world, row.id)
    for _ in range(3):
        world.clock.advance(DAY / 2)
        await world.service.time_up.tick()
    found = await world.store.match(row.id)
    assert found is not None
    assert found.status == "over"
    await world.service.tournaments.tick()
    after = await now(world, cup)
    assert (after.status, after.pairings[0].played) == ("over", False)


async def test_a_substitute_plays_from_the_next_match_on(world: World) -> None:
    cup = await begun(world, *PEOPLE[:4])
    cups = world.service.tournaments
    for row in await cups.tick():
        await finish(world, row)
    before = standings((await now(world, cup)).event)
    number = (await now(world, cup)).number_of(2)
    assert number is not None
    told(await cups.substitute(cup, ORG.id, number, PEOPLE[6]))
    started = await cups.tick()
    assert any(seat.user == 7 for row in started for seat in row.seats)
    assert all(seat.user != 2 for row in started for seat in row.seats)
    assert len(before) == len((await now(world, cup)).entrants)
    assert (await play(world, cup)).status == "over"


async def test_a_pause_starts_nothing_and_a_repair_changes_the_standings(world: World) -> None:
    cup = await begun(world, *PEOPLE[:4])
    cups = world.service.tournaments
    started = await cups.tick()

    async def pause() -> TournamentRow | Refused:
        return await cups.organise(
            cup, ORG.id, lambda row: tournament_rules.set_status(row, "paused", ORG.id, row.updated)
        )

    told(await pause())
    assert refused(await pause()) == "tournament.refuse.paused"
    for row in started:
        await finish(world, row)
    assert await cups.tick() == ()
    assert len((await now(world, cup)).pairings) == 2
    told(await cups.repair(cup, ORG.id, 1, "second"))
    assert (await now(world, cup)).pairings[0].points == (0, 2)
    told(
        await cups.organise(
            cup, ORG.id, lambda row: tournament_rules.set_status(row, "running", ORG.id, row.updated)
        )
    )
    assert len(await cups.tick()) == 2
    told(await cups.repair(cup, 77, 1, "draw", manager=True))
    assert (await now(world, cup)).pairings[0].points == (1, 1)


async def test_a_match_that_is_called_off_waits_for_the_organiser(world: World) -> None:
    cup = await begun(world, *PEOPLE[:2], format="single")
    (row,) = await world.service.tournaments.tick()
    await world.play.abort(row.id, 1, request=world.new)
    found = await world.store.match(row.id)
    assert found is not None
    assert found.status == "aborted"
    assert await world.service.tournaments.tick() == ()
    assert (await now(world, cup)).status == "running"
    told(await world.service.tournaments.repair(cup, ORG.id, 1, "second"))
    await world.service.tournaments.tick()
    after = await now(world, cup)
    assert (after.status, after.pairings[0].points) == ("over", (0, 2))


async def test_a_withdrawal_from_a_match_that_is_called_off_is_a_forfeit(world: World) -> None:
    cup = await begun(world, *PEOPLE[:2], format="single")
    (row,) = await world.service.tournaments.tick()
    gone = row.seats[1].user
    assert gone is not None
    told(await world.service.tournaments.leave(cup, gone))
    await world.service.tournaments.tick()
    assert (await now(world, cup)).event.open == (0,), "the match goes on"
    await world.play.abort(row.id, gone, request=world.new)
    await world.service.tournaments.tick()
    after = await now(world, cup)
    assert (after.status, after.pairings[0].points, after.pairings[0].played) == ("over", (2, 0), False)


async def test_sides_stay_as_they_were_paired_in_games_that_draw_lots(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.get("toy")), "seats_by_lot", lambda game, setup: True)
    cup = await begun(world, *PEOPLE[:8], format="round_robin", at_once=7)
    started = {row.id: [seat.user for seat in row.seats] for row in await world.service.tournaments.tick()}
    row = await now(world, cup)
    paired = {
        match: [row.entrant(number).user for number in pairing.seats]
        for pairing, match in zip(row.pairings, row.matches, strict=True)
    }
    assert len(started) == 28
    assert started == paired


async def test_who_is_forgotten_withdraws(world: World) -> None:
    cup = await begun(world, *PEOPLE[:4])
    await world.store.begin_erasure(3, -7, world.clock.now())
    assert await world.store.erase(3, world.clock.now())
    started = await world.service.tournaments.tick()
    assert all((seat.user or 0) > 0 for row in started for seat in row.seats)
    row = await now(world, cup)
    assert [one.user for one in row.entrants if one.left] == [-7]
    assert (await play(world, cup)).status == "over"


async def test_computers_take_part(world: World) -> None:
    cup = await opened(world, PEOPLE[0], format="round_robin")
    for _ in range(2):
        told(await world.service.tournaments.add_computer(cup, ORG.id, "random"))
    told(await world.service.tournaments.start(cup, ORG.id))
    started = await world.service.tournaments.tick()
    assert len(started) == 3
    assert {sum(seat.occupant == "computer" for seat in row.seats) for row in started} == {1, 2}


async def test_who_may_no_longer_play_there_withdraws(world: World) -> None:
    cup = await begun(world, *PEOPLE[:4])
    forbidden = ModerationRow(900, 99, "forbid", "spam", world.clock.now(), person=3)
    await world.store.moderate(forbidden)
    started = await world.service.tournaments.tick()
    assert all(seat.user != 3 for row in started for seat in row.seats)
    assert (await now(world, cup)).number_of(3) is None


async def test_nothing_is_read_of_a_tournament_in_which_nothing_changes(world: World) -> None:
    cup = await begun(world, *PEOPLE, format="round_robin", at_once=9)
    started = await world.service.tournaments.tick()
    await world.service.tournaments.tick()
    real = world.store
    asked: list[str] = []

    class Counted:
        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            return getattr(real, name)

    world.store = Counted()
    world.restart()
    assert await world.service.tournaments.tick() == ()
    assert asked == ["claim_tournaments"]
    await finish(world, started[0])
    asked.clear()
    await world.service.tournaments.tick()
    assert asked.count("match") == 1, "of the 36 matches only the one that has ended is read"
    assert asked.count("forbidden") == 2, "all entrants are asked for at once"
    assert sum(one.points is not None for one in (await now(world, cup)).pairings) == 1


async def test_who_is_barred_during_sign_up_leaves(world: World) -> None:
    cup = await opened(world, *PEOPLE[:3])
    await world.service.tournaments.tick()
    await world.store.moderate(ModerationRow(900, 99, "forbid", "spam", world.clock.now(), person=3))
    await world.service.tournaments.tick()
    assert [one.user for one in (await now(world, cup)).entrants] == [1, 2]


async def test_each_refusal_has_its_sentence(world: World) -> None:
    cups = world.service.tournaments
    made = [
        await cups.create(ORG, 900, 10, title, "toy", plan)
        for title, plan in ((" ", PLAN), ("x", replace(PLAN, seats=3)), ("x", replace(PLAN, check_in=30)))
    ]
    assert [refused(one) for one in made] == ["tournament.refuse.plan"] * 2 + ["tournament.refuse.check_in"]
    cup = await opened(world, *PEOPLE[:2], cap=3)
    assert refused(await cups.join(cup, PEOPLE[0])) == "tournament.refuse.joined"
    assert refused(await cups.join(99, PEOPLE[0])) == "tournament.refuse.unknown"
    assert refused(await cups.start(cup, 1)) == "tournament.refuse.organiser"
    assert refused(await cups.repair(cup, ORG.id, 1, "draw")) == "tournament.refuse.not_begun"
    assert refused(await cups.substitute(cup, ORG.id, 1, PEOPLE[5])) == "tournament.refuse.not_begun"
    assert refused(await cups.add_computer(cup, ORG.id, "cleverest")) == "lobby.refuse.level"
    assert refused(await cups.leave(cup, 9)) == "tournament.refuse.not_in"
    paused = await cups.organise(
        cup, ORG.id, lambda row: tournament_rules.set_status(row, "paused", 50, row.updated)
    )
    assert refused(paused) == "tournament.refuse.not_begun"
    told(await cups.join(cup, PEOPLE[2]))
    assert refused(await cups.join(cup, PEOPLE[3])) == "tournament.refuse.full"
    for who in PEOPLE[1:3]:
        told(await cups.leave(cup, who.id))
    assert refused(await cups.start(cup, ORG.id)) == "tournament.refuse.few"
    told(await cups.join(cup, PEOPLE[1]))
    told(await cups.start(cup, ORG.id))
    assert refused(await cups.start(cup, ORG.id)) == "tournament.refuse.begun"
    assert refused(await cups.add_computer(cup, ORG.id, "random")) == "tournament.refuse.begun"
    assert refused(await cups.repair(cup, ORG.id, 7, "draw")) == "tournament.refuse.pairing"
    assert refused(await cups.substitute(cup, ORG.id, 9, PEOPLE[5])) == "tournament.refuse.entrant"
    assert refused(await cups.substitute(cup, ORG.id, 1, PEOPLE[1])) == "tournament.refuse.other_in"
    going = await cups.organise(
        cup, ORG.id, lambda row: tournament_rules.set_status(row, "running", 50, row.updated)
    )
    assert refused(going) == "tournament.refuse.running"
    told(await cups.leave(cup, 2))
    assert refused(await cups.join(cup, PEOPLE[1])) == "tournament.refuse.withdrew"
    assert refused(await cups.leave(cup, 2)) == "tournament.refuse.not_in"
    await cups.tick()
    assert (await now(world, cup)).status == "over"
    assert refused(await cups.join(cup, PEOPLE[6])) == "tournament.refuse.over"
    over = await cups.organise(
        cup, ORG.id, lambda row: tournament_rules.set_status(row, "cancelled", 50, row.updated)
    )
    assert refused(over) == "tournament.refuse.over"


async def test_it_can_be_too_late_to_join_or_to_repair(world: World) -> None:
    cups = world.service.tournaments
    cup = await begun(world, *PEOPLE[:4], format="single")
    assert refused(await cups.join(cup, PEOPLE[4])) == "tournament.refuse.late"
    for row in await cups.tick():
        await finish(world, row)
    await cups.tick()
    assert refused(await cups.repair(cup, ORG.id, 1, "second")) == "tournament.refuse.gone_on"
    swiss = await begun(world, *PEOPLE[:8], rounds=3)
    await cups.tick()
    told(await cups.join(swiss, PEOPLE[8]))
    assert (await now(world, swiss)).entrants[-1].joined == 2
    (await play(world, swiss))
    pause = await cups.organise(
        swiss, ORG.id, lambda row: tournament_rules.set_status(row, "paused", 50, row.updated)
    )
    assert refused(pause) == "tournament.refuse.over"


async def test_blocked_and_barred_people_stay_out(world: World) -> None:
    cups = world.service.tournaments
    cup = await opened(world, PEOPLE[0])
    await world.store.block(1, 2, world.clock.now(), 9)
    assert refused(await cups.join(cup, PEOPLE[1])) == "match.refuse.unavailable"
    await world.store.moderate(ModerationRow(900, 99, "forbid", "spam", world.clock.now(), person=3))
    assert refused(await cups.join(cup, PEOPLE[2])) == "match.refuse.forbidden"
    assert refused(await cups.create(PEOPLE[2], 900, 10, "x", "toy", PLAN)) == "match.refuse.forbidden"


async def test_groups_of_three_are_played_round_by_round_and_repaired_by_places(world: World) -> None:
    cup = await begun(world, *PEOPLE[:7], format="groups", seats=3, rounds=2)
    started = await world.service.tournaments.tick()
    assert [len(row.seats) for row in started] == [3, 3]
    row = await now(world, cup)
    assert [len(one.seats) for one in row.pairings] == [3, 3, 1], "one has the round free"
    for wrong in ("first", "1 2", "1 2 4", "0 1 2", "one two three", ""):
        answer = await world.service.tournaments.repair(cup, ORG.id, 1, wrong)
        assert refused(answer) == "tournament.refuse.places"
    row = told(await world.service.tournaments.repair(cup, ORG.id, 1, "2, 1 2"))
    assert row.pairings[0].points == (1, 4, 1)
    free = await world.service.tournaments.repair(cup, ORG.id, 3, "1")
    assert refused(free) == "tournament.refuse.pairing"
    match = str(row.matches[1])
    for seat in started[1].seats[:2]:
        assert seat.user is not None
        await world.play.resign(match, seat.user, request=world.new)
    await world.service.tournaments.tick()
    assert (await now(world, cup)).event.round == 2
    assert sorted((await now(world, cup)).pairings[1].points or ()) in ([0, 2, 4], [1, 1, 4])


async def test_people_play_for_teams_which_add_up_their_points(world: World) -> None:
    cups = world.service.tournaments
    cup = await opened(world, format="round_robin", teams=("Reds", "Blues"))
    told(await cups.join(cup, PEOPLE[0], team=2))
    for who in PEOPLE[1:3]:
        told(await cups.join(cup, who))
    told(await cups.add_computer(cup, ORG.id, "random"))
    assert [one.team for one in (await now(world, cup)).entrants] == [2, 1, 1, 2], (
        "the smallest, the first of those"
    )
    assert refused(await cups.join(cup, PEOPLE[4], team=3)) == "tournament.refuse.unknown"
    told(await cups.start(cup, ORG.id))
    await cups.tick()
    row = await now(world, cup)
    assert row.plan.teams == ("Reds", "Blues")
    assert len(row.pairings) == 4
    team = {one.number: one.team for one in row.entrants}
    assert all(len({team[seat] for seat in one.seats}) == 2 for one in row.pairings)
    number = row.number_of(1)
    told(await cups.substitute(cup, ORG.id, number or 0, PEOPLE[7]))
    assert (await now(world, cup)).entrant(number or 0).team == 2


@pytest.mark.parametrize("how", ["single", "double"])
async def test_teams_meet_in_an_elimination(world: World, how: Any) -> None:
    cups = world.service.tournaments
    cup = await opened(world, format=how, teams=("Empty", "Reds", "Blues", "Greens"))
    for number, who in enumerate(PEOPLE[:6]):
        told(await cups.join(cup, who, team=2 + number % 3))
    told(await cups.start(cup, ORG.id))
    await cups.tick()
    row = await now(world, cup)
    assert row.entrant(1).team == 1, "teams are seeded by their strongest members"
    assert row.plan.teams[3] == "Empty", "those without any come last"
    assert [len(one.seats) for one in row.pairings] == [2, 2], "two boards, and a team that passes"
    row = await play(world, cup)
    assert {one.number for one in standings(row.event)} == {1, 2, 3}
    assert [one.place for one in standings(row.event)] == [1, 2, 3]


@pytest.mark.parametrize("how", ["swiss", "round_robin", "single", "double"])
@pytest.mark.parametrize("sides", [{"game": "focus", **PARTNERS}, {"game": "dominion", **ALLIES}])
async def test_teams_play_the_seats_of_a_side(world: World, how: Any, sides: dict[str, Any]) -> None:
    cups = world.service.tournaments
    plan = {"format": how, **sides, "teams": ("Reds", "Blues", "Greens")}
    cup = await opened(world, *PEOPLE[:5], **plan)
    assert refused(await cups.start(cup, ORG.id)) == "tournament.refuse.team_few"
    told(await cups.add_computer(cup, ORG.id, "random"))
    told(await cups.start(cup, ORG.id))
    (match, *_) = await cups.tick()
    row = await now(world, cup)
    seats = [row.entrant(number) for number in row.pairings[0].seats]
    assert [one.team for one in seats] == [seats[0].team, seats[1].team] * 2
    assert [seat.user for seat in match.seats] == [one.user for one in seats]
    assert refused(await cups.repair(cup, ORG.id, 1, "1 2 1 2")) == "tournament.refuse.places"
    told(await cups.repair(cup, ORG.id, 1, "second"))
    assert (await now(world, cup)).pairings[0].points == (0, 2, 0, 2)
    for _ in range(20):
        await cups.tick()
        row = await now(world, cup)
        if row.status == "over":
            break
        for index in row.event.open:
            told(await cups.repair(cup, ORG.id, index + 1, "first"))
    assert row.status == "over"
    assert len({one.number for one in standings(row.event)}) == 3


@pytest.mark.parametrize("sides", [{"game": "focus", **PARTNERS}, {"game": "dominion", **ALLIES}])
async def test_the_result_of_a_match_of_two_sides_counts_for_its_teams(
    world: World, sides: dict[str, Any]
) -> None:
    cups = world.service.tournaments
    plan = {"format": "single", **sides, "teams": ("Reds", "Blues")}
    cup = await begun(world, *PEOPLE[:4], **plan)
    (match,) = await cups.tick()
    for seat in (1, 3):
        await world.play.resign(match.id, match.seats[seat].user or 0, request=world.new)
    await cups.tick()
    row = await now(world, cup)
    assert row.pairings[0].points == (2, 0, 2, 0)
    assert row.status == "over"
    assert standings(row.event)[0].number == row.entrant(row.pairings[0].seats[0]).team


async def test_a_team_that_loses_a_member_forfeits_what_it_can_not_fill(world: World) -> None:
    cups = world.service.tournaments
    plan = {"format": "round_robin", **PARTNERS, "game": "focus", "teams": ("Reds", "Blues", "Greens")}
    cup = await begun(world, *PEOPLE[:6], at_once=1, **plan)
    gone = next(one.user for one in (await now(world, cup)).entrants if one.team == 2)
    assert gone is not None
    told(await cups.leave(cup, gone))
    await cups.tick()
    row = await now(world, cup)
    blues = {one.number for one in row.entrants if one.team == 2}
    for one in row.pairings:
        if blues.isdisjoint(one.seats):
            assert one.points is None
        else:
            assert one.points is not None
            assert all(
                (points == 0) == (seat in blues) for seat, points in zip(one.seats, one.points, strict=True)
            )


async def test_sign_up_for_teams_ends_without_a_start_where_a_team_is_too_small(world: World) -> None:
    plan: dict[str, Any] = {"format": "swiss", **PARTNERS, "game": "focus", "teams": ("Reds", "Blues")}
    cup = await opened(world, *PEOPLE[:3], hours=1, **plan)
    told(await world.service.tournaments.add_computer(cup, ORG.id, "random"))
    told(await world.service.tournaments.leave(cup, PEOPLE[0].id))
    world.clock.advance(timedelta(hours=1))
    await world.service.tournaments.tick()
    row = await now(world, cup)
    assert (row.status, row.deadline) == ("open", None)
    assert (await world.store.tournament_log(cup))[-1].kind == "few"


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ({"format": "groups", "seats": 3, "teams": ("A", "B")}, "tournament.refuse.team_format"),
        ({"format": "league", "group": 3, "teams": ("A", "B")}, "tournament.refuse.team_format"),
        ({"format": "swiss", **PARTNERS}, "tournament.refuse.teams_needed"),
        ({"format": "swiss", "seats": 3, "teams": ("A", "B")}, "tournament.refuse.plan"),
        (
            {"format": "swiss", "seats": 3, "teams": ("A", "B"), "options": {"pairs": True}},
            "tournament.refuse.plan",
        ),
        ({"format": "swiss", "teams": ("A",)}, "tournament.refuse.teams"),
        ({"format": "swiss", "teams": ("A", "a")}, "tournament.refuse.teams"),
        ({"format": "swiss", "teams": tuple("ABCDEFGHI")}, "tournament.refuse.teams"),
    ],
)
async def test_teams_that_cannot_be(world: World, plan: dict[str, Any], why: str) -> None:
    game = "focus" if plan.get("seats") == 4 else "toy"
    answer = await world.service.tournaments.create(ORG, 900, 10, "Spring", game, replace(PLAN, **plan))
    assert refused(answer) == why
