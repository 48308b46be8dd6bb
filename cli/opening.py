"""Open the store that a command names, or that of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from bot.platform.real_clock import DiscordClock
from cli.config import configuration
from cli.terminal import Sorry
from matches.ports import Store, StoreError
from storage import open_existing

T = TypeVar("T")

database_option = click.option(
    "--database", metavar="PLACE", help="A file or address; by default that of the settings."
)
"""The option of commands on a store: what `store_of` takes."""


def store_of(database: str | None) -> Path | str:
    """Return the store that a command names, or that of the settings."""
    if database is None:
        return configuration().store
    return database if "://" in database else Path(database)


def in_store(place: Path | str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Run `work` with the open store. Raises Sorry if it can't be opened, such as while the bot runs."""

    async def done() -> T:
        store = await open_existing(place, clock=DiscordClock())
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(done())
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
