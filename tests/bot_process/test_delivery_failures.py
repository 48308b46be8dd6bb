"""Whatever Discord answers to a message, its people get it another way, get it later, or hear why not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import product
from pathlib import Path

import pytest

from tests.bot_process.house import Act, House, calls, open_house
from tests.bot_process.lobbies import newest, seated
from tests.loopback import Fault
from tests.soak import sampled

pytestmark = pytest.mark.process

MESSAGES = r"/channels/\d+/messages"
HASTE = {"DOMINIUM_TEST_POLL": "0.02"}
Plant = Callable[[House, str, int | None], Fault]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "failures") as made:
        await made.start(**HASTE)
        yield made


def told(house: House, part: str) -> list[int]:
    """How many messages with this part each of the people has got from the bot."""
    found = [house.server.messages(person.dm) for person in house.people.values()]
    return [sum(part in one.content for one in messages) for messages in found]


def boards(house: House, match: str) -> list[int]:
    """The entries that the boards in the match's thread show, oldest first."""
    return [calls(one)[0][2] for one in house.boards(match)]


async def told_and_waiting(house: House, act: Act, match: str) -> None:
    """Wait until everyone has heard of a match, and nothing but its board waits."""
    for person in house.people.values():
        await house.server.wait_for_message(person.dm, lambda one: match in one.content)
    await house.bots.wait_for(lambda: act.done() and house.records.waiting() == 1, "a board that waits")


def tries(house: House) -> int:
    """How often the messages that wait have been tried, the first of them."""
    return next((int(count) for (count,) in house.records.ask("SELECT tries FROM outbox ORDER BY id")), 0)


def refusing(code: int) -> Plant:
    def plant(house: House, path: str, times: int | None) -> Fault:
        return house.server.faults.refuse(code, method="POST", path=path, times=times)

    return plant


def failing(status: int, code: int = 0) -> Plant:
    def plant(house: House, path: str, times: int | None) -> Fault:
        return house.server.faults.error(status, code=code, method="POST", path=path, times=times)

    return plant


CONTENT = {
    "40005": failing(413, 40005),
    "413": failing(413),
    "50006": refusing(50006),
    "50035": refusing(50035),
}


@pytest.mark.parametrize("plant", CONTENT.values(), ids=CONTENT.keys())
async def test_a_board_that_is_refused_comes_as_text(house: House, plant: Plant) -> None:
    match = await seated(house, mirrored=False)
    fault = plant(house, f"/channels/{house.thread(match).id}/messages", 1)
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    board = house.boards(match)[-1]
    assert len(fault.struck) == 1
    assert board.attachments == []
    assert "```" in board.content
    assert told(house, match) == [0, 0]


async def test_a_board_that_is_refused_as_text_too_is_told_and_holds_nothing_up(house: House) -> None:
    match = await seated(house, mirrored=False)
    refusing(50035)(house, f"/channels/{house.thread(match).id}/messages", 2)
    first = house.move(match, "slash")
    await first.do()
    await house.quiet(first.done)
    assert told(house, "error 50035") == [1, 1]
    lost = house.now(match).seq
    second = house.move(match, "slash")
    await second.do()
    await house.quiet(second.done)
    assert boards(house, match)[-1] == house.now(match).seq
    assert lost not in boards(house, match)
    assert house.records.ask("SELECT unreachable FROM matches") == [("",)]
    assert told(house, match) == [1, 1]


WAITING = {
    "unknown": failing(400, 999_999),
    "30003": failing(400, 30003),
    "30013": refusing(30013),
    "30033": refusing(30033),
    "50001": refusing(50001),
    "50008": refusing(50008),
    "50013": refusing(50013),
    "50024": refusing(50024),
    "50083": refusing(50083),
    "160005": refusing(160005),
    "160006": refusing(160006),
    "200000": failing(400, 200_000),
}


SOME = sampled(WAITING, ("unknown", "30013", "50001", "50013", "160005"))
"""`test_remedies` knows what each answer comes to."""


