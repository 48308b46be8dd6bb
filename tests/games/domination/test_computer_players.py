"""Computer players: legal in every phase and on every map, blind to hidden information, and sensible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from cli.matchups import play
from games.domination.computer import campaigns
from games.domination.computer.planning_player import Planning
from games.domination.computer.position_model import Strategy
from games.domination.game import BENCHMARKS, COMPUTERS
from games.domination.maps.atlas import Atlas
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.domination.rules import judge, opening, options, position_json, turns
from games.domination.rules.actions import CONTINUE, DONE, STOP, Action
from games.domination.rules.position import Law, State
from games.engine.game import CHANCE, InterruptiblePlayer, Player, Seat
from tests.games.domination.helpers import CODES, GAME, SEALED, acted, armies, owner, position
from tests.rows import rows

pytestmark = pytest.mark.slow

PLANNER = Planning(Strategy())
"""Plans as hard does."""
SIX = ("easy", "average", "hard", "average", "hard", "easy")
ONE_WAY = replace(
    ISLANDS,
    key="one way",
    borders=tuple(
        () if at == 0 else tuple(n for n in row if n > at or (n + at) % 3)
        for at, row in enumerate(ISLANDS.borders)
    ),
)
"""A map whose first country has no way out, and with many one-way borders."""


def law(atlas: Atlas, seats: int, **chosen: Any) -> Law:
    """Return the law of a short match on a map."""
    cap = chosen.pop("cap", 2)
    return options.law_of(GAME.setup(seats, chosen))._replace(atlas=atlas, cap=cap)


def played(
    state: State, players: Sequence[Player], until: Callable[[State], bool] | None = None, seed: int = 0
) -> tuple[State, list[tuple[Seat, Action]]]:
    """Play a match to its end, or until a condition holds; check that every action is legal."""
    done: list[tuple[Seat, Action]] = []
    while judge.to_act(state.position) and not (until is not None and until(state)):
        seat, action = acted(state, players, seed * 100_000 + len(done))
        refused = judge.refuse(state, seat, action)
        assert refused is None, (action, refused)
        state = turns.play(state, seat, action).state
        done.append((seat, action))
    return state, done


def turn(state: State, level: str) -> tuple[State, list[Action]]:
    """Play one turn of a level; return the state and the actions of that seat."""
    return turn_of(COMPUTERS[level], state)


def turn_of(player: Player, state: State) -> tuple[State, list[Action]]:
    """Play one turn of a player; return the state and the actions of its seat."""
    seat, players = state.position.turn, [player] * state.position.info.law.seats
    after, done = played(state, players, lambda now: now.position.turn != seat)
    return after, [action for by, action in done if by == seat]


CAPITAL = {"mode": "capital", "setup": "deal", "cards": "italian", "minimum": 0, "recycle": False}
MISSION = {"mode": "mission", "fortify": "connected", "cards": "fixed"}
HOUSE = {"setup": "auto", "italian_bonus": "each", "cards": "italian", "hand": 5, "even": True, "cap": 6}
COURSES: dict[str, tuple[Atlas, int, dict[str, Any]]] = {
    "draft": (WORLD, 6, {"cap": 1}),
    "mission": (WORLD, 3, MISSION),
    "capital": (ISLANDS, 6, CAPITAL),
    "house rules": (ISLANDS, 2, HOUSE),
    "one way": (ONE_WAY, 6, {}),
    "one way mission": (ONE_WAY, 3, MISSION),
}


@pytest.mark.parametrize("course", COURSES)
def test_whole_matches_are_legal(course: str) -> None:
    atlas, seats, options = COURSES[course]
    end, done = played(
        opening.begin(law(atlas, seats, **options)), [COMPUTERS[level] for level in SIX[:seats]]
    )
    assert end.position.info.outcome is not None
    assert {"place", "attack"} <= {action.kind for seat, action in done if seat != CHANCE}


def test_play_goes_on_when_a_seat_resigns() -> None:
    players = [COMPUTERS[level] for level in SIX[:4]]
    start = opening.begin(law(ISLANDS, 4, setup="auto"))
    state, _ = played(start, players, lambda now: now.position.turn == 2)
    end, _ = played(turns.forfeit(state, 2).state, players)
    outcome = end.position.info.outcome
    assert outcome is not None
    assert outcome.ranks[2] > 1


@pytest.mark.parametrize("level", COMPUTERS)
@pytest.mark.parametrize("n", [3, 60])
def test_by_the_first_rules_the_last_one_takes_what_others_gave_up(level: str, n: int) -> None:
    left = position({0: "ala 60", 1: f"ind {n} sia {n}"}, turn=0, out=[1], phase="place", pool=20)
    players = [COMPUTERS[level]] * 2
    end, _ = played(
        position_json.load(position_json.dump(left), 1), players, lambda now: now.position.info.round > 20
    )
    assert end.position.owner.count(0) == len(WORLD.countries)


FIRST, REST = CODES[:20], CODES[20:38]
GIVEN_UP = {
    0: " ".join(f"{code} 3" for code in FIRST) + " sia 12",
    2: " ".join(f"{code} 2" for code in REST if code != "sia"),
    1: "ino 3 ngu 2 wau 2 eau 2",
}
"""The second of three seats resigned and holds Australia; the first one is next to it."""


@pytest.mark.parametrize("level", ["average", "hard"])
def test_the_capital_of_who_gave_up_is_taken(level: str) -> None:
    rules, capitals = {"mode": "capital"}, ["ala", "ino", "mad"]
    start = position(GIVEN_UP, rules, turn=0, out=[1], phase="place", pool=6, capitals=capitals)
    end, _ = played(start, [COMPUTERS[level]] * 3, lambda now: owner(now, "ino") == 0)
    assert owner(end, "ino") == 0


def test_a_mission_against_who_gave_up_is_accomplished() -> None:
    number = next(n for n, mission in enumerate(WORLD.missions) if mission.player == 2)
    own = [{"mission": number}, {"mission": 0}, {"mission": 1}]
    rules = {"mode": "mission"}
    start = position(GIVEN_UP, rules, turn=0, out=[1], phase="place", pool=6, own=own)
    end, _ = played(start, [COMPUTERS["hard"]] * 3, lambda now: now.position.phase == "vote")
    assert end.position.info.victor == 0


@pytest.mark.parametrize("level", [*COMPUTERS][2:])
def test_the_countries_of_who_gave_up_fill_a_continent(level: str) -> None:
    holds = {1: "eau 2", 2: "ala 6", 0: "ino 6 ngu wau 4 sia 3"}
    start = position(holds, turn=0, out=[1], phase="place", pool=4)
    end, _ = played(start, [COMPUTERS[level]] * 3, lambda now: owner(now, "eau") != 1)
    assert owner(end, "eau") == 0


@pytest.mark.parametrize(("hand", "taken"), [("ala kam jap ven", True), ("", False)])
def test_the_cards_of_who_gave_up_are_a_prize(hand: str, taken: bool) -> None:
    holds = {2: shared("sia ino", (2,), 4)[2], 0: "sia 8", 1: "ino 4"}
    start = position(holds, None, {1: hand}, turn=0, out=[1], phase="place", pool=3)
    after, _ = turn_of(PLANNER, start)
    assert (owner(after, "ino") == 0) is taken


def test_levels_are_named_weakest_first() -> None:
    assert tuple(COMPUTERS) == ("beginner", "easy", "average", "hard", "expert")


def test_a_seat_that_is_not_to_act_has_nothing_to_choose() -> None:
    state = position({0: "ala 5", 1: "kam"})
    for player in COMPUTERS.values():
        with pytest.raises(ValueError, match="nothing to choose"):
            player.choose(GAME, judge.view(state, 1), Seat(1), SEALED.dice(0))
        with pytest.raises(ValueError, match="nothing to choose"):
            player.choose(GAME, judge.view(state, None), Seat(0), SEALED.dice(0))


@pytest.mark.parametrize("level", COMPUTERS)
def test_others_cards_and_missions_change_nothing(level: str) -> None:
    holds = {0: "ala 9", 1: "kam 2 jap 3 mon 1", 2: "bra 4 ven 2 per 1 arg 2"}
    rules = {"mode": "mission"}
    missions = [[0, 1, 2], [0, 3, 4]]
    hands = [{1: "ala kam jap", 2: "bra *1"}, {1: "bra ven *2", 2: "per arg"}]
    worlds = [
        position(holds, rules, hand, own=[{"mission": n} for n in mission], phase="place", pool=5)
        for hand, mission in zip(hands, missions, strict=True)
    ]
    for seq in range(1 if level == "expert" else 2):
        here, there = (acted(state, [COMPUTERS[level]] * 3, seq) for state in worlds)
        assert worlds[0] != worlds[1]
        assert here == there


@rows("level", COMPUTERS)
def test_five_cards_are_traded(level: str) -> None:
    hands = {0: "ala kam jap ven *1"}
    state = position({0: "ala 3", 1: "kam 3 jap"}, None, hands, phase="place", pool=13)
    assert acted(state, [COMPUTERS[level]] * 2, 0)[1].kind == "trade"


@rows("level", COMPUTERS)
def test_a_computer_that_has_won_stops_and_any_other_leaves_that_to_people(level: str) -> None:
    start = position({0: "ala 3", 1: "kam 3"}, {"mode": "capital"}, phase="vote", victor=0, step=4)
    votes = [acted(start, [COMPUTERS[level]] * 2, 0, seat)[1] for seat in (Seat(0), Seat(1))]
    assert votes == [STOP, CONTINUE]


@pytest.mark.parametrize("mode", ["capital", "mission"])
def test_a_match_of_computers_ends_with_the_goal_it_is_played_for(mode: str) -> None:
    """They once voted to go on for all countries, and contests measured that."""
    start = GAME.start(GAME.setup(2, {"mode": mode})).state
    state, _ = played(start, [COMPUTERS["average"]] * 2)
    assert state.position.info.mode == mode


def first_claims(level: str, seats: int, by: int = 0) -> list[int]:
    """Return the continents of a level's first claims, as many as there are continents."""
    start = opening.begin(law(WORLD, seats))
    _, done = played(start, [COMPUTERS[level]] * seats, lambda now: len(now.own[by].wishes) > 9)
    queued = [action.a for seat, action in done if seat == by and action.kind == "queue"]
    found = [WORLD.index[code] for code in queued[: len(WORLD.continents)]]
    return [WORLD.countries[at].continent for at in found]


