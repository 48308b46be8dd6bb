"""Who follows which match, and when they are to be notified of what.

A change of a match makes the rows due that wait for it, in its own transaction (`note_news`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from matches.store.follows import TURN_GAP, FollowRow, FollowWork
from matches.store.rows import Commit
from storage.rows import Value, from_ms, ms_or_none, time_or_none, to_ms
from storage.transactions import StorePart, Transaction

FOLLOW_COLUMNS = 'match, "user", tell, since, told, due, sent, stamp'
_PUT = """
INSERT INTO follows (match, "user", tell, since, told, due, sent) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (match, "user") DO UPDATE SET tell = excluded.tell, since = excluded.since, told = excluded.told,
    due = excluded.due, sent = excluded.sent, closed = 0, stamp = follows.stamp + 1
"""
_REPLACE = """
UPDATE follows SET tell = ?, told = ?, due = ?, sent = ?, stamp = stamp + 1
WHERE match = ? AND "user" = ? AND stamp = ? AND closed = 0
"""
_DUE = """
UPDATE follows SET due = coalesce(due, {latest}(?, coalesce(sent + ?, ?))), stamp = stamp + 1
WHERE match = ? AND (tell = 'turns' OR (tell = 'end' AND ? = 1)) AND closed = 0
"""


class FollowsPart(StorePart):
    """The statements about follows that every database takes."""

    async def unfollow(self, match_id: str, user: int) -> bool:
        """Remove a row; return whether there was one."""
        statement = 'DELETE FROM follows WHERE match = ? AND "user" = ? AND closed = 0'
        return await self._execute(statement, match_id, user) > 0

    async def following(self, match_id: str, user: int) -> FollowRow | None:
        """Return the row of a match and person, or None."""
        found = await self._follow_rows('WHERE match = ? AND "user" = ? AND closed = 0', match_id, user)
        return found[0] if found else None

    async def follows_of(self, user: int) -> tuple[FollowRow, ...]:
        """Return the rows of a person, the oldest first."""
        return await self._follow_rows('WHERE "user" = ? AND closed = 0 ORDER BY since, match', user)

    async def follows_due(self, now: datetime, limit: int = 100) -> tuple[FollowRow, ...]:
        """Return rows whose time has come, the earliest first."""
        return await self._follow_rows(
            'WHERE due <= ? AND closed = 0 ORDER BY due, match, "user" LIMIT ?', to_ms(now), limit
        )

    async def close_follows(self, user: int) -> int:
        """End all that a person follows, and keep the rows for a notice of it."""
        statement = 'UPDATE follows SET closed = 1, due = NULL WHERE "user" = ? AND closed = 0'
        return await self._execute(statement, user)

    async def follow(self, row: FollowRow, most: int) -> bool:
        """Add or replace a row; return False if `most` others exist. LookupError for no such match."""

        def put(tx: Transaction) -> bool:
            tx.lock("follows", row.user)
            others = 'SELECT count(*) FROM follows WHERE "user" = ? AND match <> ? AND closed = 0'
            if tx.execute(others, row.user, row.match).fetchone()[0] >= most:
                return False
            tx.execute(_PUT, *follow_values(row))
            return True

        return await self._transaction(put)

    async def follow_work(self, work: FollowWork) -> bool:
        """Write everything at once; return whether a row was replaced or removed."""

        def write(tx: Transaction) -> bool:
            done = sum(tx.execute(_REPLACE, *replace_values(row)).rowcount for row in work.rows)
            for row in work.ended:
                gone = 'DELETE FROM follows WHERE match = ? AND "user" = ? AND stamp = ? AND closed = 0'
                done += tx.execute(gone, row.match, row.user, row.stamp).rowcount
            for draft in work.drafts if done else ():
                tx.enqueue(draft, work.at)
            return done > 0

        return await self._transaction(write)

    async def take_closed_follows(self, user: int) -> Sequence[str]:
        """Return what `close_follows` has ended, and forget it."""
        statement = 'DELETE FROM follows WHERE "user" = ? AND closed = 1 RETURNING match'
        gone = await self._transaction(lambda tx: tx.execute(statement, user).fetchall())
        return tuple(sorted(match for (match,) in gone))

    async def _follow_rows(self, tail: str, *values: Value) -> tuple[FollowRow, ...]:
        rows = await self._fetch_all(f"SELECT {FOLLOW_COLUMNS} FROM follows {tail}", *values)  # noqa: S608 - our own text
        return tuple(map(to_follow, rows))


def note_news(tx: Transaction, commit: Commit) -> None:
    """Make due what the followers of a match wait for, within the transaction of its change."""
    row, at, gap = commit.row, to_ms(commit.at), TURN_GAP // timedelta(milliseconds=1)
    tx.execute(_DUE.format(latest=tx.LATEST), at, gap, at, row.id, int(row.is_final))


def follow_values(row: FollowRow) -> tuple[Value, ...]:
    """Return a row as a new one: match, user, tell, since, told, due, sent."""
    since, due, sent = to_ms(row.since), ms_or_none(row.due), ms_or_none(row.sent)
    return (row.match, row.user, row.tell, since, row.told, due, sent)


def replace_values(row: FollowRow) -> tuple[Value, ...]:
    """Return what may change of a row, then its match, person and stamp."""
    return (row.tell, row.told, ms_or_none(row.due), ms_or_none(row.sent), row.match, row.user, row.stamp)


def to_follow(row: Sequence[Any]) -> FollowRow:
    """From FOLLOW_COLUMNS."""
    match, user, tell, since, told, due, sent, stamp = row
    return FollowRow(match, user, tell, from_ms(since), told, time_or_none(due), time_or_none(sent), stamp)
