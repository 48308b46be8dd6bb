"""No question to PostgreSQL reads a whole table that grows, shown by EXPLAIN on a database with many matches.

Whether an index pays is PostgreSQL's to decide, by sizes that a test can't have. So EXPLAIN is told to do
without whole tables, and without joins of whole tables, where it can: what is then still read has no index.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from matches.clocks.ports import Vacation
from matches.clocks.spans import Span
from matches.idle_store import IdleState
from matches.ping_ports import PingWork
from matches.ping_rows import PingPost, TurnChange
from matches.plan_rows import NamedMove, PlanRow, PlanStep
from matches.rows import Commit, Post, SeatHolder, Watch
from matches.seat_offers import SeatOffer
from storage.rows import to_ms
from tests.fakes import START, FakeClock
from tests.storage.contract_maps import brought
from tests.storage.rows import draft, lobby, move

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres.store import PostgresStore, open_database_store  # noqa: E402 - needs the driver
from storage.postgres.target import read_target  # noqa: E402

NOW = to_ms(START)
HOUR = timedelta(hours=1)

MANY = f"""
INSERT INTO matches (id, game, status, guild, channel, thread, host, options, secret, created, updated,
    version,
    revision, use_thread, reminded, expires, unreachable, clock)
SELECT 'M-' || i, 'focus', CASE i % 20 WHEN 0 THEN 'live' WHEN 1 THEN 'lobby' ELSE 'over' END, i % 300,
    i, NULL,
    i % 700, '{{}}', 's', {NOW} + i, {NOW} + i, 2, 0, 0, 0, {NOW} + i,
    CASE i % 50 WHEN 3 THEN 'guild' || i ELSE '' END,
    '{{}}' FROM generate_series(1, 4000) AS i;
INSERT INTO seats SELECT 'M-' || i, s, 'person', (i * 7 + s) % 900, 'Ann', '' FROM generate_series(1,
    4000) AS i,
    generate_series(0, 1) AS s;
INSERT INTO entries SELECT 'M-' || i, s, 'play', 0, 'a1', {NOW}, 1 FROM generate_series(1, 4000) AS i,
    generate_series(0, 2) AS s;
INSERT INTO requests SELECT 'q' || i, 'M-' || i % 4000 + 1, 1, 1 FROM generate_series(1, 8000) AS i;
INSERT INTO posts SELECT 900000 + i, i % 500, 'M-' || i % 4000 + 1, 'board', 1 FROM generate_series(1,
    8000) AS i;
INSERT INTO watches (match, channel, by) SELECT 'M-' || i, 5, 1 FROM generate_series(1, 4000) AS i;
INSERT INTO settings SELECT 'guild', i, CASE i % 40 WHEN 0 THEN '{{"idle":3}}' ELSE '{{}}' END::json
    FROM generate_series(1, 3000) AS i;
INSERT INTO settings SELECT 'user', i, '{{}}' FROM generate_series(1, 3000) AS i;
INSERT INTO seen SELECT i, i FROM generate_series(1, 4000) AS i;
INSERT INTO deadlines SELECT 'M-' || i * 20, s, {NOW} + i * 60000 FROM generate_series(1, 200) AS i,
    generate_series(0, 1) AS s;
INSERT INTO unseen SELECT 'M-' || i, {NOW} FROM generate_series(1, 4000) AS i;
INSERT INTO vacations SELECT i, {NOW}, {NOW} + 5, 0 FROM generate_series(1, 4000) AS i;
INSERT INTO pings SELECT 'M-' || i, s, (i * 7 + s) % 900, 1, 'turn',
    CASE i % 20 WHEN 0 THEN 'known' ELSE 'over' END,
    {NOW}, CASE i % 20 WHEN 0 THEN {NOW} + i END, NULL, 0, 0, 5, 'turn', 0
    FROM generate_series(1, 4000) AS i, generate_series(0, 1) AS s;
INSERT INTO ping_posts SELECT i, 1, 5, 'M-' || i, 0, 1, 1, 'x' FROM generate_series(1, 4000) AS i;
INSERT INTO plans SELECT 'M-' || i, 0, 1, 1, 0, '[]' FROM generate_series(1, 3000) AS i;
INSERT INTO holders SELECT 'M-' || i, 0, 0, 'person', 1, 'Ann', '', '', NULL, {NOW}
    FROM generate_series(1, 3000) AS i;
INSERT INTO idle SELECT 'M-' || i, 2, 1, {NOW} FROM generate_series(1, 3000) AS i;
INSERT INTO seat_offers SELECT 'M-' || i, 0, 0, 1, 1, 0 FROM generate_series(1, 3000) AS i;
INSERT INTO analyses SELECT 'M-' || i, 'x', 1, '{{}}' FROM generate_series(1, 3000) AS i;
INSERT INTO maps (guild, game, key, title, by, at, data, ground) SELECT i, 'toy', 'lakes', 'Lakes', 1,
    1, '{{}}', 'g' || i
    FROM generate_series(1, 2000) AS i;
