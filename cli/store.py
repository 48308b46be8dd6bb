"""`dominium store copy`: move everything between a SQLite file and a PostgreSQL database, either way.

The bot is stopped meanwhile: both databases are held. An interrupted copy goes on when it is called again.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from bot.platform.config import DATABASE_URLS, Config
from bot.platform.real_clock import DiscordClock
from cli.config import configuration
from cli.terminal import Sorry, out
from storage import (
    Copied,
    StoreError,
    copy_store,
    load_server,
    look_at_server,
    open_copy_end,
    open_existing,
)


def _place(text: str, config: Config) -> Path | str:
    """Return a path or a URL. The name of a setting stands for its value: passwords need not be typed."""
    if text == "DATABASE_URL":
        if not config.database_url:
            raise Sorry("DATABASE_URL isn't set.")
        return config.database_url
    if text == "DOMINIUM_DATA":
        return config.data
    return text if text.startswith(DATABASE_URLS) else Path(text)


async def _copied(source: Path | str, target: Path | str) -> Copied:
    clock = DiscordClock()
    begun = await open_copy_end(source, clock, target=False)
    try:
        end = await open_copy_end(target, clock, target=True)
        try:
            return await copy_store(begun, end, lambda name, count: out().print(f"{name}: {count:,} rows"))
        finally:
            await end.close()
    finally:
        await begun.close()


async def _migrated(store: Path | str) -> None:
    await (await open_existing(store, clock=DiscordClock())).close()


@click.group()
def command() -> None:
    """Copy everything from one database to another, while the bot is stopped."""


@command.command(hidden=True)
def migrate() -> None:
    """Bring the database up to the schema of this version, as the next start would."""
    try:
        asyncio.run(_migrated(configuration().store))
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error


@command.command(hidden=True)
def state() -> None:
    """Print a PostgreSQL database's schema and who uses it, as JSON: what `python3 -m deploy` asks."""
    try:
        found = look_at_server(_server())
    except StoreError as error:
        raise Sorry(str(error)) from error
    click.echo(json.dumps({"schema": found.schema, "holder": found.holder}))


@command.command(hidden=True)
@click.argument("file", type=click.Path(path_type=Path))
def load(file: Path) -> None:
    """Put FILE in the place of a PostgreSQL database, whatever is lost: how `python3 -m deploy` undoes."""
    try:
        load_server(_server(), file)
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error


def _server() -> str:
    store = configuration().store
    if isinstance(store, Path):
        raise Sorry("DATABASE_URL isn't set.")
    return store


@command.command(short_help="Copy everything to a new database.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy(source: str, target: str) -> None:
    """Copy all data FROM one database TO another, which must be new or empty, and check every log there.

    Each is a file, a postgresql:// address, or DOMINIUM_DATA or DATABASE_URL for what is in the settings. If
    it was interrupted, call it again: it goes on where it was.
    """
    config = configuration()
    try:
        done = asyncio.run(_copied(_place(source, config), _place(target, config)))
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
    out().print(
        f"copied {sum(done.rows.values()):,} rows; all are the same, and {done.logs:,} logs were folded"
    )
    if done.corrupt:
        raise Sorry(
            f"{len(done.corrupt)} logs can't be folded, here as in the source: "
            f"{', '.join(done.corrupt[:10])}."
        )
