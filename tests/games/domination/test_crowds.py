"""Positions at random: orders, battles and the next turn's armies, compared with the rules told literally."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from games.domination.maps.playable_maps import find_map
from games.domination.rules import actions, judge, position_json, turns
from games.domination.rules.actions import Action
from games.domination.rules.position import Position, State
from games.engine.game import CHANCE
from tests.rows import rows
from tests.soak import SOAK

LAWS: dict[str, dict[str, Any]] = {
    "two": {"seats": 2},
    "three, connected": {"seats": 3, "fortify": "connected", "defence": 3},
    "islands": {"seats": 3, "atlas": "islands", "minimum": 0},
    "islands, connected": {"seats": 4, "atlas": "islands", "fortify": "connected"},
    "six": {"seats": 6, "fortify": "connected"},
}
CROWDS = 60 if SOAK else 6
"""Positions for each law."""


@cache
def crowds(name: str) -> list[State]:
    """Return positions of a law in which the seat whose turn it is may attack."""
    law, rng, found = LAWS[name], Random(f"{name} 1"), list[State]()
    atlas = find_map(law.get("atlas", "world"))
    while len(found) < CROWDS:
        weights = [rng.choice((1, 2, 6)) for _ in range(law["seats"])]
        countries: dict[str, Any] = {
            country.code: [rng.choices(range(law["seats"]), weights)[0], rng.choice((1, 1, 2, 3, 5, 9))]
            for country in atlas.countries
        }
        held = {seat for seat, _ in countries.values()}
        if len(held) < law["seats"]:
            continue
        dealt = rng.sample([country.code for country in atlas.countries], 2 * law["seats"])
        data: Any = {
            "law": law, "countries": countries, "phase": "attack", "turn": rng.choice(sorted(held)),
            "own": [{"hand": dealt[n :: law["seats"]]} for n in range(law["seats"])], "round": 3,
        }  # fmt: skip
        found.append(position_json.load(data))
    return found


Stacks = dict[str, tuple[int, int]]
"""Each country's seat and armies."""


def stacks(position: Position) -> Stacks:
    """Return who holds each country, with how many armies."""
    rows = zip(position.info.law.atlas.countries, position.owner, position.armies, strict=True)
    return {country.code: (seat, n) for country, seat, n in rows}


def near(position: Position, code: str) -> list[str]:
    """Return the countries that a country borders on."""
    atlas = position.info.law.atlas
    return [atlas.countries[at].code for at in atlas.borders[atlas.index[code]]]


def reached(position: Position, src: str, connected: bool) -> set[str]:
    """Return where armies may go at the end of a turn: by own countries only, one step or any number."""
    held, seat = stacks(position), stacks(position)[src][0]
    found = {code for code in near(position, src) if held[code][0] == seat}
    while connected:
        more = {code for each in found for code in near(position, each) if held[code][0] == seat} - found
        if not more:
            break
        found |= more
    return found - {src}


def orders(position: Position, connected: bool) -> set[str]:
    """Return every order of the phase `attack` in its wire form."""
    held, found = stacks(position), {"end"}
    for src, (seat, n) in held.items():
        if seat != position.turn or n < 2:
            continue
        for dst in near(position, src):
            against = held[dst][1]
            if held[dst][0] != seat:
                limits = {"until": n - 1, "x": min(3, n + against - 2), "dice": min(3, n - 1) - 1}
                limits["lead"] = n - against
                found |= {
                    f"attack {src} {dst} {how} {k}" for how in limits for k in range(1, limits[how] + 1)
                }
        found |= {
            f"fortify {src} {dst} {k}" for dst in reached(position, src, connected) for k in range(1, n)
        }
    return found


def refused(state: State, wire: str) -> bool:
    """Return whether an order of the seat whose turn it is is illegal."""
    return judge.refuse(state, state.position.turn, actions.decode(wire)) is not None


