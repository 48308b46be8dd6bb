"""What moderators have done, whom they forbid to play, and who blocks whom, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from matches.drafts import moderation_post
from matches.moderation_rows import ModerationRow
from matches.rows import Draft
from storage.moderation import MODERATION_COLUMNS, ModerationPart, moderation_values, to_moderation
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue
from storage.postgres.sessions import Conn, one
from storage.rows import to_ms

_ROWS = f"SELECT {MODERATION_COLUMNS} FROM moderation"  # noqa: S608 - our own columns
_INSERT = """
INSERT INTO moderation (guild, moderator, action, reason, at, match, person, detail)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING n
"""
_LAST = 2**63 - 1
_LOG_CHANNEL = """
SELECT settings::json ->> 'log_channel' FROM settings WHERE scope = 'guild' AND id = %s
"""
_FORBIDDEN = """
WHERE n IN (SELECT n FROM forbidden WHERE guild = %s AND "user" = ANY(%s)) ORDER BY person
"""


class PostgresModeration(ModerationPart, PostgresPart):
    """The part of the Store that knows what moderators have done, and who blocks whom."""

    async def moderate(self, row: ModerationRow, drafts: Sequence[Draft] = ()) -> bool:
        """Write a row and what follows from it; return False if that is so already."""

        def write(db: Conn) -> bool:
            if row.action in ("forbid", "lift"):
                # One at a time for each person: of two that don't see each other the second would fail.
                db.execute("SELECT pg_advisory_xact_lock(hashtextextended('forbidden', %s))", (row.person,))
            there = db.execute(
                'SELECT 1 FROM forbidden WHERE guild = %s AND "user" = %s', (row.guild, row.person)
            )
            known = there.fetchone() is not None
            if row.action in ("forbid", "lift") and known == (row.action == "forbid"):
                return False
            number = note_moderation(db, row)
            if row.action == "forbid":
                put = 'INSERT INTO forbidden (guild, "user", n) VALUES (%s, %s, %s)'
                db.execute(put, (row.guild, row.person, number))
            elif row.action == "lift":
                gone = 'DELETE FROM forbidden WHERE guild = %s AND "user" = %s'
                db.execute(gone, (row.guild, row.person))
            for draft in drafts:
                enqueue(db, draft, row.at)
            return True

        return await self._database.transaction(write)

    async def forbidden(self, guild: int, users: Collection[int]) -> tuple[ModerationRow, ...]:
        """Return the rows by which some people may not play in a server, by user."""
        values = (guild, sorted(users))
        return await self._database.read(
            lambda db: tuple(map(to_moderation, db.execute(f"{_ROWS} {_FORBIDDEN}", values)))
        )

    async def block(self, user: int, other: int, at: datetime, most: int) -> bool:
        """Add a block; return False if there are too many."""

        def put(db: Conn) -> bool:
            # One at a time for each person: two that don't see each other could exceed the limit.
            db.execute("SELECT pg_advisory_xact_lock(hashtextextended('blocks', %s))", (user,))
            others = 'SELECT count(*) FROM blocks WHERE "user" = %s AND other <> %s'
            (count,) = one(db.execute(others, (user, other)).fetchone())
            if count >= most:
                return False
            add = 'INSERT INTO blocks ("user", other, at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING'
            db.execute(add, (user, other, to_ms(at)))
            return True

        return await self._database.transaction(put)

    async def blocks_among(self, users: Collection[int]) -> tuple[tuple[int, int], ...]:
        """Return who blocks whom of some people."""
        query = 'SELECT "user", other FROM blocks WHERE "user" = ANY(%s) AND other = ANY(%s) ORDER BY 1, 2'
        among = sorted(users)
        return await self._database.read(
            lambda db: tuple((user, other) for user, other in db.execute(query, (among, among)))
        )


def note_moderation(db: Conn, row: ModerationRow) -> int:
    """Add a row to the log and queue its post, within a transaction; return its number."""
    (number,) = one(db.execute(_INSERT, moderation_values(row)).fetchone())
    found = db.execute(_LOG_CHANNEL, (row.guild,)).fetchone()
    if found is not None and found[0]:
        enqueue(db, moderation_post(row, int(number), int(found[0])), row.at)
    return int(number)
