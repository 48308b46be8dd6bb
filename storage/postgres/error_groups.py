"""Unexpected errors, on PostgreSQL."""

from __future__ import annotations

from storage.error_groups import ErrorsPart
from storage.postgres.parts import PostgresPart


class PostgresErrors(ErrorsPart, PostgresPart):
    """The part of the Store that knows errors."""
