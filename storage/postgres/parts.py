"""Parts of the Store that PostgreSQL takes in words of its own; all others are the same on both databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from matches.outbox.queue import Draft, OutboxRow
from matches.ports import Clock
from matches.store.erasures import PersonalData
from matches.store.pings import PingRow
from matches.store.rows import MatchRow, Post
from storage.anonymisation import ErasuresPart, erase_person
from storage.channels import PostsPart, ReadMarksPart
from storage.clocks import ClocksPart, IdlePart
from storage.outbox import OutboxPart
from storage.personal_data import export_queries, exported
from storage.pings import OF_MATCH, PingsPart, to_ping
from storage.postgres.connection import PostgresDatabase
from storage.postgres.sessions import SERVED, Conn, notify, one, shard_of, wake
from storage.postgres.transactions import PostgresPart, enqueued, find_matches, placed
from storage.rows import POST_COLUMNS, from_ms, to_ms, to_post

_MARK = """
INSERT INTO seen (channel, message) SELECT * FROM unnest(%s::bigint[], %s::bigint[])
ON CONFLICT (channel) DO UPDATE SET message = excluded.message WHERE excluded.message > seen.message
"""

# A mark from before the first board belongs to an earlier match in the same channel: what was written since
# then isn't for the matches of today.
_CHANNELS = """
SELECT place, greatest(seen.message, first), home, guild FROM (
    SELECT place, coalesce(min(first), max(thread)) AS first, max(home) AS home, max(guild) AS guild,
        max(changed) AS changed FROM (
        SELECT coalesce(thread, channel) AS place, NULL::bigint AS first, thread, 1 AS home, guild,
            updated AS changed
        FROM matches WHERE status = 'live'
        UNION ALL
        SELECT posts.channel, posts.message, NULL, 0, NULL, updated
        FROM matches JOIN posts ON posts.match = matches.id
        WHERE matches.status = 'live' AND posts.kind = 'board'
    ) AS found GROUP BY place
) AS homes LEFT JOIN seen ON seen.channel = place ORDER BY home DESC, changed DESC, place
"""


_OTHER_CHANNELS = """
SELECT place, coalesce(seen.message, first), guild FROM (
    SELECT DISTINCT -guild AS place, NULL::bigint AS first, guild FROM matches
    WHERE status = 'live' AND guild IS NOT NULL
    UNION ALL
    SELECT DISTINCT (s.settings #>> '{direct,0}')::bigint, (s.settings #>> '{direct,1}')::bigint, NULL::bigint
    FROM matches AS m JOIN seats ON seats.match = m.id
        JOIN settings AS s ON s.scope = 'user' AND s.id = seats."user"
    WHERE m.status = 'live' AND s.settings -> 'direct' IS NOT NULL
) AS found LEFT JOIN seen ON seen.channel = place ORDER BY place DESC
"""


class PostgresReadMarks(ReadMarksPart, PostgresPart):
    """The part of the Store that keeps the last message read in each channel."""

    _TO_READ, _ELSEWHERE = _CHANNELS, _OTHER_CHANNELS

    async def mark_read(self, marks: Mapping[int, int]) -> None:
        """Record the last messages read, in one transaction; older ones change nothing."""
        if not marks:
            return
        channels = sorted(marks)
        messages = [marks[channel] for channel in channels]

        def mark(db: Conn) -> None:
            db.execute(_MARK, (channels, messages))

        await self._database.transaction(mark)


_FIND = f"SELECT {POST_COLUMNS} FROM posts WHERE message = %s"  # noqa: S608 - our own columns


class PostgresPosts(PostsPart, PostgresPart):
    """The part of the Store that keeps posts."""

    async def post_and_match(self, message: int) -> tuple[Post, MatchRow] | None:
        """Return the post of a message and its match, or None."""

        def find(db: Conn) -> tuple[Post, MatchRow] | None:
            row = db.execute(_FIND, (message,)).fetchone()
            if row is None:
                return None
            post = to_post(row)  # it never changes, so two questions see the same
            found = find_matches(db, "WHERE id = %s", (post.match,))
            return (post, found[0]) if found else None

        return await self._database.read(find)


class PostgresClocks(ClocksPart, PostgresPart):
    """The part of the Store that clocks need."""

    async def beat(self, now: datetime) -> datetime | None:
        """Record that people can play now if a clock may run, and return when that was recorded last."""
        (needed,) = one(await self._database.fetch_one("SELECT EXISTS (SELECT 1 FROM deadlines)"))
        if not needed:
            return None

        def beat(db: Conn) -> datetime | None:
            last = db.execute("SELECT at FROM heartbeat FOR UPDATE").fetchone()
            db.execute(
                "INSERT INTO heartbeat (one, at) VALUES (1, %s) "
                "ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                (to_ms(now),),
            )
            return None if last is None else from_ms(last[0])

        return await self._database.transaction(beat)


_DUE = """
SELECT m.id FROM settings AS s JOIN matches AS m ON m.guild = s.id AND m.status = 'live'
LEFT JOIN idle AS i ON i.match = m.id AND i.version = m.version
WHERE s.scope = 'guild' AND idle_days(s.settings) > 0
AND NOT EXISTS (SELECT 1 FROM deadlines AS d WHERE d.match = m.id)
AND greatest(m.updated, i.at) +
    CASE WHEN i.asked = 1 THEN %s::bigint ELSE idle_days(s.settings) * 86400000 END <= %s
ORDER BY m.n LIMIT %s
"""


class PostgresIdle(IdlePart, PostgresPart):
    """The part of the Store that knows in which matches nobody moves."""

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return matches whose people are to be asked, or haven't answered for so long; oldest first."""
        wait = patience // timedelta(milliseconds=1)
        return tuple(match for (match,) in await self._database.fetch_all(_DUE, wait, to_ms(now), limit))


_FREE = "NOT EXISTS (SELECT 1 FROM outbox AS b WHERE b.lane = o.lane AND b.id < o.id AND b.due > ?)"
"""Whether a row is behind nothing of its lane that isn't due."""
_TO_SEND = f"WHERE due <= ? AND {_FREE} ORDER BY id LIMIT ?"
_OURS = SERVED.format(shard=shard_of("(SELECT m.guild FROM matches AS m WHERE m.id = o.match)"))
_OURS_TO_SEND = f"""
WHERE (due <= ? OR tries = 0) AND {_FREE.replace("b.due >", "b.tries > 0 AND b.due >")} AND {_OURS}
ORDER BY id LIMIT ?
"""
"""What of it this process sends; `due` of a row that was never tried is its writer's time, not ours."""
_FIRST_DUE = f"SELECT min(due) FROM outbox AS o WHERE due <= ? AND {_FREE}"  # noqa: S608 - our own text
_LAST = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM outbox_id_seq"


class PostgresOutbox(OutboxPart, PostgresPart):
    """The part of the Store that keeps unsent messages."""

    def __init__(self, database: PostgresDatabase, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    async def outbox(self, now: datetime, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Return what may be sent now, by id: what is due, and behind nothing of its lane that isn't.

        Several processes that work together get what belongs to the shards that they serve.
        """
        at = to_ms(now)
        if (process := self._database.process) is not None:
            return await self._rows(_OURS_TO_SEND, at, at, process, limit)
        return await self._rows(_TO_SEND, at, at, limit)

    async def outbox_begin(self, now: datetime) -> int:
        """Make the rows due that were never tried; return the highest id so far: none is used twice."""
        return await self._database.transaction(lambda db: _begin(db, to_ms(now)))

    async def outbox_add(self, draft: Draft, now: datetime) -> int:
        """Queue a message that belongs to no change of a match; return its row's id."""

        def add(db: Conn) -> int:
            wake(db, draft.match)
            return enqueued(db, draft, now)

        return await self._database.transaction(add)

    async def _first_due(self, now: int) -> int | None:
        found = await self._fetch_one(_FIRST_DUE, now, now)
        return None if found is None else found[0]


def _begin(db: Conn, now: int) -> int:
    db.execute("UPDATE outbox SET due = %s WHERE due > %s AND tries = 0", (now, now))
    (last,) = one(db.execute(_LAST).fetchone())
    return int(last)


class PostgresPings(PingsPart, PostgresPart):
    """The part of the Store that keeps pings."""

    async def match_and_pings(self, match_id: str) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
        """Return a match and its rows, by seat; None if there is no such match."""

        def find(db: Conn) -> tuple[MatchRow, tuple[PingRow, ...]] | None:
            found = find_matches(db, "WHERE id = %s", (match_id,))
            rows = db.execute(placed(OF_MATCH), (match_id,))
            return (found[0], tuple(map(to_ping, rows))) if found else None

        return await self._database.read_one_state(find)


def _place(name: str) -> str:
    return f"%({name})s"


class PostgresPersonalData(PostgresPart):
    """The part of the Store that exports what is kept about people."""

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """Return what is kept about a person."""

        def read(db: Conn) -> PersonalData:
            found = {
                table: (columns, db.execute(query, {"user": user, "limit": limit}).fetchall())
                for table, columns, query in export_queries(_place)
            }
            own = "SELECT settings FROM settings WHERE scope = 'user' AND id = %s"
            return exported(found, db.execute(own, (user,)).fetchone())

        return await self._database.read_one_state(read)


class PostgresErasures(ErasuresPart, PostgresPart):
    """The part of the Store that forgets people."""

    async def erase(self, user: int, now: datetime, *, even_playing: bool = False) -> bool:
        """Forget a person."""

        def work(db: Conn) -> bool:
            def run(statement: str, values: Mapping[str, Any]) -> list[Sequence[Any]]:
                done = db.execute(statement, values)
                return list(done.fetchall()) if done.description else []

            notify(db, "erasures:")
            notify(db, f"settings:user:{user}")
            return erase_person(run, _place, user, to_ms(now), even_playing=even_playing)

        return await self._database.transaction(work)

    async def clean_up(self, now: datetime) -> bool:
        """Note that the erasures are cleaned: the server's own VACUUM removes old versions of rows."""
        done = "UPDATE erasures SET cleaned = %s WHERE done IS NOT NULL AND cleaned IS NULL"
        return await self._database.execute(done, to_ms(now)) > 0
