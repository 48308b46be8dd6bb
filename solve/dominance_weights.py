"""Find the weights of Dominance's evaluation: `python -m solve.dominance_weights`.

A search plays itself from random openings, with a random move now and then, so that one side wins most of the
matches. Of each position without attacks the features are kept, the result, and the search's value 16 moves
later. Weights are fitted by logistic regression to the average of both as probabilities of winning: results
alone are noisy, later values alone believe what the current weights say. They are in hundredths of a piece.
The same seed gives the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import click

from games.ai.alpha_beta import AlphaBeta
from games.dominance import GAME
from games.dominance.boards import BOARDS
from games.dominance.search.features import FEATURES
from games.dominance.search.state import DominanceSearch
from games.engine.dice import Dice
from games.engine.search import MOVE_BITS, Budget
from solve.fitting import Sample, fit_weights, labelled

_LATER: Final = 16
"""Moves after which the search's value counts."""
_STEEPNESS: Final = 0.006
"""Logit of winning for a hundredth of a piece, to read later values as probabilities."""
_RANDOM: Final = 0.1
"""Share of random moves."""
_OPENING: Final = 16


def samples(board: str, work: int, seed: int) -> Iterator[Sample]:
    """Play one match, and yield its positions without attacks."""
    random = Random(seed)  # noqa: S311 - to be the same each time
    state = DominanceSearch.from_state(GAME.start(GAME.setup(2, {"board": board})).state)
    for _ in range(random.randrange(2, _OPENING)):
        if state.result() is None:
            state.make(random.choice(state.moves()))
    seen: list[tuple[tuple[int, ...] | None, int]] = []
    while state.result() is None:
        dice = Dice(seed.to_bytes(8, "big"), "weights", len(seen), "")
        thought = AlphaBeta(state, Budget("alpha-beta", work), dice).think()
        quiet = not any(packed >> MOVE_BITS > 0 for packed in state.noisy())
        seen.append(
            (state.features() if quiet else None, thought.value if state.turn == 0 else -thought.value)
        )
        state.make(random.choice(state.moves()) if random.random() < _RANDOM else thought.move)
    result = state.result() or (0.5, 0.5)
    yield from labelled(seen, result[0], later=_LATER, steepness=_STEEPNESS)


def fit(found: list[Sample]) -> dict[str, int]:
    """Return the weights that explain the samples best, in hundredths of a piece."""
    return fit_weights(found, FEATURES, FEATURES[0])


@click.command()
@click.option("--matches", default=200, show_default=True, type=click.IntRange(1))
@click.option(
    "--work", default=400, show_default=True, type=click.IntRange(1), help="Moves made for a decision."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
@click.option("--board", default="hex4", show_default=True, type=click.Choice(tuple(BOARDS)))
def main(matches: int, work: int, seed: int, board: str) -> None:
    """Print the weights that self-play finds."""
    found: list[Sample] = []
    for nth in range(matches):
        found += samples(board, work, seed * 1_000_000 + nth)
        click.echo(f"{nth + 1} of {matches} matches, {len(found)} positions", err=True)
    for name, weight in fit(found).items():
        click.echo(f"{name:12} {weight:4}")


if __name__ == "__main__":
    main()
