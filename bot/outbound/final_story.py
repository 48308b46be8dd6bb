"""The story that a message about the end of a match tells."""

from __future__ import annotations

import logging

from bot.context import Context
from games.engine.match import Match
from matches.ports import StoreError
from matches.store.rows import MatchRow
from matches.story import Story

log = logging.getLogger(__name__)


async def story_at_the_end(ctx: Context, row: MatchRow, match: Match) -> Story | None:
    """Return the story of a match whose end is shown; None if there is none, or it can't be told.

    Raises StoreError.
    """
    if match.ending is None or row.version != match.seq:
        return None
    try:
        return await ctx.service.stories.of(row)
    except StoreError:
        raise
    except Exception:  # the result is worth posting without it
        log.exception("%s: its story can't be told", row.id)
        return None
