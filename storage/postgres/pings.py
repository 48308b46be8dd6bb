"""What each seat waits for and was told, and the messages that ping its person, on PostgreSQL.

A change of a match writes its turns here in its own transaction (`apply_turns`), and queues the withdrawal
of what pinged people for the turns that are over. Whatever writes here has the lock of the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matches.drafts import withdrawal
from matches.store.ping_rows import PingPost, PingRow, TurnChange
from matches.store.ping_store import PingWork
from matches.store.rows import MatchRow
from storage.pings import (
    PING_COLUMNS,
    PING_POST_COLUMNS,
    PingsPart,
    ping_values,
    to_ping,
    to_ping_post,
    told_values,
    turn_values,
    was_posted,
)
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue, find_matches, lock_matches, places
from storage.postgres.sessions import Conn

_OF_MATCH = f"SELECT {PING_COLUMNS} FROM pings WHERE match = %s ORDER BY seat"  # noqa: S608 - our own columns
_POSTS = f"SELECT {PING_POST_COLUMNS} FROM ping_posts"  # noqa: S608 - our own columns

_BEGIN = """
INSERT INTO pings AS p (match, seat, "user", turn, kind, state, began, unseen, alone, remind, reason, stamp)
VALUES (%(match)s, %(seat)s, %(user)s, %(turn)s, %(what)s, %(state)s, %(at)s, 0, 0, %(remind)s, %(what)s, 0)
ON CONFLICT (match, seat) DO UPDATE SET "user" = excluded."user", turn = excluded.turn, kind = excluded.kind,
    state = excluded.state, began = excluded.began, due = NULL, sent = NULL, alone = 0,
    remind = excluded.remind, reason = excluded.reason, stamp = p.stamp + 1,
    unseen = CASE WHEN p.unseen = 1 AND p."user" = excluded."user" AND %(acted)s = 0 THEN 1 ELSE 0 END
"""
_OVER = """
UPDATE pings SET state = 'over', due = NULL, alone = 0, stamp = stamp + 1,
    unseen = CASE WHEN unseen = 1 AND %(acted)s = 0 THEN 1 ELSE 0 END
WHERE match = %(match)s AND seat = %(seat)s
"""
_ALONE = """
UPDATE pings SET alone = 1, stamp = stamp + 1
WHERE match = %(match)s AND seat = %(seat)s AND kind = 'turn'
"""
_REPLACE = (
    "UPDATE pings SET state = %s, due = %s, sent = %s, unseen = %s, alone = %s, remind = %s, reason = %s, "
    "stamp = stamp + 1 WHERE match = %s AND seat = %s AND stamp = %s RETURNING 1"
)
_TOLD = (
    "UPDATE pings SET state = 'told', due = %s, sent = %s, unseen = 1, stamp = stamp + 1 WHERE match = %s "
    "AND seat = %s AND \"user\" = %s AND turn = %s AND kind = %s AND state = 'new' RETURNING 1"
)
_POST = (
    f"INSERT INTO ping_posts ({PING_POST_COLUMNS}) VALUES ({places(PING_POST_COLUMNS)}) "  # noqa: S608 - our own columns
    'ON CONFLICT (message, "user") DO NOTHING'
)
_STANDS = (
    "SELECT 1 FROM pings WHERE match = %s AND seat = %s AND \"user\" = %s AND turn = %s AND state <> 'over'"
)


class PostgresPings(PingsPart, PostgresPart):
    """The part of the Store that keeps pings."""

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""

        def find(db: Conn) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
            found = find_matches(db, "WHERE id = %s", (match_id,))
            return (found[0], tuple(map(to_ping, db.execute(_OF_MATCH, (match_id,))))) if found else None

        return await self._database.read_one_state(find)

    async def ping_work(self, work: PingWork) -> bool:
        """Write everything at once; return whether a row was replaced."""

        def write(db: Conn) -> bool:
            with db.pipeline():
                lock_matches(db, matches_of(work))
                return write_pings(db, work)

        return await self._database.transaction(write)


def matches_of(work: PingWork) -> set[str]:
    """Return the ids of the matches whose pings are written, to lock them."""
    return {row.match for row in work.rows} | {post.match for post in work.posts}


def apply_turns(db: Conn, match: str, turns: Sequence[TurnChange], at: datetime) -> None:
    """Write what a change of a match means for its seats, within its transaction."""
    for turn in turns:
        values = turn_values(match, turn, at)
        if turn.what == "alone":
            db.execute(_ALONE, values)
        else:
            db.execute(_OVER if turn.what == "over" else _BEGIN, values)
    ended = [turn.seat for turn in turns if turn.what != "alone"]
    if ended:
        _withdraw(db, match, ended, at)


def _withdraw(db: Conn, match: str, seats: Sequence[int], at: datetime, but: int | None = None) -> None:
    """Forget what pinged the persons of seats, but that message, and queue the withdrawal."""
    query = f"{_POSTS} WHERE match = %s AND seat = ANY(%s) AND message IS DISTINCT FROM %s ORDER BY message"
    standing = [to_ping_post(*row) for row in db.execute(query, (match, list(seats), but)).fetchall()]
    for post in sorted(standing, key=lambda one: seats.index(one.seat)):
        db.execute('DELETE FROM ping_posts WHERE message = %s AND "user" = %s', (post.message, post.user))
        keep = db.execute('SELECT "user" FROM ping_posts WHERE message = %s ORDER BY "user"', (post.message,))
        enqueue(db, withdrawal(post, [user for (user,) in keep.fetchall()]), at)


def write_pings(db: Conn, work: PingWork) -> bool:
    """Write rows, messages and posts, within a transaction; return whether a row was replaced."""
    replaced = [(row, db.execute(_REPLACE, ping_values(row))) for row in work.rows]
    stale = [row for row, found in replaced if found.fetchone() is None]
    told = [db.execute(_TOLD, told_values(row)) for row in stale if was_posted(work, row)]
    done = len(stale) < len(replaced) or any(found.fetchone() is not None for found in told)
    if done or not work.rows:
        for draft in work.drafts:
            enqueue(db, draft, work.at)
    for standing in work.posts:
        _post(db, standing, work.at)
    return done


def _post(db: Conn, post: PingPost, now: datetime) -> None:
    """Record a message that pings someone. If their turn has ended meanwhile, it is withdrawn."""
    stands = db.execute(_STANDS, (post.match, post.seat, post.user, post.turn))
    db.execute(
        _POST,
        (post.message, post.user, post.channel, post.match, post.seat, post.turn, int(post.ours), post.text),
    )
    _withdraw(db, post.match, (post.seat,), now, but=post.message if stands.fetchone() else None)
