"""Odds: the computed ones agree with rolls counted one by one, and with battles played out roll by roll."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from games.domination.rules.battle_odds import armies_left, battle, distribution, losses


@cache
def literal(armies: int, keep: int, against: int, defence: int) -> tuple[float, float, float]:
    """The odds by the words of the rules: roll until nothing is left to attack with, or nothing to attack."""
    if against == 0:
        return 1.0, 0.0, 0.0
    if armies <= keep:
        return 0.0, 0.0, 0.0
    ours, theirs = min(3, armies - 1), min(defence, against)
    wins = lost = killed = 0.0
    count = 0
    for faces in product(range(1, 7), repeat=ours + theirs):
        minus, plus = losses(faces[:ours], faces[ours:])
        after = literal(armies - minus, keep, against - plus, defence)
        count += 1
        wins, lost, killed = wins + after[0], lost + after[1] + minus, killed + after[2] + plus
    return wins / count, lost / count, killed / count


@pytest.mark.parametrize(("armies", "against", "keep", "defence"), [(2, 1, 1, 2), (4, 2, 1, 2), (4, 3, 2, 2)])
def test_a_battle_is_the_sum_of_its_rolls(armies: int, against: int, keep: int, defence: int) -> None:
    found = battle(armies, against, keep=keep, defence=defence)
    assert tuple(found) == pytest.approx(literal(armies, keep, against, defence))


def test_battles_that_are_known() -> None:
    assert battle(2, 1).wins == pytest.approx(15 / 36)
    assert battle(4, 2).wins == pytest.approx(0.6565, abs=1e-3)
    assert battle(10, 10).wins == pytest.approx(0.4800, abs=1e-2)
    assert tuple(battle(1, 5)) == (0.0, 0.0, 0.0)
    assert tuple(battle(5, 0)) == (1.0, 0.0, 0.0)
    assert battle(9, 9, defence=3).wins < battle(9, 9).wins


@pytest.mark.parametrize(("armies", "against", "defence"), [(2, 1, 2), (5, 3, 2), (9, 7, 3), (30, 12, 2)])
def test_armies_left_are_those_that_a_won_battle_leaves(armies: int, against: int, defence: int) -> None:
    found, odds = armies_left(armies, against, defence=defence), battle(armies, against, defence=defence)
    assert sum(found.values()) == pytest.approx(odds.wins)
    spent = sum((armies - left) * chance for left, chance in found.items())
    assert spent + (armies - 1) * (1 - odds.wins) == pytest.approx(odds.lost)
    assert max(found) == armies
    assert armies_left(1, 1) == {}


def test_odds_grow_with_armies_and_shrink_with_what_is_kept() -> None:
    assert [battle(n, 5).wins for n in range(1, 20)] == sorted(battle(n, 5).wins for n in range(1, 20))
    assert battle(9, 5, keep=4).wins < battle(9, 5, keep=3).wins < battle(9, 5, keep=1).wins
    assert battle(400, 200).wins > 0.999
    assert battle(400, 200).killed == pytest.approx(200, rel=0.01)
    assert battle(200, 400).wins < 0.001


def test_distributions_are_of_all_dice() -> None:
    for ours, theirs in product((1, 2, 3), (1, 2, 3)):
        found = distribution(ours, theirs)
        assert sum(chance for _, _, chance in found) == 1
        chances = [chance for _, _, chance in found]
        assert chances == sorted(chances, reverse=True)
