"""`dominium analyse`: what a finished match was worth, move by move, by a table of exact values."""

from __future__ import annotations

from pathlib import Path

import click

import render
from bot.actions.analysis import build_curve, percent
from bot.platform.tablebases import open_tablebase
from cli.config import configuration
from cli.records import load
from cli.terminal import Sorry, out
from cli.words import sayer
from games.ai.analysis import Analysis, analyse
from games.engine.game import AnyGame, Oracle, Seat
from games.engine.match import Match


def oracle_of(game: AnyGame, path: Path | None) -> Oracle:
    """Return a game's exact values, from the table at the path or where the bot looks. Raises Sorry."""
    if game.table is None:
        raise Sorry(f"{game.key} has no exact values: it is too large to be solved.")
    table = path or configuration().table_folder / game.table
    try:
        return open_tablebase(game, table)
    except FileNotFoundError as error:
        name = game.key.replace("_", "-")
        raise Sorry(f"There is no table {table}: dominium solve {name} computes it.") from error
    except OSError as error:
        raise Sorry(f"{table} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise Sorry(f"{table} can't be used: {error}.") from error


def sentences(match: Match, found: Analysis) -> list[str]:
    """Return how each seat played, and what luck had to do with it."""
    say = sayer(match.game, match.setup)
    names = [say(match.game.look(match.setup, Seat(seat)).name) for seat in range(2)]
    lines = [f"{names[0]} began with a winning probability of {percent(found.points[0])}."]
    for seat in map(Seat, range(2)):
        best, made = found.best(seat)
        line = f"{names[seat]}: {best} of {made} moves were the best"
        if (at := found.mistake(seat)) is not None:
            move = found.moves[at]
            line += (
                f"; the worst was move {at + 1}, {move.played} ({percent(move.value)}), "
                f"where {move.best} was worth {percent(move.best_value)}"
            )
        lines.append(f"{line}.")
    lucky = names[0 if found.luck >= 0 else 1]
    lines.append(f"Luck favoured {lucky}, by {100 * abs(found.luck):.0f} points in total.")
    return lines


@click.command(short_help="Analyse a finished match by exact values.")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Also draw the curve: a .png file.")
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="The table of exact values; by default, the one the bot uses.",
)
@click.option("--theme", type=click.Choice(render.THEMES), default="classic", show_default=True)
def command(record: Path, output: Path | None, table: Path | None, theme: str) -> None:
    """Print each player's worst mistake in RECORD, and how many moves were best moves."""
    if output is not None and output.suffix.casefold() != ".png":
        raise Sorry(f"{output.name} should end in .png.")
    match = load(record).match
    oracle = oracle_of(match.game, table)
    if match.ending is None:
        raise Sorry("The match is not over yet.")
    found = analyse(match, oracle)
    if found is None:
        raise Sorry("The table doesn't know all positions of this match.")
    console = out()
    for line in sentences(match, found):
        console.print(line)
    if output is not None:
        scene = match.game.scene(match.game.view(match.state, None), None)
        data = render.draw_win_chart(
            build_curve(match, found, scene), sayer(match.game, match.setup), theme=theme
        )
        try:
            output.write_bytes(data)
        except OSError as error:
            raise Sorry(f"{output} can't be written: {error.strerror}.") from error
        console.print(f"{output}: {len(data) / 1000:.0f} kB")
