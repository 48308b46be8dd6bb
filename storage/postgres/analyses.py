"""The analyses of finished matches, on PostgreSQL."""

from __future__ import annotations

from storage.analyses import AnalysesPart
from storage.postgres.parts import PostgresPart

_SAVE = """
INSERT INTO analyses (match, source, made, data) VALUES (%s, %s, %s, %s)
ON CONFLICT (match) DO UPDATE SET source = excluded.source, made = excluded.made, data = excluded.data
"""


class PostgresAnalyses(AnalysesPart, PostgresPart):
    """The part of the Store that keeps analyses."""
