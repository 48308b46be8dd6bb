"""What came with imported records, on PostgreSQL: checksums, and headers that aren't the engine's."""

from __future__ import annotations

from matches.rows import Commit, ImportRow
from storage.imports import import_values, to_import
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn


class PostgresImports(PostgresPart):
    """The part of the Store that knows where imported matches came from."""

    async def import_of(self, match_id: str) -> ImportRow | None:
        """Return what came with the record of a match, or None if it wasn't imported."""
        query = "SELECT owner, checksum, headers FROM imports WHERE match = %s"
        row = await self._database.fetch_one(query, match_id)
        return None if row is None else to_import(row)

    async def imported(self, owner: int, checksum: str) -> str | None:
        """Return the match that a person has imported from the record with a checksum, or None."""
        query = "SELECT match FROM imports WHERE owner = %s AND checksum = %s"
        row = await self._database.fetch_one(query, owner, checksum)
        return None if row is None else str(row[0])

    async def count_imports(self, owner: int) -> int:
        """Return how many records a person has imported."""
        row = await self._database.fetch_one("SELECT count(*) FROM imports WHERE owner = %s", owner)
        return 0 if row is None else int(row[0])


def record_import(db: Conn, commit: Commit) -> None:
    """Write what came with the record of a new match, within its transaction."""
    if commit.imported is not None:
        db.execute(
            "INSERT INTO imports (match, owner, checksum, headers) VALUES (%s, %s, %s, %s)",
            import_values(commit.row.id, commit.imported),
        )
