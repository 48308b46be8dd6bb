"""What every store does with those who held the seats of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches.ports import RepeatedError, StaleError, Store
from matches.store.rows import Commit, SeatHolder
from tests.fakes import START
from tests.storage.rows import lobby

FIRST = SeatHolder("F-001", 1, 0, "person", START, 2, "Ben")
THEN = SeatHolder("F-001", 1, 7, "computer", START, level="hard", why="time", back=2)


class Holders:
    """Holders by match, seat and entry."""

    async def test_they_are_recorded_with_a_commit(self, store: Store) -> None:
        row = lobby()
        await store.create(Commit(row, START))
        assert await store.holders(row.id) == ()
        other = SeatHolder(row.id, 0, 9, "person", START, 4, "Dan", why="gift")
        after = replace(row, revision=row.revision + 1)
        await store.commit(Commit(after, START, holders=(replace(THEN, match=row.id), other)))
        first = replace(FIRST, match=row.id)
        later = replace(row, revision=row.revision + 2)
        await store.commit(Commit(later, START, request="r", holders=(first,)))
        assert await store.holders(row.id) == (other, first, replace(THEN, match=row.id))
        assert await store.holders("F-999") == ()

    async def test_what_is_known_stays(self, store: Store) -> None:
        row = lobby()
        first = replace(FIRST, match=row.id)
        await store.create(Commit(row, START, holders=(first,)))
        after = replace(row, revision=row.revision + 1)
        await store.commit(Commit(after, START, holders=(replace(first, name="Zoe"),)))
        assert await store.holders(row.id) == (first,)

    async def test_a_refused_commit_records_nobody(self, store: Store) -> None:
        row = lobby()
        await store.create(Commit(row, START, request="once"))
        first = (replace(FIRST, match=row.id),)
        with pytest.raises(StaleError):
            await store.commit(Commit(row, START, holders=first))
        after = replace(row, revision=row.revision + 1)
        with pytest.raises(RepeatedError):
            await store.commit(Commit(after, START, request="once", holders=first))
        assert await store.holders(row.id) == ()