def test_a_single_rival_gets_no_whole_continent() -> None:
    for level, seats, kept in (("hard", 2, True), ("average", 2, False), ("hard", 3, False)):
        claims = first_claims(level, seats)
        assert (len(set(claims)) == len(WORLD.continents)) is kept, (level, seats)


def test_expert_settles_in_remote_countries_as_the_first_of_two() -> None:
    assert first_claims("expert", 2)[:4] == [WORLD.countries[WORLD.index["eau"]].continent] * 4
    assert len(set(first_claims("expert", 2, by=1))) == len(WORLD.continents)
    assert first_claims("expert", 3) == first_claims("hard", 3)


def test_a_draft_is_queued_whole_and_stays_together() -> None:
    players = [COMPUTERS["average"]] * 2
    start = opening.begin(law(WORLD, 2))
    _, done = played(start, players, lambda now: now.position.info.ready[0])
    assert [action.kind for _, action in done] == ["queue"] * 42 + ["done"]
    assert done[-1][1] == DONE
    first = [WORLD.countries[WORLD.index[action.a]].continent for _, action in done[:3]]
    assert len(set(first)) == 1


def shared(free: str, seats: Sequence[int], n: int) -> dict[int, str]:
    """Deal all countries but some to seats in turn, with `n` armies on each."""
    codes = [country.code for country in WORLD.countries if country.code not in free.split()]
    return {
        seat: " ".join(f"{code} {n}" for code in codes[at :: len(seats)]) for at, seat in enumerate(seats)
    }


