"""Which messages a change leaves in the outbox: in the same step, once, in the right lane."""

from __future__ import annotations

import pytest

from matches.outbox.messages import BoardMessage, LobbyMessage, Mirror, Thread
from matches.outbox.queue import Draft
from matches.outbox_drafts import draft
from matches.ports import StoreError
from matches.results import Lobby
from matches.store.rows import Place
from tests.fakes import MemoryStore
from tests.matches.world import ANN, BOB, CYD, DIRECT, SERVER, World, opened, played


def brief(drafts: list[Draft]) -> list[tuple[str, str]]:
    """Kind and lane, without the match's id."""
    return [(draft.kind, draft.lane.removeprefix(draft.match)) for draft in drafts]


async def test_every_change_of_a_lobby_brings_it_up_to_date(world: World) -> None:
    row = await world.open_lobby(ANN, BOB, seats=3)
    await world.lobbies.add_computer(row.id, 1, request="a")
    await world.lobbies.swap(row.id, 1, 0, 1, request="b")
    await world.lobbies.close(row.id, 1, request="c")
    drafts = await world.drafts(row.id)
    assert drafts == [draft(LobbyMessage(), row.id)] * 5


async def test_a_refusal_sends_nothing(world: World) -> None:
    row = await world.open_lobby(ANN, BOB)
    await world.sent()
    await world.lobbies.join(row.id, ANN, request="a")
    await world.play.submit(row.id, 1, "card 1", request="a")
    assert await world.drafts(row.id) == []


@pytest.mark.parametrize(
    ("place", "use_thread", "thread"),
    [(SERVER, True, True), (SERVER, False, False), (Place(900, 10, 12), True, False)],
)
async def test_the_start_makes_a_thread_then_shows_lobby_and_board(
    world: World, place: Place, use_thread: bool, thread: bool
) -> None:
    row = await world.open_lobby(ANN, BOB, place=place, use_thread=use_thread)
    await world.sent()
    begun = played(await world.lobbies.start(row.id, 1, request="a"))
    board = draft(BoardMessage(0, begun.last, (1, 2)), row.id)
    first = [draft(Thread(), row.id)] if thread else []
    assert await world.drafts(row.id) == [*first, draft(LobbyMessage(), row.id), board]


async def test_each_move_has_its_board_and_talk_a_line(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.sent()
    await world.move(id_, ANN)
    await world.move(id_, BOB)
    await world.play.offer_draw(id_, 1, request="a")
    await world.play.decline_draw(id_, 2, request="b")
    await world.play.offer_draw(id_, 2, request="c")
    await world.play.offer_draw(id_, 1, request="d")
    told = [
        (d.kind, d.message.to_json()["first"], d.message.to_json()["last"]) for d in await world.drafts(id_)
    ]
    assert told == [
        ("board", 2, 2),
        ("board", 3, 4),
        ("notice", 5, 5),
        ("notice", 6, 6),
        ("notice", 7, 7),
        ("board", 8, 9),  # the draw is agreed to, and the secret revealed
    ]


async def test_a_repetition_sends_nothing(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    card = (await world.queries.legal(id_, 1))[0]
    await world.play.submit(id_, 1, card, request="a")
    await world.sent()
    assert played(await world.play.submit(id_, 1, card, request="a")).repeated
    assert await world.drafts(id_) == []


async def test_mirrors_follow_every_change_until_they_end(world: World) -> None:
    id_ = (await world.match(ANN, BOB)).row.id
    await world.sent()
    for channel in (50, 51):
        await world.channels.watch(id_, channel, 3)
    assert await world.drafts(id_) == [draft(Mirror(channel), id_) for channel in (50, 51)]
    assert await world.channels.unwatch(id_, 50)
    await world.sent()
    await world.move(id_, ANN)
    await world.play.offer_draw(id_, 1, request="a")
    assert brief(await world.drafts(id_)) == [
        ("board", ""),
        ("mirror", "/mirror/51"),
        ("notice", ""),
        ("mirror", "/mirror/51"),
    ]


async def test_in_direct_messages_everybody_gets_their_own(world: World) -> None:
    made = await world.lobbies.create(ANN, DIRECT, "toy", request="a", invited=(BOB, CYD), seats=3)
    id_ = opened(made).row.id
    assert brief(await world.drafts(id_)) == [("lobby", ""), ("lobby", "/dm/2"), ("lobby", "/dm/3")]
    await world.lobbies.join(id_, BOB, request="b")
    await world.sent()
    await world.lobbies.leave(id_, CYD.id, request="c")
    assert [d.user for d in await world.drafts(id_)] == [None, 2, 3], "who left is told as well"
    await world.lobbies.add_computer(id_, 1, request="d")
    await world.sent()
    await world.lobbies.start(id_, 1, request="e")
    assert [(d.kind, d.lane.removeprefix(id_), d.user) for d in await world.drafts(id_)] == [
        ("lobby", "", None),
        ("lobby", "/dm/2", 2),
        ("board", "/dm/1", 1),
        ("board", "/dm/2", 2),
    ]
    await world.sent()
    await world.play.offer_draw(id_, 1, request="f")
    assert brief(await world.drafts(id_)) == [("notice", "/dm/1"), ("notice", "/dm/2")]


async def test_what_can_not_be_stored_has_not_happened() -> None:
    store = MemoryStore()
    world = World(store)
    begun = await world.match(ANN, BOB)
    card = (await world.queries.legal(begun.row.id, 1))[0]
    store.failing = StoreError("The disk is full.")
    with pytest.raises(StoreError):
        await world.play.submit(begun.row.id, 1, card, request="a")
    store.failing = None
    done = played(await world.play.submit(begun.row.id, 1, card, request="a"))
    assert (done.first, done.repeated) == (begun.last + 1, False)
    assert isinstance(await world.lobbies.create(ANN, SERVER, "toy", request="b"), Lobby)
