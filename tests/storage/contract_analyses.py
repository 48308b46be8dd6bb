"""What every Store must do with analyses, written against the protocol alone."""

from __future__ import annotations

import pytest

from games.engine.fields import Json
from matches.ports import Store
from tests.fakes import START
from tests.storage.contract import created

DATA: Json = {"version": 1, "points": [[50_000, 0], [100_000, 3]], "name": "Zoë 🐙", "none": None}


class Analyses:
    """Analyses of finished matches."""

    async def test_an_analysis_comes_back_as_it_was_put(self, store: Store) -> None:
        await created(store)
        assert await store.analysis("F-001", "1-exact") is None
        await store.save_analysis("F-001", "1-exact", DATA, START)
        assert await store.analysis("F-001", "1-exact") == DATA
        assert await store.analysis("F-002", "1-exact") is None

    async def test_one_of_another_source_is_none(self, store: Store) -> None:
        await created(store)
        await store.save_analysis("F-001", "1-moves", DATA, START)
        assert await store.analysis("F-001", "1-exact") is None

    async def test_a_new_one_takes_the_place_of_the_old(self, store: Store) -> None:
        await created(store)
        await store.save_analysis("F-001", "1-moves", DATA, START)
        await store.save_analysis("F-001", "1-exact", {"version": 2}, START)
        assert await store.analysis("F-001", "1-exact") == {"version": 2}
        assert await store.analysis("F-001", "1-moves") is None
        await store.save_analysis("F-001", "1-exact", DATA, START)
        assert await store.analysis("F-001", "1-exact") == DATA

    async def test_it_belongs_to_a_match(self, store: Store) -> None:
        with pytest.raises(LookupError):
            await store.save_analysis("F-404", "1-exact", DATA, START)
        assert await store.analysis("F-404", "1-exact") is None
