"""`dominium play`: a match in the terminal, on one keyboard, with the same parser and the same answers.

What is typed is a move or one of a few words; a script may send it through stdin, a line each.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module

import click

from cli.hotseat import Table
from cli.table import GameName, find_seat, make_secret, make_setup
from cli.terminal import out
from games.engine.dice import Sealed
from games.engine.game import AnyGame


def read_line(prompt: str) -> str | None:
    """Read one line from the keyboard, or from a script, which is echoed; return None at its end."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return None
    line = sys.stdin.readline()
    click.echo(prompt + line.rstrip("\n"))
    return line.rstrip("\n") if line else None


def prepare_keyboard() -> None:
    """Give a person at the keyboard a history and line editing, where they are there."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import_module("readline")


@click.command()
@click.argument("game", type=GameName())
@click.option("--seats", type=int, help="Number of players; by default, the fewest.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--computer", "computers", multiple=True, metavar="SEAT", help="A seat for the computer: 2, g, green."
)
@click.option("--seed", metavar="HEX", help="The secret of the dice: the same seed gives the same draws.")
def command(
    game: AnyGame, seats: int | None, options: tuple[str, ...], computers: tuple[str, ...], seed: str | None
) -> None:
    """Play GAME in this terminal. Type a move, or help."""
    setup = make_setup(game, seats, options)
    sealed = Sealed(make_secret(seed), f"{game.code}-TTY", "terminal")
    taken = frozenset(find_seat(game, setup, text) for text in computers)
    prepare_keyboard()
    Table(game, setup, sealed, taken, out()).run(read_line)
