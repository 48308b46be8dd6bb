"""The engine against the literal game of `literal`: the same choices, the same positions, the same counts."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from games.engine.game import CHANCE, Seat
from games.two_domains import GAME
from games.two_domains.actions import BATTLE
from games.two_domains.domain import domain
from games.two_domains.rules import State
from tests.games.two_domains import literal
from tests.games.two_domains.helpers import begin, greedy, legal, position, seat_to_act
from tests.soak import SOAK

pytestmark = pytest.mark.slow

PERFT = {
    ("22222", "22222"): ((6, 11), (66, 121), (792, 1397), (9144, 16129), (104013, 184658)),
    ("12356", "22226"): ((5, 10), (51, 101), (455, 1010), (5804, 11194)),
    ("12336", "23"): ((5, 15), (56, 136), (670, 1655), (6039, 14739)),
    ("16266", "1255"): ((4, 14), (53, 113), (470, 1355), (4923, 11178)),
    ("16", "1"): ((2, 12), (13, 58), (89, 379), (610, 2585), (4181, 17711)),
    ("1666", "1"): ((2, 12), (16, 76), (120, 555), (950, 4075)),
    ("11556", "12"): ((1, 6), (12, 42), (140, 350), (650, 2650)),
    ("2616", "666"): ((4, 14), (24, 94), (382, 1072), (3041, 8771)),
}
"""By lines of mover and opponent: for 1, 2 and more actions the decisions, and those with all rolls."""


def perft(state: State, depth: int) -> tuple[int, int]:
    """Return the numbers of decisions at this depth, and of decisions with rolls, by the engine."""
    if not GAME.to_act(state):
        return 0, 0
    decisions = nodes = 0
    for following in expanded(state):
        if depth > 1:
            more, rolled = perft(following, depth - 1)
            decisions, nodes = decisions + more, nodes + rolled
        else:
            nodes += 1
    return (decisions if depth > 1 else len(legal(state))), nodes


def expanded(state: State) -> list[State]:
    """Return all positions after one action, chance's six outcomes each separately."""
    found = []
    seat = seat_to_act(state)
    for action in GAME.actions(state, seat):
        after = GAME.apply(state, seat, action).state
        if GAME.to_act(after) == {CHANCE}:
            found += [GAME.apply(after, CHANCE, roll).state for roll in GAME.actions(after, CHANCE)]
        else:
            found.append(after)
    return found


def assert_same(state: State, table: literal.LiteralState) -> None:
    """Assert that both agree on everything."""
    assert state.domains == tuple(map(literal.digits, table.lines))
    assert state.completed == table.done
    outcome = GAME.outcome(state)
    if table.winner is None:
        assert outcome is None
        assert seat_to_act(state) == table.mover
        assert legal(state) == literal.choices(table)
    else:
        assert outcome is not None
        assert outcome.ranks == ((1, 2), (2, 1), (1, 1))[table.winner]


@pytest.mark.parametrize("lines", PERFT)
def test_perft(lines: tuple[str, str]) -> None:
    state = position(*lines)
    assert tuple(perft(state, depth + 1) for depth in range(len(PERFT[lines]))) == PERFT[lines]


@pytest.mark.parametrize("lines", PERFT)
def test_perft_by_the_literal_game(lines: tuple[str, str]) -> None:
    table = literal.table(lines, 0)
    assert tuple(literal.count(table, depth + 1) for depth in range(len(PERFT[lines]))) == PERFT[lines]


@pytest.mark.parametrize("style", ["random", "greedy", "mixed"])
@pytest.mark.parametrize("start", ["", "462", "497"])
@pytest.mark.parametrize("rules", [1, 2])
def test_whole_games_are_the_same_in_both_implementations(style: str, start: str, rules: int) -> None:
    """From the first turn, and from late in a long match, so that the limit is reached as well."""
    for seed in range(10 if SOAK else 5):
        random = Random(f"{style} {seed}")
        done = int(start or 0)
        state = begin(seed % 2, rules)._replace(completed=done)
        table = literal.LiteralState(mover=seed % 2, done=done, rules=rules)
        while GAME.to_act(state):
            assert_same(state, table)
            thoughtful = style == "greedy" or (style == "mixed" and random.random() < 0.7)
            seat = seat_to_act(state)
            action = greedy(state, random) if thoughtful else random.choice(list(GAME.actions(state, seat)))
            state = GAME.apply(state, seat, action).state
            rolled = None
            if GAME.to_act(state) == {CHANCE}:
                roll = random.choice(list(GAME.actions(state, CHANCE)))
                state, rolled = GAME.apply(state, CHANCE, roll).state, roll.n
            table = literal.play(table, GAME.format(state, action), rolled)
        assert_same(state, table)


def test_every_domain_has_the_same_actions_and_scenarios() -> None:
    """All 9,325 of them: what its owner may do, and every scenario, against the words of the text."""
    seen = 0
    for size in range(1, 6):
        for faces in product("123456", repeat=size):
            dice = "".join(faces)
            if size == 1 and dice != "1":
                continue
            seen += 1
            own = domain(dice)
            table = literal.table((dice, "22222"), 0)
            line = table.lines[0]
            if size > 1:
                assert [action.text for action in own.actions] == literal.choices(table)
            said = {
                "authority": line.count("king") == 1,
                "turmoil": line.count("king") > 1,
                "vigilance": line[-1] == "army",
                "consensus": line.count("capital") == 1,
                "dissonance": line.count("capital") > 1,
                "civil_war": line.count("king") > 1 and line.count("army") > 1,
                "endurance": len(line) == 1,
            }
            assert list(own.scenarios) == [name for name, active in said.items() if active]
    assert seen == 9325


def test_an_attack_brings_civil_war_to_nobody_else() -> None:
    """Every line that can be attacked, by both ways to battle and every roll."""
    for size in range(1, 6):
        for faces in product("123456", repeat=size):
            dice = "".join(faces)
            if domain(dice).civil_war or (size == 1 and dice != "1"):
                continue
            for attacker in ("12336", "12356"):
                begun = GAME.apply(position(attacker, dice), Seat(0), BATTLE).state
                rolls = list(GAME.actions(begun, CHANCE)) if begun.roll else []
                for after in [GAME.apply(begun, CHANCE, roll).state for roll in rolls] or [begun]:
                    assert not domain(after.domains[1]).civil_war
                    assert len(after.domains[1]) <= 5
