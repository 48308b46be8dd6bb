"""Who follows which match, and what is to be told to them when, on PostgreSQL.

A change of a match makes the rows due that wait for it, in its own transaction (`note_news`).
"""

from __future__ import annotations

from matches.store.rows import Commit
from storage.follows import FollowsPart, news_values
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn

_DUE = """
UPDATE follows SET due = coalesce(due, greatest(%(at)s, coalesce(sent + %(gap)s, %(at)s))), stamp = stamp + 1
WHERE match = %(match)s AND (tell = 'turns' OR (tell = 'end' AND %(over)s = 1)) AND closed = 0
"""


class PostgresFollows(FollowsPart, PostgresPart):
    """The part of the Store that knows who follows which match."""


def note_news(db: Conn, commit: Commit) -> None:
    """Make due what the followers of a match wait for, within the transaction of its change."""
    if (values := news_values(commit)) is not None:
        db.execute(_DUE, values)
