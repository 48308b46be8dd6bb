"""What came with imported records: their checksums, and the headers that aren't the engine's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from matches.store.rows import Commit, ImportRow
from storage.parts import StorePart
from storage.rows import to_json
from storage.transactions import Transaction


class ImportsPart(StorePart):
    """The statements about imports that every database takes."""

    async def import_of(self, match_id: str) -> ImportRow | None:
        """Return what came with the record of a match, or None if it wasn't imported."""
        found = await self._fetch_all(
            "SELECT owner, checksum, headers FROM imports WHERE match = ?", match_id
        )
        return to_import(found[0]) if found else None

    async def imported(self, owner: int, checksum: str) -> str | None:
        """Return the match that a person has imported from the record with a checksum, or None."""
        found = await self._fetch_all(
            "SELECT match FROM imports WHERE owner = ? AND checksum = ?", owner, checksum
        )
        return str(found[0][0]) if found else None

    async def count_imports(self, owner: int) -> int:
        """Return how many records a person has imported."""
        found = await self._fetch_all("SELECT count(*) FROM imports WHERE owner = ?", owner)
        return int(found[0][0])

    async def size_of_imports(self, owner: int) -> int:
        """Return how many characters a person's imported records take up: logs, options, headers."""
        found = await self._fetch_all(
            "SELECT (SELECT coalesce(sum(length(headers)), 0) FROM imports WHERE owner = ?)"
            " + (SELECT coalesce(sum(length(CAST(matches.options AS TEXT))), 0) FROM matches"
            " JOIN imports ON imports.match = matches.id WHERE imports.owner = ?)"
            " + (SELECT coalesce(sum(length(entries.data)), 0) FROM entries"
            " JOIN imports ON imports.match = entries.match WHERE imports.owner = ?)",
            *(owner, owner, owner),
        )
        return int(found[0][0])


def record_import(tx: Transaction, commit: Commit) -> None:
    """Write what came with the record of a new match, within its transaction."""
    if (came := commit.imported) is not None:
        tx.execute(
            "INSERT INTO imports (match, owner, checksum, headers) VALUES (?, ?, ?, ?)",
            *(commit.row.id, came.owner, came.checksum, to_json(dict(came.headers))),
        )


def to_import(row: Sequence[Any]) -> ImportRow:
    """From owner, checksum, headers."""
    owner, checksum, headers = row
    return ImportRow(owner, checksum, json.loads(headers))
