"""`dominium privacy export|erase`: the rights of a person, for the operator, while the bot is stopped."""

from __future__ import annotations

import json

import click

from bot.platform.real_clock import DiscordClock, SystemEntropy
from cli.opening import in_store, store_of
from cli.terminal import out
from matches.ports import Store
from matches.service import MatchService

_MOST_ROWS = 1_000_000


async def _erased(store: Store, person: int) -> tuple[str, ...]:
    erasures = MatchService(store, DiscordClock(), SystemEntropy()).erasures
    touched = await erasures.forget(person)
    await erasures.clean_up()
    return touched


@click.group()
def command() -> None:
    """Export or erase what is stored about a person, while the bot is stopped."""


_DATABASE = click.argument("database", required=False)
_PERSON = click.option(
    "--person", type=click.IntRange(min=1), required=True, metavar="ID", help="Their Discord id."
)


@command.command(short_help="Print what is stored about a person.")
@_DATABASE
@_PERSON
def export(database: str | None, person: int) -> None:
    """Print what DATABASE, by default that of the settings, has about a person, as JSON."""
    data = in_store(store_of(database), lambda store: store.personal_data(person, _MOST_ROWS))
    click.echo(json.dumps(data, indent=1, ensure_ascii=False))


@command.command(short_help="Forget a person.")
@_DATABASE
@_PERSON
@click.option("--yes", is_flag=True, help="Don't ask first.")
def erase(database: str | None, person: int, *, yes: bool) -> None:
    """Forget a person in DATABASE, by default that of the settings: this can't be undone."""
    if not yes:
        click.confirm(f"Forget {person}? This can't be undone", abort=True)
    touched = in_store(store_of(database), lambda store: _erased(store, person))
    out().print(f"forgotten; {len(touched)} running matches and lobbies were left")
