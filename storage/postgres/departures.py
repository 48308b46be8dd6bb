"""Servers that the bot has left, on PostgreSQL."""

from __future__ import annotations

from storage.departures import DeparturesPart
from storage.postgres.parts import PostgresPart


class PostgresDepartures(DeparturesPart, PostgresPart):
    """The part of the Store that knows which servers the bot has left."""
