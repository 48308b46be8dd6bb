"""What moderators have done, whom they forbid to play, and who blocks whom, on PostgreSQL."""

from __future__ import annotations

from storage.moderation import ModerationPart
from storage.postgres.parts import PostgresPart


class PostgresModeration(ModerationPart, PostgresPart):
    """The part of the Store that knows what moderators have done, and who blocks whom."""
