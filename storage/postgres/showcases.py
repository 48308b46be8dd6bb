"""The channels in which servers show their matches, on PostgreSQL."""

from __future__ import annotations

from storage.postgres.parts import PostgresPart
from storage.showcases import ShowcasesPart


class PostgresShowcases(ShowcasesPart, PostgresPart):
    """The part of the Store that keeps showcases."""
