"""`dominium hint`: what to look at in a position of a record, the best move, and why."""

from __future__ import annotations

from pathlib import Path

import click

from bot.messages.hints import differences, expectations, look_at
from bot.platform.tablebases import find_oracles
from cli.config import configuration
from cli.records import load
from cli.terminal import Sorry, out
from cli.words import sayer
from games.ai.advice import advise
from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine.match import Match
from games.engine.message import msg
from matches.play.hints import Position, position_of, question_about
from matches.thinking.questions import answer_question
from matches.thinking.turns import Patience


def position_after(match: Match, entry: int | None) -> Position:
    """Return what the first seat to act knows after an entry, by default the last. Raises Sorry."""
    if entry is not None and not 0 <= entry <= match.seq:
        raise Sorry(f"There is no entry {entry}: the last one is {match.seq}.")
    now = match if entry is None else engine.fold(match.log[: entry + 1])
    seats = [seat for seat in sorted(now.to_act) if seat >= 0]
    if not seats:
        raise Sorry("Nobody is to move there. Choose an earlier position with --entry.")
    for seat in seats:
        position = position_of(now, seat)
        if position is not None:
            return position
    raise Sorry("Too much is hidden there for a useful hint.")


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--entry", type=int, help="The entry after which to look; by default, the last.")
def command(record: Path, entry: int | None) -> None:
    """Print what to look at in a position of RECORD, the best move, and why, from what its seat knows."""
    position = position_after(load(record).match, entry)
    match, game, seat = position.match, position.match.game, position.seat
    say = sayer(game, match.setup)
    levels = Levels(find_oracles(configuration().table_folder))
    advice = advise(game, position.known, answer_question(question_about(position), levels, Patience.of()))
    if advice is None:
        raise Sorry("Too much is hidden there for a useful hint.")
    scene = game.scene(game.view(match.state, seat), seat)
    move = msg("bot.hint.move", move=advice.best.text)
    other = "" if advice.rival is None else advice.rival.text
    why = (*differences(advice.reasons, advice.best.text, other), *expectations(advice))
    steps = (look_at(match, seat, advice.best, scene, say), move, *why)
    console = out()
    for step in steps:
        console.print(say(step).replace("*", "").replace("`", ""), markup=False)
