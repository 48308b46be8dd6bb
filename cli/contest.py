"""`dominium contest`: matches between two levels of computer players, with confidence intervals.

Seats are turned: each sequence of dice is played once from every distribution of the two players over the
seats, so that neither gains by beginning. The same seed gives the same matches on every machine: levels are
limited by work here, not by time. With `--resume` each match goes into a file as soon as it has ended, so
that a contest of hours can be stopped at any time, even by kill -9, and taken up again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any, Final, cast, get_args

import click
from rich.console import Console

from bot.platform.tablebases import find_oracles
from cli.config import configuration
from cli.matchups import ContestMatch, fair_share, matches, placings, wilson
from cli.table import GameName, make_setup
from cli.terminal import Sorry, interruptible, out, progress, sole_writer, write_file
from games.ai.players import SearchingPlayer
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.game import AnyGame, Player, Setup
from games.engine.levels import LEVELS, Budget, Level, Method
from games.engine.normalization import folded
from games.engine.predictions import Prediction, compared
from games.engine.strengths import FILE_NAME, LevelContest, spelled
from solve.match_lines import load_lines

_FIELDS: Final = ("placing", "ranks", "decisions", "seconds", "moves", "slowest")
_BEGIN: Final = '{"game": '
"""How each line begins."""


class ContestFile:
    """The matches of one contest in a file that may hold those of others; each goes on after its own lines.

    A line is one match, with everything that determines it except the program itself.
    """

    def __init__(
        self, path: Path, game: AnyGame, setup: Setup, pair: Sequence[str], seed: str, *, alone: bool
    ) -> None:
        """`pair` names the two players; the rest is what `matches` is given."""
        self.path = path
        self._about = {
            "game": game.key,
            "seats": setup.seats,
            "options": dict(setup.options),
            "players": list(pair),
            "seed": seed,
            "alone": alone,
        }

    def load(self) -> list[ContestMatch]:
        """Return the matches that were played, and remove half a line at the end.

        Raises OSError, and ValueError if the file holds something else.
        """
        return load_lines(self.path, self._read, _BEGIN)

    def _read(self, lines: list[str]) -> list[ContestMatch]:
        """Return the matches of this contest among a file's lines. Raises ValueError."""
        rows = [_row_of(line) for line in lines]
        ours = [row for row in rows if self._about.items() <= row.items()]
        if [row.get("match") for row in ours] != list(range(len(ours))):
            raise ValueError("its matches aren't in order")
        return [_match_of(row) for row in ours]

    def append(self, number: int, match: ContestMatch) -> None:
        """Add a match. Raises OSError."""
        about = self._about | {"match": number}
        found = {name: getattr(match, name) for name in _FIELDS}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(about | found) + "\n")


def _row_of(line: str) -> dict[str, Any]:
    """Return the fields of a line. Raises ValueError."""
    try:
        return dict(json.loads(line))
    except (TypeError, ValueError) as error:
        raise ValueError("a line isn't a match") from error