@pytest.mark.parametrize("plant", [WAITING[name] for name in SOME], ids=SOME)
async def test_what_people_can_put_right_is_told_once_and_the_board_waits(house: House, plant: Plant) -> None:
    match = await seated(house, mirrored=False)
    plant(house, f"/channels/{house.thread(match).id}/messages", 1)
    act = house.move(match, "bare")
    await act.do()
    await told_and_waiting(house, act, match)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="120")
    await house.quiet(act.done)
    house.judge()
    assert house.records.ask("SELECT unreachable FROM matches") == [("",)]
    assert told(house, match) == [1, 1]


async def test_a_move_hurries_the_boards_that_wait_and_only_the_newest_comes(house: House) -> None:
    match = await seated(house, mirrored=False)
    shown = boards(house, match)
    fault = refusing(50013)(house, f"/channels/{house.thread(match).id}/messages", None)
    first = house.move(match, "slash")
    await first.do()
    await told_and_waiting(house, first, match)
    fault.times = 0
    second = house.move(match, "slash")
    await second.do()
    await house.quiet(second.done)
    assert boards(house, match) == [*shown, house.now(match).seq]


@pytest.mark.parametrize("code", [10003, 10004])
async def test_a_board_whose_channel_is_gone_is_told_and_comes_where_the_match_goes_on(
    house: House, code: int
) -> None:
    match = await seated(house, mirrored=False)
    refusing(code)(house, f"/channels/{house.thread(match).id}/messages", None)
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    assert told(house, "was deleted") == [1, 1]
    await house.ann.slash(house.room, "match continue", match=match)
    now = ("moves", match, house.now(match).seq)
    await house.server.wait_for_message(house.room, lambda one: calls(one)[:1] == [now])
    await house.quiet()


async def test_a_thread_that_is_deleted_while_its_board_waits_is_told_as_well(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.forbid(house.room, "send_messages_in_threads")
    act = house.move(match, "slash")
    await act.do()
    await told_and_waiting(house, act, match)
    house.server.delete_channel(house.thread(match))
    for person in house.people.values():
        await house.server.wait_for_message(person.dm, lambda one: "was deleted" in one.content)


@pytest.mark.parametrize("code", [50001, 50013, 50083, 160005])
async def test_the_end_of_a_mirror_is_told_to_the_person_who_set_it_up(house: House, code: int) -> None:
    match = await seated(house)
    gallery = f"{house.gallery.id}/messages"
    house.server.faults.refuse(code, method="*", path=rf"/channels/{gallery}(/\d+)?", times=None)
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    assert house.records.ask("SELECT channel FROM watches") == []
    assert told(house, f"error {code}") == [0, 1]


async def test_a_mirror_that_an_edit_would_empty_becomes_text(house: House) -> None:
    match = await seated(house)
    path = rf"/channels/{house.gallery.id}/messages/\d+"
    fault = house.server.faults.refuse(50006, method="PATCH", path=path)
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    assert len(fault.struck) == 1
    (mirror,) = [one for one in house.server.messages(house.gallery) if calls(one)]
    assert "```" in mirror.content


@pytest.mark.parametrize("answer", ["barred", "401", "403 of the proxy"])
async def test_nothing_is_sent_while_nothing_is_answered(house: House, answer: str) -> None:
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_PAUSE="3600", **HASTE)
    if answer == "barred":
        house.server.limits.most_invalid = 0
    elif answer == "401":
        house.server.faults.error(401, method="POST", path=MESSAGES, times=None)
    else:
        house.server.faults.page(403, method="POST", path=MESSAGES, times=None)
    since = len(house.server.requests)
    act = house.move(match, "bare")
    await act.do()
    await house.bots.wait_for(lambda: act.done() and tries(house) == 1, "a try")
    house.server.limits.most_invalid = 10_000
    await house.ann.slash(house.thread(match), "matches mine")
    posts = [one for one in house.server.requests[since:] if one.method == "POST" and "/messages" in one.path]
    assert len(posts) == 1
    house.server.faults.clear()
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="120")
    await house.quiet(act.done)
    house.judge()
    assert told(house, match) == [0, 0]


