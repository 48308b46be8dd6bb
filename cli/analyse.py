"""`dominium analyse`: what a finished match was worth, move by move, and which moves lost most."""

from __future__ import annotations

from pathlib import Path

import click

import render
from bot.messages.analyses import build_chart, mistake_text, mistakes_of, report
from bot.platform.tablebases import find_oracles, open_tablebase
from cli.config import configuration
from cli.records import load
from cli.terminal import Sorry, interruptible, out, progress, write_picture
from cli.words import Say, sayer
from games.ai.analysis import LEVEL, Analysis, analyse
from games.ai.appraisal import source_of
from games.ai.players_by_level import Levels
from games.engine.game import AnyGame, Seat
from games.engine.levels import LEVELS
from games.engine.match import Match
from matches.lookback.analyses import refusal


class _InterruptedError(Exception):
    """Raised by Ctrl-C between two moves."""


def levels_for(game: AnyGame, table: Path | None) -> Levels:
    """Return what can judge positions: the table at the path or those that the bot uses, and searches.

    Raises Sorry for a table that can't be used.
    """
    if table is None:
        return Levels(find_oracles(configuration().table_folder))
    if game.table is None:
        raise Sorry(f"{game.key} has no exact values: it is too large to be solved.")
    try:
        return Levels({game.key: open_tablebase(game, table)})
    except FileNotFoundError as error:
        name = game.key.replace("_", "-")
        raise Sorry(f"There is no table {table}: dominium solve {name} computes it.") from error
    except OSError as error:
        raise Sorry(f"{table} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise Sorry(f"{table} can't be used: {error}.") from error


def sentences(match: Match, found: Analysis) -> list[str]:
    """Return how each seat played, what luck had to do with it, and all mistakes with what was better."""
    say = sayer(match.game, match.setup)
    lines = [say(line) for line in report(match, found)]
    for mistake in mistakes_of(found):
        lines.append(f"{_name(match, say, mistake.seat)}: {say(mistake_text(match.game, mistake))}")
        if len(mistake.line) > 1:
            moves = (f"{_name(match, say, seat)} {text}" for seat, text in mistake.line)
            lines.append(f"    expected: {', '.join(moves)}")
    return [line.replace("**", "").replace("`", "") for line in lines]


def _name(match: Match, say: Say, seat: Seat) -> str:
    return say(match.game.look(match.setup, seat).name)


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Also draw the chart: a .png file.")
@click.option(
    "--level", type=click.Choice(LEVELS), default=LEVEL, show_default=True, help="Search like this level."
)
@click.option(
    "--effort",
    type=click.FloatRange(0.001, 1000),
    help="Factor for the work of the level; by default, long matches get less for each move.",
)
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    help="A table of exact values; by default, the one the bot uses, if there is one.",
)
@click.option("--theme", type=click.Choice(render.THEMES), default="classic", show_default=True)
def command(
    record: Path, output: Path | None, level: str, effort: float | None, table: Path | None, theme: str
) -> None:
    """Print how well each player of RECORD played, which moves lost most, and what would have been better."""
    if output is not None and output.suffix.casefold() != ".png":
        raise Sorry(f"{output.name} should end in .png.")
    match = load(record).match
    levels = levels_for(match.game, table)
    say = sayer(match.game, match.setup)
    if (why := refusal(match)) is not None:
        raise Sorry(say(why).replace("`", ""))
    found = _analysed(match, levels, level, effort)
    console = out()
    for line in sentences(match, found):
        console.print(line)
    if output is not None:
        write_picture(output, _picture(match, found, say, theme))


def _analysed(match: Match, levels: Levels, level: str, effort: float | None) -> Analysis:
    """Analyse a match, with progress in the terminal."""
    with progress() as bar, interruptible() as stop:
        task = bar.add_task(f"Analysing {match.id}", total=None)

        def print_progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            if stop():
                raise _InterruptedError

        try:
            source = source_of(match.game, levels, level)
            found = analyse(match, levels, source, level=level, effort=effort, progress=print_progress)
        except _InterruptedError:
            raise Sorry("Stopped: an analysis needs all moves.") from None
    if found is None:
        raise Sorry("All moves of the match were taken back.")
    return found


def _picture(match: Match, found: Analysis, say: Say, theme: str) -> bytes:
    scene = match.game.scene(match.game.view(match.state, None), None)
    return render.draw_chart(build_chart(match.game, found, scene), say, theme=theme)