def test_weak_seats_with_cards_are_hunted() -> None:
    holds = {0: "chn 14 ind 1 afg 1", 2: "sia 1 ino 2 ngu 1", **shared("chn ind afg sia ino ngu", (1, 3), 3)}
    state = position(holds, None, {2: "ala kam jap ven"}, phase="place", pool=3, turn=0)
    after, _ = turn_of(PLANNER, state)
    assert 2 in after.position.info.out
    assert after.position.info.killers[2] == 0


def test_continents_of_others_are_broken() -> None:
    holds = {0: "sia 12 ind 2", 1: "ino 3 ngu 1 wau 1 eau 1", **shared("sia ind ino ngu wau eau", (2, 3), 4)}
    after, done = turn_of(PLANNER, position(holds, phase="place", pool=3, turn=0))
    assert owner(after, "ino") == 0
    placed, attacked = (
        next(action for action in done if action.kind == kind) for kind in ("place", "attack")
    )
    assert placed.a == attacked.a


def test_average_misjudges_plans_but_places_all_armies_for_one() -> None:
    state = position(shared("", (0, 1), 3), phase="place", pool=8, turn=0)
    view, tries = judge.view(state, 0), range(60)
    found = {
        level: [COMPUTERS[level].choose(GAME, view, Seat(0), SEALED.dice(seq)) for seq in tries]
        for level in ("average", "hard")
    }
    assert len({action.a for action in found["hard"]}) == 1
    assert {action.n for action in found["average"]} == {8}
    assert 2 <= len({action.a for action in found["average"]}) <= 12


