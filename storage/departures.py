"""How servers use the bot, which ones it has greeted and left, and what is forgotten of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from matches.store.servers import Departure, ServerUse
from storage.rows import from_ms, to_ms
from storage.transactions import StorePart, Transaction

_SERVER_ROWS = (
    ("settings", "scope = 'guild' AND id"),
    ("showcases", "guild"),
    ("tournaments", "guild"),
    ("maps", "guild"),
    ("forbidden", "guild"),
    ("moderation", "guild"),
    ("outages", "guild"),
    ("departures", "guild"),
    ("greetings", "guild"),
    ("daily_answers", "guild"),
    ("daily_puzzles", "guild"),
)
"""What is kept about servers, and how theirs is found; a table comes before those that it refers to."""

_KNOWN = """
SELECT guild FROM (
    SELECT id AS guild FROM settings WHERE scope = 'guild' AND id > 0 UNION SELECT guild FROM showcases
    UNION SELECT guild FROM maps UNION SELECT guild FROM moderation UNION SELECT guild FROM greetings
) AS known WHERE {ours}
"""
"""Servers that something is kept about. Below 1 are the bot's own notes."""

SERVER_USE: Final = """
SELECT guild, count(CASE WHEN status = 'live' THEN 1 END) AS live, min(created), max(updated) AS latest
FROM matches WHERE guild IS NOT NULL GROUP BY guild ORDER BY live DESC, latest DESC, guild
"""


class DeparturesPart(StorePart):
    """The statements about departures that every database takes."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Return the servers that the bot has left.

        A process that works with others knows it of the servers of its own shards only.
        """

        def note(tx: Transaction) -> tuple[Departure, ...]:
            tx.lock("departures", 0)
            which, own = tx.ours("guild")

            def rows(query: str) -> list[tuple[int, ...]]:
                return tx.execute(query.format(ours=which), *own).fetchall()

            noted = {guild for (guild,) in rows("SELECT guild FROM departures WHERE {ours}")}
            left = {guild for (guild,) in rows(_KNOWN)}.difference(present)
            for guild in sorted(left - noted):
                tx.execute("INSERT INTO departures VALUES (?, ?)", guild, to_ms(now))
            for guild in sorted(noted - left):
                tx.execute("DELETE FROM departures WHERE guild = ?", guild)
            found = rows("SELECT guild, since FROM departures WHERE {ours} ORDER BY since, guild")
            return tuple(Departure(guild, from_ms(since)) for guild, since in found)

        return await self._transaction(note)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""

        def forget(tx: Transaction) -> None:
            for table, key in _SERVER_ROWS:
                tx.execute(f"DELETE FROM {table} WHERE {key} = ?", guild)  # noqa: S608 - our own names
            tx.tell(f"settings:guild:{guild}")

        await self._transaction(forget)

    async def claim_greeting(self, guild: int, now: datetime) -> bool:
        """Note that a server is greeted."""

        def claim(tx: Transaction) -> bool:
            added = tx.execute(
                "INSERT INTO greetings VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING guild",
                guild,
                to_ms(now),
            )
            return added.fetchone() is not None

        return await self._transaction(claim)

    async def server_use(self) -> tuple[ServerUse, ...]:
        """Return how each server with matches uses the bot."""
        return tuple(map(to_server_use, await self._fetch_all(SERVER_USE)))


def to_server_use(row: Sequence[Any]) -> ServerUse:
    """From the columns of SERVER_USE."""
    guild, live, first, latest = row
    return ServerUse(guild, live, from_ms(first), from_ms(latest))
