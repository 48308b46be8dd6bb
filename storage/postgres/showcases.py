"""The channels in which servers show their matches, on PostgreSQL."""

from __future__ import annotations

from storage.postgres.parts import PostgresPart
from storage.showcases import SHOWCASE_COLUMNS, ShowcasesPart

_PUT = f"""
INSERT INTO showcases ({SHOWCASE_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (guild) DO UPDATE SET channel = excluded.channel, by = excluded.by, since = excluded.since,
    message = excluded.message, shown = excluded.shown, edited = excluded.edited
"""  # noqa: S608 - our own columns


class PostgresShowcases(ShowcasesPart, PostgresPart):
    """The part of the Store that keeps showcases."""
