"""What came with imported records, on PostgreSQL: checksums, and headers that aren't the engine's."""

from __future__ import annotations

from matches.rows import Commit
from storage.imports import ImportsPart, import_values
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn


class PostgresImports(ImportsPart, PostgresPart):
    """The part of the Store that knows where imported matches came from."""


def record_import(db: Conn, commit: Commit) -> None:
    """Write what came with the record of a new match, within its transaction."""
    if commit.imported is not None:
        db.execute(
            "INSERT INTO imports (match, owner, checksum, headers) VALUES (%s, %s, %s, %s)",
            import_values(commit.row.id, commit.imported),
        )
