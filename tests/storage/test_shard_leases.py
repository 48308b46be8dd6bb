"""Processes that share a database: who serves which shard, what each sends, what they hear of the others."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta

import pytest

from cli import check_operation
from matches.ports import Store, StoreError
from matches.spans import Span
from matches.store.rows import Commit, Place
from storage import open_either
from storage.rows import to_ms
from tests.fakes import START, FakeClock
from tests.storage.rows import draft, lobby, move

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres.sessions import TOGETHER, connect  # noqa: E402 - needs the driver
from storage.postgres.shard_leases import ShardLeases  # noqa: E402
from storage.postgres.store import PostgresStore, open_database_store  # noqa: E402
from storage.postgres.target import read_target  # noqa: E402
from tests.postgres_server import refusing_at_once  # noqa: E402

pytestmark = pytest.mark.slow

SHARD = 1 << 22
"""Added to a server's id, it belongs to the next shard."""


class Processes:
    """Several stores on one database, each as of a process of its own."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url = url
        self._stack = stack

    async def open(self, name: str, count: int = 2) -> tuple[PostgresStore, ShardLeases]:
        store = await open_database_store(self.url, clock=FakeClock(), name=name)
        self._stack.push_async_callback(store.close)
        assert store.leases is not None
        await store.leases.agree(count)
        return store, store.leases

    def ask(self, statement: str) -> None:
        with psycopg.connect(**read_target(self.url).parameters, autocommit=True) as db:
            db.execute(statement)

    def let_leases_end(self, seconds: int = 0) -> None:
        """Nobody has renewed a lease for a while."""
        self.ask(f"UPDATE shards SET until = clock_timestamp() - '{seconds} s'::interval")
        self.ask("UPDATE processes SET seen = clock_timestamp() - '11 s'::interval")


@pytest.fixture
async def processes(ready_database: str) -> AsyncIterator[Processes]:
    async with AsyncExitStack() as stack:
        yield Processes(ready_database, stack)


async def test_each_takes_what_it_prefers_and_keeps_it(processes: Processes) -> None:
    (_, ann), (_, ben) = await processes.open("ann"), await processes.open("ben")
    first = await ann.renew([0])
    assert first.held == {0}
    assert first.others == 0
    second = await ben.renew([1])
    assert second.held == {1}
    assert 0 < second.others < 60
    assert (await ann.renew([0])).held == {0}
    assert (await ann.renew([0])).taken == {}
    assert (await ben.renew([1])).asked == frozenset()


async def test_what_nobody_renews_is_taken_by_who_lives(processes: Processes) -> None:
    (_, ann), (_, ben) = await processes.open("ann"), await processes.open("ben")
    await ann.renew([0])
    await ben.renew([1])
    processes.let_leases_end()
    turn = await ben.renew([1])
    assert turn.held == {1}, "what it prefers, at once; what another prefers, after some seconds"
    processes.ask("UPDATE shards SET until = clock_timestamp() - '70 s'::interval WHERE id = 0")
    turn = await ben.renew([1])
    assert turn.held == {0, 1}
    assert 70 <= turn.taken[0] < 80
    again = await ann.renew([0])
    assert again.held == frozenset(), "it was thought dead: the lease is another's now"
    turn = await ben.renew([1])
    assert turn.asked == {0}, "but it is asked for"
    assert (await ben.renew([1], give_back=turn.asked)).held == {1}
    assert (await ann.renew([0])).held == {0}


async def test_one_that_hangs_in_a_transaction_loses_its_connections_with_its_lease(
    processes: Processes,
) -> None:
    """In the middle of a pipeline the server takes a process for busy, however long nothing comes of it."""
    (one, ann), (two, ben) = await processes.open("ann"), await processes.open("ben")
    await put(one, "F-0", 2 * SHARD)
    await ann.renew([0])
    processes.let_leases_end(10)
    hung = connect(read_target(processes.url), TOGETHER, ann.number)
    with contextlib.closing(hung), contextlib.suppress(psycopg.OperationalError), hung.pipeline() as sent:
        hung.execute("BEGIN")
        hung.execute("SELECT 1 FROM shards FOR UPDATE")
        hung.execute("DELETE FROM outbox")
        locked = hung.execute("SELECT 1 FROM matches FOR UPDATE")
        assert locked.fetchone() == (1,), "all of it has been done"
        while (await ben.renew([0, 1])).held != {0, 1}:
            pass
        hung.execute("COMMIT")
        sent.sync()
    assert [row.draft.match for row in await two.outbox(START)] == ["F-0"]


async def test_a_new_process_takes_over_from_the_one_before(processes: Processes) -> None:
    (_, old), (_, new) = await processes.open("old", 1), await processes.open("new", 1)
    assert (await old.renew([0])).held == {0}
    assert (await new.renew([0])).held == frozenset()
    assert (await old.renew([0])).asked == {0}
    assert (await new.renew([0])).held == frozenset(), "nothing is taken that isn't given back"
    assert (await old.renew((), give_back=[0])).held == frozenset()
    turn = await new.renew([0])
    assert turn.held == {0}
    assert not turn.asked
    assert (await old.renew(())).held == frozenset()
    assert (await new.renew([0])).asked == frozenset(), "the old one asks for nothing"


async def test_two_never_hold_one_shard(processes: Processes) -> None:
    opened = [await processes.open(f"p{number}", 3) for number in range(4)]
    for _ in range(5):
        turns = await asyncio.gather(*(leases.renew([0, 1, 2]) for _, leases in opened))
        held = [shard for turn in turns for shard in turn.held]
        assert len(held) == len(set(held)), held
    await asyncio.gather(*(leases.leave() for _, leases in opened[:2]))
    turns = await asyncio.gather(*(leases.renew([0, 1, 2]) for _, leases in opened[2:]))
    assert sorted(shard for turn in turns for shard in turn.held) == [0, 1, 2]


async def test_all_share_the_same_number_of_shards(processes: Processes) -> None:
    (_, ann), (_, ben) = await processes.open("ann", 2), await processes.open("ben", 2)
    await ann.renew([0])
    with pytest.raises(StoreError, match=r"share 2 shards, and this one is to share 3\. Set SHARDS"):
        await ben.agree(3)
    assert await ben.agree(3, exact=False) == 2, "what Discord recommends may change while others run"
    await ann.leave()
    await ben.agree(3)
    assert (await ben.renew(range(3))).held == {0, 1, 2}


async def test_a_bot_that_works_alone_shares_with_nobody(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = await processes.open("ann")
    with refusing_at_once(monkeypatch), pytest.raises(StoreError, match="is in use by"):
        await open_either(processes.url, clock=FakeClock())
    await store.close()
    alone = await open_either(processes.url, clock=FakeClock())
    with refusing_at_once(monkeypatch), pytest.raises(StoreError, match="is in use by"):
        await processes.open("ben")
    await alone.close()


async def put(store: Store, match_id: str, guild: int | None) -> None:
    row = lobby(match_id, place=Place(guild=guild, channel=20))
    await store.create(Commit(row, START, outbox=(draft(match_id, match_id),)))


async def test_each_sends_what_belongs_to_its_shards(processes: Processes) -> None:
    (one, ann), (two, ben) = await processes.open("ann"), await processes.open("ben")
    await put(one, "F-0", 2 * SHARD)
    await put(one, "F-1", 3 * SHARD)
    await put(two, "F-2", None)
    assert await one.outbox(START) == (), "without a lease nothing is sent"
    await ann.renew([0])
    await ben.renew([1])
    assert [row.draft.match for row in await one.outbox(START)] == ["F-0", "F-2"]
    assert [row.draft.match for row in await two.outbox(START)] == ["F-1"]
    processes.let_leases_end()
    assert await one.outbox(START) == (), "a lease that has ended is none"
    await ben.renew([0, 1])
    assert len(await two.outbox(START)) == 3


async def test_each_knows_of_the_servers_of_its_own_shards(processes: Processes) -> None:
    (one, ann), (two, ben) = await processes.open("ann"), await processes.open("ben")
    await ann.renew([0])
    await ben.renew([1])
    even, odd = 2 * SHARD, 3 * SHARD
    for guild in (even, odd):
        await one.save_settings("guild", guild, {"theme": "dark"})
    assert [gone.guild for gone in await one.note_servers((), START)] == [even]
    assert [gone.guild for gone in await two.note_servers((odd,), START)] == []
    assert await one.note_outages((even,), START, START)
    assert not await two.note_outages((), START, START), "the other's server is none of its business"
    assert await one.note_outages((), START, START), "its own is back"


async def test_a_row_is_due_whatever_the_clock_of_its_writer_says(processes: Processes) -> None:
    store, leases = await processes.open("ann", 1)
    await leases.renew([0])
    ahead = START.replace(year=START.year + 1)
    await store.create(Commit(lobby("F-0"), ahead, outbox=(draft("F-0", "F-0"),)))
    (row,) = await store.outbox(START)
    await store.outbox_retry(row.id, ahead, "busy")
    assert await store.outbox(START) == (), "a try that was put off waits"


async def test_others_hear_what_concerns_them(processes: Processes) -> None:
    (one, ann), (two, ben) = await processes.open("ann"), await processes.open("ben")
    await ann.renew([0])
    await ben.renew([1])
    heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
    assert two.news is not None
    two.news.start(lambda topic, key: heard.put_nowait((topic, key)))
    assert await heard.get() == ("", ""), "whatever was told before may have been missed"
    await put(one, "F-0", 2 * SHARD)
    await put(one, "F-1", 3 * SHARD)
    assert await heard.get() == ("match", "F-1"), "its own match is no news to the one who serves it"
    row = await one.match("F-1")
    assert row is not None
    await one.commit(move(replace(row, status="live")))
    assert await heard.get() == ("match", "F-1")
    await one.save_settings("user", 7, {"theme": "dark"})
    assert await heard.get() == ("settings", "user:7")
    await one.add_downtime(Span(START, START + timedelta(hours=1)))
    assert await heard.get() == ("clocks", "")
    processes.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    assert await heard.get() == ("", ""), "a new connection may have missed something"


async def test_time_in_which_nobody_served_a_shard_is_an_outage_of_its_servers(processes: Processes) -> None:
    store, leases = await processes.open("ann")
    for match_id, guild in (("F-0", 2 * SHARD), ("F-1", 3 * SHARD)):
        await put(store, match_id, guild)
        row = await store.match(match_id)
        assert row is not None
        await store.commit(replace(move(row), deadlines={0: START + timedelta(days=1)}))
    since, until = START + timedelta(minutes=1), START + timedelta(minutes=5)
    await leases.note_silence(1, to_ms(since), to_ms(until))
    (outage,) = await store.outages()
    assert outage.guild == 3 * SHARD
    assert outage.span == Span(since, until)
    due = await store.overdue(until)
    assert due == ("F-1",), "its clocks are computed anew"


async def test_doctor_says_who_serves_what(processes: Processes) -> None:
    (_, ann), (_, ben) = await processes.open("ann"), await processes.open("ben")
    await ann.renew([0])
    await ben.renew(())
    served, found = await asyncio.to_thread(
        lambda: list(check_operation.database(check_operation.look(processes.url)))
    )
    assert served.text == "ann serves shard 0; ben serves none, and stands by; nobody serves shard 1"
    assert served.level == "warn"
    await ben.renew([1])
    served, found = await asyncio.to_thread(
        lambda: list(check_operation.database(check_operation.look(processes.url)))
    )
    assert (served.level, served.text) == ("ok", "ann serves shard 0; ben serves shard 1")
    assert found.level == "ok"
