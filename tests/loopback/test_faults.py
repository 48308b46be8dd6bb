"""What goes wrong between a bot and Discord goes wrong here too, at the moment a test chooses."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.loopback import BackendError, Drop, LoggedRequest, LoopbackDiscord, Moment
from tests.loopback.test_server import Stage

pytestmark = pytest.mark.process

POST = r"/channels/\d+/messages"


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with LoopbackDiscord() as server:
        stage = Stage(server)
        async with stage.bot:
            yield stage
        assert server.gaps == []


def texts(stage: Stage) -> list[str]:
    """The bot's messages in the room."""
    messages = stage.server.messages(stage.room)
    return [message.content for message in messages if message.author.id == stage.server.bot_id]


def is_post(request: LoggedRequest) -> bool:
    """Whether the request posts a message."""
    return request.method == "POST" and request.template == "/channels/{channel_id}/messages"


async def test_an_error_is_answered_once_and_nothing_is_posted(stage: Stage) -> None:
    fault = stage.server.faults.error(503, method="POST", path=POST)
    stage.ann.send(stage.room, "twice", mention=True)
    line = await stage.bot.wait_for_line(lambda line: line.startswith("FAILED"))
    assert line == "FAILED DiscordServerError None"
    await stage.server.wait_for_message(stage.room)
    assert texts(stage) == ["stubborn"]
    assert [request.status for request in fault.struck] == [None]
    assert [request.sent for request in fault.struck] == [503]


async def test_discord_py_itself_retries_after_500(stage: Stage) -> None:
    fault = stage.server.faults.error(500, method="POST", path=POST, after_handling=True)
    stage.ann.send(stage.room, "twice", mention=True)
    first = await stage.server.wait_until(lambda: next(iter(fault.struck), None))
    second = await stage.server.wait_for_request(is_post, after=first.number)
    assert first.body["nonce"] == second.body["nonce"]  # its own retry carries the nonce, so nothing doubles
    assert texts(stage) == ["stubborn"]
    assert not any(line.startswith("FAILED") for line in stage.bot.output)


async def test_a_reset_before_handling_loses_the_message(stage: Stage) -> None:
    fault = stage.server.faults.reset(method="POST", path=POST, times=2)
    stage.ann.send(stage.room, "twice", mention=True)
    line = await stage.bot.wait_for_line(lambda line: line.startswith("FAILED"))
    assert line == "FAILED ClientOSError 104"
    await stage.bot.wait_for_line(lambda line: stage.bot.transcript().count("FAILED") == 2)
    assert [request.sent for request in fault.struck] == [None, None]
    assert texts(stage) == []


async def test_a_reset_after_handling_posts_twice_without_a_nonce_of_ones_own(stage: Stage) -> None:
    stage.server.faults.reset(method="POST", path=POST, after_handling=True)
    stage.ann.send(stage.room, "twice", mention=True)
    await stage.bot.wait_for_line(lambda line: line == "FAILED ClientOSError 104")
    await stage.server.wait_until(lambda: len(texts(stage)) == 2)
    assert texts(stage) == ["stubborn", "stubborn"]


async def test_a_reset_after_handling_posts_once_with_a_nonce(stage: Stage) -> None:
    fault = stage.server.faults.reset(method="POST", path=POST, after_handling=True)
    stage.ann.send(stage.room, "twice n1", mention=True)
    await stage.bot.wait_for_line(lambda line: line == "FAILED ClientOSError 104")
    again = await stage.server.wait_for_request(is_post, after=fault.struck[0].number)
    await stage.server.wait_until(lambda: again.sent == 200)
    assert again.answer["id"] == fault.struck[0].answer["id"]
    assert texts(stage) == ["stubborn"]


async def test_an_orderly_close_is_no_os_error(stage: Stage) -> None:
    stage.server.faults.reset(method="POST", path=POST, after_handling=True, orderly=True)
    stage.ann.send(stage.room, "twice n1", mention=True)
    await stage.bot.wait_for_line(lambda line: line == "FAILED ServerDisconnectedError")
    assert not issubclass(aiohttp.ServerDisconnectedError, OSError)


