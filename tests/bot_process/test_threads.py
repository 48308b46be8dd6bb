"""Threads of live matches are kept open; mirrors live on in archived threads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.builders import ChannelHandle

from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import newest, seated
from tests.loopback import LoggedRequest, SetupError

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}
DAY = 86_400


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "threads") as made:
        await made.start(**HASTE)
        yield made


async def again(house: House, days: float = 0) -> None:
    """A new process, whose clock is days ahead of the machine's."""
    if house.bots.running:
        await house.bots.kill()
    await house.start(**HASTE, DOMINIUM_TEST_AHEAD=str(days * DAY))


def settings_of(house: House, thread: ChannelHandle) -> list[tuple[dict[str, object], int | None]]:
    """What the bot asked to be changed in a thread, with the status of each answer."""
    return [
        (dict(one.body), one.status)
        for one in house.server.requests
        if one.method == "PATCH" and one.path == f"/channels/{thread.id}"
    ]


async def opened(house: House, thread: ChannelHandle, since: int = 0) -> None:
    """Wait until the bot has opened a thread, and see that it stands open."""

    def opens(request: LoggedRequest) -> bool:
        return request.path == f"/channels/{thread.id}" and request.body == {"archived": False}

    await house.server.wait_for_request(opens, after=since - 1)
    assert not house.server.is_archived(thread)


async def looked_at(house: House, thread: ChannelHandle) -> None:
    """Wait until the bot has asked for an archived thread."""
    await house.server.wait_for_request(
        lambda one: one.method == "GET" and one.path == f"/channels/{thread.id}"
    )


# --- live matches -------------------------------------------------------------------------------------


