"""The analyses of finished matches, on PostgreSQL."""

from __future__ import annotations

from storage.analyses import AnalysesPart
from storage.postgres.parts import PostgresPart


class PostgresAnalyses(AnalysesPart, PostgresPart):
    """The part of the Store that keeps analyses."""