async def test_a_rate_limit_is_waited_out(stage: Stage) -> None:
    fault = stage.server.faults.rate_limit(0.01, method="POST", path=POST, times=2)
    stage.ann.send(stage.room, "twice", mention=True)
    await stage.server.wait_for_message(stage.room)
    assert [request.sent for request in fault.struck] == [429, 429]
    assert texts(stage) == ["stubborn"]
    assert not any(line.startswith("FAILED") for line in stage.bot.output)


async def test_a_held_request_is_handled_when_it_is_let_go(stage: Stage) -> None:
    fault = stage.server.faults.hold(method="POST", path=POST)
    stage.ann.send(stage.room, "say late", mention=True)
    await fault.reached.wait()
    stage.ann.send(stage.ann.dm, "say early")
    await stage.server.wait_for_message(stage.ann.dm, lambda message: message.content == "early")
    assert texts(stage) == []
    fault.release()
    await stage.server.wait_for_message(stage.room)
    assert texts(stage) == ["late"]


async def test_a_held_answer_stands_already(stage: Stage) -> None:
    fault = stage.server.faults.hold(method="POST", path=POST, after_handling=True)
    stage.ann.send(stage.room, "say there", mention=True)
    await fault.reached.wait()
    assert texts(stage) == ["there"]
    assert fault.struck[0].sent is None
    fault.release()


async def test_a_fault_strikes_only_what_it_matches(stage: Stage) -> None:
    fault = stage.server.faults.error(
        403, path=POST, code=50013, match=lambda request: "bad" in request.body["content"]
    )
    stage.ann.send(stage.room, "say good", mention=True)
    await stage.server.wait_for_message(stage.room)
    stage.ann.send(stage.room, "say bad", mention=True)
    await fault.reached.wait()
    assert texts(stage) == ["good"]


@pytest.mark.parametrize("how", list(Drop))
async def test_resume_replays_what_was_missed(stage: Stage, how: Drop) -> None:
    async with stage.server.gateway_outage(how=how):
        stage.ann.send(stage.room, "say missed", mention=True)
    await stage.server.wait_for_message(stage.room)
    await stage.bot.wait_for_line(lambda line: line == "RESUMED")
    assert texts(stage) == ["missed"]
    assert (stage.server.gateway.identified, stage.server.gateway.resumed) == (1, 1)


async def test_without_resume_the_missed_events_are_lost(stage: Stage) -> None:
    await stage.bot.wait_for_line(lambda line: line == "READY")
    async with stage.server.gateway_outage(resume=False):
        stage.ann.send(stage.room, "say lost", mention=True)
    await stage.server.wait_until(lambda: stage.server.gateway.identified == 2)
    stage.ann.send(stage.room, "say heard", mention=True)
    await stage.server.wait_for_message(stage.room)
    await stage.bot.wait_for_line(lambda line: stage.bot.output.count("READY") == 2)
    assert texts(stage) == ["heard"]
    assert stage.server.gateway.resumed == 0


async def test_the_world_outlives_the_killed_bot(stage: Stage) -> None:
    stage.ann.send(stage.room, "panel", mention=True)
    panel = await stage.server.wait_for_message(stage.room)
    assert await stage.bot.kill() == -signal.SIGKILL
    stage.ann.send(stage.room, "say nobody hears", mention=True)
    await stage.bot.start()
    await stage.ann.click(panel, "Press 1")
    await stage.server.wait_for_message(stage.room, lambda message: message.content == "pressed 1")
    assert texts(stage) == ["pressed 1"]
    assert stage.server.requests[-1].launch == 2


async def test_a_thread_is_known_again_after_a_restart(stage: Stage) -> None:
    await stage.ann.slash(stage.room, "thread", name="match")
    thread = await stage.server.wait_for_thread(stage.room)
    await stage.server.wait_for_message(thread, lambda message: message.content == "welcome")
    await stage.bot.restart()
    stage.ann.send(thread, "archive", mention=True)
    edit = await stage.server.wait_for_request(lambda request: request.method == "PATCH")
    assert edit.status == 200
    assert edit.path == f"/channels/{thread.id}"
    assert edit.connection != stage.server.requests[0].connection


