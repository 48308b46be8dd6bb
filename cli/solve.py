"""`dominium solve`: compute the exact values of a game, and pack them into the small table that ships.

It can be stopped at any time, even by kill -9, and goes on where it was when it is called again. Of the
games of the house one is small enough.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

import click

from bot.platform.tablebases import open_tablebase
from cli.config import configuration
from cli.matchups import perfect_scores
from cli.table import GameName
from cli.terminal import Sorry, interruptible, out, progress
from games.engine.game import AnyGame

_NONE = "Solving needs NumPy: .venv/bin/python -m pip install --editable '.[solve]'"
_SAMPLED = 5_000


def solving() -> ModuleType:
    """Return the package `solve.run`. Raises Sorry without NumPy."""
    try:
        import solve.run
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise Sorry(_NONE) from error
    return solve.run


def for_how_long(seconds: float) -> str:
    """Return a duration in words: `about 12 minutes`."""
    if seconds < 90:
        return "about a minute"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"


def work_out(run: ModuleType, path: Path, dice: int, epsilon: float) -> None:
    """Solve, and write the table."""
    console = out()
    pace = run.TimeEstimate(dice, epsilon)
    begun = monotonic()
    with progress() as bar, interruptible() as stop:
        blocks = list(run.block_order(dice))
        task = bar.add_task("solving", total=len(blocks))

        def print_progress(now: Any) -> None:
            left = for_how_long(pace.seconds_left(now))
            bar.update(
                task,
                completed=blocks.index((now.own, now.other)),
                description=f"{now.own} dice against {now.other}: sweep {now.sweep}, "
                f"gap {now.gap:.1e}, {left} left",
            )

        solver, work = run.resumable_solver(path, dice, epsilon, print_progress, stop)
        try:
            solver.solve()
        except run.StoppedError:
            raise Sorry("Stopped. The same command resumes from here.") from None
    run.write(solver, path)
    work.clear()
    console.print("dice      sweeps  rounds     removed      gap")
    for row in solver.results:
        if row.other > 1:
            made = f"{row.sweeps:>8}  {row.rounds:>6}  {row.deflated:>10,}  {row.gap:.1e}"
            console.print(f"{row.own} v {row.other}  {made}")
    console.print(f"solved in {(monotonic() - begun) / 60:.1f} minutes since it started or resumed")


def print_table(run: ModuleType, path: Path) -> None:
    """Check a table, and print its figures. Raises Sorry for a bad one."""
    console = out()
    with progress() as bar:
        task = bar.add_task("checking", total=None)

        def print_progress(block: Any, done: int, of: int) -> None:
            if block is None:
                bar.update(task, completed=done, total=of)

        try:
            report = run.check_table(path, _SAMPLED, print_progress)
        except OSError as error:
            raise Sorry(f"{path} can't be read: {error.strerror}.") from error
        except ValueError as error:
            raise Sorry(f"{path} can't be used: {error}.") from error
    console.print("dice       positions  mean value        even     battles    declined  residual")
    for row in report.blocks:
        console.print(
            f"{row.own} v {row.other}  {row.positions:>12,}  {row.mean:>10.6f}  {row.even:>10,}  "
            f"{row.battles:>10,}  {row.declined:>10,}   {row.residual:.1e}"
        )
    positions = sum(row.positions for row in report.blocks)
    console.print(f"{positions:,} positions, each equal to its best action within {report.residual:.1e}")
    console.print(f"{report.sampled:,} random ones, as the engine plays them: within {report.engine:.1e}")
    console.print(f"all villages: the first player wins with {report.start:.6f}")
    for text, value in sorted(report.openings, key=lambda pair: -pair[1]):
        console.print(f"  {text:<10} {value:.6f}")


def print_packed(run: ModuleType, table: Path, path: Path) -> None:
    """Pack a table into a file, and print how much the values in it differ from the exact ones."""
    console = out()
    with progress() as bar:
        task = bar.add_task("packing", total=None)
        blocks: list[Any] = []

        def print_progress(block: Any) -> None:
            blocks.append(block)
            bar.update(task, description=f"packed {block.own} dice against {block.other}")

        try:
            report = run.pack_table(table, path, _SAMPLED, print_progress)
        except OSError as error:
            raise Sorry(f"{error.filename} can't be read or written: {error.strerror}.") from error
        except ValueError as error:
            raise Sorry(f"{table} can't be used: {error}.") from error
    console.print("dice   terms      bytes  mean difference    largest")
    for row in blocks:
        console.print(
            f"{row.own} v {row.other}  {row.terms:>6}  {row.bytes:>9,}  {row.mean:>15.1e}  {row.most:>9.1e}"
        )
    console.print(
        f"{report.sampled:,} random positions: values differ by {report.mean:.1e} on average, by "
        f"{report.most:.1e} at most; the best action by them loses {report.loss:.1e}, and {report.worst:.1e}"
    )
    console.print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def print_matches(game: AnyGame, path: Path, matches: int) -> None:
    """Say how the perfect player does against each computer player."""
    console = out()
    for row in perfect_scores(game, open_tablebase(game, path), matches):
        console.print(
            f"perfect v {row.level}: won {row.won} of {row.matches}, drawn {row.drawn}, "
            f"median length {row.length:g} moves"
        )


def print_bounds(run: ModuleType, dice: int, epsilon: float) -> None:
    """Print how much depends on the value of endless play."""
    console = out()
    with progress() as bar, interruptible() as stop:
        task = bar.add_task("solving", total=None)

        def print_progress(now: Any) -> None:
            text = f"{now.own} dice against {now.other}: sweep {now.sweep}, gap {now.gap:.1e}"
            bar.update(task, description=text)

        try:
            rows = list(run.bounds(dice, epsilon, print_progress, stop))
        except run.StoppedError:
            raise Sorry("Stopped.") from None
    console.print("dice       positions        open  all villages")
    for own, other, positions, undecided, low, high in rows:
        console.print(f"{own} v {other}  {positions:>12,}  {undecided:>10,}  {low:.6f} to {high:.6f}")
    console.print("Stalling against a single die is left out: it counts as lost for the side that stalls.")


@click.command()
@click.argument("game", type=GameName())
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The table; by default, where the bot looks for it.",
)
@click.option(
    "--dice",
    type=click.IntRange(2, 5),
    default=5,
    show_default=True,
    help="Only positions with at most this many dice on each side.",
)
@click.option(
    "--epsilon",
    type=click.FloatRange(1e-12, 1e-3),
    default=1e-9,
    show_default=True,
    help="Stop when values change less than this in a sweep.",
)
@click.option(
    "--check", type=click.Path(path_type=Path), help="Only check this table, and print its figures."
)
@click.option(
    "--matches",
    type=click.IntRange(1, 100_000),
    help="With --check: number of matches against each computer player.",
)
@click.option(
    "--pack",
    type=click.Path(path_type=Path),
    help="Only pack the table, which must be there, into this file: a few MB with rounded values.",
)
@click.option("--bounds", is_flag=True, help="Only print how much depends on the value of endless play.")
def command(
    game: AnyGame,
    output: Path | None,
    dice: int,
    epsilon: float,
    check: Path | None,
    matches: int | None,
    pack: Path | None,
    *,
    bounds: bool,
) -> None:
    """Work out what best play is worth in every position of GAME (two-domains), and write a table of it.

    Nobody has to: a packed table ships with the program, and computers play as well by it. All five dice
    take 10 minutes to an hour, 4 GB of memory, 350 MB for the table and up to 1.2 GB beside it until it is
    done. Ctrl-C stops; the same command goes on.
    """
    if game.table is None:
        raise Sorry(f"{game.key} is too large to be solved. Choose two-domains.")
    run = solving()
    if check is not None:
        print_table(run, check)
        if matches is not None:
            print_matches(game, check, matches)
        return
    if bounds:
        print_bounds(run, dice, epsilon)
        return
    if output is None and dice < 5:
        raise Sorry("Use -o to say where to write a table with fewer dice: the bot can't use it.")
    path = output or configuration().table_folder / game.table
    if pack is not None:
        print_packed(run, path, pack)
        return
    try:
        work_out(run, path, dice, epsilon)
    except OSError as error:
        raise Sorry(f"{path} can't be written: {error.strerror}.") from error
    print_table(run, path)
    out().print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