def test_a_continent_that_is_nearly_held_is_finished() -> None:
    holds = {1: "ala 5", 0: "ino 5 ngu wau 2 sia 1"}
    after, _ = turn_of(PLANNER, position(holds, phase="place", pool=3, turn=0))
    assert owner(after, "eau") == 0


def test_a_mission_is_accomplished_when_it_can_be() -> None:
    number = next(n for n, mission in enumerate(WORLD.missions) if mission.continents == (0, 5))
    rows = [WORLD.countries[at].code for n in (0, 5) for at in WORLD.countries_of[n]]
    holds = {1: "ala", 0: " ".join(f"{code} 2" for code in rows if code != "eau") + " wau 8"}
    state = position(holds, {"mode": "mission"}, None, phase="place", pool=3, turn=0,
                     own=[{"mission": number}, {"mission": 0 if number else 1}])  # fmt: skip
    players = [PLANNER] * 2
    after, _ = played(state, players, lambda now: now.position.phase == "vote" or now.position.turn != 0)
    assert after.position.info.victor == 0


def test_countries_of_a_mission_get_their_second_army() -> None:
    number = next(n for n, mission in enumerate(WORLD.missions) if mission.armies == 2)
    codes = [country.code for country in WORLD.countries][: WORLD.missions[number].countries]
    holds = {1: "eau", 0: " ".join(f"{code} {1 + (at > 2)}" for at, code in enumerate(codes))}
    state = position(holds, {"mode": "mission"}, None, phase="place", pool=6, turn=0,
                     own=[{"mission": number}, {"mission": 0 if number else 1}])  # fmt: skip
    players = [PLANNER] * 2
    after, _ = played(state, players, lambda now: now.position.phase != "place")
    assert all(armies(after, code) >= 2 for code in codes)


def test_nothing_is_left_behind_where_nobody_is_near() -> None:
    rest = " ".join(country.code for country in WORLD.countries if country.continent != 5)
    state = position({1: rest, 0: "ino ngu wau 9 eau 3"}, turn=0)
    state = turns.play(state, 0, PLANNER.choose(GAME, judge.view(state, 0), Seat(0), SEALED.dice(1))).state
    assert armies(state, "wau") < 9


BENCHMARK_MATCHES: dict[str, tuple[Atlas, int, dict[str, Any]]] = {
    "draft": (WORLD, 2, {"cap": 4}),
    "one way": (ONE_WAY, 3, {"cap": 4}),
    "islands": (ISLANDS, 4, {"setup": "auto", "cap": 4}),
}


@pytest.mark.parametrize("course", BENCHMARK_MATCHES)
@pytest.mark.parametrize("name", BENCHMARKS)
def test_opponents_for_measuring_play_whole_matches(name: str, course: str) -> None:
    atlas, seats, options = BENCHMARK_MATCHES[course]
    start = opening.begin(law(atlas, seats, **options))
    end, done = played(start, [BENCHMARKS[name], *[COMPUTERS["hard"]] * (seats - 1)])
    assert end.position.info.outcome is not None
    assert any(seat == 0 and action.kind == "attack" for seat, action in done)