async def test_a_dropped_socket_is_taken_up_again(stage: Stage) -> None:
    for number in (1, 2, 3):
        stage.server.drop_gateway()
        await stage.server.wait_connected()
        assert stage.server.gateway.resumed == number
    assert stage.server.gateway.identified == 1


@pytest.mark.parametrize(("moment", "posted"), [(Moment.BEFORE, []), (Moment.AFTER, ["boom"])])
async def test_the_bot_can_be_killed_at_either_side_of_a_request(
    stage: Stage, moment: Moment, posted: list[str]
) -> None:
    async def kill(now: Moment, request: LoggedRequest) -> bool | None:
        if now is not moment or not is_post(request):
            return None
        stage.bot.signal(signal.SIGKILL)
        return False

    stage.server.on_request = kill
    stage.ann.send(stage.room, "say boom", mention=True)
    assert await stage.bot.wait() == -signal.SIGKILL
    assert texts(stage) == posted
    stage.server.on_request = None
    await stage.bot.start()
    stage.ann.send(stage.room, "say again", mention=True)
    await stage.server.wait_for_message(stage.room, lambda message: message.content == "again")


async def test_a_bot_that_is_asked_to_stop_stops(stage: Stage) -> None:
    assert await stage.bot.terminate() == -signal.SIGTERM
    assert not stage.bot.running


async def test_many_restarts(stage: Stage) -> None:
    numbers = [str(number) for number in range(5)]
    for number in numbers:
        await stage.bot.restart()
        stage.ann.send(stage.room, f"say {number}", mention=True)
        await stage.server.wait_until(lambda: texts(stage)[-1:] == [number])  # noqa: B023 - awaited in the turn
    assert texts(stage) == numbers
    assert stage.server.gateway.identified == 6


async def test_an_answer_that_comes_too_late_is_refused(stage: Stage) -> None:
    fault = stage.server.faults.hold(method="POST", path=r"/interactions/.*")
    answer = await stage.ann.slash(stage.room, "pick", answered=False, fruit="apple")
    await fault.reached.wait()
    stage.server.advance(4)
    fault.release()
    refused = await stage.server.wait_for_request(lambda request: request.status == 404)
    assert refused.answer["code"] == 10062
    assert not answer.acknowledged


async def test_a_nonce_is_forgotten_after_a_while(stage: Stage) -> None:
    last = -1
    for _ in range(3):
        stage.ann.send(stage.room, "picture 7", mention=True)
        last = (await stage.server.wait_for_request(is_post, after=last)).number
        stage.server.advance(200)
    assert texts(stage) == ["picture", "picture"]


async def test_what_was_deleted_or_forbidden_is_refused(stage: Stage) -> None:
    stage.server.forbid(stage.room, "attach_files")
    stage.ann.send(stage.room, "picture 1", mention=True)
    refused = await stage.server.wait_for_request(lambda request: request.status == 403)
    assert refused.answer["code"] == 50013
    stage.server.forbid(stage.room)
    fault = stage.server.faults.hold(method="POST", path=POST, times=2)
    stage.server.delete_message(stage.ann.send(stage.room, "reply", mention=True))
    doomed = stage.guild.create_text_channel("doomed")
    stage.ann.send(doomed, "say too late", mention=True)
    await stage.server.wait_until(lambda: len(fault.struck) == 2)
    stage.server.delete_channel(doomed)
    fault.release()
    await stage.server.wait_until(lambda: all(request.status for request in fault.struck))
    codes = {request.path: request.answer["code"] for request in fault.struck}
    assert codes == {f"/channels/{stage.room.id}/messages": 50035, f"/channels/{doomed.id}/messages": 10003}


async def test_a_locked_thread_stays_asleep(stage: Stage) -> None:
    await stage.ann.slash(stage.room, "thread", name="match")
    thread = await stage.server.wait_for_thread(stage.room)
    welcome = await stage.server.wait_for_message(thread, lambda message: message.content == "welcome")
    stage.server.archive(thread, locked=True)
    with pytest.raises(BackendError, match="160005"):
        stage.ann.send(thread, "hello?")
    stage.server.archive(thread)
    stage.ann.send(thread, "say hello", mention=True)
    await stage.server.wait_for_message(thread, after=welcome.id)
