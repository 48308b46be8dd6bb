"""`dominium tune`: weights and odds of a game's evaluation, from matches of its computers.

Each match is appended to a file as soon as it has ended, so that a run can be stopped at any time, even by
kill -9, and goes on where it was with `--resume`. The same seed gives the same numbers on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from math import isfinite
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

import click
from rich.console import Console

from cli.solve import for_how_long
from cli.table import GameName, make_setup
from cli.terminal import Sorry, interruptible, out, progress, sole_writer, write_file
from games.engine.game import AnyGame

_NONE = "Tuning needs NumPy: .venv/bin/python -m pip install --editable '.[solve]'"


def tuning() -> tuple[ModuleType, ModuleType]:
    """Return the modules `solve.tuning` and `solve.win_odds`. Raises Sorry without NumPy."""
    try:
        return import_module("solve.tuning"), import_module("solve.win_odds")
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise Sorry(_NONE) from error


def begin(file: Any, *, resume: bool) -> list[Any]:
    """Return the matches that were played before; make the file if there is none. Raises Sorry."""
    try:
        if not file.path.exists():
            file.begin()
            return []
        if not resume:
            raise Sorry(f"{file.path} is there already. Use --resume to go on with it, or another --out.")
        found: list[Any] = file.load()
    except OSError as error:
        raise Sorry(f"{file.path} can't be read or written: {error.strerror}.") from error
    except ValueError as error:
        raise Sorry(f"{file.path} can't be used: {error}.") from error
    return found


def play_all(game: AnyGame, tune: ModuleType, file: Any, done: list[Any], number: int, play: Any) -> None:
    """Add matches to `done` and to the file until there are `number`. Raises Sorry when stopped."""
    before, begun = len(done), monotonic()
    with sole_writer(file.path), progress() as bar, interruptible() as stop:
        task = bar.add_task(game.key, total=number, completed=before)
        try:
            for match in tune.play_on(file, tuple(done), number, play, stop):
                done.append(match)
                a_match = (monotonic() - begun) / (len(done) - before)
                left = for_how_long(a_match * (number - len(done)))
                bar.update(task, completed=len(done), description=f"{game.key}: matches, {left} left")
        except OSError as error:
            raise Sorry(f"{file.path} can't be written: {error.strerror}.") from error
    if len(done) < number:
        raise Sorry(f"Stopped after {len(done)} of {number} matches. The same command with --resume goes on.")


def print_weights(console: Console, fitted: Sequence[Any]) -> None:
    """Print old and new weights with standard errors."""
    console.print(f"{'feature':<14} {'now':>6} {'fitted':>8} {'± error':>8}")
    for each in fitted:
        console.print(
            f"{each.name:<14} {each.now:>6} {each.found.value:>8.1f} {_number(each.found.error):>8}"
        )


def print_odds(console: Console, odds: ModuleType, matches: Sequence[Any], recipe: Any, found: Any) -> None:
    """Print scale and spread, and what came of positions by their predicted chance, before and after."""
    console.print(
        f"odds scale {found.scale.value:.0f} ± {_number(found.scale.error)}, now {recipe.scale:.0f} "
        f"({found.positions:,} positions of {len(matches)} matches)"
    )
    thirds = ", ".join(_number(each) for each in found.thirds)
    console.print(f"odds scale by the first, second and last third of each match: {thirds}")
    if found.compared:
        console.print(
            f"spread {found.spread.value:.0f} ± {_number(found.spread.error)}, now {recipe.spread:.0f} "
            f"({found.compared} positions with ten times the work)"
        )
    for name, scale in (("now", recipe.scale), ("measured", found.scale.value)):
        console.print(f"with the scale {name}, {scale:.0f}:")
        console.print("predicted        positions  matches  predicted   actual  ± error")
        for nth, each in enumerate(odds.reliability(matches, scale)):
            low, high = (round(100 * at / odds.BINS) for at in (nth, nth + 1))
            if each is not None:
                console.print(
                    f"{f'{low} to {high} %':<15} {each.positions:>10,} {each.matches:>8} "
                    f"{each.predicted:>10.1%} {each.actual:>8.1%} {each.error:>8.1%}"
                )


def run_report(
    tune: ModuleType, win_odds: ModuleType | None, recipe: Any, matches: Sequence[Any]
) -> Callable[[str], str]:
    """Print what follows from matches: the odds, or without `win_odds` the weights.

    Return what puts the numbers into the text of the game's module. Raises ValueError for too few matches.
    """
    console = out()
    if win_odds is not None:
        found = win_odds.measure_odds(matches)
        print_odds(console, win_odds, matches, recipe, found)
        return lambda text: str(tune.odds_text(text, found.scale.value, found.spread.value))
    fitted = tune.fit_recipe(recipe, matches)
    positions = sum(each is not None for match in matches for each in match.features)
    console.print(f"{positions:,} positions of {len(matches)} matches")
    print_weights(console, fitted)
    return lambda text: str(tune.weights_text(recipe, text, fitted))


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}" if isfinite(value) else "unknown"


def write(path: Path, text: str) -> None:
    """Write the module of a game's weights. Raises Sorry."""
    write_file(path, text.encode())
    out().print(f"written: {path}")


@click.command()
@click.argument("game", type=GameName())
@click.option("--matches", "number", type=click.IntRange(1, 100_000), help="By default 100 to 300.")
@click.option("--work", type=click.IntRange(1), help="Moves that the search makes for a decision.")
@click.option("--seed", default="1", show_default=True, help="Any text; it determines all matches.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("tuning"),
    show_default=True,
    help="Where the matches are kept.",
)
@click.option("--resume", is_flag=True, help="Go on with the matches that are in the folder.")
@click.option("--odds", is_flag=True, help="Measure how values turn into chances, rather than the weights.")
@click.option("--write", "writes", is_flag=True, help="Put the numbers into the game's module.")
def command(
    game: AnyGame,
    number: int | None,
    work: int | None,
    seed: str,
    options: tuple[str, ...],
    folder: Path,
    *,
    resume: bool,
    odds: bool,
    writes: bool,
) -> None:
    """Let GAME play itself, and fit the weights of its evaluation to what comes of it.

    With --odds, measure instead how often a value wins. Old and new numbers are printed with their standard
    errors; computers use them only after --write. Ctrl-C stops after the current match.
    """
    tune, win_odds = tuning()
    recipe = tune.RECIPES.get(game.key)
    if recipe is None:
        raise Sorry(f"{game.key} has nothing to tune. Choose from: {', '.join(tune.RECIPES)}.")
    if recipe.weights is None and not odds:
        raise Sorry(f"{game.key} has no weights that can be fitted. Use --odds.")
    if writes and (recipe.path is None or options):
        raise Sorry("--write is for games with a search, without --option.")
    setup = make_setup(game, 2, options)
    work = recipe.work if work is None else work
    file = tune.sample_file(folder, game, recipe, setup, work, seed)
    done = begin(file, resume=resume)
    number = number or recipe.matches
    play_all(game, tune, file, done, number, tune.player_of(game, recipe, setup, work, seed))
    try:
        change = run_report(tune, win_odds if odds else None, recipe, done[:number])
        if writes:
            write(recipe.path, change(recipe.path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise Sorry(f"These matches can't be used: {error}. More of them may help.") from error
