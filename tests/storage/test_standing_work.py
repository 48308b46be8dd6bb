"""The end of a match does the same however many matches its people have behind them, in steps of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from matches.standing.ratings import START as NEW
from matches.store.standing import EVERYWHERE, MatchResult, RatingChange
from storage import open_store
from storage.rows import insert
from storage.standing import CHANGE_COLUMNS, RESULT_COLUMNS, change_values, record_result, result_values
from storage.transactions import SqliteTransaction
from tests.fakes import FakeClock
from tests.storage.contract_standing import ended_as

DAY = 24 * 60
"""In minutes."""


def late(match: str, minute: float) -> MatchResult:
    """A match in which the time of both was up, so that everything about them is asked."""
    one = ended_as(match, minute=minute)
    return replace(one, people=tuple(replace(each, timed_out=one.at) for each in one.people))


def fill(db: sqlite3.Connection, results: Sequence[MatchResult]) -> None:
    """Matches that counted, without ratings of their own."""
    people = [result_values(one, each) for one in results for each in one.people]
    db.executemany(insert("match_results", RESULT_COLUMNS), people)
    after = replace(NEW, matches=1)
    changes = [
        change_values(one.match, RatingChange(each.user, scope, NEW, after, "", 1))
        for one in results
        for each in one.people
        for scope in (EVERYWHERE, 1)
    ]
    db.executemany(insert("rating_changes", CHANGE_COLUMNS), changes)


async def steps(path: Path, count: int, *, analysed: bool) -> list[int]:
    """Return what a match's end takes after `count` matches, one a day, and what a late one takes."""
    await (await open_store(path, clock=FakeClock())).close()
    taken: list[int] = []
    with closing(sqlite3.connect(path)) as db:  # without foreign keys: there are no matches, only results
        fill(db, [late(f"F-{n}", -DAY * n) for n in range(1, count + 1)])
        if analysed:
            db.execute("ANALYZE")

        def step() -> int:
            taken[-1] += 1
            return 0

        for one in (late("F-last", 1), late("F-late", 0)):
            taken.append(0)
            db.set_progress_handler(step, 1)
            record_result(SqliteTransaction(db), one)
            db.set_progress_handler(None, 1)
        assert db.execute("SELECT count(*) FROM rating_changes").fetchone() == (4 * (count + 2),)
    return taken


@pytest.mark.parametrize("analysed", [False, True])
async def test_the_end_of_a_match_does_not_walk_the_history_of_its_people(
    tmp_path: Path, *, analysed: bool
) -> None:
    few = await steps(tmp_path / "few", 100, analysed=analysed)
    many = await steps(tmp_path / "many", 2000, analysed=analysed)
    assert all(1000 < one < 1.2 * other for one, other in zip(many, few, strict=True)), (few, many)
