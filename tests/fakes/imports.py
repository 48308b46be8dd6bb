"""What came with imported records, in the store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from matches.store.rows import Commit, ImportRow
from storage.rows import to_json
from tests.fakes.base import MemoryBase, as_json


@dataclass
class MemoryImports(MemoryBase):
    """Imports by match."""

    came: dict[str, ImportRow] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)

    def record_import(self, commit: Commit) -> None:
        """Keep what came with the record of a new match."""
        if commit.imported is not None:
            headers = as_json(dict(commit.imported.headers))
            self.came[commit.row.id] = replace(commit.imported, headers=headers)
            texts = [
                to_json(dict(commit.row.options)),
                to_json(headers),
                *(one.entry.data for one in commit.entries),
            ]
            self._sizes[commit.row.id] = sum(map(len, texts))

    async def import_of(self, match_id: str) -> ImportRow | None:
        """What came with the record of a match."""
        self._open()
        return self.came.get(match_id)

    async def imported(self, owner: int, checksum: str) -> str | None:
        """The match that a person has imported from a record."""
        self._open()
        wanted = (owner, checksum)
        return next((match for match, one in self.came.items() if (one.owner, one.checksum) == wanted), None)

    async def count_imports(self, owner: int) -> int:
        """How many records a person has imported."""
        self._open()
        return sum(one.owner == owner for one in self.came.values())

    async def size_of_imports(self, owner: int) -> int:
        """How many characters the records that a person has imported take up."""
        self._open()
        return sum(size for match, size in self._sizes.items() if self.came[match].owner == owner)
