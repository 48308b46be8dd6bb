"""What clocks are computed from beside the logs: deadlines, vacations, when nobody could play or moved."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from matches.outbox.queue import Draft
from matches.spans import END_OF_TIME, Span
from matches.store.clocks import LOOK_AGAIN, IdleState, Outage, Vacation
from storage.rows import Value, from_ms, marks, to_ms
from storage.transactions import SqlitePart, StorePart, Transaction

_OF_GUILD = (
    "SELECT id, ?, ? FROM matches WHERE guild = ? AND status = 'live' AND clock IS NOT NULL ORDER BY id"
)
_OF_USER = (
    "SELECT DISTINCT m.id, CAST(? AS integer), CAST(? AS bigint) "
    "FROM seats AS s CROSS JOIN matches AS m "  # in SQLite, the tables are then read in this order
    "WHERE m.id = s.match AND s.\"user\" = ? AND m.status = 'live' AND m.clock IS NOT NULL ORDER BY m.id"
)


class ClocksPart(StorePart):
    """The statements about clocks that every database takes."""

    async def deadlines(self, match_id: str) -> Mapping[int, datetime]:
        """Return when the time of each seat is up at the earliest."""
        rows = await self._fetch_all(
            "SELECT seat, due FROM deadlines WHERE match = ? AND seat >= 0", match_id
        )
        return {seat: from_ms(due) for seat, due in rows}

    async def overdue(self, now: datetime, limit: int = 100) -> tuple[str, ...]:
        """Return matches with a deadline that isn't after `now`, the earliest first."""
        rows = await self._fetch_all(
            "SELECT match FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?", to_ms(now), limit
        )
        return tuple(dict.fromkeys(match for (match,) in rows))

    async def stops(
        self, match_id: str, users: Iterable[int] = ()
    ) -> tuple[tuple[Span, ...], tuple[Vacation, ...]]:
        """Return when the people of a match couldn't see it, and all vacations of some people, in order."""
        wanted = sorted(users)
        rows = await self._fetch_all(
            "SELECT 0, start, until, 0 FROM unseen WHERE match = ? "  # noqa: S608 - our own text
            'UNION ALL SELECT "user", start, until, automatic FROM vacations '
            f'WHERE "user" IN ({marks(wanted)}) ORDER BY 2, 1',
            match_id,
            *wanted,
        )
        spans = [(user, to_span(start, until), bool(automatic)) for user, start, until, automatic in rows]
        unseen = tuple(span for user, span, _ in spans if not user)
        return unseen, tuple(Vacation(*each) for each in spans if each[0])

    async def downtimes(self) -> tuple[Span, ...]:
        """Return all downtimes, in order."""
        rows = await self._fetch_all("SELECT start, until FROM downtimes ORDER BY start")
        return tuple(to_span(start, until) for start, until in rows)

    async def outages(self) -> tuple[Outage, ...]:
        """Return all outages, in order."""
        rows = await self._fetch_all("SELECT guild, start, until FROM outages ORDER BY start, guild")
        return tuple(Outage(guild, to_span(start, until)) for guild, start, until in rows)

    async def set_deadlines(self, match_id: str, due: Mapping[int, datetime]) -> None:
        """Replace the deadlines of a match."""

        def replace(tx: Transaction) -> None:
            tx.lock_match(match_id)
            replace_deadlines(tx, match_id, due)

        await self._transaction(replace)

    async def add_downtime(self, span: Span) -> None:
        """Record that nobody could play."""

        def add(tx: Transaction) -> None:
            tx.execute(
                "INSERT INTO downtimes (start, until) VALUES (?, ?) "  # noqa: S608 - our own text
                f"ON CONFLICT (start) DO UPDATE SET until = {tx.LATEST}(downtimes.until, excluded.until)",
                *(to_ms(span.start), to_ms(span.end)),
            )
            tx.notify("clocks:")

        await self._transaction(add)

    async def note_outages(self, away: Collection[int], since: datetime, now: datetime) -> bool:
        """Record which servers Discord can't reach: new ones since `since`; others are back now.

        A process that works with others knows it of the servers of its own shards only.
        """
        at = to_ms(now)

        def note(tx: Transaction) -> bool:
            tx.lock("outages", 0)
            which, own = tx.ours("outages.guild")
            query = f"SELECT guild FROM outages WHERE until IS NULL AND {which}"  # noqa: S608 - our own text
            known = {guild for (guild,) in tx.execute(query, *own).fetchall()}
            for guild in sorted(known - set(away)):
                over = f"UPDATE outages SET until = {tx.LATEST}(start, ?) WHERE guild = ? AND until IS NULL"  # noqa: S608 - our own text
                tx.execute(over, at, guild)
            for guild in sorted(set(away) - known):
                tx.execute(
                    "INSERT INTO outages (guild, start) VALUES (?, ?) "
                    "ON CONFLICT (guild, start) DO UPDATE SET until = NULL",
                    *(guild, to_ms(since)),
                )
            changed = sorted(known ^ set(away))
            if changed:
                start_heartbeat(tx, at)
                tx.notify("clocks:")
            for guild in changed:
                _mark(tx, _OF_GUILD, LOOK_AGAIN, at, guild)
            return bool(changed)

        return await self._transaction(note)

    async def add_vacation(self, vacation: Vacation) -> None:
        """Record a vacation, and make the live matches of the person be computed again."""
        user, span = vacation.user, vacation.span

        def add(tx: Transaction) -> None:
            tx.execute(
                'INSERT INTO vacations ("user", start, until, automatic) VALUES (?, ?, ?, ?) '
                'ON CONFLICT ("user", start) '
                "DO UPDATE SET until = excluded.until, automatic = excluded.automatic",
                *(user, to_ms(span.start), to_ms(span.end), int(vacation.automatic)),
            )
            _mark(tx, _OF_USER, LOOK_AGAIN, to_ms(span.start), user)

        await self._transaction(add)

    async def end_vacation(self, user: int, now: datetime) -> None:
        """End a person's vacation that goes on, and drop those to come."""
        at = to_ms(now)

        def end(tx: Transaction) -> None:
            tx.execute('DELETE FROM vacations WHERE "user" = ? AND start >= ?', user, at)
            tx.execute('UPDATE vacations SET until = ? WHERE "user" = ? AND until > ?', at, user, at)
            _mark(tx, _OF_USER, LOOK_AGAIN, at, user)

        await self._transaction(end)

    async def vacations(self, users: Iterable[int]) -> tuple[Vacation, ...]:
        """Return all vacations of some people, in order."""
        wanted = sorted(users)
        rows = await self._fetch_all(
            f'SELECT "user", start, until, automatic FROM vacations WHERE "user" IN ({marks(wanted)}) '  # noqa: S608 - our own text
            'ORDER BY start, "user"',
            *wanted,
        )
        return tuple(Vacation(user, to_span(start, until), bool(auto)) for user, start, until, auto in rows)


