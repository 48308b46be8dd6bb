"""People are forgotten in every game: they leave what they play, and logs give the same games as before."""

from __future__ import annotations

import pytest

from games.engine import registry
from games.engine.match import fold
from matches.results import Lobby, Person
from matches.service import MatchService
from matches.store.erasures import ERASED_NAME
from matches.store.rows import MatchRow, Place
from tests.fakes import START, FakeClock, FakeEntropy
from tests.fakes.store import MemoryStore

ANN, BEN = Person(180_000_000_000_000_001, "Ann"), Person(180_000_000_000_000_002, "Ben")


@pytest.mark.parametrize("game", [game.key for game in registry.all_games()])
async def test_in_every_game_the_log_stays_the_same_game(game: str) -> None:
    store, clock = MemoryStore(), FakeClock()
    service = MatchService(store, clock, FakeEntropy())
    opened = await service.lobbies.create(ANN, Place(9, 90), game, request="open")
    assert isinstance(opened, Lobby)
    match = opened.row.id
    await service.lobbies.join(match, BEN, request="join")
    while (row := await store.match(match)) is not None and any(s.occupant == "open" for s in row.seats):
        await service.lobbies.add_computer(match, ANN.id, request=f"computer{row.revision}")
    await service.lobbies.start(match, ANN.id, request="start")
    (running,) = (await service.erasures.affected(ANN.id))[1]
    assert running.id == match
    before = [one.entry for one in await store.log(match)]
    assert await service.erasures.forget(ANN.id) == (match,)
    log = await store.log(match)
    assert [one.entry for one in log[: len(before)]] == before
    assert ANN.id not in [one.user for one in log]
    assert not any(str(ANN.id) in one.entry.data for one in log), "nor in the salt of the dice"
    now = await store.match(match)
    assert now is not None
    assert fold([one.entry for one in log]).seq == now.version
    assert ANN.id not in [now.host, *(seat.user for seat in now.seats)]
    assert [seat.name for seat in now.seats].count(ERASED_NAME) == 1
    assert not service.erasures.is_running(ANN.id)


async def seated(game: str) -> tuple[MemoryStore, MatchService, str]:
    """A lobby of Ann and Ben; its id."""
    store = MemoryStore()
    service = MatchService(store, FakeClock(), FakeEntropy())
    opened = await service.lobbies.create(ANN, Place(9, 90), game, request="open")
    assert isinstance(opened, Lobby)
    await service.lobbies.join(opened.row.id, BEN, request="join")
    return store, service, opened.row.id


async def test_a_study_has_no_id_in_its_log() -> None:
    store, service, match = await seated("two_domains")
    await service.lobbies.start(match, ANN.id, request="start")
    await service.play.resign(match, BEN.id, request="end")
    over = await store.match(match)
    assert over is not None
    study = await service.forks.study(over, ANN, 77, request="study")
    assert isinstance(study, MatchRow)
    await service.erasures.forget(ANN.id)
    for each in (over.id, study.id):
        log = await store.log(each)
        assert log
        assert not any(str(ANN.id) in f"{one.user} {one.entry.data}" for one in log)


async def test_a_rematch_leaves_the_seat_of_the_forgotten_open() -> None:
    _, service, match = await seated("focus")
    await service.lobbies.start(match, ANN.id, request="start")
    await service.erasures.forget(ANN.id)
    again = await service.rematches.open(match, BEN, request="again")
    assert isinstance(again, Lobby)
    assert sorted(seat.occupant for seat in again.row.seats) == ["open", "person"]


async def test_a_lobby_loses_them_and_its_host_is_another() -> None:
    store, service, match = await seated("focus")
    await service.erasures.forget(ANN.id)
    row = await store.match(match)
    assert row is not None
    assert (row.status, row.host) == ("lobby", BEN.id)


async def test_what_a_killed_process_began_is_finished() -> None:
    store = MemoryStore()
    await store.begin_erasure(ANN.id, -5, START)
    service = MatchService(store, FakeClock(), FakeEntropy())
    await service.erasures.load()
    assert service.erasures.is_running(ANN.id)
    assert await service.erasures.resume() == (ANN.id,)
    assert not service.erasures.is_running(ANN.id)
    assert await service.erasures.resume() == ()
