"""`dominium privacy export|erase`: the rights of a person, for the operator, while the bot is stopped."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from bot.platform.clock import DiscordClock, SystemEntropy
from cli.config import configuration
from cli.terminal import Sorry, out
from matches.erasure_store import PersonalData
from matches.service import MatchService
from storage import StoreError, open_existing

_MOST_ROWS = 1_000_000


def store_of(database: str | None) -> Path | str:
    """Return the store that a command names, or that of the settings."""
    if database is None:
        return configuration().store
    return database if "://" in database else Path(database)


async def _exported(place: Path | str, person: int) -> PersonalData:
    store = await open_existing(place, clock=DiscordClock())
    try:
        return await store.personal_data(person, _MOST_ROWS)
    finally:
        await store.close()


async def _erased(place: Path | str, person: int) -> tuple[str, ...]:
    clock = DiscordClock()
    store = await open_existing(place, clock=clock)
    try:
        erasures = MatchService(store, clock, SystemEntropy()).erasures
        touched = await erasures.forget(person)
        await erasures.clean_up()
        return touched
    finally:
        await store.close()


@click.group(short_help="Export or erase what is stored about a person.")
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
    try:
        data = asyncio.run(_exported(store_of(database), person))
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
    click.echo(json.dumps(data, indent=1, ensure_ascii=False))


@command.command(short_help="Forget a person.")
@_DATABASE
@_PERSON
@click.option("--yes", is_flag=True, help="Don't ask first.")
def erase(database: str | None, person: int, *, yes: bool) -> None:
    """Forget a person in DATABASE, by default that of the settings: this can't be undone."""
    if not yes:
        click.confirm(f"Forget {person}? This can't be undone", abort=True)
    try:
        touched = asyncio.run(_erased(store_of(database), person))
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
    out().print(f"forgotten; {len(touched)} running matches and lobbies were left")
