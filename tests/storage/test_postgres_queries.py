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
from tests.fakes import FakeClock
from tests.storage.many import MANY
from tests.storage.tour import tour

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres.store import PostgresStore, open_database_store  # noqa: E402 - needs the driver
from storage.postgres.target import read_target  # noqa: E402

pytestmark = pytest.mark.slow

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
    "outbox_forget": {"outbox_dead"},  # once an hour
    "showcases": {"showcases"},  # all of them, once a minute; at most one for each server
    "planned_matches": {"plans"},  # all of them, once at a start
    "note_servers": {
        "settings",
        "showcases",
        "maps",
        "moderation",
        "departures",
        "greetings",
    },  # once an hour
    "server_use": {"matches"},  # all of them are counted, when an operator asks
    "note_errors": {"errors"},  # a few hundred rows at most
    "error_groups": {"errors"},
    "clear_errors": {"errors"},
    "begin_erasure": {"erasures"},  # those that are done are a few rows
    "erasures": {"erasures"},
    "clean_up": {"erasures"},
    "erase": EVERYTHING,  # nothing may be left, and it happens once for a person
    "personal_data": EVERYTHING,  # the same
    "ladders": {"ratings"},  # they are counted, when someone looks at a leaderboard
    "create_tournament": {"tournaments"},  # the last entry of its index
    "replace_standing": EVERYTHING,  # when an operator asks
    "channels_elsewhere": {"seen"},  # the same
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
    return index in (
        "settings_idle",
        "matches_unreachable",
        "outbox_dead_until",
        "pings_due",
        "tournaments_due",
        "tournaments_wake",
    )


async def test_no_method_reads_a_whole_table_that_grows(
    database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database()
    asked: list[tuple[str, Any]] = []
    real_execute, real_many = psycopg.Cursor.execute, psycopg.Cursor.executemany

    def execute(self: Any, query: Any, values: Any = None, **more: Any) -> Any:
        asked.append((query if isinstance(query, str) else query.decode(), values))
        return real_execute(self, query, values, **more)

    def executemany(self: Any, query: Any, rows: Any, **more: Any) -> Any:
        asked.extend((query, values) for values in rows[:1])
        return real_many(self, query, rows, **more)

    store = await open_database_store(url, clock=FakeClock())
    with psycopg.connect(
        **read_target(url).parameters, autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as db:
        db.execute(MANY)
        db.execute("ANALYZE")
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
                if not re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", query):
                    continue
                if "advisory" in query or "pg_temp" in query:  # no table is read, or one of the transaction
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
