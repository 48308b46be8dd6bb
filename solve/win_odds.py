"""Measure how evaluations of a game's search turn into chances of winning: its `odds_scale` and `spread`.

    python -m solve.win_odds focus --matches 60

A search plays itself from random openings, with a random move now and then. A logistic curve through its
values and the results has one parameter, the scale: the evaluation that multiplies the odds by e. The spread
is how much values change with ten times the work. Both are for two teams.
"""

from __future__ import annotations

from math import exp, log, sqrt

import click

from games.ai.searching_player import search
from games.ai.win_shares import proves
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat
from games.engine.search import OVER, Budget, SearchState

Sample = tuple[int, float]
"""The value of a position for the seat to act, and its share of the match."""
_OPENING = 8
"""Number of random moves at the beginning."""
_STRAY = 12
"""Afterwards, one move of this number is random, on average."""
_MOST_MOVES = 300
_CLEAR = 1500
"""Values beyond this size say nothing more about the spread."""


def play(game: AnyGame, dice: Dice, work: int) -> tuple[list[Sample], list[SearchState]]:
    """Play a match; return samples of it, and positions with a search ahead of them."""
    state = start(game, dice)
    valued: list[tuple[int, int]] = []
    seen: list[SearchState] = []
    for number in range(_MOST_MOVES):
        while state.turn == CHANCE:
            state.make(dice.pick([draw for draw, weight in state.chances() for _ in range(weight)]))
        if state.turn == OVER:
            break
        if number < _OPENING or dice.below(_STRAY) == 0:
            state.make(dice.pick(state.moves()))
            continue
        found = search(state, Budget("alpha-beta", work), dice)
        valued.append((found.value, state.turn))
        if dice.below(16) == 0:
            seen.append(state.copy())
        state.make(found.move)
    result = state.result() or (0.5, 0.5)
    return [(value, result[seat]) for value, seat in valued if not proves(value)], seen


def start(game: AnyGame, dice: Dice) -> SearchState:
    """Return the first position for two."""
    position = game.start(game.setup(2)).state
    state = game.search_state(game.view(position, Seat(0)), Seat(0), dice)
    if state is None:
        raise click.UsageError(f"{game.key} has no search state.")
    return state


def fit(samples: list[Sample]) -> float:
    """Return the scale with which the logistic curve explains the results best."""

    def loss(scale: float) -> float:
        total = 0.0
        for value, share in samples:
            chance = 1.0 / (1.0 + exp(-max(-40.0, min(40.0, value / scale))))
            chance = min(max(chance, 1e-9), 1 - 1e-9)
            total -= share * log(chance) + (1 - share) * log(1 - chance)
        return total

    low, high = log(10.0), log(5000.0)
    for _ in range(60):
        one, other = low + (high - low) * 0.382, low + (high - low) * 0.618
        if loss(exp(one)) < loss(exp(other)):
            high = other
        else:
            low = one
    return exp((low + high) / 2)


def spread(positions: list[SearchState], dice: Dice, work: int) -> tuple[float, int]:
    """Return the standard deviation of values from those of ten times the work, and of how many positions."""
    squares = []
    for state in positions:
        first, second = (search(state, Budget("alpha-beta", w), dice).value for w in (work, 10 * work))
        if max(abs(first), abs(second)) <= _CLEAR:
            squares.append((first - second) ** 2)
    return sqrt(sum(squares) / max(1, len(squares))), len(squares)


@click.command()
@click.argument("key", type=click.Choice(registry.KEYS))
@click.option("--matches", default=60, show_default=True)
@click.option("--work", default=1500, show_default=True, help="Moves that the search makes for a decision.")
@click.option("--seed", default="1", show_default=True)
def main(key: str, matches: int, work: int, seed: str) -> None:
    """Measure the odds scale and the spread of a game for two."""
    game = registry.get(key)
    dice = Dice(seed.encode(), "win odds", 0, game.key)
    groups: list[list[Sample]] = [[] for _ in range(10)]
    positions: list[SearchState] = []
    for number in range(matches):
        samples, seen = play(game, dice, work)
        groups[number % 10] += samples
        positions += seen
    whole = [sample for group in groups for sample in group]
    scale = fit(whole)
    parts = [fit([s for other in groups if other is not group for s in other]) for group in groups]
    error = sqrt(0.9 * sum((part - scale) ** 2 for part in parts))
    found, count = spread(positions, dice, work)
    click.echo(f"odds scale {scale:.0f} ± {error:.0f} ({len(whole)} positions of {matches} matches)")
    click.echo(f"spread {found:.0f} ({count} positions, {work} and {10 * work} moves)")


if __name__ == "__main__":
    main()