class SqliteClocks(ClocksPart, SqlitePart):
    """The part of the Store that clocks need."""

    async def beat(self, now: datetime) -> datetime | None:
        """Record that people can play now if a clock may run, and return when that was recorded last."""
        (needed,) = await self._database.fetch_one("SELECT EXISTS (SELECT 1 FROM deadlines)") or (0,)
        if not needed:
            return None

        def beat(db: sqlite3.Connection) -> datetime | None:
            last = db.execute("SELECT at FROM heartbeat").fetchone()
            db.execute(
                "INSERT INTO heartbeat (one, at) VALUES (1, ?) "
                "ON CONFLICT (one) DO UPDATE SET at = excluded.at",
                (to_ms(now),),
            )
            return None if last is None else from_ms(last[0])

        return await self._database.transaction(beat)


def start_heartbeat(tx: Transaction, at: int) -> None:
    """Record that people can play, within a transaction after which a clock may run as the first one.

    While none may run nobody beats, so the last beat may be long ago.
    """
    tx.execute(
        "INSERT INTO heartbeat (one, at) SELECT 1, ? WHERE NOT EXISTS (SELECT 1 FROM deadlines) "  # noqa: S608 - our own text
        f"ON CONFLICT (one) DO UPDATE SET at = {tx.LATEST}(heartbeat.at, excluded.at)",
        at,
    )


