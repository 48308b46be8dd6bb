"""Open whichever database is configured: a file, or the URL of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from matches.ports import Clock, Store
from storage.copy_sqlite import open_sqlite_end
from storage.copying import CopyEnd
from storage.postgres import open_postgres, require_driver
from storage.store import open_store


async def open_either(where: Path | str, *, clock: Clock, name: str | None = None) -> Store:
    """Open the store in a file, or in the database of a URL. Raises StoreError with what to do.

    A database that has a server may be shared by processes which each have a `name`.
    """
    if isinstance(where, Path):
        return await open_store(where, clock=clock)
    return await open_postgres(where, clock=clock, name=name)


async def open_copy_end(where: Path | str, clock: Clock, *, target: bool) -> CopyEnd:
    """Open a database to copy from, or as the target to copy to. Raises StoreError with what to do."""
    if isinstance(where, Path):
        return await open_sqlite_end(where, clock, target=target)
    require_driver()
    from storage.postgres.copy_postgres import open_postgres_end

    return await open_postgres_end(where, clock, target=target)
