"""How far each channel was read: after a gap, messages are read on from there."""

from __future__ import annotations

from storage.connection import Database

_TO_READ = """
SELECT place, coalesce(seen.message, first) FROM (
    SELECT place, min(first) AS first FROM (
        SELECT coalesce(thread, channel) AS place, NULL AS first FROM matches WHERE status = 'live'
        UNION ALL
        SELECT posts.channel, posts.message FROM matches JOIN posts ON posts.match = matches.id
        WHERE matches.status = 'live' AND posts.kind = 'board'
    ) AS homes GROUP BY place
) AS homes LEFT JOIN seen ON seen.channel = place ORDER BY place
"""


class ReadMarks:
    """The part of the Store that keeps the last message read in each channel."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def mark_read(self, channel: int, message: int) -> None:
        """Record that a message was read; an older one changes nothing."""
        await self._database.execute(
            "INSERT INTO seen (channel, message) VALUES (?, ?) ON CONFLICT (channel) "
            "DO UPDATE SET message = excluded.message WHERE excluded.message > message",
            channel,
            message,
        )

    async def channels_to_read(self) -> tuple[tuple[int, int | None], ...]:
        """Return the channels of live matches and of their boards, each with the message to read on from."""
        rows = await self._database.fetch_all(_TO_READ)
        return tuple((place, message) for place, message in rows)
