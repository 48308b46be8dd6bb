"""What clocks are computed from beside the logs, on PostgreSQL: deadlines, vacations, outages, downtimes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from matches.clocks.ports import LOOK_AGAIN, Vacation
from matches.clocks.spans import Span
from storage.clocks import ClocksPart, to_span
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import lock_matches
from storage.postgres.sessions import SERVED, Conn, one, shard_of, tell
from storage.rows import from_ms, to_ms

_OF_GUILD = (
    "SELECT id, %s, %s FROM matches WHERE guild = %s AND status = 'live' AND clock IS NOT NULL ORDER BY id"
)
_OF_USER = (
    "SELECT DISTINCT m.id, %s::integer, %s::bigint FROM seats AS s JOIN matches AS m ON m.id = s.match "
    "WHERE s.\"user\" = %s AND m.status = 'live' AND m.clock IS NOT NULL ORDER BY m.id"
)
_OUT_OF_OURS = (
    "SELECT guild FROM outages WHERE until IS NULL AND "  # noqa: S608 - our own text
    + SERVED.format(shard=shard_of("outages.guild"))
)


class PostgresClocks(ClocksPart, PostgresPart):
    """The part of the Store that clocks need."""

    async def set_deadlines(self, match_id: str, due: Mapping[int, datetime]) -> None:
        """Replace the deadlines of a match."""

        def replace(db: Conn) -> None:
            lock_matches(db, (match_id,))
            replace_deadlines(db, match_id, due)

        await self._database.transaction(replace)

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

    async def add_downtime(self, span: Span) -> None:
        """Record that nobody could play."""
        await self._execute(
            "INSERT INTO downtimes (start, until) VALUES (?, ?) "
            "ON CONFLICT (start) DO UPDATE SET until = greatest(downtimes.until, excluded.until)",
            to_ms(span.start),
            to_ms(span.end),
            tells="clocks:",
        )

    async def note_outages(self, away: Collection[int], since: datetime, now: datetime) -> bool:
        """Record which servers Discord can't reach: new ones since `since`; others are back now.

        A process that works with others knows it of the servers of its own shards only.
        """

        def note(db: Conn) -> bool:
            db.execute("LOCK TABLE outages IN SHARE ROW EXCLUSIVE MODE")
            if db.process is None:
                found = db.execute("SELECT guild FROM outages WHERE until IS NULL")
            else:
                found = db.execute(_OUT_OF_OURS, (db.process,))
            known = {guild for (guild,) in found}
            with db.pipeline():
                for guild in sorted(known - set(away)):
                    db.execute(
                        "UPDATE outages SET until = greatest(start, %s) WHERE guild = %s AND until IS NULL",
                        (to_ms(now), guild),
                    )
                for guild in sorted(set(away) - known):
                    db.execute(
                        "INSERT INTO outages (guild, start) VALUES (%s, %s) "
                        "ON CONFLICT (guild, start) DO UPDATE SET until = NULL",
                        (guild, to_ms(since)),
                    )
                changed = sorted(known ^ set(away))
                if changed:
                    begin_beating(db, to_ms(now))
                    tell(db, "clocks:")
                for guild in changed:
                    _mark(db, _OF_GUILD, (LOOK_AGAIN, to_ms(now), guild))
            return bool(changed)

        return await self._database.transaction(note)

    async def add_vacation(self, vacation: Vacation) -> None:
        """Record a vacation, and make the live matches of the person be computed again."""
        user, span = vacation.user, vacation.span

        def add(db: Conn) -> None:
            db.execute(
                'INSERT INTO vacations ("user", start, until, automatic) VALUES (%s, %s, %s, %s) '
                'ON CONFLICT ("user", start) '
                "DO UPDATE SET until = excluded.until, automatic = excluded.automatic",
                (user, to_ms(span.start), to_ms(span.end), int(vacation.automatic)),
            )
            _mark(db, _OF_USER, (LOOK_AGAIN, to_ms(span.start), user))

        await self._database.transaction(add)

    async def end_vacation(self, user: int, now: datetime) -> None:
        """End a person's vacation that goes on, and drop those to come."""
        at = to_ms(now)

        def end(db: Conn) -> None:
            db.execute('DELETE FROM vacations WHERE "user" = %s AND start >= %s', (user, at))
            db.execute('UPDATE vacations SET until = %s WHERE "user" = %s AND until > %s', (at, user, at))
            _mark(db, _OF_USER, (LOOK_AGAIN, at, user))

        await self._database.transaction(end)

    async def vacations(self, users: Iterable[int]) -> tuple[Vacation, ...]:
        """Return all vacations of some people, in order."""
        wanted = sorted(users)
        rows = await self._database.read(
            lambda db: db.execute(
                'SELECT "user", start, until, automatic FROM vacations WHERE "user" = ANY(%s) '
                'ORDER BY start, "user"',
                (wanted,),
            ).fetchall()
        )
        return tuple(Vacation(user, to_span(start, until), bool(auto)) for user, start, until, auto in rows)


def begin_beating(db: Conn, at: int) -> None:
    """Record that people can play, within a transaction after which a clock may run as the first one.

    While none may run nobody beats, so the last beat may be long ago.
    """
    db.execute(
        "INSERT INTO heartbeat (one, at) SELECT 1, %s WHERE NOT EXISTS (SELECT 1 FROM deadlines) "
        "ON CONFLICT (one) DO UPDATE SET at = greatest(heartbeat.at, excluded.at)",
        (at,),
    )


def replace_deadlines(db: Conn, match_id: str, due: Mapping[int, datetime]) -> None:
    """Replace the deadlines of a match, within a transaction that has its lock."""
    db.execute("DELETE FROM deadlines WHERE match = %s", (match_id,))
    if due:
        db.cursor().executemany(
            "INSERT INTO deadlines (match, seat, due) VALUES (%s, %s, %s)",
            [(match_id, seat, to_ms(at)) for seat, at in sorted(due.items())],
        )


def hide(db: Conn, match_id: str, at: int) -> None:
    """Record that a match can't be seen from now on, within a transaction; nothing if it can't already."""
    db.execute(
        "INSERT INTO unseen (match, start) SELECT %(match)s, %(at)s WHERE NOT EXISTS "
        "(SELECT 1 FROM unseen WHERE match = %(match)s AND (until IS NULL OR start = %(at)s))",
        {"match": match_id, "at": at},
    )


def show(db: Conn, match_id: str, at: int) -> None:
    """Record that a match can be seen again, within a transaction; its clocks are to be computed then."""
    seen = db.execute(
        "UPDATE unseen SET until = greatest(start, %s) WHERE match = %s AND until IS NULL RETURNING 1",
        (at, match_id),
    ).fetchall()
    if seen:
        begin_beating(db, at)
        _mark(db, "SELECT %s, %s, %s", (match_id, LOOK_AGAIN, at))


def _mark(db: Conn, select: str, values: tuple[int | str, ...]) -> None:
    db.execute(
        f"INSERT INTO deadlines (match, seat, due) {select} "
        "ON CONFLICT (match, seat) DO UPDATE SET due = least(deadlines.due, excluded.due)",
        values,
    )
