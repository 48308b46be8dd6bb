"""Processes that share a PostgreSQL database: who is excluded in one of them is excluded in all, at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import count

import pytest

from matches.results import Lobby, Refused
from tests.fakes import FakeClock
from tests.matches.world import ANN, BOB, CYD, DIRECT, SERVER, World, opened

pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from tests.storage.test_shard_leases import Processes

pytestmark = pytest.mark.slow


@pytest.fixture
async def worlds(ready_database: str) -> AsyncIterator[tuple[World, World]]:
    """Two processes on one database."""
    async with AsyncExitStack() as stack:
        processes, clock = Processes(ready_database, stack), FakeClock()
        here, there = [World((await processes.open(name))[0], clock) for name in ("ann", "ben")]
        there.numbers = count(1000)
        yield here, there


async def test_the_other_process_knows_it_at_once(worlds: tuple[World, World]) -> None:
    here, there = worlds
    assert await there.service.admission.why_excluded(None, CYD.id) is None
    lobby = await there.open_lobby(ANN, CYD)
    assert await here.service.exclusions.exclude("person", CYD.id, 7, "spam") == (lobby.id,)
    why = await there.service.admission.why_excluded(None, CYD.id)
    assert why is not None
    assert why.key == "match.refuse.excluded"
    for place in (SERVER, DIRECT):
        assert isinstance(await there.lobbies.create(CYD, place, "toy", request=there.new), Refused)
    joined = opened(await there.lobbies.join(lobby.id, BOB, request=there.new))
    assert {seat.user for seat in joined.row.seats} == {ANN.id, BOB.id}
    assert await there.service.exclusions.lift("person", CYD.id, 7)
    assert await here.service.admission.why_excluded(None, CYD.id) is None
    assert isinstance(await here.lobbies.create(CYD, DIRECT, "toy", request=here.new), Lobby)


async def test_so_does_it_of_a_server(worlds: tuple[World, World]) -> None:
    here, there = worlds
    lobby = await there.open_lobby(ANN, BOB)
    assert SERVER.guild is not None
    assert await here.service.exclusions.exclude("server", SERVER.guild, 7, "raids") == (lobby.id,)
    assert isinstance(await there.lobbies.create(BOB, SERVER, "toy", request=there.new), Refused)
    assert isinstance(await there.lobbies.start(lobby.id, ANN.id, request=there.new), Refused)
