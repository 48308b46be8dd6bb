"""`dominium puzzles`: find positions in which one move is clearly best, for `/learn puzzle`.

The file is written anew after each match, so that a run can be stopped at any time, even by kill -9, and the
same command goes on where it was. The same seed gives the same puzzles on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import click

from bot.platform.tablebases import find_oracles
from cli.config import configuration
from cli.records import load
from cli.solve import for_how_long
from cli.table import GameName, make_setup
from cli.terminal import Sorry, interruptible, out, progress
from games.ai.decisions import decisions_of
from games.ai.players_by_level import Levels
from games.ai.puzzle_search import WORK, Collection, Found, puzzles_of, self_play
from games.engine.game import AnyGame
from games.engine.match import Match
from games.engine.puzzles import Puzzle, PuzzleFileError, PuzzleRun, read_puzzles, write_puzzles


def begun(game: AnyGame, path: Path, origin: PuzzleRun) -> tuple[PuzzleRun, tuple[Puzzle, ...]]:
    """Return what a file has so far; nothing if there is none. Raises Sorry for another file."""
    try:
        found, puzzles = read_puzzles(game, path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return origin, ()
    except (OSError, UnicodeDecodeError, PuzzleFileError) as error:
        raise Sorry(f"{path} can't be used: {error}.") from error
    if replace(found, matches=0) != origin:
        raise Sorry(f"{path} was made with seed {found.seed} and work {found.work}. Choose another --out.")
    return found, puzzles


def keep(path: Path, origin: PuzzleRun, puzzles: list[Puzzle]) -> None:
    """Write the file in one step. Raises Sorry if that can't be done."""
    draft = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(write_puzzles(origin, puzzles), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise Sorry(f"{path} can't be written: {error.strerror}.") from error


def decisions_in(match: Match) -> Iterator[Found]:
    """Yield the decisions of a recorded match."""
    for number, each in enumerate(decisions_of(match), 1):
        if not each.default and match.game.to_act(each.state) == {each.seat}:
            yield Found(each.state, each.seat, number)


@click.group(name="puzzles")
def command() -> None:
    """Find positions in which one move is clearly best: the puzzles of /learn puzzle."""


@command.command("make")
@click.argument("game", type=GameName())
@click.option("--count", type=click.IntRange(1, 10_000), default=200, show_default=True)
@click.option("--seed", default="1", show_default=True, help="Any text; it determines all puzzles.")
@click.option(
    "--work",
    type=click.IntRange(1, 10**7),
    default=WORK,
    show_default=True,
    help="Moves that the first search of a position makes; the second makes ten times as many.",
)
@click.option("--seats", type=int, help="Number of players; by default, the fewest.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--record",
    "records",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Look through this finished match first; repeatable.",
)
@click.option(
    "--out", "path", type=click.Path(path_type=Path, dir_okay=False), help="By default, puzzles/GAME.jsonl."
)
def make(
    game: AnyGame,
    count: int,
    seed: str,
    work: int,
    seats: int | None,
    options: tuple[str, ...],
    records: tuple[Path, ...],
    path: Path | None,
) -> None:
    """Look for puzzles of GAME in matches of its computers, until there are --count of them.

    A move has to lead clearly, twice: the second time with ten times the work, or by exact values.
    Ctrl-C stops after the current match; the same command goes on.
    """
    setup = make_setup(game, seats, options)
    if len(set(setup.teams)) != 2:
        raise Sorry("Puzzles are positions of two teams. Choose --seats or --option accordingly.")
    path = Path("puzzles") / f"{game.key}.jsonl" if path is None else path
    origin, known = begun(game, path, PuzzleRun(game.key, seed, work))
    found = Collection(count, known)
    levels = Levels(find_oracles(configuration().table_folder))
    for record in records:
        match = load(record).match
        if match.game.key != game.key or len(set(match.setup.teams)) != 2:
            raise Sorry(f"{record} isn't a match of {game.key} between two teams.")
        for puzzle in puzzles_of(game, match.setup, decisions_in(match), levels, work, match.id):
            found.add(puzzle)
    start, before = monotonic(), len(found.puzzles)
    with progress() as bar, interruptible() as stop:
        task = bar.add_task(game.key, total=count, completed=before)
        while not found.full and not stop():
            number = origin.matches + 1
            decisions = self_play(game, setup, levels, seed, number)
            for puzzle in puzzles_of(game, setup, decisions, levels, work, f"{seed}.{number}"):
                found.add(puzzle)
            origin = replace(origin, matches=number)
            keep(path, origin, found.puzzles)
            more = len(found.puzzles) - before
            left = for_how_long((monotonic() - start) / more * (count - len(found.puzzles))) if more else "?"
            bar.update(
                task, completed=len(found.puzzles), description=f"{game.key}: {number} matches, {left} left"
            )
    keep(path, origin, found.puzzles)
    out().print(f"{path}: {len(found.puzzles)} puzzles from {origin.matches} matches")
    if not found.full:
        raise Sorry(f"Stopped at {len(found.puzzles)} of {count}. The same command goes on.")
