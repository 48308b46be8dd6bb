"""What every store does with what came with imported records."""

from __future__ import annotations

import pytest

from matches.ports import RepeatedError, Store
from matches.store.rows import Commit, ImportRow
from tests.fakes import START
from tests.storage.rows import entry, lobby

CAME = ImportRow(100, "ab" * 32, {"Date": "2026-03-01", "Seat 1": "Zoë"})


class Imports:
    """Imports by match, and by owner and checksum."""

    async def test_they_come_with_a_new_match(self, store: Store) -> None:
        row = lobby(status="over", source="import", version=0)
        await store.create(Commit(row, START, (entry(0),), imported=CAME))
        assert await store.import_of(row.id) == CAME
        assert await store.imported(100, CAME.checksum) == row.id
        assert await store.imported(101, CAME.checksum) is None
        assert await store.imported(100, "cd" * 32) is None
        assert (await store.count_imports(100), await store.count_imports(101)) == (1, 0)

    async def test_their_size_is_that_of_logs_and_headers(self, store: Store) -> None:
        assert await store.size_of_imports(100) == 0
        sizes = []
        for nth, more in enumerate(({}, {"Event": "x" * 5_000})):
            row = lobby(f"F-00{nth}", status="over", source="import", version=0)
            came = ImportRow(100, f"{nth}" * 64, more)
            await store.create(Commit(row, START, (entry(0),), imported=came))
            sizes.append(await store.size_of_imports(100))
        assert len(entry(0).entry.data) < sizes[0] < 200
        assert 5_000 < sizes[1] - 2 * sizes[0] < 5_100
        await store.create(Commit(lobby("F-009", version=0), START, (entry(0),)))
        assert (await store.size_of_imports(100), await store.size_of_imports(101)) == (sizes[1], 0)

    async def test_other_matches_have_none(self, store: Store) -> None:
        await store.create(Commit(lobby(), START))
        assert await store.import_of("F-001") is None
        assert await store.import_of("F-404") is None

    async def test_a_repeated_request_records_nothing(self, store: Store) -> None:
        await store.create(Commit(lobby(), START, request="once"))
        with pytest.raises(RepeatedError):
            await store.create(Commit(lobby("F-002"), START, request="once", imported=CAME))
        assert await store.count_imports(100) == 0