def replace_deadlines(tx: Transaction, match_id: str, due: Mapping[int, datetime]) -> None:
    """Replace the deadlines of a match, within a transaction that has its lock."""
    tx.execute("DELETE FROM deadlines WHERE match = ?", match_id)
    for seat, at in sorted(due.items()):
        tx.execute("INSERT INTO deadlines (match, seat, due) VALUES (?, ?, ?)", match_id, seat, to_ms(at))


def hide(tx: Transaction, match_id: str, at: int) -> None:
    """Record that a match can't be seen from now on, within a transaction; nothing if it can't already."""
    tx.execute(
        "INSERT INTO unseen (match, start) SELECT ?, ? "
        "WHERE NOT EXISTS (SELECT 1 FROM unseen WHERE match = ? AND (until IS NULL OR start = ?))",
        *(match_id, at, match_id, at),
    )


def show(tx: Transaction, match_id: str, at: int) -> None:
    """Record that a match can be seen again, within a transaction; its clocks are to be computed then."""
    seen = f"UPDATE unseen SET until = {tx.LATEST}(start, ?) WHERE match = ? AND until IS NULL RETURNING 1"  # noqa: S608 - our own text
    if tx.execute(seen, at, match_id).fetchall():
        start_heartbeat(tx, at)
        _mark(tx, "SELECT ?, ?, ? WHERE true", match_id, LOOK_AGAIN, at)


def _mark(tx: Transaction, select: str, *values: Value) -> None:
    tx.execute(
        f"INSERT INTO deadlines (match, seat, due) {select} ON CONFLICT (match, seat) "
        f"DO UPDATE SET due = {tx.EARLIEST}(deadlines.due, excluded.due)",
        *values,
    )


def to_span(start: int, until: int | None) -> Span:
    """From the columns start and until; a span without an end goes on."""
    return Span(from_ms(start), END_OF_TIME if until is None else from_ms(until))


DUE = """
SELECT m.id FROM settings AS s INDEXED BY settings_idle
CROSS JOIN matches AS m ON m.guild = s.id AND m.status = 'live'
LEFT JOIN idle AS i ON i.match = m.id AND i.version = m.version
WHERE s.scope = 'guild' AND json_extract(s.settings, '$.idle') > 0
AND NOT EXISTS (SELECT 1 FROM deadlines AS d WHERE d.match = m.id)
AND max(m.updated, coalesce(i.at, 0)) +
    CASE WHEN i.asked = 1 THEN ?2 ELSE json_extract(s.settings, '$.idle') * 86400000 END <= ?1
ORDER BY m.n LIMIT ?3
"""
_NOTE = """
INSERT INTO idle (match, version, asked, at)
SELECT id, version, ?, ? FROM matches WHERE id = ? AND version = ? AND status = 'live'
ON CONFLICT (match) DO UPDATE SET version = excluded.version, asked = excluded.asked, at = excluded.at
WHERE idle.version <> excluded.version OR idle.asked <> excluded.asked
"""


class IdlePart(StorePart):
    """The statements about idle matches that every database takes."""

    async def idle_state(self, match_id: str, version: int) -> IdleState | None:
        """Return what was asked or answered last about a match at a log entry, or None."""
        row = await self._fetch_one(
            "SELECT asked, at FROM idle WHERE match = ? AND version = ?", match_id, version
        )
        return None if row is None else IdleState(bool(row[0]), from_ms(row[1]))

    async def note_idle(
        self, match_id: str, version: int, state: IdleState, drafts: Sequence[Draft] = ()
    ) -> bool:
        """Note what was asked or answered, and queue messages with it.

        Return False, changing nothing, if the match has moved on or the same was noted before.
        """

        def note(tx: Transaction) -> bool:
            tx.lock_match(match_id)
            changed = tx.execute(_NOTE, int(state.asked), to_ms(state.at), match_id, version).rowcount
            for draft in drafts if changed else ():
                tx.enqueue(draft, state.at)
            return changed > 0

        return await self._transaction(note)


class SqliteIdle(IdlePart, SqlitePart):
    """The part of the Store that knows in which matches nobody moves."""

    async def idle_due(self, now: datetime, patience: timedelta, limit: int = 100) -> tuple[str, ...]:
        """Return matches whose people are to be asked, or haven't answered for so long; oldest first."""
        wait = patience // timedelta(milliseconds=1)
        return tuple(one for (one,) in await self._database.fetch_all(DUE, to_ms(now), wait, limit))
