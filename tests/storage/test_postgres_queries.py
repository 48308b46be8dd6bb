"""No question to PostgreSQL reads a whole table that grows, shown by EXPLAIN on a database with many matches.

Whether an index pays is PostgreSQL's to decide, by sizes that a test can't have. So EXPLAIN is told to do
without whole tables, and without joins of whole tables, where it can: what is then still read has no index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from storage.personal_data import PERSONAL
from storage.rows import to_ms
from tests.fakes import START, FakeClock
from tests.storage.tour import tour

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres.store import PostgresStore, open_database_store  # noqa: E402 - needs the driver
from storage.postgres.target import read_target  # noqa: E402

pytestmark = pytest.mark.slow

NOW = to_ms(START)

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
INSERT INTO follows SELECT 'M-' || i, i % 500, 'turns', 1, 0, {NOW} + i, NULL, 0, 0
    FROM generate_series(1, 4000) AS i;
INSERT INTO moderation (guild, moderator, action, reason, at, person)
    SELECT i % 100, 1, 'forbid', 'x', 1, i FROM generate_series(1, 4000) AS i;
INSERT INTO forbidden SELECT guild, person, n FROM moderation;
INSERT INTO blocks SELECT i % 500 + 10000, i, 1 FROM generate_series(1, 4000) AS i;
INSERT INTO showcases SELECT i, i, 1, 1, NULL, '', NULL FROM generate_series(1000, 4000) AS i;
INSERT INTO imports SELECT 'M-' || i, i % 100, 'sum' || i, '{{}}' FROM generate_series(1, 3000) AS i;
INSERT INTO outbox (kind, match, lane, payload, created, due)
    SELECT 'board', 'M-' || i, 'lane' || i, '{{}}', {NOW}, {NOW} + i FROM generate_series(1, 4000) AS i;
INSERT INTO outbox_dead (id, kind, match, lane, payload, nonce, created, died, tries, error, until)
    SELECT 90000 + i, 'board', 'M-' || i, 'x', '{{}}', 'n' || i, 1, 1, 1, '',
    CASE i % 50 WHEN 0 THEN 'M-' || i ELSE '' END
    FROM generate_series(1, 4000) AS i;
ANALYZE;
"""

EVERYTHING = {one.table for one in PERSONAL}

WHOLE = {
    "outages": {"outages"},  # all of them are asked for; each is a time in which Discord was down
    "note_outages": {"outages", "deadlines"},
    "downtimes": {"downtimes"},
    "beat": {"deadlines", "heartbeat"},  # whether there is a row at all; the only row
    "commit": {"deadlines"},  # whether there is a row at all
    "outbox_sent": {"deadlines"},  # the same
    "outbox_pending": {"outbox"},  # all of them
    "outbox_begin": {"outbox_id_seq"},  # its only row
    "outbox_state": {"outbox", "outbox_dead"},  # they are counted, when an operator asks
    "showcases": {"showcases"},  # all of them, once a minute; at most one for each server
    "planned_matches": {"plans"},  # all of them, once at a start
    "note_servers": {"settings", "showcases", "maps", "moderation", "departures"},  # once an hour
    "begin_erasure": {"erasures"},  # those that are done are a few rows
    "erasures": {"erasures"},
    "clean_up": {"erasures"},
    "erase": EVERYTHING,  # nothing may be left, and it happens once for a person
    "personal_data": EVERYTHING,  # the same
    "channels_to_read": {"seen"},  # joined to all live matches, once at a start
}
"""The tables that a method may read from end to end, and why."""

BARE_USER = re.compile(r"""(?<!["'(])\buser\b(?!["'])""")


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
        missing = (
            {name for name in dir(PostgresStore) if not name.startswith("_")}
            - set(steps)
            - {"close", "leases", "news"}
        )
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
