"""The part of the Store that keeps what came with imported records. Commits write it."""

from __future__ import annotations

from typing import Protocol

from matches.store.rows import ImportRow


class ImportStore(Protocol):
    """What came with imported records: the matches themselves are rows like any other."""

    async def import_of(self, match_id: str) -> ImportRow | None:
        """Return what came with the record of a match, or None if it wasn't imported."""
        ...

    async def imported(self, owner: int, checksum: str) -> str | None:
        """Return the match that a person has imported from the record with a checksum, or None."""
        ...

    async def count_imports(self, owner: int) -> int:
        """Return how many records a person has imported."""
        ...

    async def size_of_imports(self, owner: int) -> int:
        """Return how many characters a person's imported records take up: logs, options, headers."""
        ...
