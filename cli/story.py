"""`dominium story`: who won a finished match and how, what turned it, and a chart of what counts in it."""

from __future__ import annotations

from pathlib import Path

import click

import render
from bot.messages.story import material_chart, story_text
from cli.records import load
from cli.terminal import Sorry, out, write_picture
from cli.words import sayer
from matches.lookback.story import story_of

_ROOM = 10_000
"""More characters than any story has."""


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Also draw the chart: a .png file.")
@click.option("--theme", type=click.Choice(render.THEMES), default="classic", show_default=True)
def command(record: Path, output: Path | None, theme: str) -> None:
    """Print who won the match of RECORD and how, its turning points, and its luckiest dice."""
    if output is not None and output.suffix.casefold() != ".png":
        raise Sorry(f"{output.name} should end in .png.")
    match = load(record).match
    game, say = match.game, sayer(match.game, match.setup)
    story = story_of(match)
    if story is None:
        over = "has no result" if match.ending else "isn't over"
        raise Sorry(f"There is no story to tell: the match {over if match.plays else 'has no moves'}.")
    console = out()
    for line in story_text(story, say, _ROOM).splitlines():
        console.print(line.replace("**", "").replace("`", "").removeprefix("-# "))
    if output is None:
        return
    chart = material_chart(game, story, game.scene(game.view(match.state, None), None))
    if chart is None:
        raise Sorry(f"Nothing is counted in {game.key}, so there is no chart.")
    write_picture(output, render.draw_chart(chart, say, theme=theme))
