"""What moderators have done, whom they forbid to play, and who blocks whom."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from matches.outbox.queue import Draft
from matches.outbox_drafts import moderation_post
from matches.store.moderation import ModerationRow
from storage.rows import Value, from_ms, marks, to_ms
from storage.tournaments import note_bar
from storage.transactions import StorePart, Transaction

MODERATION_COLUMNS = "guild, moderator, action, reason, at, match, person, detail, n"
_INSERT = """
INSERT INTO moderation (guild, moderator, action, reason, at, match, person, detail)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING n
"""
_LAST = 2**63 - 1


class ModerationPart(StorePart):
    """The statements about moderation that every database takes."""

    async def moderated(
        self, guild: int, before: int | None = None, limit: int = 10
    ) -> tuple[ModerationRow, ...]:
        """Return what was done in a server, the latest first."""
        tail = "WHERE guild = ? AND n < ? ORDER BY n DESC LIMIT ?"
        return await self._moderation_rows(tail, guild, _LAST if before is None else before, limit)

    async def moderation(self, number: int) -> ModerationRow | None:
        """Return one row of the log, or None."""
        found = await self._moderation_rows("WHERE n = ?", number)
        return found[0] if found else None

    async def unblock(self, user: int, other: int) -> bool:
        """Remove a block; return whether there was one."""
        gone = await self._execute('DELETE FROM blocks WHERE "user" = ? AND other = ?', user, other)
        return gone > 0

    async def blocked_by(self, user: int) -> tuple[int, ...]:
        """Return whom a person blocks, the latest first."""
        query = 'SELECT other FROM blocks WHERE "user" = ? ORDER BY at DESC, other'
        return tuple(other for (other,) in await self._fetch_all(query, user))

    async def moderate(self, row: ModerationRow, drafts: Sequence[Draft] = ()) -> bool:
        """Write a row and what follows from it; return False if that is so already."""

        def write(tx: Transaction) -> bool:
            if row.action in ("forbid", "lift") and row.person is not None:
                tx.lock("forbidden", row.person)
            there = 'SELECT 1 FROM forbidden WHERE guild = ? AND "user" = ?'
            known = tx.execute(there, row.guild, row.person).fetchone() is not None
            if row.action in ("forbid", "lift") and known == (row.action == "forbid"):
                return False
            number = note_moderation(tx, row)
            if row.action == "forbid":
                put = 'INSERT INTO forbidden (guild, "user", n) VALUES (?, ?, ?)'
                tx.execute(put, row.guild, row.person, number)
                if row.person is not None:
                    note_bar(tx, row.person)
            elif row.action == "lift":
                tx.execute('DELETE FROM forbidden WHERE guild = ? AND "user" = ?', row.guild, row.person)
            for draft in drafts:
                tx.enqueue(draft, row.at)
            return True

        return await self._transaction(write)

    async def block(self, user: int, other: int, at: datetime, most: int) -> bool:
        """Add a block; return False if there are too many."""

        def put(tx: Transaction) -> bool:
            tx.lock("blocks", user)
            others = 'SELECT count(*) FROM blocks WHERE "user" = ? AND other <> ?'
            if tx.execute(others, user, other).fetchone()[0] >= most:
                return False
            add = 'INSERT INTO blocks ("user", other, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
            tx.execute(add, user, other, to_ms(at))
            return True

        return await self._transaction(put)

    async def forbidden(self, guild: int, users: Collection[int]) -> tuple[ModerationRow, ...]:
        """Return the rows by which some people may not play in a server, by user."""
        among = sorted(users)
        which = f'SELECT n FROM forbidden WHERE guild = ? AND "user" IN ({marks(among)})'  # noqa: S608 - our own text
        return await self._moderation_rows(f"WHERE n IN ({which}) ORDER BY person", guild, *among)

    async def blocks_among(self, users: Collection[int]) -> tuple[tuple[int, int], ...]:
        """Return who blocks whom of some people."""
        among, places = sorted(users), marks(users)
        which = f'"user" IN ({places}) AND other IN ({places})'
        query = f'SELECT "user", other FROM blocks WHERE {which} ORDER BY 1, 2'  # noqa: S608 - our own text
        found = await self._fetch_all(query, *among, *among)
        return tuple((user, other) for user, other in found)

    async def _moderation_rows(self, tail: str, *values: Value) -> tuple[ModerationRow, ...]:
        query = f"SELECT {MODERATION_COLUMNS} FROM moderation {tail}"  # noqa: S608 - our own text
        return tuple(map(to_moderation, await self._fetch_all(query, *values)))


def note_moderation(tx: Transaction, row: ModerationRow) -> int:
    """Add a row to the log and queue its post, within a transaction; return its number."""
    ((number,),) = tx.execute(_INSERT, *moderation_values(row)).fetchall()
    found = tx.execute("SELECT settings FROM settings WHERE scope = 'guild' AND id = ?", row.guild).fetchone()
    channel = None if found is None else json.loads(found[0]).get("log_channel")
    if channel:
        tx.enqueue(moderation_post(row, number, int(channel)), row.at)
    return int(number)


def moderation_values(row: ModerationRow) -> tuple[Value, ...]:
    """Return a row as MODERATION_COLUMNS, less its number."""
    return (
        row.guild, row.moderator, row.action, row.reason, to_ms(row.at), row.match, row.person, row.detail,
    )  # fmt: skip


def to_moderation(row: Sequence[Any]) -> ModerationRow:
    """From MODERATION_COLUMNS."""
    guild, moderator, action, reason, at, match, person, detail, number = row
    return ModerationRow(guild, moderator, action, reason, from_ms(at), match, person, detail, number)
