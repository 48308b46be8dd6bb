"""Discord and the network fail: each move counts once, each board is posted once and in order."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import seated
from tests.loopback import Drop, Fault, LoopbackDiscord

pytestmark = pytest.mark.process

MESSAGES = r"/channels/\d+/messages"
HASTE = {"DOMINIUM_TEST_POLL": "0.02"}
Plant = Callable[[LoopbackDiscord], Fault]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "hindered") as made:
        await made.start(**HASTE)
        yield made


async def moved(house: House, match: str, *routes: str) -> None:
    """Moves that nothing hinders."""
    for route in routes:
        act = house.move(match, route)
        await act.do()
        await house.quiet(act.done)
    house.judge()


def failing(status: int, *, after: bool) -> Plant:
    return lambda server: server.faults.error(status, method="POST", path=MESSAGES, after_handling=after)


def cut(*, after: bool, orderly: bool = False) -> Plant:
    return lambda server: server.faults.reset(
        method="POST", path=MESSAGES, after_handling=after, orderly=orderly, times=2
    )


FAULTS: dict[str, Plant] = {
    "500 before": failing(500, after=False),
    "500 after": failing(500, after=True),
    "502 after": failing(502, after=True),
    "503 before": failing(503, after=False),
    "503 after": failing(503, after=True),
    "reset before": cut(after=False),
    "reset after": cut(after=True),
    "closed before": cut(after=False, orderly=True),
    "closed after": cut(after=True, orderly=True),
    "429": lambda server: server.faults.rate_limit(0.01, method="POST", path=MESSAGES, times=2),
    "429 for all": lambda server: server.faults.rate_limit(
        0.01, method="POST", path=MESSAGES, scope="global"
    ),
}


async def test_a_board_comes_once_whatever_became_of_its_request(house: House) -> None:
    match = await seated(house, mirrored=False)
    for name, plant in FAULTS.items():
        fault = plant(house.server)
        await moved(house, match, "bare", "slash")
        assert fault.struck, name
        house.server.faults.clear()


async def test_a_mirror_comes_once_although_its_answer_was_lost(house: House) -> None:
    match = await seated(house, mirrored=False)
    gallery = f"/channels/{house.gallery.id}/messages"
    lost = house.server.faults.error(503, method="POST", path=gallery, times=3, after_handling=True)
    await house.ben.slash(house.gallery, "matches watch here", match=match)
    await moved(house, match, "bare", "mention")
    await house.quiet(lambda: house.records.ask("SELECT message FROM watches")[0][0] is not None)
    house.judge()
    assert lost.struck


async def test_boards_wait_in_order_for_the_end_of_a_long_rate_limit(house: House) -> None:
    match = await seated(house)
    house.server.faults.rate_limit(40, method="POST", path=MESSAGES)
    first = house.move(match, "bare")
    await first.do()
    late = "SELECT 1 FROM outbox WHERE tries = 1 AND due - created >= 40000"
    await house.bots.wait_for(lambda: first.done() and bool(house.records.ask(late)), "a board that waits")
    second = house.move(match, "slash")
    await second.do()
    await house.bots.wait_for(second.done, "the move in the log")
    assert house.records.waiting() >= 2
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="60")
    await house.recovered(second)


async def test_a_board_does_not_wait_for_a_slow_mirror(house: House) -> None:
    match = await seated(house)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_POLL="3600")  # nothing but the end of a sending brings the next
    slow = house.server.faults.hold(method="PATCH", path=f"/channels/{house.gallery.id}/messages/.*")
    held = house.server.faults.hold(method="POST", path=MESSAGES)
    first = house.move(match, "bare")
    await first.do()
    await house.server.wait_until(lambda: bool(held.struck and slow.struck))
    second = house.move(match, "slash")
    last = len(house.server.requests) - 1
    await second.do()
    answered = await house.server.wait_for_request(lambda one: "callback" in one.path, after=last)
    await house.server.wait_until(lambda: answered.sent)
    held.release()
    await house.server.wait_until(lambda: calls(house.boards(match)[-1])[0][2] == house.now(match).seq)
    slow.release()
    await house.quiet(second.done)
    house.judge()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_bot_that_is_told_to_stop_while_it_posts_posts_once(house: House, after: bool) -> None:
    match = await seated(house)
    held = house.server.faults.hold(method="POST", path=MESSAGES, after_handling=after)
    act = house.move(match, "reply")
    await act.do()
    await held.reached.wait()
    house.bots.signal(signal.SIGTERM)
    assert await house.bots.wait() == 0
    await house.start()
    await house.quiet(act.done)
    held.release()  # a request that was long on its way arrives after that of the next process
    await house.server.wait_until(lambda: held.struck[0].status is not None)
    house.judge()


async def test_what_was_typed_while_the_session_was_lost_counts_once(house: House) -> None:
    match = await seated(house)
    async with house.server.gateway_outage(resume=False):
        act = house.move(match, "bare")
        await act.do()
    await house.quiet(act.done)
    house.judge()
    assert house.server.gateway.identified == 2
    await moved(house, match, "reply", "mention")


@pytest.mark.parametrize("how", list(Drop))
async def test_what_is_replayed_counts_once(house: House, how: Drop) -> None:
    match = await seated(house)
    async with house.server.gateway_outage(how=how):
        act = house.move(match, "mention")
        await act.do()
    await house.quiet(act.done)
    house.judge()
    assert (house.server.gateway.identified, house.server.gateway.resumed) == (1, 1)
    await moved(house, match, "slash", "bare")


async def test_what_was_typed_while_the_bot_was_down_counts_although_reading_fails_at_first(
    house: House,
) -> None:
    match = await seated(house)
    await house.bots.kill()
    act = house.move(match, "bare")
    await act.do()
    fault = house.server.faults.error(503, method="GET", path=MESSAGES, times=2)
    await house.start(**HASTE)
    await house.quiet(act.done)
    house.judge()
    assert len(fault.struck) == 2


async def test_a_reply_to_a_board_counts_before_the_bot_knows_that_the_board_stands(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=MESSAGES, after_handling=True)
    first = house.move(match, "bare")
    await first.do()
    await held.reached.wait()
    second = house.move(match, "reply")
    await second.do()
    await house.bots.wait_for(second.done, "the move in the log")
    held.release()
    await house.quiet(second.done)
    house.judge()


async def test_a_lost_right_holds_a_board_back_until_it_is_given_again(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.forbid(house.room, "send_messages_in_threads")
    act = house.move(match, "slash")
    await act.do()
    told = [house.ann.dm, house.ben.dm]
    for room in told:
        await house.server.wait_for_message(room)
    await house.bots.wait_for(lambda: act.done() and house.records.waiting() == 1, "a board that waits")
    house.server.forbid(house.room)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="120")
    await house.recovered(act)
    assert [len(house.server.messages(room)) for room in told] == [1, 1]
    await moved(house, match, "reply", "bare")


async def test_a_board_comes_as_soon_as_its_right_is_given_again(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.forbid(house.room, "send_messages_in_threads")
    act = house.move(match, "slash")
    await act.do()
    for room in (house.ann.dm, house.ben.dm):
        await house.server.wait_for_message(room)
    await house.bots.wait_for(lambda: act.done() and house.records.waiting() == 1, "a board that waits")
    house.server.forbid(house.room)
    await house.recovered(act)


async def test_a_match_whose_thread_is_deleted_goes_on_where_it_is_called(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=MESSAGES)
    act = house.move(match, "bare")
    await act.do()
    await held.reached.wait()
    house.server.delete_channel(house.thread(match))
    held.release()
    for person in house.people.values():
        await house.server.wait_for_message(person.dm)
    await house.quiet(act.done)
    await house.ann.slash(house.room, "match continue", match=match)
    board = await house.server.wait_for_message(
        house.room, lambda message: bool(calls(message)) and calls(message)[0][0] == "moves"
    )
    await house.quiet()
    assert calls(board)[0][1:] == (match, house.now(match).seq)
    text = f"{house.records.rows()[-1].id} {house.any_move(match)}"
    house.mover(house.records.rows()[-1], house.now(match)).send(house.room, text, mention=True)
    await house.quiet(lambda: len(house.plays(match)) == 2)
    boards = [calls(one)[0][2] for one in house.server.messages(house.room) if calls(one)]
    assert boards == [house.now(match).seq - 1, house.now(match).seq]
    assert [len(house.server.messages(person.dm)) for person in house.people.values()] == [1, 1]
