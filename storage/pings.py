"""What each seat waits for and was notified of, and the messages that ping its person.

A change of a match writes its turns here in its own transaction (`apply_turns`), and queues the withdrawal
of what pinged people for the turns that are over.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from matches.outbox_drafts import withdrawal
from matches.store.pings import MAX_REMINDER, PingPost, PingRow, PingWork
from matches.store.rows import MatchRow, TurnChange
from storage.rows import Value, from_ms, insert, marks, ms_or_none, read_matches, time_or_none, to_ms
from storage.transactions import SqlitePart, StorePart, Transaction

PING_COLUMNS = (
    'match, seat, "user", turn, kind, state, began, due, sent, unseen, alone, remind, reason, stamp'
)
PING_POST_COLUMNS = 'message, "user", channel, match, seat, turn, ours, text'
OF_MATCH = f"SELECT {PING_COLUMNS} FROM pings WHERE match = ? ORDER BY seat"  # noqa: S608 - our own columns
_RUNNING_OUT = f"""
SELECT {", ".join(f"p.{column}" for column in PING_COLUMNS.split(", "))}, d.due
FROM deadlines AS d JOIN pings AS p ON p.match = d.match AND p.seat = d.seat
WHERE d.due > ? AND d.due <= ? + ? AND d.due - p.remind <= ?
AND p.remind > 0 AND p.kind = 'turn' AND p.state IN ('known', 'told')
ORDER BY d.due, d.match, d.seat LIMIT ?
"""  # noqa: S608 - our own columns
MS = timedelta(milliseconds=1)

_BEGIN = """
INSERT INTO pings AS p (match, seat, "user", turn, kind, state, began, unseen, alone, remind, reason, stamp)
VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, 0)
ON CONFLICT (match, seat) DO UPDATE SET "user" = excluded."user", turn = excluded.turn, kind = excluded.kind,
    state = excluded.state, began = excluded.began, due = NULL, sent = NULL, alone = 0,
    remind = excluded.remind, reason = excluded.reason, stamp = p.stamp + 1,
    unseen = CASE WHEN p.unseen = 1 AND p."user" = excluded."user" AND ? = 0 THEN 1 ELSE 0 END
"""
_OVER = """
UPDATE pings SET state = 'over', due = NULL, alone = 0, stamp = stamp + 1,
    unseen = CASE WHEN unseen = 1 AND ? = 0 THEN 1 ELSE 0 END
