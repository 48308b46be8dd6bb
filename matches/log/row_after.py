"""The row of a match as it follows from its log."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from games.engine.match import Kind, Match
from matches.store.rows import MatchRow, Status


def row_after(row: MatchRow, match: Match, now: datetime) -> MatchRow:
    """Return the row of a match after a change that was made at `now`; its log says whether it is live."""
    result: dict[str, Any] | None = None
    status: Status = "live" if row.set_aside else row.status  # a move takes it up again
    if match.hosting.held == "end":
        status, result = "aborted", {"how": "moderator", "ranks": []}
    if match.ending is not None:
        how, outcome = match.ending.how, match.ending.outcome
        result = {"how": how, "ranks": [] if outcome is None else list(outcome.ranks)}
        if on_time := sorted(e.seat for e in match.log if e.kind is Kind.TIMEOUT and e.seat is not None):
            result["timeouts"] = on_time  # a rating counts several of one person within some days once
        status = "aborted" if how == "abort" else "over"
    return replace(
        row, status=status, result=result, version=match.seq, revision=row.revision + 1, updated=now
    )
