"""Maps added to servers, on PostgreSQL. A list never reads the pictures; a single map is loaded with them."""

from __future__ import annotations

from storage.maps import MapsPart
from storage.postgres.parts import PostgresPart


class PostgresMaps(MapsPart, PostgresPart):
    """The part of the Store that keeps maps."""