def _match_of(row: dict[str, Any]) -> ContestMatch:
    """Return the match of a line. Raises ValueError."""
    try:
        placing, ranks, decisions, seconds, moves, slowest = (row[name] for name in _FIELDS)
        return ContestMatch(
            tuple(placing), tuple(ranks), int(decisions), tuple(seconds), tuple(moves), tuple(slowest)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("a line isn't a match") from error


_METHODS: Final = get_args(Method)
_SECONDS: Final = 3600.0
_HEAD: Final = "| players | matches | won | drawn | lost | points, % | by seat |"


def find_player(game: AnyGame, levels: Levels, text: str) -> Player:
    """Return the player of a level or a benchmark, or a bare search: `alpha-beta:20000`, `best-reply:5000:4`.

    The numbers are the work for a decision and, if given, the plies looked ahead. Raises Sorry.
    """
    name = folded(text)
    method, *numbers = name.split(":")
    if method in _METHODS and 1 <= len(numbers) <= 2 and all(n.isdecimal() and int(n) for n in numbers):
        if not game.levels():
            raise Sorry(f"{game.key} has no search yet.")
        work, depth = int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 60
        budget = Budget(cast("Method", method), work, min(depth, 60))
        return SearchingPlayer(Level(budget, budget, _SECONDS))
    benchmarks = game.benchmarks()
    if name in benchmarks:
        return benchmarks[name]
    if not levels.has(game.key, name):
        old = [known for known in ("random", "careful", *LEVELS) if levels.has(game.key, known)]
        known = ", ".join(dict.fromkeys((*old, *levels.names(game.key), *benchmarks)))
        raise Sorry(f"{game.key} has no level {text!r}. Choose from: {known}.")
    return levels.player(game.key, name)


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a contest; shares, bounds and the fair share are from 0.0 to 1.0."""

    matches: int
    won: int
    drawn: int
    """Matches that the first player neither won nor lost alone."""
    lost: int
    points: float
    """Points of the first player; its seats of a match count once."""
    share: float
    low: float
    high: float
    fair: float
    decisions: float
    """The median length."""
    seconds: tuple[float, float]
    """Average time for a decision of each player."""
    slowest: tuple[float, float]
    by_seat: tuple[tuple[float, int], ...]
    """Points and matches of the first player in each seat."""


def summarise(setup: Setup, done: Sequence[ContestMatch], fair: float) -> Summary:
    """Return the results of at least one match."""
    points = [one.points(setup) for one in done]
    low, high = wilson(sum(points), len(points))
    won, lost = points.count(1.0), points.count(0.0)
    by_seat = []
    for seat in range(setup.seats):
        there = [point for one, point in zip(done, points, strict=True) if one.placing[seat] == 0]
        by_seat.append((round(sum(there), 2), len(there)))
    average = [
        sum(one.seconds[who] for one in done) / max(1, sum(one.moves[who] for one in done)) for who in (0, 1)
    ]
    slowest = [max(one.slowest[who] for one in done) for who in (0, 1)]
    return Summary(
        matches=len(done),
        won=won,
        drawn=len(points) - won - lost,
        lost=lost,
        points=round(sum(points), 2),
        share=round(sum(points) / len(points), 4),
        low=round(low, 4),
        high=round(high, 4),
        fair=round(fair, 4),
        decisions=median(one.decisions for one in done),
        seconds=(round(average[0], 3), round(average[1], 3)),
        slowest=(round(slowest[0], 3), round(slowest[1], 3)),
        by_seat=tuple(by_seat),
    )


def seats_text(found: Summary) -> str:
    """Return the points of the first player from each seat: "31 of 50, 42 of 50"."""
    return ", ".join(f"{points:g} of {count}" for points, count in found.by_seat)


def row(pair: str, found: Summary) -> str:
    """Return a row of the table of several contests, as the documents have it."""
    low, high = (f"{100 * bound:.1f}" for bound in (found.low, found.high))
    counts = f"{found.matches} | {found.won} | {found.drawn} | {found.lost}"
    return f"| `{pair}` | {counts} | {100 * found.share:.1f} ({low} to {high}) | {seats_text(found)} |"


def print_predictions(console: Console, predictions: Sequence[Prediction]) -> None:
    """Print predictions in bins with what came true of them."""
    console.print(
        "| predicted | chance, % | times | mean, % | came true, % |\n| --- | --- | --- | --- | --- |"
    )
    for one in compared(predictions):
        bounds = f"{100 * one.low:.0f} to {100 * one.high:.0f}"
        low, high = wilson(one.came_true * one.times, one.times)
        true = f"{100 * one.came_true:.1f} ({100 * low:.1f} to {100 * high:.1f})"
        console.print(f"| {one.kind} | {bounds} | {one.times} | {100 * one.mean:.1f} | {true} |")


@click.command()
@click.argument("game", type=GameName())
@click.argument("first")
@click.argument("second")
@click.option("--matches", "number", type=click.IntRange(1, 100_000), default=40, show_default=True)
@click.option("--seats", type=int, help="Number of players; by default, the fewest.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; repeatable."
)
@click.option("--seed", default="1", show_default=True, help="Any text; it determines all dice.")
@click.option("--alone", is_flag=True, help="Let FIRST always play one team against all others.")
@click.option(
    "--resume",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep each match in FILE as it ends, and go on after those that are there.",
)
@click.option(
    "--keep",
    is_flag=True,
    help="Add the result to those from which the levels' strengths follow, for one with the same dice.",
)
@click.option(
    "--predictions", "watch", is_flag=True, help="Print what FIRST predicts, and how often it is right."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, of several contests one a line."
)
def command(
    game: AnyGame,
    first: str,
    second: str,
    number: int,
    seats: int | None,
    options: tuple[str, ...],
    seed: str,
    path: Path | None,
    *,
    alone: bool,
    keep: bool,
    watch: bool,
    as_json: bool,
) -> None:
    """Let the computer players FIRST and SECOND of GAME play each other, in turned seats.

    Either can be several, with commas between: then each of the first meets each of the second, and a table
    shows all results.

    They are levels, such as `expert` and `careful`, a game's own opponents for measuring, such as `greedy` in
    Domination, or searches: `alpha-beta:20000`, `best-reply:5000:4`, `playouts:1000`. The numbers are the
    work for a decision and, if given, the plies looked ahead. Ctrl-C stops after the current match and prints
    the results so far; with --resume the same command goes on. One FILE may hold many contests, all by the
    same version of the program.
    """
    setup = make_setup(game, seats, options)
    if keep and not alone and len(set(setup.teams)) > 2:
        raise Sorry("With three sides or more, results can be kept of contests with `--alone` only.")
    if watch and game.predictions() is None:
        raise Sorry(f"The computer players of {game.key} predict nothing that could be checked.")
    if watch and path is not None:
        raise Sorry("--predictions can't be resumed: they aren't in the file.")
    levels = Levels(find_oracles(configuration().table_folder))
    pairs = [(one, other) for one in first.split(",") for other in second.split(",")]
    players = {name: find_player(game, levels, name) for pair in pairs for name in pair}
    console, predicted = out(), list[Prediction]()
    if len(pairs) > 1 and not as_json:
        console.print(f"{_HEAD}\n{'| --- ' * _HEAD.count(' | ')}| --- |")
    with nullcontext() if path is None else sole_writer(path), progress() as bar, interruptible() as stop:
        for pair in pairs:
            file = None if path is None else ContestFile(path, game, setup, pair, seed, alone=alone)
            done = _begin(file)[:number]
            name = " v ".join(pair)
            task = bar.add_task(name, total=number, completed=len(done))
            both = players[pair[0]], players[pair[1]]
            for one in matches(game, setup, both, number, seed, alone=alone, watch=watch, begin=len(done)):
                _append(file, len(done), one)
                done.append(one)
                points = sum(each.points(setup) for each in done)
                bar.update(task, advance=1, description=f"{name}: {points:g} of {len(done)}")
                if stop():
                    break
            predicted += (each for one in done for each in one.predictions)
            found = summarise(setup, done, fair_share(setup, placings(setup, alone=alone)))
            if keep and (file is None or len(done) == number):
                _keep(game, setup, *pair, seed, found)
            if as_json:
                about = {"game": game.key, "seats": setup.seats, "options": dict(setup.options), "seed": seed}
                console.print(json.dumps(about | {"players": pair} | asdict(found)))
            elif len(pairs) > 1:
                console.print(row(" ".join(pair), found))
            else:
                print_summary(console, name, found)
            if stop():
                break
    if watch and not as_json:
        print_predictions(console, predicted)


def _begin(file: ContestFile | None) -> list[ContestMatch]:
    """Return the matches that were played before. Raises Sorry."""
    try:
        return [] if file is None else file.load()
    except OSError as error:
        raise Sorry(f"{error.filename} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise Sorry(f"--resume can't go on: {error}.") from error


def _append(file: ContestFile | None, number: int, match: ContestMatch) -> None:
    """Add a match to the file, if there is one. Raises Sorry."""
    try:
        if file is not None:
            file.append(number, match)
    except OSError as error:
        raise Sorry(f"{error.filename} can't be written: {error.strerror}.") from error


def print_summary(console: Console, name: str, found: Summary) -> None:
    """Print the result of one contest."""
    console.print(f"{name}: won {found.won}, drawn {found.drawn}, lost {found.lost}")
    console.print(
        f"{found.share:.1%} of the points of {found.matches} matches, 95% confidence {found.low:.1%} to "
        f"{found.high:.1%}; equal players would get {found.fair:.1%}; by seat {seats_text(found)}"
    )
    console.print(
        f"median length {found.decisions:g} decisions; a decision took {found.seconds[0]:.3f} s and "
        f"{found.seconds[1]:.3f} s, at most {found.slowest[0]:.3f} s and {found.slowest[1]:.3f} s"
    )


def _keep(game: AnyGame, setup: Setup, first: str, second: str, seed: str, found: Summary) -> None:
    """Put a result into the file in the game's folder, in place of an earlier one from the same dice."""
    family = game.family(setup.seats, setup.options)
    rivals = len(set(setup.teams)) - 1
    kept = LevelContest(family, folded(first), folded(second), found.matches, found.points, rivals, seed)
    path = Path(str(files(registry.package(game.key)))) / FILE_NAME
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    same = attrgetter("family", "first", "second", "rivals", "seed")
    found_by = {same(LevelContest(**json.loads(line))): line for line in lines}
    found_by[same(kept)] = spelled(kept)
    write_file(path, "".join(f"{line}\n" for line in found_by.values()).encode())
