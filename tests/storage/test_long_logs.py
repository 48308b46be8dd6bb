"""A long log is read, grouped and folded beside the event loop: no entry of it is handled there."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from games.engine import match as engine
from matches.log import changes, replay
from matches.results import Lobby, Person, Played
from matches.service import MatchService
from matches.store.rows import MatchRow, Place
from storage import matches, open_store
from storage.store import SqliteStore
from tests.fakes import FakeClock, FakeEntropy

LONG = 4 * replay.MAX_INLINE


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await open_store(tmp_path / "store.sqlite3", clock=FakeClock())
    yield store
    await store.close()


def cold(store: SqliteStore) -> MatchService:
    """A service that has nothing in its cache."""
    return MatchService(store, FakeClock(), FakeEntropy())


async def long_match(store: SqliteStore) -> MatchRow:
    """A match with a long log: draws offered and declined, and one move."""
    service = cold(store)
    opened = await service.lobbies.create(Person(1, "Ann"), Place(9, 90), "two_domains", request="open")
    assert isinstance(opened, Lobby)
    match = opened.row.id
    await service.lobbies.join(match, Person(2, "Ben"), request="join")
    played = await service.lobbies.start(match, 1, request="start")
    for number in range(LONG // 2):
        await service.play.offer_draw(match, 1, request=f"offer {number}")
        played = await service.play.decline_draw(match, 2, request=f"decline {number}")
    assert isinstance(played, Played)
    assert played.match.seq >= LONG
    return played.row


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often an entry was read, grouped or folded on the loop's thread, and how often elsewhere."""
    loop, counts = threading.get_ident(), Counter[str]()

    def count(module: Any, name: str) -> None:
        real = getattr(module, name)

        def step(*args: Any, **kwargs: Any) -> Any:
            counts["loop" if threading.get_ident() == loop else "beside"] += 1
            return real(*args, **kwargs)

        monkeypatch.setattr(module, name, step)

    count(matches, "to_logged")
    count(changes, "ChangeSpan")
    count(engine, "advance")
    return counts


async def look(service: MatchService, row: MatchRow) -> None:
    await service.queries.at(row.id, row.version)


async def look_back(service: MatchService, row: MatchRow) -> None:
    await service.queries.facts(row.id, row.version - 3, row.version - 1)


async def show(service: MatchService, row: MatchRow) -> None:
    await service.queries.last_change(row)


async def missed(service: MatchService, row: MatchRow) -> None:
    assert (await service.since.absence(row, 1)).turns


async def offer(service: MatchService, row: MatchRow) -> None:
    assert isinstance(await service.play.offer_draw(row.id, 1, request="new"), Played)


async def repeat(service: MatchService, row: MatchRow) -> None:
    answer = await service.play.offer_draw(row.id, 1, request=f"offer {LONG // 2 - 1}")
    assert isinstance(answer, Played)
    assert answer.repeated


@pytest.mark.slow
@pytest.mark.parametrize("use", [look, look_back, show, missed, offer, repeat])
async def test_a_cold_long_match_does_not_hold_the_loop(
    store: SqliteStore, handled: Counter[str], use: Callable[[MatchService, MatchRow], Awaitable[None]]
) -> None:
    row = await long_match(store)
    service = cold(store)
    handled.clear()
    await use(service, row)
    assert handled["loop"] <= (use in (offer, repeat)), "only the entry that is judged"
    assert handled["beside"] >= 2 * LONG
