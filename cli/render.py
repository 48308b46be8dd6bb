"""`dominium render`: a picture of a position of a record, or an animation of the whole match."""

from __future__ import annotations

from pathlib import Path

import click

import render
from bot.platform.discord_limits import MAX_FILE_BYTES
from cli.records import RecordedPosition, load, pick, positions
from cli.table import find_seat
from cli.terminal import Sorry, write_picture
from cli.words import sayer
from games.engine.game import Seat
from games.engine.match import Match
from matches.lookback.films import CLOSING, plan_film, read_stretch
from matches.lookback.playback import Track
from matches.results import Refused
from render import FilmFrame


def film_of(match: Match, part: str, viewer: Seat | None, theme: str) -> bytes:
    """Return a part of a match as an animation with captions. Raises Sorry for what is no part of it."""
    say, track = sayer(match.game, match.setup), Track()
    line = track.timeline(match)
    stretch = read_stretch(part, line.steps, line.turns)
    if isinstance(stretch, Refused):
        raise Sorry(say(stretch.why).replace("`", ""))
    steps = line.steps[stretch.first : stretch.last + 1]
    turns = [turn for turn in line.turns if turn.first <= steps[-1].last and turn.last >= steps[0].first]
    planned = plan_film(steps, turns, {moment.entry for moment in track.moments(line, None)})
    frames = []
    for plan, moment in zip(planned, track.positions(line, [each.step for each in planned]), strict=True):
        position = RecordedPosition(moment.match, moment.facts)
        lines = " · ".join(text.rstrip(".") for text in position.lines(viewer))
        held = CLOSING if plan is planned[-1] else 0
        caption = f"{plan.step.plays}. {lines}"
        scene = position.scene(viewer)
        frames.append(FilmFrame(scene, plan.milliseconds + held, caption, plan.step.by))
    return render.film(frames, say, theme=theme, max_bytes=MAX_FILE_BYTES)


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A file: .png or .gif.")
@click.option(
    "--at", type=click.IntRange(0), help="The position after this many decisions; by default, the last."
)
@click.option("--theme", type=click.Choice(render.THEMES), default="classic", show_default=True)
@click.option("--side", metavar="SEAT", help="The view of a seat, with its side at the bottom: 2, g, green.")
@click.option(
    "--part", metavar="PART", help="Animate a part, with captions: all, from 40, 40-60, last 3 rounds."
)
def command(
    record: Path, output: Path, at: int | None, theme: str, side: str | None, part: str | None
) -> None:
    """Draw RECORD: a position as .png, or the match (up to --at) as .gif."""
    ending = output.suffix.casefold()
    if ending not in (".png", ".gif"):
        raise Sorry(f"{output.name} should end in .png for a picture, or .gif for the whole match.")
    found = positions(load(record).entries)
    index = pick(found, at)
    game, setup = found[0].match.game, found[0].match.setup
    viewer = None if side is None else find_seat(game, setup, side)
    say = sayer(game, setup)
    if part is not None and (ending != ".gif" or at is not None):
        raise Sorry("--part is for a .gif, without --at.")
    if part is not None:
        data = film_of(found[-1].match, part, viewer, theme)
    elif ending == ".png":
        final = found[index].match.ending is not None
        data = render.draw(found[index].scene(viewer), say, theme=theme, final=final)
    else:
        data = render.animate([position.scene(viewer) for position in found[: index + 1]], say, theme=theme)
    write_picture(output, data)
