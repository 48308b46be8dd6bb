"""Look for the weights of Dominion's evaluation: `python -m solve.dominion_weights`.

A search plays itself from random openings, with a random move now and then, so that one side wins most of the
matches; Fate throws as in a match. Of each position in which nothing can be taken at a profit the features
are kept, the result, and the search's value 16 decisions later. Weights are fitted to the average of both, as
in `solve.dominance_weights`; a General keeps its weight, and all others are relative to it. The same seed
gives the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import click

from games.ai.alpha_beta import AlphaBeta
from games.dominion import GAME
from games.dominion.position import sides_of
from games.dominion.search.state import DominionSearch
from games.dominion.search.weights import WEIGHTS
from games.engine.dice import Dice
from games.engine.game import CHANCE, Seat
from games.engine.search import MOVE_BITS, Budget
from solve.fitting import Sample, fit_weights, labelled

_LATER: Final = 16
"""Decisions after which the search's value counts."""
_STEEPNESS: Final = 0.003
"""Logit of winning for a hundredth of a Soldier, to read later values as probabilities."""
_RANDOM: Final = 0.1
"""Share of random moves."""
_OPENING: Final = 12
_UNIT: Final = "general"


def samples(work: int, seed: int) -> Iterator[Sample]:
    """Play one match for two, and yield its positions in which nothing can be taken at a profit."""
    random = Random(seed)  # noqa: S311 - to be the same each time
    state = _opening(random)
    seen: list[tuple[tuple[int, ...] | None, int]] = []
    while state.result() is None:
        if state.turn == CHANCE:
            draws, weights = zip(*state.chances(), strict=True)
            state.make(random.choices(draws, weights)[0])
            continue
        dice = Dice(seed.to_bytes(8, "big"), "weights", len(seen), "")
        thought = AlphaBeta(state, Budget("alpha-beta", work), dice).think()
        quiet = not any(packed >> MOVE_BITS > 0 for packed in state.noisy())
        value = thought.value if state.turn == 0 else -thought.value
        seen.append((state.features() if quiet else None, value))
        loose = random.random() < _RANDOM or len(seen) < random.randrange(2, _OPENING)
        state.make(random.choice(state.moves()) if loose else thought.move)
    result = state.result() or (0.5, 0.5)
    yield from labelled(seen, result[0], later=_LATER, steepness=_STEEPNESS)


def _opening(random: Random) -> DominionSearch:
    """Return the position in which the first seat is to move, with random Sergeants."""
    state = GAME.start(GAME.setup(2)).state
    state = GAME.apply(state, CHANCE, random.choice(list(GAME.actions(GAME.view(state, None), CHANCE)))).state
    for seat in map(Seat, range(len(sides_of(2, "west")))):
        pairs = list(GAME.actions(GAME.view(state, seat), seat))
        state = GAME.apply(state, seat, random.choice(pairs)).state
    return DominionSearch.from_position(state.position)


def fit(found: list[Sample]) -> dict[str, int]:
    """Return the weights that explain the samples best."""
    return fit_weights(found, tuple(WEIGHTS), _UNIT, WEIGHTS["general"])


@click.command()
@click.option("--matches", default=150, show_default=True, type=click.IntRange(1))
@click.option(
    "--work", default=300, show_default=True, type=click.IntRange(1), help="Moves made for a decision."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
def main(matches: int, work: int, seed: int) -> None:
    """Print the weights that self-play finds."""
    found: list[Sample] = []
    for nth in range(matches):
        found += samples(work, seed * 1_000_000 + nth)
        click.echo(f"{nth + 1} of {matches} matches, {len(found)} positions", err=True)
    for name, weight in fit(found).items():
        click.echo(f"{name:12} {weight:5}")


if __name__ == "__main__":
    main()
