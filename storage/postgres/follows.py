"""Who follows which match, and what is to be told to them when, on PostgreSQL.

A change of a match makes the rows due that wait for it, in its own transaction (`note_news`).
"""

from __future__ import annotations

from collections.abc import Sequence

from matches.follow_store import FollowRow, FollowWork
from matches.rows import Commit
from storage.follows import FollowsPart, follow_values, news_values, replace_values
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue
from storage.postgres.sessions import Conn, one

_OTHERS = 'SELECT count(*) FROM follows WHERE "user" = %s AND match <> %s AND closed = 0'
_PUT = """
INSERT INTO follows AS f (match, "user", tell, since, told, due, sent) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (match, "user") DO UPDATE SET tell = excluded.tell, since = excluded.since, told = excluded.told,
    due = excluded.due, sent = excluded.sent, closed = 0, stamp = f.stamp + 1
"""
_REPLACE = """
UPDATE follows SET tell = %s, told = %s, due = %s, sent = %s, stamp = stamp + 1
WHERE match = %s AND "user" = %s AND stamp = %s AND closed = 0
"""
_END = 'DELETE FROM follows WHERE match = %s AND "user" = %s AND stamp = %s AND closed = 0'
_DUE = """
UPDATE follows SET due = coalesce(due, greatest(%(at)s, coalesce(sent + %(gap)s, %(at)s))), stamp = stamp + 1
WHERE match = %(match)s AND (tell = 'turns' OR (tell = 'end' AND %(over)s = 1)) AND closed = 0
"""


class PostgresFollows(FollowsPart, PostgresPart):
    """The part of the Store that knows who follows which match."""

    async def follow(self, row: FollowRow, most: int) -> bool:
        """Add or replace a row; return False if `most` others exist. LookupError for no such match."""

        def put(db: Conn) -> bool:
            # One at a time for each person: two that don't see each other could exceed the limit.
            db.execute("SELECT pg_advisory_xact_lock(hashtextextended('follows', %s))", (row.user,))
            (others,) = one(db.execute(_OTHERS, (row.user, row.match)).fetchone())
            if others >= most:
                return False
            db.execute(_PUT, follow_values(row))
            return True

        return await self._database.transaction(put)

    async def follow_work(self, work: FollowWork) -> bool:
        """Write everything at once; return whether a row was replaced or removed."""

        def write(db: Conn) -> bool:
            done = sum(db.execute(_REPLACE, replace_values(row)).rowcount for row in work.rows)
            done += sum(db.execute(_END, (row.match, row.user, row.stamp)).rowcount for row in work.ended)
            for draft in work.drafts if done else ():
                enqueue(db, draft, work.at)
            return done > 0

        return await self._database.transaction(write)

    async def take_closed_follows(self, user: int) -> Sequence[str]:
        """Return what `close_follows` has ended, and forget it."""

        def take(db: Conn) -> tuple[str, ...]:
            gone = db.execute('DELETE FROM follows WHERE "user" = %s AND closed = 1 RETURNING match', (user,))
            return tuple(sorted(match for (match,) in gone.fetchall()))

        return await self._database.transaction(take)


def note_news(db: Conn, commit: Commit) -> None:
    """Make due what the followers of a match wait for, within the transaction of its change."""
    if (values := news_values(commit)) is not None:
        db.execute(_DUE, values)
