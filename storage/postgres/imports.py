"""What came with imported records, on PostgreSQL: checksums, and headers that aren't the engine's."""

from __future__ import annotations

from storage.imports import ImportsPart
from storage.postgres.parts import PostgresPart


class PostgresImports(ImportsPart, PostgresPart):
    """The part of the Store that knows where imported matches came from."""
