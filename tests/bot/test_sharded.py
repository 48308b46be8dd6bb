"""A process with the leases of some shards: what it begins, ends and leaves to others as they come and go."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.sharded import LOOK_EVERY, MARGIN
from tests.bot.sharded_house import House, Turn, Written, play

# --- leases -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("shards", "count"), [("4", 4), ("auto", 6)])
def test_one_process_alone_begins_all_sessions_in_turn(shards: str, count: int) -> None:
    async def story(house: House) -> None:
        assert await house.begin() == ["launch 0 first", *(f"launch {n}" for n in range(1, count))]
        assert (house.bot.shard_count, house.bot.own_shards.held) == (count, frozenset(range(count)))
        assert house.bot._connection.shard_ids == list(range(count))

    play(story, leases=False, SHARDS=shards)


@pytest.mark.parametrize(("shards", "asked"), [("4", "agree 4 True"), ("auto", "agree 6 False")])
def test_several_agree_on_the_number_and_each_begins_what_it_gets(shards: str, asked: str) -> None:
    async def story(house: House) -> None:
        assert await house.begin() == [asked, "launch 1 first", "launch 3"]
        assert house.bot.shard_count == house.bot.own_shards.count == house.leases.count
        assert house.leases.renewed == [({1, 3}, set())]
        assert house.bot._connection.shard_ids == [1, 3]
        assert house.bot.own_shards.held == {1, 3}
        await asyncio.sleep(house.leases.seconds - MARGIN - 0.01)
        assert house.bot.own_shards.in_time
        assert len(house.leases.renewed) == 3
        house.leases.broken = True
        await asyncio.sleep(LOOK_EVERY)
        assert len(house.leases.renewed) == 4
        await asyncio.sleep(house.leases.seconds - MARGIN - LOOK_EVERY)
        assert not house.bot.own_shards.in_time

    play(story, SHARDS=shards, PROCESSES="2", _DOMINIUM_PROCESS="1")


def test_a_process_without_a_shard_of_its_own_is_ready_for_those_of_others() -> None:
    async def story(house: House) -> None:
        house.leases.turn = Turn(frozenset())
        await house.begin()
        assert house.bot.own_shards.serving.is_set()
        assert await house.renew(Turn(frozenset({1}), taken={1: 5.0})) != []  # it may take over

    play(story, PROCESSES="5", _DOMINIUM_PROCESS="4")


def test_what_is_lost_ends_and_is_left_to_others() -> None:
    async def story(house: House) -> None:
        await house.begin()
        assert await house.renew(Turn(frozenset({3}))) == [
            "publisher.share",
            "computers.look_again",
            "plans.look_again",
            "session 1.disconnect",
            "inbox.leave [1]",
        ]
        assert house.bot.own_shards.held == house.bot.own_shards.heard == {3}
        assert house.bot._connection.shard_ids == [3]
        assert await house.renew(Turn(frozenset({3}))) == []

    play(story)


def test_what_is_taken_begins_and_its_silence_is_given_back() -> None:
    """Not that in which no process lived: that is given back to all, by the heartbeat."""

    async def story(house: House) -> None:
        await house.begin()
        taken = {0: house.bot.config.silence_seconds + 1.0, 2: 500.0}
        assert await house.renew(Turn(frozenset({0, 1, 2, 3}), taken=taken, others=400.0)) == [
            "publisher.share",
            "computers.look_again",
            "plans.look_again",
            f"silence 0 {house.bot.config.silence_seconds + 1}000",
            "heartbeat.look_again",
            "silence 2 400000",
            "heartbeat.look_again",
            "launch 0",
            "launch 2",
        ]
        short = house.bot.config.silence_seconds * 1.0
        done = await house.renew(Turn(frozenset({0, 1, 2, 3}), taken={2: short}, others=400.0))
        assert not any(line.startswith(("silence", "launch")) for line in done)

    play(story)


def test_what_is_asked_for_is_handed_back_once_what_has_begun_is_done() -> None:
    async def story(house: House) -> None:
        await house.begin()
        with house.bot._handled[1]:
            asked = Turn(frozenset({1, 3}), asked=frozenset({1}))
            assert await house.renew(asked) == ["session 1.disconnect"]
            assert await house.renew(asked) == [], "asked again, it isn't ended again"
            assert house.leases.renewed[-1] == ({0, 2, 3}, set())
        await house.rest()
        assert house.taken() == ["publisher.sending.ended", "inbox.save_marks"]
        assert house.leases.renewed[-1] == ({0, 2, 3}, {1}), "at once, for the other one waits"
        assert await house.renew(Turn(frozenset({3}))) == []
        assert house.leases.renewed[-1][1] == set()
        assert await house.renew(Turn(frozenset({1, 3}))) == ["launch 1"], "the other one has died"

    play(story)


def test_what_does_not_come_to_an_end_holds_no_lease_up() -> None:
    async def story(house: House) -> None:
        await house.begin()
        with house.bot._handled[3]:
            await house.renew(Turn(frozenset({1, 3}), asked=frozenset({3})))
            await asyncio.sleep(4.5)
            assert house.taken() == []
            await asyncio.sleep(1)
            assert house.taken() == ["inbox.save_marks"]
            assert any(given == {3} for _, given in house.leases.renewed)

    play(story)


def test_no_lease_is_given_back_before_what_was_read_is_marked() -> None:
    async def story(house: House) -> None:
        await house.begin()

        async def save_marks() -> None:
            house.bot._heard("shards", "")
            await asyncio.sleep(1)
            assert all(not given for _, given in house.leases.renewed)

        cast("Any", house.bot)._inbox.save_marks = save_marks
        await house.renew(Turn(frozenset({1, 3}), asked=frozenset({3})))
        await asyncio.sleep(1.1)
        assert house.leases.renewed[-1] == ({0, 1, 2}, {3})

    play(story)


def test_a_process_may_prefer_shards_of_which_only_the_others_know() -> None:
    """Discord would have six by now; those that run have agreed on eight."""

    async def story(house: House) -> None:
        house.leases.count = 8
        house.leases.turn = Turn(frozenset({7}))
        assert await house.begin() == ["agree 6 False", "launch 7 first"]
        assert house.leases.renewed[0] == ({7}, set())

    play(story, SHARDS="auto", SHARD_IDS="7")


def test_without_a_database_sessions_end_only_when_others_may_have_them(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(house: House) -> None:
        await house.begin()
        house.leases.broken = True
        until = house.leases.seconds - MARGIN
        await asyncio.sleep(until + house.leases.seconds - 0.1)
        assert house.taken() == []
        await asyncio.sleep(LOOK_EVERY)
        assert house.taken() == ["session 1.disconnect", "session 3.disconnect", "inbox.leave [1, 3]"]
        house.leases.broken = False
        assert await house.renew(Turn(frozenset({1, 3}))) == ["publisher.drain", "launch 1", "launch 3"]

    play(story)
    assert {record.getMessage() for record in caplog.records} == {"the leases of shards aren't renewed"}


def test_a_message_that_comes_when_the_lease_may_be_anothers_is_read_once_it_is_renewed() -> None:
    async def story(house: House) -> None:
        await house.begin()
        house.leases.broken = True
        await asyncio.sleep(house.leases.seconds - MARGIN)
        for shard in (1, 2):
            message: Any = SimpleNamespace(guild=SimpleNamespace(id=shard << 22), author=None)
            await house.bot.on_message(message)
        assert house.taken() == []
        house.leases.broken = False
        assert await house.renew(Turn(frozenset({1, 3}))) == [
            "missed.note_session 1",
            "publisher.drain",
            "missed.run",
        ]
        assert await house.renew(Turn(frozenset({1, 3}))) == []
        await house.bot.on_message(message)
        assert len(house.taken()) == 1

    play(story)


def test_a_session_whose_lease_ends_before_its_turn_is_not_begun() -> None:
    async def story(house: House) -> None:
        launched: list[int] = []

        async def slow(gateway: object, shard: int, *, initial: bool = False) -> None:
            launched.append(shard)
            house.sessions[shard] = Written(house.journal, f"session {shard}")
            await asyncio.sleep(3)

        cast("Any", house.bot).launch_shard = slow
        await house.bot.setup_hook()
        await house.bot.launch_shards()
        await house.renew(Turn(frozenset()))
        await asyncio.sleep(10)
        assert launched == [1], "nor the other one"
        assert house.taken()[-1] == "session 1.disconnect", "once more, as it has begun meanwhile"

    play(story)


def test_sessions_begin_when_their_bucket_has_its_turn() -> None:
    async def story(house: House) -> None:
        await house.begin()
        for shard, seconds in ((0, 10), (1, 11), (3, 10), (5, 12)):
            begun = asyncio.get_running_loop().time()
            await house.bot.before_identify_hook(shard)
            assert asyncio.get_running_loop().time() - begun == seconds

    play(story)


def test_the_end_gives_everything_back_after_what_was_read_is_marked() -> None:
    async def story(house: House) -> None:
        await house.begin()
        await house.bot.close()
        assert house.taken() == [
            "session 1.disconnect",
            "session 3.disconnect",
            "inbox.save_marks",
            "leave",
        ]
        assert not house.bot.own_shards.held
        assert not house.bot.own_shards.in_time
        renewed = len(house.leases.renewed)
        await asyncio.sleep(10)
        assert len(house.leases.renewed) == renewed
        cast("Any", house.bot).is_closed = lambda: True
        await house.bot.close()
        assert house.taken() == [], "the store is closed by now"

    play(story)


# --- what other processes tell ------------------------------------------------------------------------

ALL = [
    "preferences.forget_all",
    "maps.forget",
    "heartbeat.look_again",
    "computers.look_again",
    "plans.look_again",
    "erasures.load",
    "store.outbox_awaited",
    "publisher.expect ['u7']",
]


@pytest.mark.parametrize(
    ("topic", "key", "done"),
    [
        ("plans", "F-1", ["plans.look_again F-1"]),
        ("settings", "guild:5", ["preferences.forget guild 5"]),
        ("settings", "user:7", ["preferences.forget user 7"]),
        ("clocks", "", ["heartbeat.look_again"]),
        ("erasures", "7", ["erasures.load"]),
        ("maps", "", ["maps.forget"]),
        ("parked", "u7", ["publisher.expect ['u7']"]),
        ("match", "F-1", ["plans.look_again F-1", "finish F-1 F-1"]),
        ("match", "F-2", ["plans.look_again F-2"]),
        ("news", "", []),
        ("", "", ALL),
    ],
)
def test_news_of_other_processes(
    topic: str, key: str, done: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    async def story(house: House) -> None:
        await house.begin()

        async def finish(match: str, row: Any = None) -> None:
            house.journal.append(f"finish {match} {row.id}")

        cast("Any", house.bot)._finish = finish
        house.bot._heard(topic, key)
        await house.rest()
        assert house.taken() == done

    play(story)
    assert not caplog.records


def test_a_match_that_another_process_serves_is_left_to_it(caplog: pytest.LogCaptureFixture) -> None:
    async def story(house: House) -> None:
        await house.begin()
        house.matches["F-1"].place.guild = 2 << 22
        cast("Any", house.bot)._finish = None
        house.bot._heard("match", "F-1")
        await house.rest()
        assert house.taken() == ["plans.look_again F-1"]

    play(story)
    assert not caplog.records


def test_news_of_shards_renew_the_leases_at_once() -> None:
    async def story(house: House) -> None:
        await house.begin()
        for n in range(2, 5):
            house.bot._heard("shards", "")
            await house.rest()
            assert len(house.leases.renewed) == n
        assert asyncio.get_running_loop().time() < LOOK_EVERY

    play(story)


# --- sessions -----------------------------------------------------------------------------------------


def guild(shard: int, number: int = 1) -> Any:
    """A server of a shard."""
    return SimpleNamespace(id=(number * 4 + shard) << 22, shard_id=shard)


def test_a_new_session_has_missed_what_was_written_and_forgets_servers_that_are_gone() -> None:
    async def story(house: House) -> None:
        await house.begin()
        bot: Any = house.bot
        stays, gone, other = guild(1), guild(1, 2), guild(3)
        for each in (stays, gone, other):
            bot._connection._guilds[each.id] = each
        await bot.on_shard_disconnect(1)
        assert bot.own_shards.heard == {3}
        bot._connection._guilds[stays.id] = new = guild(1)
        await bot.on_shard_disconnect(1)  # it breaks off again before it was ready
        await bot.on_shard_connect(1)
        assert bot._beginning == {1, 3}
        await bot.on_shard_ready(1)
        assert house.taken() == [
            "missed.note_session 1",
            "thread_care.note_gap",
            "publisher.guilds_back",
            "missed.run",
            f"greet {[stays.id]}",
        ]
        assert list(bot._connection._guilds.values()) == [new, other]
        assert bot._beginning == {3}
        assert bot.own_shards.heard == {1, 3}

    play(story)


def test_a_resumed_session_has_missed_nothing() -> None:
    async def story(house: House) -> None:
        await house.begin()
        bot: Any = house.bot
        bot._connection._guilds[guild(1).id] = one = guild(1)
        await bot.on_shard_disconnect(1)
        await bot.on_shard_resumed(1)
        assert house.taken() == ["missed.run"]
        assert bot.own_shards.heard == {1, 3}
        await bot.on_shard_connect(1)
        await bot.on_shard_ready(1)
        assert list(bot._connection._guilds.values()) == [one], "what was before the resumed session is over"

    play(story)


def test_a_session_that_comes_back_after_its_lease_has_ended_is_ended() -> None:
    async def story(house: House) -> None:
        await house.begin()
        await house.renew(Turn(frozenset({3})))
        for event in (house.bot.on_shard_connect, house.bot.on_shard_resumed):
            await event(1)
            assert house.taken() == ["session 1.disconnect"]
        await house.bot.on_shard_ready(1)
        assert house.taken() == []
        assert house.bot.own_shards.heard == {3}

    play(story)