@pytest.mark.parametrize("name", LAWS)
def test_orders_are_those_of_the_rules(name: str) -> None:
    rng = Random(name)
    for state in crowds(name):
        position = state.position
        expected = orders(position, LAWS[name].get("fortify") == "connected")
        found = judge.legal(judge.view(state, position.turn), position.turn)
        assert {action.text for action in found} == expected
        assert len(found) == len(expected)
        codes = [country.code for country in position.info.law.atlas.countries]
        for src, dst in product(codes, codes):
            n = rng.choice((0, 1, 1, 2, stacks(position)[src][1]))
            how = rng.choice(("until", "x", "dice", "lead"))
            for wire in (f"fortify {src} {dst} {n}", f"attack {src} {dst} {how} {n}"):
                assert refused(state, wire) == (wire not in expected), wire


def due(position: Position, seat: int, least: int) -> int:
    """Return the armies that a seat gets at the beginning of its turn, at least so many for its countries."""
    atlas, held = position.info.law.atlas, stacks(position)
    own = {code for code, (by, _) in held.items() if by == seat}
    whole = [
        continent.value
        for number, continent in enumerate(atlas.continents)
        if {country.code for country in atlas.countries if country.continent == number} <= own
    ]
    return max(len(own) // 3, least) + sum(whole)


@rows("name", LAWS)
def test_a_last_move_ends_the_turn_and_the_next_seat_gets_its_armies(name: str) -> None:
    rng, least = Random(name), LAWS[name].get("minimum", 3)
    for state in crowds(name):
        position, held = state.position, stacks(state.position)
        connected = LAWS[name].get("fortify") == "connected"
        moves = sorted(wire for wire in orders(position, connected) if wire.startswith("fortify"))
        for wire in ["end", *rng.sample(moves, min(20, len(moves)))]:
            after = turns.play(state, position.turn, actions.decode(wire)).state.position
            expected = dict(held)
            if wire != "end":
                _, src, dst, n = wire.split()
                expected[src] = (held[src][0], held[src][1] - int(n))
                expected[dst] = (held[dst][0], held[dst][1] + int(n))
            assert stacks(after) == expected
            order = [(position.turn + n) % position.info.law.seats for n in range(1, 7)]
            able = {by for by, n in expected.values() if n > 1}
            following = next(seat for seat in order if seat in able or due(position, seat, least))
            pool = due(position, following, least)
            assert (after.turn, after.phase, after.pool) == (following, "place" if pool else "attack", pool)
            assert after.info.round == 3 + (0 in order[: order.index(following) + 1])


# --- the last round --------------------------------------------------------------------------------------


def points(position: Position, seat: int) -> tuple[Fraction, int]:
    """Return a seat's points and its armies: a country is worth 1, an army 1/3, a continent its value."""
    armies = sum(n for by, n in stacks(position).values() if by == seat)
    countries = sum(by == seat for by, _ in stacks(position).values())
    return countries + (due(position, seat, 0) - countries // 3) + Fraction(armies, 3), armies


def levelled(rng: Random, state: State) -> State:
    """Return a last round in which the points are level, or nearly so; a seat of many may have resigned."""
    data: Any = position_json.dump(state)
    seats, countries = data["law"]["seats"], data["countries"]
    for seat in range(seats):
        own = [code for code, (by, _) in countries.items() if by == seat]
        countries.update({code: [seat, 1] for code in own})
        worth, _ = points(position_json.load(data).position, seat)
        countries[own[0]][1] += int(3 * (100 - worth)) + rng.choice((-1, 0, 0, 1, 3))
    out = [rng.randrange(seats)] if seats > 2 and rng.random() < 0.5 else []
    last = max(set(range(seats)).difference(out))
    more = {"turn": last, "round": data["law"]["cap"], "out": out}
    return position_json.load(data | more)


@pytest.mark.parametrize("name", LAWS)
def test_after_the_last_round_the_points_decide_then_the_armies(name: str) -> None:
    rng = Random(name)
    for state in (levelled(rng, crowd) for crowd in crowds(name) for _ in range(4)):
        before = state.position
        after = turns.play(state, before.turn, actions.END).state.position
        assert (after.phase, after.info.round) == ("over", before.info.law.cap + 1)
        found = {seat: points(before, seat) for seat in before.living()}
        better = [
            [other for other in found if seat not in found or found[other] > found[seat]]
            for seat in range(before.info.law.seats)
        ]
        assert after.info.outcome is not None
        assert list(after.info.outcome.ranks) == [1 + len(each) for each in better]
        won = sum(not each for each in better)
        assert after.info.outcome.why.key == f"domination.outcome.{'points' if won == 1 else 'draw'}"


# --- battles ---------------------------------------------------------------------------------------------


def fallen(ours: list[int], theirs: list[int]) -> tuple[int, int]:
    """Return the armies that both sides lose: the highest dice against each other, then the second ones."""
    pairs = list(zip(sorted(ours, reverse=True), sorted(theirs, reverse=True), strict=False))
    lost = sum(a <= d for a, d in pairs)
    return lost, len(pairs) - lost


def goes_on(action: Action, ours: int, theirs: int, rolls: int) -> bool:
    """Return whether an attack goes on with these armies."""
    if ours < 2 or not theirs:
        return False
    if action.how == "until":
        return ours > action.n
    if action.how == "lead":
        return ours - theirs >= action.n
    return rolls < (action.n if action.how == "x" else 1)


@pytest.mark.parametrize("name", LAWS)
def test_dice_decide_a_battle_and_the_armies_move_in(name: str) -> None:
    rng, taken = Random(name), 0
    for state in crowds(name):
        before, turn = state.position, state.position.turn
        attacks = [action for action in judge.legal(judge.view(state, turn), turn) if action.kind == "attack"]
        for action in rng.sample(attacks, min(60, len(attacks))):
            at, held = turns.play(state, turn, action).state, stacks(before)
            ours, theirs, rolls, thrown = held[action.a][1], held[action.b][1], 0, 0
            while goes_on(action, ours, theirs, rolls) or not rolls:
                assert at.position.phase == "roll"
                thrown = min(action.n if action.how == "dice" else 3, ours - 1)
                dice = [rng.randint(1, 6) for _ in range(thrown)]
                others = [rng.randint(1, 6) for _ in range(min(before.info.law.defence, theirs))]
                wrong = actions.roll((*dice, 1), tuple(others)), actions.roll(tuple(dice), (*others, 1))
                assert all(judge.refuse(at, CHANCE, each) is not None for each in wrong)
                roll = actions.roll(tuple(dice), tuple(others))
                assert judge.refuse(at, CHANCE, roll) is None
                at, rolls = turns.play(at, CHANCE, roll).state, rolls + 1
                lost, killed = fallen(dice, others)
                ours, theirs = ours - lost, theirs - killed
            if theirs:
                expected = held | {action.a: (turn, ours), action.b: (held[action.b][0], theirs)}
                assert stacks(at.position) == expected
                assert not at.position.taken
                continue
            taken += 1
            if at.position.phase == "move":
                legal = [each.n for each in judge.legal(judge.view(at, turn), turn)]
                assert legal == list(range(thrown, ours))
                assert all(refused(at, f"move {n}") for n in (thrown - 1, ours) if n > 0)
                thrown = rng.choice(legal)
                at = turns.play(at, turn, actions.move(thrown)).state
            expected = held | {action.a: (turn, ours - thrown), action.b: (turn, thrown)}
            assert stacks(at.position) == expected
            beaten = {seat for seat, _ in held.values()} - {seat for seat, _ in expected.values()}
            assert set(at.position.info.out) == beaten
            hands = [set() if seat in beaten else set(own.hand) for seat, own in enumerate(state.own)]
            hands[turn] |= {card for seat in beaten for card in state.own[seat].hand}
            assert [set(own.hand) for own in at.own] == hands, "whoever takes the last country has the cards"
            assert at.position.info.cards == tuple(map(len, hands))
            assert (at.position.phase == "over") == (len({seat for seat, _ in expected.values()}) == 1)
    assert taken
