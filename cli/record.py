"""`dominium record`: a record in another form, and a match that continues it from one of its moves."""

from __future__ import annotations

import re
from pathlib import Path

import click

import render
from cli.play import Table, prepare_keyboard, read_line
from cli.records import load
from cli.table import find_seat, make_secret
from cli.terminal import Sorry, out, write_file
from cli.words import sayer
from games.engine.dice import Sealed
from games.engine.forks import decision_after, origin_of, position_after
from games.engine.match import Match
from games.engine.portable import position_text, restyled
from games.engine.record import Record, export
from games.engine.record_json import to_json

FORMATS = ("text", "json", "picture", "position", "abstract-play")
_OF_A_MOVE = ("picture", "position")


@click.group()
def command() -> None:
    """Write a record in another form, or continue its match from one of its moves."""


@command.command("export")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--move", type=click.IntRange(0), help="For picture and position: after this many moves.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file; by default, print it.")
@click.option("--theme", type=click.Choice(render.THEMES), default="classic", show_default=True)
def export_command(record: Path, form: str, move: int | None, output: Path | None, theme: str) -> None:
    """Write RECORD, text or JSON, as text, JSON, a picture, a position, or another host's move list."""
    found = load(record)
    if move is not None and form not in _OF_A_MOVE:
        raise Sorry("A record has the whole match. Leave out --move, or choose picture or position.")
    if form == "picture":
        if output is None:
            raise Sorry("A picture needs a file: -o match.png")
        data = _picture(_after(found, move), theme)
    else:
        data = _written(record, found, form, move).encode()
    if output is None:
        out().out(data.decode(), end="")
        return
    write_file(output, data)


def _written(path: Path, found: Record, form: str, move: int | None) -> str:
    if form == "position":
        return position_text(_after(found, move))
    if form in ("text", "json"):
        text = export(found.entries, found.headers)
        return text if form == "text" else to_json(text)
    moves = restyled(found.entries, form)
    if moves is None:
        raise Sorry("That match can't be written so: it has to be Focus for two as usual, from the start.")
    return moves


def _picture(match: Match, theme: str) -> bytes:
    scene = match.game.scene(match.game.view(match.state, None), None)
    say = sayer(match.game, match.setup)
    return render.draw(scene, say, theme=theme, final=match.ending is not None)


def _after(found: Record, move: int | None) -> Match:
    try:
        return position_after(found.entries, move)
    except LookupError as error:
        raise Sorry(f"The record has moves 0 to {error.args[0]}, not {move}.") from error


@command.command("fork")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--move", type=click.IntRange(0), help="After this many moves; by default, the last position.")
@click.option(
    "--computer", "computers", multiple=True, metavar="SEAT", help="A seat for the computer: 2, g, green."
)
@click.option("--seed", metavar="HEX", help="The secret of the dice: the same seed gives the same draws.")
def fork_command(record: Path, move: int | None, computers: tuple[str, ...], seed: str | None) -> None:
    """Continue the match of RECORD in this terminal from one of its moves, with dice of its own."""
    found = load(record)
    try:
        match = decision_after(found.entries, move).match
    except LookupError as error:
        (last,) = error.args
        why = "Nobody is to move in this match." if last is None else f"It goes from move 0 to move {last}."
        raise Sorry(f"The match can't be continued there. {why}") from error
    known_as = re.sub("[^A-Za-z0-9-]", "-", match.id)[:40] or "record"
    origin = origin_of(match, known_as, found.checksum)
    sealed = Sealed(make_secret(seed), f"{match.game.code}-TTY", "terminal")
    taken = frozenset(find_seat(match.game, match.setup, text) for text in computers)
    prepare_keyboard()
    Table(match.game, match.setup, sealed, taken, out(), origin).run(read_line)
