"""How often the store is called: a move is one row and one commit, conversation costs nothing but its row."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from matches.ports import Store
from matches.results import Played, Refused
from matches.service import MatchService
from matches.store.rows import Commit, MatchRow
from tests.fakes import CountingStore
from tests.matches.world import ANN, BOB, CYD, World, opened, played, refused


@pytest.fixture
def store(world: World) -> CountingStore:
    """The world's store, counted from here on."""
    world.store = counting = CountingStore(world.store)
    world.restart()
    return counting


async def row_of(world: World, match_id: str) -> MatchRow:
    row = await world.queries.row(match_id)
    assert row is not None
    return row


async def test_a_move_is_one_row_and_one_commit(world: World, store: CountingStore) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.channels.watch(id_, 50, CYD.id)
    cards = [(await world.queries.legal(id_, who))[0] for who in (1, 2)]
    store.taken()
    done = played(await world.play.submit(id_, 1, cards[0], request=world.new))
    assert store.taken() == {"match": 1, "commit": 1}
    done = played(await world.play.submit(id_, 2, cards[1], request=world.new, row=done.row))
    assert store.taken() == {"commit": 1}
    assert [draft.kind for draft in await world.drafts(id_)][-2:] == ["board", "mirror"]
    store.taken()
    played(await world.play.offer_draw(id_, 1, request=world.new))
    assert store.taken() == {"match": 1, "commit": 1}


async def test_conversation_costs_nothing_but_its_row(world: World, store: CountingStore) -> None:
    row = (await world.match(ANN, BOB)).row
    store.taken()
    for who, text in ((1, "good luck!"), (2, "you too"), (3, "card 1")):
        answer = await world.play.submit(row.id, who, text, request=world.new, row=row)
        assert isinstance(answer, Refused)
        assert answer.chat
    assert store.taken() == {}
    await world.play.submit(row.id, 1, "good luck!", request=world.new)
    assert store.taken() == {"match": 1}
    await world.play.submit(row.id, 1, "card 99", request=world.new, row=row)
    assert store.taken() == {"request": 1}, "it may have been a move, played before a restart"


async def test_a_repeated_request_that_is_conversation_now_is_known(
    world: World, store: CountingStore
) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    card = (await world.queries.legal(id_, 1))[0]
    played(await world.play.submit(id_, 1, card, request="a"))
    assert played(await world.play.submit(id_, 1, "edited to chat", request="a")).repeated


async def test_a_turn_of_a_computer_is_one_commit(world: World, store: CountingStore) -> None:
    row = await world.open_lobby(ANN, seats=2)
    opened(await world.lobbies.add_computer(row.id, 1, request=world.new))
    row = played(await world.lobbies.start(row.id, 1, request=world.new)).row
    store.taken()
    (done,) = await world.computers.run(row.id, row)
    assert store.taken() == {"commit": 1}
    assert await world.computers.run(row.id, done.row) == ()
    assert store.taken() == {}
    assert await world.computers.run(row.id) == ()
    assert store.taken() == {"match": 1}


async def test_all_matches_of_a_person_are_one_call(world: World, store: CountingStore) -> None:
    ids = {(await world.match(ANN, BOB)).row.id for _ in range(5)}
    store.taken()
    assert {seen.row.id for seen in await world.queries.mine(ANN.id)} == ids
    assert store.taken() == {"by_user": 1}


async def test_an_old_row_is_read_again(world: World, store: CountingStore) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    mover, other = (ANN, BOB) if min(begun.match.to_act) == 0 else (BOB, ANN)
    await world.move(begun.row.id, mover)
    text = (await world.queries.legal(begun.row.id, other.id))[0]
    store.taken()
    wrong = await world.play.submit(begun.row.id, mover.id, text, request=world.new, row=begun.row)
    assert refused(wrong) == "match.refuse.turn", "it was their turn when the row was read"
    played(await world.play.submit(begun.row.id, other.id, text, request=world.new, row=begun.row))
    assert store.taken() == {"match": 2, "request": 1, "commit": 1}


async def test_a_row_of_a_match_that_left_the_cache_is_read_again(world: World, store: CountingStore) -> None:
    world.settings = {"cache": 1}
    world.restart()
    row = (await world.match(ANN, BOB)).row
    card = (await world.queries.legal(row.id, 1))[0]
    await world.match(ANN, BOB)
    store.taken()
    played(await world.play.submit(row.id, 1, card, request=world.new, row=row))
    assert store.taken() == {"match": 1, "log": 1, "commit": 1}


async def test_a_row_whose_channel_changed_is_judged_again(world: World, store: CountingStore) -> None:
    row = (await world.match(ANN, BOB)).row
    card = (await world.queries.legal(row.id, 1))[0]
    await world.channels.record(row.id, thread=77)
    done = played(await world.play.submit(row.id, 1, card, request=world.new, row=row))
    assert done.row.place.thread == 77
    await world.check(row.id)


class Cut:
    """A store whose first commit of a move succeeds, but whose task is cancelled then."""

    def __init__(self, store: Store) -> None:
        self._store, self._cut = store, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, commit: Commit) -> None:
        await self._store.commit(commit)
        if not self._cut:
            self._cut = True
            raise asyncio.CancelledError


async def test_a_commit_that_was_cut_off_makes_no_row_look_current(world: World) -> None:
    row = (await world.match(ANN, BOB)).row
    card = (await world.queries.legal(row.id, 1))[0]
    service = MatchService(Cut(world.store), world.clock, world.entropy)
    assert not isinstance(await service.queries.current(row.id), Refused)
    with pytest.raises(asyncio.CancelledError):
        await service.play.submit(row.id, 1, card, request="a")
    answer = await service.play.submit(row.id, 1, card, request="a", row=row)
    assert isinstance(answer, Played)
    assert answer.repeated
    late = await service.play.submit(row.id, 1, card, request="b", row=row)
    assert refused(late) == "match.refuse.turn"