INSERT INTO outbox (kind, match, lane, payload, created, due)
    SELECT 'board', 'M-' || i, 'lane' || i, '{{}}', {NOW}, {NOW} + i FROM generate_series(1, 4000) AS i;
INSERT INTO outbox_dead (id, kind, match, lane, payload, nonce, created, died, tries, error, until)
    SELECT 90000 + i, 'board', 'M-' || i, 'x', '{{}}', 'n' || i, 1, 1, 1, '',
    CASE i % 50 WHEN 0 THEN 'M-' || i ELSE '' END
    FROM generate_series(1, 4000) AS i;
ANALYZE;
"""

WHOLE = {
    "outages": {"outages"},  # all of them are asked for; each is a time in which Discord was down
    "note_outages": {"outages", "deadlines"},
    "downtimes": {"downtimes"},
    "beat": {"deadlines", "heartbeat"},  # whether there is a row at all; the only row
    "commit": {"deadlines"},  # whether there is a row at all
    "outbox_sent": {"deadlines"},  # the same
    "outbox_pending": {"outbox"},  # all of them
    "outbox_begin": {"outbox_id_seq"},  # its only row
    "planned_matches": {"plans"},  # all of them, once at a start
    "channels_to_read": {"seen"},  # joined to all live matches, once at a start
}
"""The tables that a method may read from end to end, and why."""

BARE_USER = re.compile(r"""(?<!["'(])\buser\b(?!["'])""")

Tour = dict[str, Callable[[PostgresStore], Awaitable[Any]]]


def tour() -> Tour:
    """Every method, called so that each of its statements is run."""
    new = replace(lobby("N-1"), clock={"x": 1})
    change = replace(
        move(new, "r2"), deadlines={0: START}, unseen=True, mirrors=True,
        turns=(TurnChange(0, 100, "turn", 1), TurnChange(1, 100, "over", 1)),
        holders=(SeatHolder("N-1", 0, 0, "person", START), SeatHolder("N-1", 0, 1, "person", START)),
        plan=PlanRow("N-1", 0, 100, 0, ((PlanStep((NamedMove(0, "a", "a"),), False, "b", "b"),),)),
    )  # fmt: skip
    over = replace(change.row, status="over", revision=change.row.revision + 1)
    board = Post(5, 20, "N-1", "board")
    ping = PingPost(77, 100, 20, "N-1", 0, 1, True, "x")

    async def work(store: PostgresStore) -> None:
        await store.ping_work(PingWork(START, rows=await store.pings("N-1"), posts=(ping,)))

    async def commits(store: PostgresStore) -> None:
        await store.commit(change)

    return {
        "create": lambda store: store.create(Commit(new, START, request="r1")),
        "commit": commits,
        "match": lambda store: store.match("M-7"),
        "log": lambda store: store.log("M-7"),
        "request": lambda store: store.request("q7"),
        "by_place": lambda store: store.by_place(7),
        "by_user": lambda store: store.by_user(7),
        "by_status": lambda store: store.by_status("live"),
        "unreachable": lambda store: store.unreachable("guild3"),
        "expiring": lambda store: store.expiring(START),
        "find_post": lambda store: store.find_post(900_007),
        "post_and_match": lambda store: store.post_and_match(900_007),
        "posts": lambda store: store.posts("M-7", "board"),
        "outbox": lambda store: store.outbox(START),
        "outbox_pending": lambda store: store.outbox_pending("M-7"),
        "outbox_add": lambda store: store.outbox_add(draft(), START),
        "outbox_sent": lambda store: store.outbox_sent(7, board, PingWork(START, posts=(ping,))),
        "outbox_retry": lambda store: store.outbox_retry(8, START, "x"),
        "outbox_hurry": lambda store: store.outbox_hurry("M-7", START),
        "outbox_drop": lambda store: store.outbox_drop(9, "x"),
        "outbox_park": lambda store: store.outbox_park(10, "M-10", "x"),
        "outbox_awaited": lambda store: store.outbox_awaited("M-7"),
        "outbox_revive": lambda store: store.outbox_revive("M-10", START),
        "outbox_merge": lambda store: store.outbox_merge(11, {}, (12, 13)),
        "outbox_begin": lambda store: store.outbox_begin(START),
        "watch": lambda store: store.watch(Watch("M-7", 9, 1)),
        "watches": lambda store: store.watches("M-7"),
        "unwatch": lambda store: store.unwatch("M-7", 9),
        "settings": lambda store: store.settings("guild", 7),
        "save_settings": lambda store: store.save_settings("guild", 7, {"idle": 4}),
        "maps": lambda store: store.maps(7, "toy"),
        "stored_map": lambda store: store.stored_map(7, "toy", "lakes"),
        "drawn": lambda store: store.drawn("g7"),
        "save_map": lambda store: store.save_map(brought(guild=7)),
        "drop_map": lambda store: store.drop_map(7, "toy", "lakes"),
        "mark_read": lambda store: store.mark_read({7: 8, 9: 10}),
        "channels_to_read": lambda store: store.channels_to_read(),
        "deadlines": lambda store: store.deadlines("M-20"),
        "set_deadlines": lambda store: store.set_deadlines("M-20", {0: START}),
        "overdue": lambda store: store.overdue(START),
        "unseen": lambda store: store.unseen("M-7"),
        "beat": lambda store: store.beat(START),
        "add_downtime": lambda store: store.add_downtime(Span(START, START + HOUR)),
        "downtimes": lambda store: store.downtimes(),
        "note_outages": lambda store: store.note_outages({7}, START, START),
        "outages": lambda store: store.outages(),
        "add_vacation": lambda store: store.add_vacation(Vacation(7, Span(START, START + HOUR), False)),
        "end_vacation": lambda store: store.end_vacation(7, START),
        "vacations": lambda store: store.vacations((7, 8)),
        "holders": lambda store: store.holders("M-7"),
        "seat_offers": lambda store: store.seat_offers("M-7"),
        "offer_seat": lambda store: store.offer_seat(SeatOffer("M-7", 0, 1, 1, None, False), draft(), START),
        "close_offer": lambda store: store.close_offer("M-7", 0, None),
        "idle_due": lambda store: store.idle_due(START, HOUR),
        "idle_state": lambda store: store.idle_state("M-7", 2),
        "note_idle": lambda store: store.note_idle("M-20", 2, IdleState(False, START)),
        "plans": lambda store: store.plans("M-7"),
        "planned_matches": lambda store: store.planned_matches(),
        "save_plan": lambda store: store.save_plan(PlanRow("M-7", 0, 1, 0, ())),
        "pings": lambda store: store.pings("M-7"),
        "match_and_pings": lambda store: store.match_and_pings("M-7"),
        "pings_of": lambda store: store.pings_of(7),
        "pings_due": lambda store: store.pings_due(START),
        "pings_running_out": lambda store: store.pings_running_out(START),
        "ping_work": work,
        "ping_looked": lambda store: store.ping_looked("M-7", 7),
        "analysis": lambda store: store.analysis("M-7", "x"),
        "save_analysis": lambda store: store.save_analysis("M-7", "x", {}, START),
        "end": lambda store: store.commit(Commit(over, START)),
    }  # fmt: skip


def scanned(plan: dict[str, Any]) -> Iterator[str]:
    """The tables that a plan reads without a condition on an index."""
    whole_index = plan["Node Type"] in ("Index Scan", "Index Only Scan") and "Index Cond" not in plan
    if plan["Node Type"] == "Seq Scan" or (whole_index and not partial(plan["Index Name"])):
        yield plan["Relation Name"]
    for below in plan.get("Plans", ()):
        yield from scanned(below)


def partial(index: str) -> bool:
    """Whether an index has few rows by itself."""
    return index in ("settings_idle", "matches_unreachable", "outbox_dead_until", "pings_due")


async def test_no_method_reads_a_whole_table_that_grows(
    database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database()
    asked: list[tuple[str, Any]] = []
    real_execute, real_many = psycopg.Cursor.execute, psycopg.Cursor.executemany

    def execute(self: Any, query: Any, values: Any = None, **more: Any) -> Any:
        asked.append((query, values))
        return real_execute(self, query, values, **more)

    def executemany(self: Any, query: Any, rows: Any, **more: Any) -> Any:
        asked.extend((query, values) for values in rows[:1])
        return real_many(self, query, rows, **more)

    store = await open_database_store(url, clock=FakeClock())
    with psycopg.connect(
        **read_target(url).parameters, autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as db:
        db.execute(MANY)
        for way in ("seqscan", "hashjoin", "mergejoin"):
            db.execute(f"SET enable_{way} = off")
        wrong = []
        steps = tour()
        missing = {name for name in dir(PostgresStore) if not name.startswith("_")} - set(steps) - {"close"}
        assert missing == set(), "the tour must call every method"
        seen = 0
        for name, step in steps.items():
            asked.clear()
            with monkeypatch.context() as patch:
                patch.setattr(psycopg.Cursor, "execute", execute)
                patch.setattr(psycopg.Cursor, "executemany", executemany)
                await step(store)
            for query, values in asked:
                if not re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", query) or "advisory" in query:
                    continue
                seen += 1
                assert not BARE_USER.search(query), f"the column user, without quotes, is the role: {query}"
                (plan,) = db.execute(f"EXPLAIN (FORMAT JSON) {query}", values).fetchone()[0]
                wrong += [
                    f"{name}: all of {table} by {query}"
                    for table in scanned(plan["Plan"])
                    if table not in WHOLE.get(name, ())
                ]
        assert seen > 100
        assert not wrong, "\n".join(wrong)
    await store.close()
