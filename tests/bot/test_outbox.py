"""Discord fails while the bot posts: nothing is lost, nothing is posted twice, and the order stays."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from discord.http import Route

from matches.results import Played
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, legal, shown
from tests.bot.test_remedies import error

pytestmark = pytest.mark.slow

FAILURES: dict[str, dict[str, Any]] = {
    "500": {"status": 500},
    "502": {"status": 502},
    "503": {"status": 503},
    "a rate limit": {"status": 429, "message": "You are being rate limited."},
}


async def silent_move(stage: Stage, match: str, number: int) -> None:
    """Commit a move without posting its board, as if the process stopped there."""
    mover, now = await stage.mover(match), await stage.match(match)
    played = await stage.bot.context.service.play.submit(
        match, mover.id, legal(now)[0], request=f"silent {match} {number}"
    )
    assert isinstance(played, Played)


def posts_to(stage: Stage, channel: int) -> list[dict[str, Any]]:
    """What the bot tried to post in a channel, in order."""
    return [
        request.json
        for request in stage.env.http_requests
        if request.method == "POST" and request.path == f"/channels/{channel}/messages"
        if isinstance(request.json, dict)
    ]


async def moves_of_boards(stage: Stage, match: str) -> list[int]:
    """Which move each board in the channel shows, by its file's name, oldest first."""
    return [int(board.attachments[0].filename.split("-")[-1][:-4]) for board in await stage.boards(match)]


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_board_that_fails_comes_later(stage: Stage, failure: str) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    path = f"/channels/{thread.id}/messages"
    stage.env.inject_error("POST", path, **FAILURES[failure], times=2)
    for _ in range(3):
        mover = await stage.mover(match)
        await mover.slash(thread, "move", move=legal(await stage.match(match))[0])
    await stage.later(seconds=8)
    shown_moves = await moves_of_boards(stage, match)
    assert shown_moves == sorted(set(shown_moves)), "in order, each once"
    assert len(shown_moves) == 4
    assert not await stage.bot.context.store.outbox_pending()
    assert not (await stage.row(match)).unreachable


