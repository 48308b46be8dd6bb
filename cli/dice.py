"""`dominium dice`: what the dice of a match showed, by seat, and how unusual that is."""

from __future__ import annotations

from pathlib import Path

import click

from bot.messages.dice import drawn, match_dice
from cli.records import load
from cli.terminal import Sorry, out
from cli.words import sayer
from games.engine.message import msg
from matches.lookback.dice import rolls_of


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
def command(record: Path) -> None:
    """Print how often each face came up in RECORD, by seat, and how unusual that is for fair dice."""
    found = load(record)
    match = found.match
    if not match.game.has_dice:
        raise Sorry(f"{match.game.key} is played without dice.")
    rolls = rolls_of(found.entries)
    if not rolls:
        raise Sorry("No dice have been rolled in this match.")
    say, console = sayer(match.game, match.setup), out()
    for table in match_dice(rolls):
        console.print(plain(say(table.title)))
        console.print(drawn(table, say), markup=False)
        console.print("\n".join(plain(say(line)) for line in table.verdict))
    console.print(say(msg("dice.only")))


def plain(text: str) -> str:
    """Return a text without the marks of Discord."""
    return text.replace("**", "").replace("`", "").removeprefix("-# ")
