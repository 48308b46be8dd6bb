"""`dominium strengths`: how strong the levels of a game are, on the scale of ratings, with intervals."""

from __future__ import annotations

import json
from typing import Final

import click

from bot.platform.tablebases import find_oracles
from cli.config import configuration
from cli.table import GameName
from cli.terminal import Sorry, out
from games.ai.players_by_level import Levels
from games.engine.game import AnyGame
from games.engine.strengths import ANCHOR, Strength, contests, strengths

_Z: Final = 1.96


def interval(one: Strength) -> tuple[int, int]:
    """Return the 95 % confidence interval of a strength, in whole points."""
    return round(one.points - _Z * one.error), round(one.points + _Z * one.error)


@click.command()
@click.argument("game", type=GameName())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(game: AnyGame, as_json: bool) -> None:
    """Print the strength of each computer player of GAME, with a 95 % confidence interval.

    It follows from the contests in the game's folder, to which `dominium contest --keep` adds one. A rated
    match counts a computer with its strength at the start, so that new contests change no old result.
    """
    found = strengths(game.key)
    if not found:
        raise Sorry(f"No contests of {game.key} have been kept yet. `dominium contest --keep` keeps one.")
    levels = Levels(find_oracles(configuration().table_folder))
    if as_json:
        made = {
            family: {name: [round(one.points), *interval(one)] for name, one in players.items()}
            for family, players in found.items()
        }
        out().print(json.dumps(made))
        return
    for family, players in found.items():
        matches = sum(one.matches for one in contests(game.key) if one.family == family)
        out().print(
            f"{game.key} {family}, {matches} matches; {ANCHOR} is set to {players[ANCHOR].points:.0f}"
        )
        for name, one in players.items():
            low, high = interval(one)
            note = "" if levels.has(game.key, name) else " (for measuring)"
            out().print(f"  {name:<20} {one.points:5.0f}  {low:5} to {high}{note}")