async def test_a_live_matchs_thread_that_time_has_archived_is_opened(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    house.server.advance(7.1 * DAY)
    await opened(house, thread)
    assert settings_of(house, thread) == [({"archived": False}, 200)]
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    house.judge()


async def test_a_thread_archived_while_the_bot_was_down_is_opened(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    await house.bots.kill()
    house.server.advance(7.1 * DAY)
    assert house.server.is_archived(thread)
    await again(house)
    await opened(house, thread)


async def test_what_works_in_an_archived_thread_is_said(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    before = await (await house.ann.slash(house.gallery, "matches mine")).complete()
    assert match in before.content
    assert "archived" not in before.content
    house.server.archive(thread)
    with pytest.raises(SetupError, match="clients refuse"):
        await house.ann.slash(thread, "help")
    after = await (await house.ann.slash(house.gallery, "matches mine")).complete()
    assert "(its thread is archived: write in it, and it opens)" in after.content
    helped = await house.ann.slash(house.gallery, "help", about="archived")
    assert "don't work until someone writes there" in helped.content
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    await house.ann.slash(thread, "help")


async def test_the_thread_of_an_open_lobby_is_opened_too(house: House) -> None:
    corner = house.server.world.forums.thread_of(house.ann.id, house.room, "corner")
    house.server.world.backend.add_thread_member(corner.id, house.server.bot_id)
    await house.ann.slash(corner, "play", game="focus", players=2)
    lobby = await house.server.wait_for_message(corner, lambda message: bool(calls(message)))
    house.server.advance(1.1 * DAY)
    await opened(house, corner)
    await house.ben.click(lobby, f"domb:join:{calls(lobby)[0][1]}:-1")
    await house.quiet(lambda: house.ben.id in newest(house).seats)


@pytest.mark.parametrize("how", ["archived", "locked"])
async def test_a_thread_that_somebody_archived_is_left_until_somebody_moves(house: House, how: str) -> None:
    match = await seated(house, mirrored=False)
    other = await seated(house, mirrored=False)
    house.server.archive(house.thread(match), locked=how == "locked")
    house.server.archive(house.thread(other))
    house.server.advance(7.1 * DAY)  # nothing more happens to threads that are archived already
    third = await seated(house, mirrored=False)
    house.server.advance(7.1 * DAY)
    await opened(house, house.thread(third))
    assert house.server.is_archived(house.thread(match))
    assert settings_of(house, house.thread(match)) == []
    since = len(house.server.requests)
    await again(house)
    await looked_at(house, house.thread(match))
    house.server.advance(7.1 * DAY)
    await opened(house, house.thread(third), since)
    assert settings_of(house, house.thread(match)) == [], "what it reads after a start tells it the same"
    act = house.move(other, "bare")
    await act.do()
    await house.quiet(act.done)
    assert not house.server.is_archived(house.thread(other))


async def test_opening_a_thread_counts_so_that_archiving_it_soon_after_is_on_purpose(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    house.server.advance(7.1 * DAY)
    await opened(house, thread)
    house.server.advance(DAY)
    house.server.archive(thread)
    other = await seated(house, mirrored=False)
    house.server.advance(7.1 * DAY)
    await opened(house, house.thread(other))
    assert settings_of(house, thread) == [({"archived": False}, 200)]
    assert house.server.is_archived(thread)


async def test_a_match_that_nobody_plays_is_left_asleep(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    await again(house, days=90.1)  # until then people are reminded
    other = await seated(house, mirrored=False)
    house.server.advance(7.1 * DAY)
    await opened(house, house.thread(other))
    assert settings_of(house, thread) == []
    assert house.server.is_archived(thread)
    row = next(row for row in house.records.rows() if row.id == match)
    house.mover(row, house.now(match)).send(thread, house.any_move(match))
    await house.quiet(lambda: len(house.plays(match)) == 1)
    assert not house.server.is_archived(thread)


async def test_no_thread_is_opened_in_a_server_that_is_full(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    house.server.world.threads.most_active = 0
    house.server.advance(7.1 * DAY)
    await house.server.wait_for_request(
        lambda one: one.path == f"/channels/{thread.id}" and one.method == "PATCH"
    )
    assert settings_of(house, thread) == [({"archived": False}, 400)]
    house.server.world.threads.most_active = 1_000
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    assert len(settings_of(house, thread)) == 1, "asked once"


async def test_a_thread_that_the_bot_may_not_open_is_left(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    house.server.forbid(house.room, "send_messages_in_threads")
    house.server.advance(7.1 * DAY)
    await house.server.wait_until(lambda: len(settings_of(house, thread)) == 1)
    assert settings_of(house, thread) == [({"archived": False}, 403)]
    house.server.allow(house.room, "send_messages_in_threads")
    act = house.move(match, "bare")
    await act.do()
    await house.quiet(act.done)
    house.judge()
    assert len(settings_of(house, thread)) == 1


async def test_where_discord_takes_no_week_the_channels_own_time_counts(house: House) -> None:
    refused = house.server.faults.refuse(50035, method="POST", path=r"/channels/\d+/messages/\d+/threads")
    await seated(house, mirrored=False)
    assert refused.struck[0].body["auto_archive_duration"] == 10_080
    assert newest(house).thread is not None


# --- mirrors, and locked threads ------------------------------------------------------------------------


@pytest.mark.parametrize("member", [False, True])
async def test_a_mirror_in_an_archived_thread_lives_on(house: House, member: bool) -> None:
    match = await seated(house, mirrored=False)
    corner = house.server.world.forums.thread_of(house.ben.id, house.gallery, "corner")
    if member:
        house.server.world.backend.add_thread_member(corner.id, house.server.bot_id)
    house.server.forbid(house.gallery, "send_messages")  # in threads another permission counts
    await house.ben.slash(corner, "matches watch here", match=match)
    first = await house.server.wait_for_message(corner, lambda one: bool(calls(one)))
    house.server.advance(0.9 * DAY)
    await house.move(match, "bare").do()
    await house.quiet(lambda: len(house.plays(match)) == 1)
    assert [one.id for one in house.server.messages(corner)] == [first.id]
    house.server.advance(0.2 * DAY)
    assert house.server.is_archived(corner), "an edit doesn't keep it open"
    await house.move(match, "bare").do()
    await house.quiet(lambda: len(house.plays(match)) == 2)
    assert not house.server.is_archived(corner)
    (mirror,) = house.server.messages(corner)
    assert calls(mirror)[0][2] == house.now(match).seq
    assert (mirror.id == first.id) is member, "in a thread that we can't open, a post does"


async def test_a_mirror_in_a_locked_thread_ends_with_a_word_to_who_set_it_up(house: House) -> None:
    match = await seated(house, mirrored=False)
    corner = house.server.world.forums.thread_of(house.ben.id, house.gallery, "corner")
    await house.ben.slash(corner, "matches watch here", match=match)
    await house.server.wait_for_message(corner, lambda one: bool(calls(one)))
    house.server.archive(corner, locked=True)
    await house.move(match, "bare").do()
    told = await house.server.wait_for_message(house.ben.dm)
    assert f"I can't keep match `{match}` up to date in {corner.mention}" in told.content
    await house.quiet(lambda: len(house.plays(match)) == 1)
    assert len(house.boards(match)) == 2
    assert not house.server.messages(house.ann.dm)


async def test_a_finished_matchs_thread_is_archived_a_day_after_its_end(house: House) -> None:
    match = await seated(house, mirrored=False)
    thread = house.thread(match)
    person = house.mover(newest(house), house.now(match))
    asked = await person.slash(thread, "match resign", match=match)
    assert asked.message is not None
    await person.click(asked.message, "Yes, I resign", answered=False)
    await house.quiet(lambda: newest(house).status == "over")
    await again(house, days=1.1)
    await house.server.wait_until(lambda: settings_of(house, thread) == [({"archived": True}, 200)])
    assert house.server.is_archived(thread)


async def test_who_manages_threads_plays_on_in_a_locked_one(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.allow(house.room, "manage_threads")
    house.server.lock(house.thread(match))
    person = house.mover(newest(house), house.now(match))
    text = house.any_move(match)
    await person.slash(house.gallery, "move", answered=False, move=text, match=match)
    await house.quiet(lambda: len(house.plays(match)) == 1)
    assert len(house.boards(match)) == 2
    assert not house.server.messages(house.ann.dm)


async def test_what_was_typed_where_the_bot_could_not_see_counts_with_the_next_session(house: House) -> None:
    match = await seated(house, mirrored=False)
    house.server.forbid(house.room, "view_channel")
    act = house.move(match, "bare")
    await act.do()
    house.server.allow(house.room, "view_channel")
    assert not house.plays(match)
    await again(house)
    await house.quiet(act.done)
    house.judge()