WHERE match = ? AND seat = ?
"""
_ALONE = "UPDATE pings SET alone = 1, stamp = stamp + 1 WHERE match = ? AND seat = ? AND kind = 'turn'"
_REPLACE = (
    "UPDATE pings SET state = ?, due = ?, sent = ?, unseen = ?, alone = ?, remind = ?, reason = ?, "
    "stamp = stamp + 1 WHERE match = ? AND seat = ? AND stamp = ? RETURNING 1"
)
_TOLD = (
    "UPDATE pings SET state = 'told', due = ?, sent = ?, unseen = 1, stamp = stamp + 1 "
    "WHERE match = ? AND seat = ? AND \"user\" = ? AND turn = ? AND kind = ? AND state = 'new' RETURNING 1"
)
_POST = f'{insert("ping_posts", PING_POST_COLUMNS)} ON CONFLICT (message, "user") DO NOTHING'
_STANDS = "SELECT 1 FROM pings WHERE match = ? AND seat = ? AND \"user\" = ? AND turn = ? AND state <> 'over'"


class PingsPart(StorePart):
    """The statements about pings that every database takes."""

    async def pings(self, match_id: str) -> tuple[PingRow, ...]:
        """Return the rows of a match, by seat."""
        return tuple(map(to_ping, await self._fetch_all(OF_MATCH, match_id)))

    async def pings_of(self, user: int) -> tuple[PingRow, ...]:
        """Return the open rows of a person, the longest waiting first."""
        return await self._ping_rows(
            "WHERE \"user\" = ? AND state <> 'over' ORDER BY began, match, seat", user
        )

    async def pings_due(self, now: datetime, limit: int = 100) -> tuple[PingRow, ...]:
        """Return rows whose time has come, the earliest first."""
        return await self._ping_rows("WHERE due <= ? ORDER BY due, match, seat LIMIT ?", to_ms(now), limit)

    async def pings_running_out(
        self, now: datetime, limit: int = 100
    ) -> tuple[tuple[PingRow, datetime], ...]:
        """Return open turns whose time left has come down to their `remind`, with their deadlines."""
        at, most = to_ms(now), MAX_REMINDER // MS
        rows = await self._fetch_all(_RUNNING_OUT, at, at, most, at, limit)
        return tuple((to_ping(row[:-1]), from_ms(row[-1])) for row in rows)

    async def ping_looked(self, match_id: str, user: int) -> None:
        """Record that a person has looked at a match."""
        await self._execute(
            'UPDATE pings SET unseen = 0 WHERE match = ? AND "user" = ? AND unseen = 1', match_id, user
        )

    async def ping_work(self, work: PingWork) -> bool:
        """Write everything at once; return whether a row was replaced."""

        def write(tx: Transaction) -> bool:
            with tx.pipeline():
                tx.lock_matches(matches_of(work))
                return write_pings(tx, work)

        return await self._transaction(write)

    async def _ping_rows(self, tail: str, *values: Value) -> tuple[PingRow, ...]:
        rows = await self._fetch_all(f"SELECT {PING_COLUMNS} FROM pings {tail}", *values)  # noqa: S608 - our own text
        return tuple(map(to_ping, rows))


class SqlitePings(PingsPart, SqlitePart):
    """The part of the Store that keeps pings."""

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""

        def find(db: sqlite3.Connection) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
            found = read_matches(db, "WHERE id = ?", (match_id,))
            return (found[0], tuple(map(to_ping, db.execute(OF_MATCH, (match_id,))))) if found else None

        return await self._database.read(find)


def matches_of(work: PingWork) -> set[str]:
    """Return the ids of the matches whose pings are written, to lock them."""
    return {row.match for row in work.rows} | {post.match for post in work.posts}


def apply_turns(tx: Transaction, match: str, turns: Sequence[TurnChange], at: datetime) -> None:
    """Write what a change of a match means for its seats, within its transaction."""
    for turn in turns:
        acted, kind = int(turn.acted), turn.what
        if kind == "alone":
            tx.execute(_ALONE, match, turn.seat)
        elif kind == "over":
            tx.execute(_OVER, acted, match, turn.seat)
        else:
            state = ("over" if kind == "result" else "known") if turn.acted else "new"
            seat: tuple[Value, ...] = (match, turn.seat, turn.user, turn.turn)
            tx.execute(_BEGIN, *seat, kind, state, to_ms(at), MAX_REMINDER // MS, kind, acted)
    if ended := [turn.seat for turn in turns if turn.what != "alone"]:
        _withdraw(tx, match, ended, at)


def _withdraw(tx: Transaction, match: str, seats: Sequence[int], at: datetime, but: int = 0) -> None:
    """Forget what pinged the persons of seats, but that message, and queue the withdrawal."""
    query = (
        f"SELECT {PING_POST_COLUMNS} FROM ping_posts WHERE match = ? AND seat IN ({marks(seats)}) "  # noqa: S608 - our own columns
        "AND message <> ? ORDER BY message"
    )
    rows = tx.execute(query, match, *seats, but).fetchall()
    for post in sorted((to_ping_post(*row) for row in rows), key=lambda one: seats.index(one.seat)):
        tx.execute('DELETE FROM ping_posts WHERE message = ? AND "user" = ?', post.message, post.user)
        others = 'SELECT "user" FROM ping_posts WHERE message = ? ORDER BY "user"'
        keep = [user for (user,) in tx.execute(others, post.message).fetchall()]
        tx.enqueue(withdrawal(post, keep), at)


def write_pings(tx: Transaction, work: PingWork) -> bool:
    """Write rows, messages and posts, within a transaction; return whether a row was replaced.

    Where a row has changed meanwhile, but not its turn (the others may have decided), a message that pings
    its person stands all the same, and the next board must not ping once more.
    """
    replaced = [(row, tx.execute(_REPLACE, *_ping_values(row))) for row in work.rows]
    stale = [row for row, found in replaced if found.fetchone() is None]
    marked = [tx.execute(_TOLD, *_mark_values(row)) for row in stale if _was_posted(work, row)]
    done = len(stale) < len(replaced) or any(found.fetchone() is not None for found in marked)
    if done or not work.rows:
        for draft in work.drafts:
            tx.enqueue(draft, work.at)
    for standing in work.posts:
        _post(tx, standing, work.at)
    return done


def _ping_values(row: PingRow) -> tuple[Value, ...]:
    """Return what may change of a row, then its match, seat and stamp."""
    return (
        row.state,
        ms_or_none(row.due),
        ms_or_none(row.sent),
        int(row.unseen),
        int(row.alone),
        row.remind // MS,
        row.reason,
        row.match,
        row.seat,
        row.stamp,
    )


def _mark_values(row: PingRow) -> tuple[Value, ...]:
    """Return what is written of a row whose person was pinged: due and sent; then what it must be about."""
    due, sent = ms_or_none(row.due), ms_or_none(row.sent)
    return (due, sent, row.match, row.seat, row.user, row.turn, row.kind)


def _was_posted(work: PingWork, row: PingRow) -> bool:
    """Return whether one of the posts pings the person of a row for its turn."""
    return any(
        (post.match, post.seat, post.user, post.turn) == (row.match, row.seat, row.user, row.turn)
        for post in work.posts
    )


def _post(tx: Transaction, post: PingPost, now: datetime) -> None:
    """Record a message that pings someone. If their turn has ended meanwhile, it is withdrawn."""
    stands = tx.execute(_STANDS, post.match, post.seat, post.user, post.turn)
    found = stands.fetchone()
    whose = (post.message, post.user, post.channel, post.match, post.seat)
    tx.execute(_POST, *whose, post.turn, int(post.ours), post.text)
    _withdraw(tx, post.match, (post.seat,), now, but=post.message if found else 0)


def to_ping_post(
    message: int,
    user: int,
    channel: int,
    match: str,
    seat: int,
    turn: int,
    ours: int,
    text: str,
) -> PingPost:
    """From PING_POST_COLUMNS."""
    return PingPost(message, user, channel, match, seat, turn, bool(ours), text)


def to_ping(row: Sequence[Any]) -> PingRow:
    """From PING_COLUMNS."""
    match, seat, user, turn, kind, state, began, due, sent, unseen, alone, remind, reason, stamp = row
    return PingRow(
        match=match,
        seat=seat,
        user=user,
        turn=turn,
        kind=kind,
        state=state,
        began=from_ms(began),
        due=time_or_none(due),
        sent=time_or_none(sent),
        unseen=bool(unseen),
        alone=bool(alone),
        remind=remind * MS,
        reason=reason,
        stamp=stamp,
    )