def test_the_greedy_opponent_wants_the_cheapest_continent() -> None:
    holds = {0: "ino 5 sia 2 ven 2", 1: "ngu 1 wau 1 eau 1 bra 9 per 9 arg 9"}
    after, done = turn_of(BENCHMARKS["greedy"], position(holds, phase="place", pool=3, turn=0))
    assert next(action for action in done if action.kind == "place").a == "ino"
    assert [owner(after, code) for code in ("ngu", "wau", "eau")].count(0) >= 1
    assert owner(after, "bra") == 1


def test_the_keeper_guards_a_continent_and_goes_on_with_the_rest() -> None:
    holds = {1: "sia 5", 0: "ino 2 ngu wau eau 1 bra 4"}
    after, done = turn_of(BENCHMARKS["keeper"], position(holds, phase="place", pool=6, turn=0))
    placed = {action.a: action.n for action in done if action.kind == "place"}
    assert placed == {"ino": 3, "bra": 3}
    assert armies(after, "ino") >= 3


def test_the_gatherer_takes_one_country_until_its_stack_is_large() -> None:
    for stack, strikes in ((9, False), (30, True)):
        holds = {1: "bra 3 per 3 arg 3", 0: f"eau {stack} wau 1"}
        _, done = turn_of(BENCHMARKS["gatherer"], position(holds, phase="place", pool=3, turn=0))
        assert (sum(action.kind == "attack" for action in done) > 2) is strikes


def test_the_hunter_goes_for_the_weakest_and_the_brawler_for_the_largest_stack() -> None:
    state = position({2: "sia 6", 0: "chn 9 ind 1", 1: "mon 2"}, phase="attack", turn=0)
    firsts = {name: acted(state, [BENCHMARKS[name]] * 3, 1)[1].b for name in ("hunter", "brawler")}
    assert firsts == {"hunter": "mon", "brawler": "sia"}


def test_thinking_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    plain = campaigns.follow

    def counted(*args: Any) -> Any:
        tried.append(1)
        return plain(*args)

    monkeypatch.setattr(campaigns, "follow", counted)
    holds = {0: "chn 14 ind 1 afg 1", **shared("chn ind afg", (1, 2), 3)}
    asked = iter([False, False, *[True] * 100])
    assert isinstance(PLANNER, InterruptiblePlayer)
    works = []
    for stop in (None, lambda: next(asked), lambda: True):
        tried.clear()
        for phase, pool in (("place", 3), ("attack", 0)):
            state = position(holds, phase=phase, pool=pool, turn=0)
            action = PLANNER.decide(GAME, judge.view(state, 0), Seat(0), SEALED.dice(1), stop)
            assert judge.refuse(state, 0, action) is None
        works.append(len(tried))
    assert works[0] > works[1] > works[2] == 0


@pytest.mark.parametrize(("level", "below"), [("easy", "beginner"), ("average", "easy"), ("hard", "average")])
def test_levels_are_evenly_apart(level: str, below: str) -> None:
    setup, wins = GAME.setup(2, {}), 0.0
    for n in range(32):
        done = play(GAME, setup, [COMPUTERS[level], COMPUTERS[below]], (n % 2, 1 - n % 2), f"apart {n // 2}")
        wins += done.points(setup)
    assert 0.6 < wins / 32 < 0.95


@pytest.mark.parametrize("first", ["hard", "easy"])
def test_hard_beats_easy(first: str) -> None:
    second = "easy" if first == "hard" else "hard"
    players, wins = [COMPUTERS[first], COMPUTERS[second]], 0
    for seed in range(10):
        start = opening.begin(law(ISLANDS, 2, setup="deal", cap=40, even=False))
        end, _ = played(start, players, seed=seed)
        outcome = end.position.info.outcome
        assert outcome is not None
        wins += outcome.ranks[players.index(COMPUTERS["hard"])] == 1
    assert wins >= 7


def test_even_rivals_grow_impatient() -> None:
    start = opening.begin(law(ISLANDS, 6, setup="auto", cap=options.MAX_ROUNDS))
    end, _ = played(start, [COMPUTERS["hard"]] * 6)
    assert end.position.info.round < 100
