"""The levels of Two Domains: each gives away more than the one above it, and obvious things are seen."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from bot.platform.tablebases import open_tablebase, shipped_table
from games.ai.players_by_level import Levels
from games.engine.dice import Dice
from games.engine.game import Oracle, Seat
from games.engine.levels import LEVELS
from games.two_domains import GAME
from games.two_domains import game as own
from games.two_domains.domain import domain
from games.two_domains.rules import State
from tests.games.two_domains.helpers import position
from tests.soak import SOAK


@cache
def oracle() -> Oracle:
    path = shipped_table(GAME)
    assert path is not None
    return open_tablebase(GAME, path)


def positions(number: int) -> list[State]:
    """Random positions of four and five dice."""
    random = Random("levels")
    found: list[State] = []
    while len(found) < number:
        lines = ["".join(random.choice("123456") for _ in range(random.choice((4, 5)))) for _ in range(2)]
        if not any(domain(line).civil_war for line in lines):
            found.append(position(*lines))
    return found


def losses(level: str, states: list[State]) -> list[float]:
    """What a level gives away in each position."""
    player = Levels({"two_domains": oracle()}).player("two_domains", level)
    found = []
    for seq, state in enumerate(states):
        values = dict(oracle().appraise(state, Seat(0)) or ())
        action = player.choose(GAME, state, Seat(0), Dice(bytes(32), "test", seq, ""))
        found.append(max(values.values()) - values[action])
    return found


def test_they_are_the_levels_below_expert_and_err_less_and_less() -> None:
    assert tuple(own.LEVELS) == LEVELS[:-1]
    judged = list(own.LEVELS.values())
    assert judged == sorted(judged, key=lambda level: -level.error)
    assert judged == sorted(judged, key=lambda level: -level.oversight)


@pytest.mark.slow
def test_each_level_gives_away_more_than_the_one_above() -> None:
    states = positions(400 if SOAK else 150)
    given = [sum(losses(level, states)) / len(states) for level in (*LEVELS[:-1], "perfect")]
    assert given[-1] < 1e-9
    assert all(weaker > 1.2 * stronger for weaker, stronger in pairwise(given)), given


def bad_choices(level: str) -> float:
    """How often a level gathers where one roll in six is Civil War, and four other actions look better."""
    player = Levels({"two_domains": oracle()}).player("two_domains", level)
    state = position("13266", "22222")
    dice = (Dice(bytes(32), "test", seq, "") for seq in range(300))
    return [player.choose(GAME, state, Seat(0), each).text for each in dice].count("gather") / 300


@pytest.mark.slow
def test_nobody_blunders_at_random() -> None:
    """A random player would gather in a fifth of the cases."""
    found = [bad_choices(level) for level in (*LEVELS[:-1], "perfect")]
    assert found[0] < 0.12
    assert found[1] < 0.05
    assert found[2:] == [0.0, 0.0, 0.0]
