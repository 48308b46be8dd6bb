"""`dominium render`: a picture of a position of a record, or an animation of the whole match."""

from __future__ import annotations

from pathlib import Path

import click

import render
from cli.records import load, pick, positions
from cli.table import find_seat
from cli.terminal import Sorry, out
from cli.words import sayer


@click.command(short_help="Draw a position, or animate a match.")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A file: .png or .gif.")
@click.option(
    "--at", type=click.IntRange(0), help="The position after this many decisions; by default, the last."
)
@click.option("--theme", type=click.Choice(render.THEMES), default="classic", show_default=True)
@click.option("--side", metavar="SEAT", help="The view of a seat, with its side at the bottom: 2, g, green.")
def command(record: Path, output: Path, at: int | None, theme: str, side: str | None) -> None:
    """Draw RECORD: a position as .png, or the match (up to --at) as .gif."""
    ending = output.suffix.casefold()
    if ending not in (".png", ".gif"):
        raise Sorry(f"{output.name} should end in .png for a picture, or .gif for the whole match.")
    found = positions(load(record).entries)
    index = pick(found, at)
    game, setup = found[0].match.game, found[0].match.setup
    viewer = None if side is None else find_seat(game, setup, side)
    say = sayer(game, setup)
    if ending == ".png":
        final = found[index].match.ending is not None
        data = render.draw(found[index].scene(viewer), say, theme=theme, final=final)
    else:
        data = render.animate([position.scene(viewer) for position in found[: index + 1]], say, theme=theme)
    try:
        output.write_bytes(data)
    except OSError as error:
        raise Sorry(f"{output} can't be written: {error.strerror}.") from error
    out().print(f"{output}: {len(data) / 1000:.0f} kB")
