"""What `dominium tune` needs of each game: its recipe, and the steps from matches to numbers.

A recipe names the current weights, what they are relative to, where they are written, and how much work the
search does when it plays itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import games.dominance.search.weights
import games.dominion.search.weights
import games.focus.search.weights
from games.engine.game import AnyGame, Setup
from solve.fitting import Estimate, fit_weights
from solve.self_play import LOGIT, PlayedMatch, SampleFile, play_level, play_match


def with_weights(text: str, weights: Mapping[str, int]) -> str:
    """Return the text of a module with other numbers in the dictionary `WEIGHTS`.

    Raises ValueError unless each name stands in it exactly once, on a line of its own.
    """
    head, begin, rest = text.partition("\nWEIGHTS: Final")
    body, end, tail = rest.partition("\n}")
    if not begin or not end:
        raise ValueError("it has no WEIGHTS")
    for name, weight in weights.items():
        body, times = re.subn(
            rf'^(    "{re.escape(name)}": )-?\d+,$', rf"\g<1>{weight},", body, flags=re.MULTILINE
        )
        if times != 1:
            raise ValueError(f"its WEIGHTS have no line for {name}")
    return head + begin + body + end + tail


def with_odds(text: str, scale: float, spread: float) -> str:
    """Return the text of a module with another `ODDS_SCALE` and `SPREAD`. Raises ValueError without them."""
    for name, number in (("ODDS_SCALE", scale), ("SPREAD", spread)):
        text, times = re.subn(rf"^({name}: Final = )[\d.]+$", rf"\g<1>{number:.1f}", text, flags=re.MULTILINE)
        if times != 1:
            raise ValueError(f"it has no {name}")
    return text


_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a game is tuned."""

    scale: float
    """Its present odds scale."""
    spread: float
    matches: int
    work: int = 0
    """Moves made for a decision."""
    level: str = ""
    """The level that plays instead, where there is no search; then there are no weights either."""
    weights: Mapping[str, int] | None = None
    unit: tuple[str, ...] = ()
    """The features whose weights keep their sum: all others are relative to it."""
    step: int = 1
    """Weights are rounded to multiples of this."""
    path: Path | None = None
    """The module that holds the numbers."""


def _recipe(module: Any, unit: tuple[str, ...], matches: int, work: int, step: int = 1) -> Recipe:
    return Recipe(
        module.ODDS_SCALE,
        module.SPREAD,
        matches,
        work,
        weights=module.WEIGHTS,
        unit=unit,
        step=step,
        path=Path(module.__file__),
    )


RECIPES: Final[Mapping[str, Recipe]] = {
    "focus": _recipe(games.focus.search.weights, ("pile_1", "own_piece"), 300, 800, step=6),
    "dominance": _recipe(games.dominance.search.weights, ("left",), 200, 400),
    "dominion": _recipe(games.dominion.search.weights, ("general",), 150, 300),
    "domination": Recipe(LOGIT, 0.0, 100, level="average"),
}
"""By key of the game."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A weight as it is, and as it was fitted."""

    name: str
    now: int
    found: Estimate


def sample_file(
    folder: Path, game: AnyGame, recipe: Recipe, setup: Setup, work: int, seed: str
) -> SampleFile:
    """Return the file of a run's matches, which names all that they depend on."""
    about = {
        "format": _FORMAT,
        "game": game.key,
        "options": dict(setup.options),
        "play": recipe.level or work,
        "seed": seed,
        "weights": dict(recipe.weights or {}),
    }
    return SampleFile(folder / f"{game.key}.samples", about)


def play_on(
    file: SampleFile,
    done: Sequence[PlayedMatch],
    number: int,
    play: Callable[[int], PlayedMatch],
    stop: Callable[[], bool],
) -> Iterator[PlayedMatch]:
    """Play until there are `number` matches, or `stop` returns True; yield each once it is in the file."""
    for nth in range(len(done), number):
        if stop():
            return
        match = play(nth)
        file.append(match)
        yield match


def player_of(
    game: AnyGame, recipe: Recipe, setup: Setup, work: int, seed: str
) -> Callable[[int], PlayedMatch]:
    """Return what plays the match of a number."""
    if recipe.level:
        return lambda nth: play_level(game, setup, recipe.level, seed, nth)
    return lambda nth: play_match(game, setup, work, seed, nth)


def fit_recipe(recipe: Recipe, matches: Sequence[PlayedMatch]) -> list[Fitted]:
    """Return all weights of a game, old and new. Raises ValueError for too few matches."""
    weights = recipe.weights or {}
    names = list(weights)
    unit, size = [names.index(name) for name in recipe.unit], sum(weights[name] for name in recipe.unit)
    found = fit_weights(matches, unit, size, recipe.scale)
    return [Fitted(name, weights[name], each) for name, each in zip(names, found, strict=True)]


def weights_text(recipe: Recipe, text: str, fitted: Sequence[Fitted]) -> str:
    """Return the text of the game's module with the fitted weights, rounded. Raises ValueError."""
    step = recipe.step
    return with_weights(text, {each.name: step * round(each.found.value / step) for each in fitted})


def odds_text(text: str, scale: float, spread: float) -> str:
    """Return the text of the game's module with odds, the scale rounded to tens. Raises ValueError."""
    return with_odds(text, round(scale, -1), round(spread, -1))
