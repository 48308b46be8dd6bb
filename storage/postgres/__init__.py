"""The Store on PostgreSQL: `open_postgres` opens it. Everything else in this folder is private to `storage`.

The driver is an optional part of the program, so nothing here imports it before a database is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.ports import Clock, StoreError

if TYPE_CHECKING:
    from storage.postgres.store import PostgresStore

MISSING = (
    "DATABASE_URL names a PostgreSQL database, and the driver for it isn't installed. "
    'Install it with: pip install "dominium[postgres]" (in a checkout: pip install -e ".[postgres]").'
)


def require_driver() -> None:
    """Raise StoreError, with the command that installs it, if the driver is missing."""
    try:
        import psycopg
    except ImportError as error:
        raise StoreError(MISSING) from error
    del psycopg


async def open_postgres(url: str, *, clock: Clock, name: str | None = None) -> PostgresStore:
    """Open the store in the database of a URL, or start one there; shared by processes with a `name`.

    Raises StoreError, with a sentence about what to do, if it can't be used: the driver is missing, the
    server can't be reached, another bot uses it, it is newer than the program, or another program's.
    """
    require_driver()
    from storage.postgres.store import open_database_store

    return await open_database_store(url, clock=clock, name=name)
