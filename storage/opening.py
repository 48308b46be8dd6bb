"""Open whichever database is configured: a file, or the URL of a PostgreSQL database."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from matches.ports import Clock, Store, StoreError
from storage.backup import copy_file, filled
from storage.connection import open_database
from storage.copying import CopyEnd, open_sqlite_end
from storage.postgres import open_postgres, require_driver
from storage.reader import require_database, visitor
from storage.standing_reader import StandingReader, file_state
from storage.store import open_store

if TYPE_CHECKING:
    from storage.postgres.files import ServerState


async def open_either(where: Path | str, *, clock: Clock, name: str | None = None) -> Store:
    """Open the store in a file, or in the database of a URL. Raises StoreError with what to do.

    A database that has a server may be shared by processes which each have a `name`.
    """
    if isinstance(where, Path):
        return await open_store(where, clock=clock)
    return await open_postgres(where, clock=clock, name=name)


async def open_existing(where: Path | str, *, clock: Clock) -> Store:
    """Open a store that is there already: a wrong name doesn't begin a new one. Raises StoreError."""
    if isinstance(where, Path):
        require_database(where)
    else:
        if not (await asyncio.to_thread(look_at_server, where)).schema:
            raise StoreError("The database of DATABASE_URL is empty. The first start of the bot fills it.")
    return await open_either(where, clock=clock)


def back_up(where: Path | str, target: Path) -> None:
    """Write a file, or the database of a URL, into a new file, whether or not a bot uses it. Blocks.

    Raises FileExistsError if the target exists, StoreError with what to do.
    """
    if isinstance(where, Path):
        copy_file(where, target)
        return
    require_driver()
    from storage.postgres.files import save_database

    save_database(where, target)


@contextlib.contextmanager
def standing_of(where: Path | str, clock: Clock) -> Iterator[StandingReader]:
    """Yield what computes ratings again, whether or not a bot uses the store: from a copy of a file. Blocks.

    Raises StoreError or OSError.
    """
    if isinstance(where, str):
        require_driver()
        from storage.postgres.standing_reader import server_state

        yield StandingReader(lambda: server_state(where))
        return
    with TemporaryDirectory(prefix="dominium-") as folder:
        scratch = Path(folder) / "scratch.sqlite3"
        copy_file(where, scratch)
        asyncio.run(_bring_up_to_date(scratch, clock))
        yield StandingReader(lambda: file_state(scratch))


async def _bring_up_to_date(scratch: Path, clock: Clock) -> None:
    await (await open_database(scratch, clock)).close()


def stored_settings(where: Path | str, scope: str, owner: int) -> dict[str, Any]:
    """Return the settings of a server or person, beside a bot that uses the database. Blocks.

    Raises StoreError.
    """
    if isinstance(where, Path):
        with visitor(where) as db:
            row = db.execute(
                "SELECT settings FROM settings WHERE scope = ? AND id = ?", (scope, owner)
            ).fetchone()
    else:
        require_driver()
        from storage.postgres.inspection import settings_of

        row = settings_of(where, scope, owner)
    values: dict[str, Any] = {} if row is None else json.loads(row[0])
    return values


def look_at_server(url: str) -> ServerState:
    """Return what the PostgreSQL database of a URL is like. Blocks. Raises StoreError."""
    require_driver()
    from storage.postgres.files import look_at_database

    return look_at_database(url)


def load_server(url: str, source: Path) -> None:
    """Put a whole file in the place of the PostgreSQL database of a URL, whatever is lost. Blocks.

    Raises StoreError; the database is then as it was.
    """
    require_driver()
    from storage.postgres.files import load_database, owned

    with owned(url) as (db, name, _), visitor(source) as old, filled(old, source) as whole:
        load_database(db, name, whole)


async def open_copy_end(where: Path | str, clock: Clock, *, target: bool) -> CopyEnd:
    """Open a database to copy from, or as the target to copy to. Raises StoreError with what to do."""
    if isinstance(where, Path):
        return await open_sqlite_end(where, clock, target=target)
    require_driver()
    from storage.postgres.copy_postgres import open_postgres_end

    return await open_postgres_end(where, clock, target=target)
