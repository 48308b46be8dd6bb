"""What each seat waits for and was told, and the messages that ping its person, on PostgreSQL.

A change of a match writes its turns here in its own transaction (`apply_turns`), and queues the withdrawal
of what pinged people for the turns that are over. Whatever writes here has the lock of the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from matches.drafts import withdrawal
from matches.ping_ports import PingWork
from matches.ping_rows import MAX_REMINDER, PingPost, PingRow, TurnChange
from matches.rows import MatchRow
from storage.pings import (
    MS,
    PING_COLUMNS,
    PING_POST_COLUMNS,
    ping_values,
    to_ping,
    to_ping_post,
    told_values,
    turn_values,
    was_posted,
)
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue, find_matches, lock_matches, places, quoted
from storage.postgres.sessions import Conn
from storage.rows import Value, from_ms, to_ms

_ROWS = f"SELECT {quoted(PING_COLUMNS)} FROM pings"  # noqa: S608 - our own columns
_OF_MATCH = f"{_ROWS} WHERE match = %s ORDER BY seat"
_POSTS = f"SELECT {quoted(PING_POST_COLUMNS)} FROM ping_posts"  # noqa: S608 - our own columns

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
_RUNNING_OUT = f"""
SELECT {", ".join(f"p.{column}" for column in quoted(PING_COLUMNS).split(", "))}, d.due
FROM deadlines AS d JOIN pings AS p ON p.match = d.match AND p.seat = d.seat
WHERE d.due > %(now)s AND d.due <= %(now)s + %(most)s AND d.due - p.remind <= %(now)s
AND p.remind > 0 AND p.kind = 'turn' AND p.state IN ('known', 'told')
ORDER BY d.due, d.match, d.seat LIMIT %(limit)s
"""  # noqa: S608 - our own columns
_REPLACE = (
    "UPDATE pings SET state = %s, due = %s, sent = %s, unseen = %s, alone = %s, remind = %s, reason = %s, "
    "stamp = stamp + 1 WHERE match = %s AND seat = %s AND stamp = %s RETURNING 1"
)
_TOLD = (
    "UPDATE pings SET state = 'told', due = %s, sent = %s, unseen = 1, stamp = stamp + 1 WHERE match = %s "
    "AND seat = %s AND \"user\" = %s AND turn = %s AND kind = %s AND state = 'new' RETURNING 1"
)
_POST = (
    f"INSERT INTO ping_posts ({quoted(PING_POST_COLUMNS)}) VALUES ({places(PING_POST_COLUMNS)}) "  # noqa: S608 - our own columns
    'ON CONFLICT (message, "user") DO NOTHING'
)
_STANDS = (
    "SELECT 1 FROM pings WHERE match = %s AND seat = %s AND \"user\" = %s AND turn = %s AND state <> 'over'"
)


class PostgresPings(PostgresPart):
    """The part of the Store that keeps pings."""

    async def pings(self, match_id: str) -> tuple[PingRow, ...]:
        """Return the rows of a match, by seat."""
        return tuple(map(to_ping, await self._database.fetch_all(_OF_MATCH, match_id)))

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""

        def find(db: Conn) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
            found = find_matches(db, "WHERE id = %s", (match_id,))
            return (found[0], tuple(map(to_ping, db.execute(_OF_MATCH, (match_id,))))) if found else None

        return await self._database.read_one_state(find)

    async def pings_of(self, user: int) -> tuple[PingRow, ...]:
        """Return the open rows of a person, the longest waiting first."""
        return await self._ping_rows(
            "WHERE \"user\" = %s AND state <> 'over' ORDER BY began, match, seat", user
        )

    async def pings_due(self, now: datetime, limit: int = 100) -> tuple[PingRow, ...]:
        """Return rows whose time has come, the earliest first."""
        return await self._ping_rows("WHERE due <= %s ORDER BY due, match, seat LIMIT %s", to_ms(now), limit)

    async def pings_running_out(
        self, now: datetime, limit: int = 100
    ) -> tuple[tuple[PingRow, datetime], ...]:
        """Return open turns whose time left has come down to their `remind`, with their deadlines."""
        values = {"now": to_ms(now), "most": MAX_REMINDER // MS, "limit": limit}
        rows = await self._database.read(lambda db: db.execute(_RUNNING_OUT, values).fetchall())
        return tuple((to_ping(row[:-1]), from_ms(row[-1])) for row in rows)

    async def ping_work(self, work: PingWork) -> bool:
        """Write everything at once; return whether a row was replaced."""

        def write(db: Conn) -> bool:
            with db.pipeline():
                lock_matches(db, matches_of(work))
                return write_pings(db, work)

        return await self._database.transaction(write)

    async def ping_looked(self, match_id: str, user: int) -> None:
        """Record that a person has looked at a match."""
        await self._database.execute(
            'UPDATE pings SET unseen = 0 WHERE match = %s AND "user" = %s AND unseen = 1', match_id, user
        )

    async def _ping_rows(self, tail: str, *values: Value) -> tuple[PingRow, ...]:
        return tuple(map(to_ping, await self._database.fetch_all(f"{_ROWS} {tail}", *values)))


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
