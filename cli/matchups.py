"""Matches between two computer players, the same on every run, and what their results are worth."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from time import perf_counter
from typing import Any, Final

from games.ai.players_by_level import Levels
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Oracle, Player, Setup
from games.engine.predictions import Prediction, PredictionWatcher
from games.engine.search import shares

_Z: Final = 1.96
"""Standard deviations on each side of an interval that holds the true value in 95 of 100 cases."""


def wilson(points: float, count: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share, from `points` of `count` (Wilson, 1927).

    Draws and shared wins may count in part: then the interval is wider than it has to be.
    """
    if not count:
        return 0.0, 1.0
    share, square = points / count, _Z * _Z
    centre = (share + square / (2 * count)) / (1 + square / count)
    spread = _Z * sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, centre - spread), min(1.0, centre + spread)


@dataclass(frozen=True, slots=True)
class ContestMatch:
    """One match: who sat where (0 or 1 by seat), the result, and what it took."""

    placing: tuple[int, ...]
    ranks: tuple[int, ...]
    decisions: int
    seconds: tuple[float, float]
    """Total time that each of the two players thought."""
    moves: tuple[int, int]
    slowest: tuple[float, float]
    predictions: tuple[Prediction, ...] = ()
    """What the first player's seats predicted, if that was asked for."""

    def points(self, setup: Setup) -> float:
        """Return the first player's share of the match, 1.0 for a win."""
        by_seat = shares(self.ranks, setup.teams)
        won = dict(zip(setup.teams, by_seat, strict=True))
        ours = {team for team, player in zip(setup.teams, self.placing, strict=True) if player == 0}
        return sum(share for team, share in won.items() if team in ours)


def placings(setup: Setup, *, alone: bool = False) -> list[tuple[int, ...]]:
    """Return the distributions of two players over the seats, for whole teams.

    With three or more teams one of the two plays one team and the other all others, in each place; with
    `alone` it is always the first of them. Over all distributions the fair share is the same for each place.
    """
    teams = sorted(set(setup.teams))
    lone = [tuple(int(team != other) for other in setup.teams) for team in teams]
    if len(teams) == 2 or alone:
        return lone
    return [*lone, *(tuple(1 - player for player in placing) for placing in lone)]


def fair_share(setup: Setup, places: Sequence[tuple[int, ...]]) -> float:
    """Return the share of the first player if both play alike."""
    teams = len(set(setup.teams))
    ours = [len({t for t, p in zip(setup.teams, placing, strict=True) if p == 0}) for placing in places]
    return sum(ours) / (teams * len(places))


def play(
    game: AnyGame,
    setup: Setup,
    players: Sequence[Player],
    placing: tuple[int, ...],
    seed: str,
    watch: PredictionWatcher | None = None,
) -> ContestMatch:
    """Play one match to its end, with dice from the seed; `watch` collects what is predicted in it."""
    secret = hashlib.sha256(seed.encode()).digest()
    state: Any = game.start(setup).state
    seq, decisions = 0, 0
    seconds, moves, slowest = [0.0, 0.0], [0, 0], [0.0, 0.0]
    predicted: list[Prediction] = []
    while (outcome := game.outcome(state)) is None:
        seat = min(game.to_act(state))
        dice = Dice(secret, "contest", seq, str(seat))
        seq += 1
        if seat == CHANCE:
            action = game.draw(state, dice)
        else:
            who, begun = placing[seat], perf_counter()
            action = players[who].choose(game, game.view(state, seat), seat, dice)
            took = perf_counter() - begun
            seconds[who] += took
            slowest[who] = max(slowest[who], took)
            moves[who] += 1
            decisions += 1
        state = game.apply(state, seat, action).state
        if watch is not None:
            predicted += (each for each in watch(state) if placing[each.seat] == 0)
    return ContestMatch(
        placing,
        outcome.ranks,
        decisions,
        (seconds[0], seconds[1]),
        (moves[0], moves[1]),
        (slowest[0], slowest[1]),
        tuple(predicted),
    )


def matches(
    game: AnyGame,
    setup: Setup,
    players: Sequence[Player],
    number: int,
    seed: str,
    *,
    alone: bool = False,
    watch: bool = False,
    begin: int = 0,
) -> Iterator[ContestMatch]:
    """Yield matches of two players, the same dice once for each distribution over the seats.

    With `watch` they hold what the first player predicted. The first `begin` matches are left out.
    """
    places = placings(setup, alone=alone)
    for nth in range(begin, number):
        watcher = game.predictions() if watch else None
        yield play(game, setup, players, places[nth % len(places)], f"{seed} {nth // len(places)}", watcher)


# --- the perfect player -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """Results of the perfect player against a level: matches, wins, draws, and the median length."""

    level: str
    matches: int
    won: int
    drawn: int
    length: float
    """The median of decisions."""


def perfect_scores(game: AnyGame, oracle: Oracle, number: int) -> Iterator[Score]:
    """Yield the results of the perfect player against each level, itself included, alternating seats."""
    levels, setup = Levels({game.key: oracle}), game.setup(2)
    perfect = levels.player(game.key, "perfect")
    for level in levels.names(game.key):
        players = (perfect, levels.player(game.key, level))
        done = list(matches(game, setup, players, number, "perfect"))
        points = [one.points(setup) for one in done]
        length = median(one.decisions for one in done)
        yield Score(level, number, points.count(1.0), points.count(0.5), length)