async def test_a_network_that_is_down(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    http = stage.bot.http
    failing = [ConnectionResetError(104, "Connection reset by peer"), TimeoutError(), OSError("no route")]
    real = http.send_message

    def send_message(*args: Any, **kwargs: Any) -> Any:
        if failing:
            raise failing.pop(0)
        return real(*args, **kwargs)

    monkeypatch.setattr(http, "send_message", send_message)
    await (await stage.mover(match)).slash(thread, "move", move=legal(await stage.match(match))[0])
    assert len(await stage.boards(match)) == 1
    await stage.later(seconds=12)
    assert not failing
    assert len(await stage.boards(match)) == 2


@pytest.mark.parametrize("answer", ["taken", "refused"])
async def test_while_discord_answers_nothing_the_pauses_grow_and_begin_anew_once_it_has(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    http, clock = stage.bot.http, stage.bot.context.clock
    tries: list[datetime] = []
    real, page, now = http.request, {"Content-Type": "text/html"}, "barred"

    def request(route: Route, **kwargs: Any) -> Any:
        nonlocal now
        if now == "barred":  # edits too: one that is taken says that Discord answers again
            if tries[-1:] != [clock.now()]:
                tries.append(clock.now())
            raise error(403, headers=page)
        if now == "refused" and route.method == "POST":
            now = "barred"
            raise error(500)
        return real(route, **kwargs)

    async def move() -> None:
        await (await stage.mover(match)).slash(thread, "move", move=legal(await stage.match(match))[0])

    monkeypatch.setattr(http, "request", request)
    await move()
    for last in (False, True):
        while len(tries) < 3:
            await stage.later(seconds=5)
        pauses = [(late - early).total_seconds() for early, late in pairwise(tries)]
        assert 30 <= pauses[0] < 60 <= pauses[1]
        tries.clear()
        now = "refused" if answer == "refused" and not last else "open"
        if now == "open":
            await stage.later(seconds=180)
            assert not await stage.bot.context.store.outbox_pending()
        if now == "open" and not last:
            now = "barred"
            await move()
    assert len(await stage.boards(match)) == (3 if answer == "taken" else 2)


async def test_one_nonce_over_all_tries_and_restarts(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    path = f"/channels/{thread.id}/messages"
    stage.env.inject_error("POST", path, status=503, times=3)
    before = len(posts_to(stage, thread.id))
    await (await stage.mover(match)).slash(thread, "move", move=legal(await stage.match(match))[0])
    await stage.restart()
    await stage.later(seconds=12)
    tries = posts_to(stage, thread.id)[before:]
    assert len(tries) == 4
    assert len({attempt["nonce"] for attempt in tries}) == 1
    assert all(attempt["enforce_nonce"] is True for attempt in tries)
    assert len({attempt["nonce"] for attempt in posts_to(stage, thread.id)}) == 2
    assert len(await stage.boards(match)) == 2


async def test_restarts_between_commit_and_post(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    for number in range(4):
        await silent_move(stage, match, number)
        if number % 2:
            await stage.restart()
    await stage.env.settle()
    shown_moves = await moves_of_boards(stage, match)
    assert len(shown_moves) == 5
    assert shown_moves == sorted(set(shown_moves))
    await move_by(stage, "reply", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 5


async def test_restarts_between_post_and_noting_it(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    store = stage.bot.context.store

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(store, "outbox_sent", dies)
    await (await stage.mover(match)).slash(thread, "move", move=legal(await stage.match(match))[0])
    assert len(await stage.boards(match)) == 2
    assert {row.draft.kind for row in await store.outbox_pending()} == {"board", "unping"}
    monkeypatch.undo()
    await stage.restart()
    await stage.later(seconds=4)
    assert len(await stage.boards(match)) == 2, "found, and not posted again"
    assert not await stage.bot.context.store.outbox_pending()
    text = legal(await stage.match(match))[0]
    await (await stage.mover(match)).send(thread, text, reply_to=await last_board(stage, match))
    assert (await stage.match(match)).plays == 2


async def test_boards_that_waited_are_joined_without_one_that_was_posted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    store = stage.bot.context.store

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(store, "outbox_sent", dies)
    await (await stage.mover(match)).slash(thread, "move", move=legal(await stage.match(match))[0])
    monkeypatch.undo()
    play = stage.bot.context.service.play
    for number in range(2):
        now = await stage.match(match)
        (seat,) = now.to_act
        user = (await stage.row(match)).seats[seat].user or 0
        await play.submit(match, user, legal(now)[0], request=f"unseen {number}")
    await stage.later(hours=1, seconds=4)
    boards = await stage.boards(match)
    assert [board.content.count("pile of") for board in boards[2:]] == [2], (
        "the first one's move isn't told again"
    )
    assert len(boards) == 3
    assert not await stage.bot.context.store.outbox_pending()


async def test_a_lobby_that_fails_is_sent_later(stage: Stage) -> None:
    path = f"/channels/{stage.channel.id}/messages"
    stage.env.inject_error("POST", path, status=500, times=2)
    await stage.ann.slash(stage.channel, "play", game="focus", friend=stage.ben)
    (row,) = await stage.bot.context.store.by_status("lobby")
    assert row.lobby.message is None
    await stage.later(seconds=5)
    lobby = await stage.lobby(row.id)
    stage.env.inject_error("PATCH", f"{path}/*", status=502, times=2)
    await stage.ben.click(lobby, label="Accept")
    await stage.later(seconds=5)
    assert "invited" not in (await stage.lobby(row.id)).content
    assert len([m for m in stage.channel.history() if m.author.bot and m.attachments]) == 1


async def test_a_thread_that_fails_comes_later(stage: Stage) -> None:
    stage.env.inject_error("POST", "/channels/*/messages/*/threads", status=503, times=2)
    match, _ = await stage.open(stage.ann, stage.ben)
    await stage.later(seconds=6)
    (thread,) = stage.channel.threads
    assert (await stage.row(match)).place.thread == thread.id
    assert len(await stage.boards(match)) == 1
    assert not [
        m for m in stage.channel.history() if any(a.filename.startswith(match) for a in m.attachments)
    ]


async def test_no_right_to_make_threads_any_more(stage: Stage) -> None:
    stage.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013)
    match, home = await stage.open(stage.ann, stage.ben)
    assert home.id == stage.channel.id
    assert len(await stage.boards(match)) == 1
    await move_by(stage, "reply", match, home, await stage.mover(match), legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 1


async def test_a_mirror_that_fails_comes_later(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    path = f"/channels/{stage.gallery.id}/messages"
    stage.env.inject_error("POST", path, status=500, times=1)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    await stage.later(seconds=4)
    assert len([m for m in stage.gallery.history() if m.attachments]) == 1
    stage.env.inject_error("PATCH", f"{path}/*", status=503, times=2)
    for _ in range(2):
        text = legal(await stage.match(match))[0]
        await (await stage.mover(match)).slash(thread, "move", move=text)
    assert len(await stage.boards(match)) == 3, "a mirror holds nobody up"
    await stage.later(seconds=6)
    (mirror,) = [m for m in stage.gallery.history() if m.attachments]
    assert text in mirror.content


async def test_every_board_can_be_read_without_its_picture(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, stage.cleo)
    for _ in range(4):
        await move_by(
            stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0]
        )
    view = shown(await stage.dan.click(await last_board(stage, match), label="My view"))
    for message in (*await stage.boards(match), view):
        (picture,) = message.attachments
        assert picture.description
        assert len(picture.description) <= 1024
        assert picture.size < 64_000


async def test_what_fails_for_an_interaction_is_said(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)

    async def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(stage.bot.context.service.play, "submit", broken)
    result = await stage.ann.slash(thread, "move", move="e4")
    assert shown(result).content == "Something went wrong on our side. Nothing is lost. Please try again."
    stage.expected = stage.env.errors
    assert ["a mistake of ours" in str(error) for error in stage.expected] == [True]
    monkeypatch.undo()
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 1
