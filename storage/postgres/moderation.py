"""What moderators have done, whom they forbid to play, and who blocks whom, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection

from matches.moderation_rows import ModerationRow
from storage.moderation import MODERATION_COLUMNS, ModerationPart, to_moderation
from storage.postgres.parts import PostgresPart

_ROWS = f"SELECT {MODERATION_COLUMNS} FROM moderation"  # noqa: S608 - our own columns
_FORBIDDEN = """
WHERE n IN (SELECT n FROM forbidden WHERE guild = %s AND "user" = ANY(%s)) ORDER BY person
"""


class PostgresModeration(ModerationPart, PostgresPart):
    """The part of the Store that knows what moderators have done, and who blocks whom."""

    async def forbidden(self, guild: int, users: Collection[int]) -> tuple[ModerationRow, ...]:
        """Return the rows by which some people may not play in a server, by user."""
        values = (guild, sorted(users))
        return await self._database.read(
            lambda db: tuple(map(to_moderation, db.execute(f"{_ROWS} {_FORBIDDEN}", values)))
        )

    async def blocks_among(self, users: Collection[int]) -> tuple[tuple[int, int], ...]:
        """Return who blocks whom of some people."""
        query = 'SELECT "user", other FROM blocks WHERE "user" = ANY(%s) AND other = ANY(%s) ORDER BY 1, 2'
        among = sorted(users)
        return await self._database.read(
            lambda db: tuple((user, other) for user, other in db.execute(query, (among, among)))
        )