async def test_sending_goes_on_after_a_ban(house: House) -> None:
    match = await seated(house)
    house.server.limits.most_invalid = 0
    act = house.move(match, "bare")
    await act.do()
    await house.bots.wait_for(lambda: act.done() and tries(house) > 2, "tries")
    house.server.limits.most_invalid = 10_000
    await house.quiet(act.done)
    house.judge()


async def test_a_long_failure_is_told_and_the_board_still_comes(house: House) -> None:
    match = await seated(house, mirrored=False)
    fault = failing(503)(house, f"/channels/{house.thread(match).id}/messages", None)
    act = house.move(match, "slash")
    await act.do()
    await house.bots.wait_for(lambda: act.done() and house.records.waiting() == 1, "a board that waits")
    await house.bots.kill()
    await house.start(DOMINIUM_TEST_AHEAD="4000", DOMINIUM_TEST_RETRY="0.01", **HASTE)
    for person in house.people.values():
        await house.server.wait_for_message(person.dm, lambda one: "error 503" in one.content)
    fault.times = 0
    await house.quiet(act.done)
    house.judge()
    assert told(house, match) == [1, 1]


async def test_a_thread_that_can_not_be_made_for_unknown_reasons_is_done_without_and_told(
    house: House,
) -> None:
    failing(400, 999_999)(house, rf"{MESSAGES}/\d+/threads", None)
    await house.ann.slash(house.room, "play", game="focus", players=2)
    lobby = await house.server.wait_for_message(house.room, lambda one: bool(calls(one)))
    match = calls(lobby)[0][1]
    await house.ben.click(lobby, f"domb:join:{match}:-1")
    await house.quiet(lambda: house.occupant(match, house.ben) == "person")
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    await house.server.wait_for_message(
        house.room, lambda one: bool(calls(one)) and calls(one)[0][0] == "moves"
    )
    await house.quiet()
    said = [message.content for message in house.server.messages(house.room)]
    assert f"Discord didn't let me make a thread for match `{match}` (error 999999)." in "\n".join(said)


async def test_a_typing_mistake_that_was_deleted_is_answered_all_the_same(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=MESSAGES)
    thread = house.thread(match)
    mistake = house.mover(newest(house), house.now(match)).send(thread, "z9 to z8", mention=True)
    await held.reached.wait()
    house.server.delete_message(mistake)
    held.release()
    answer = await house.server.wait_for_message(thread, after=mistake.id)
    assert {verb for verb, *_ in calls(answer)} == {"pick"}, "what was meant, and no board"


async def test_an_answer_whose_token_has_ended_loses_nothing(house: House) -> None:
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path="/webhooks/.*")
    await house.ann.slash(house.thread(match), "ask board", answered=False)
    await held.reached.wait()
    house.server.advance(901)
    held.release()
    await house.server.wait_until(lambda: held.struck[0].sent == 401)
    assert held.struck[0].answer["code"] == 50027
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    house.judge()


def cut(house: House, path: str, times: int | None) -> Fault:
    return house.server.faults.reset(method="POST", path=path, times=times)


def cut_late(house: House, path: str, times: int | None) -> Fault:
    return house.server.faults.reset(method="POST", path=path, times=times, after_handling=True)


def forbidden_late(house: House, path: str, times: int | None) -> Fault:
    return house.server.faults.error(
        403, code=50001, method="POST", path=path, times=times, after_handling=True
    )


ANSWERS = {
    "cut": cut,
    "cut after it": cut_late,
    "403": failing(403, 50001),
    "403 after it": forbidden_late,
    "404": refusing(10062),
}


async def test_who_gets_no_answer_to_a_move_is_never_told_to_try_again(house: House) -> None:
    match = await seated(house, mirrored=False)
    for plant, times in product(ANSWERS.values(), (1, 2)):
        act = house.move(match, "slash")
        plant(house, r"/interactions/.*/callback", times)
        await act.do()
        await house.quiet(act.done)
        house.server.faults.clear()
    answered = [
        str(request.body) for request in house.server.requests if "/interactions/" in request.path
    ] + [str(request.body) for request in house.server.requests if "/webhooks/" in request.path]
    assert not [said for said in answered if "try again" in said]
    house.judge()
