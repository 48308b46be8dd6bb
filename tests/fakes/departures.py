"""Servers that the bot has left, in the store in memory."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from matches.store.departure_store import Departure, ServerUse
from tests.fakes.base import in_ms
from tests.fakes.erasures import MemoryErasures


@dataclass
class MemoryDepartures(MemoryErasures):
    """Servers with the time since when they are left."""

    _departures: dict[int, datetime] = field(default_factory=dict)

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """The servers that the bot has left."""
        self._change()
        known = {key[1] for key in self._settings if key[0] == "guild" and key[1] > 0} | set(self._showcases)
        known |= {guild for guild, _, _ in self._maps} | {row.guild for row in self._acts.values()}
        left = known.difference(present)
        self._departures = {guild: self._departures.get(guild, in_ms(now)) for guild in left}
        found = sorted((since, guild) for guild, since in self._departures.items())
        return tuple(Departure(guild, since) for since, guild in found)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""
        self._change()
        self._settings.pop(("guild", guild), None)
        self._showcases.pop(guild, None)
        self._departures.pop(guild, None)
        self._maps = {key: row for key, row in self._maps.items() if key[0] != guild}
        self._acts = {number: row for number, row in self._acts.items() if row.guild != guild}
        self._forbidden = {key: row for key, row in self._forbidden.items() if key[0] != guild}
        self._outages = [one for one in self._outages if one.guild != guild]

    async def server_use(self) -> tuple[ServerUse, ...]:
        """How each server with matches uses the bot."""
        found: dict[int, ServerUse] = {}
        for row in self.rows.values():
            if (guild := row.place.guild) is not None:
                use = found.get(guild, ServerUse(guild, 0, row.created, row.updated))
                live = use.live + (row.status == "live")
                first, latest = min(use.first, row.created), max(use.latest, row.updated)
                found[guild] = ServerUse(guild, live, first, latest)
        return tuple(sorted(found.values(), key=lambda use: (-use.live, -use.latest.timestamp(), use.guild)))
