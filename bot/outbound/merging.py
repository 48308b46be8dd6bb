"""Merge the boards of a lane that have waited for long: only the newest is worth posting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from matches.store.rows import OutboxRow

STALE_AFTER = timedelta(minutes=10)
"""From this age on a board isn't posted if a newer one waits behind it."""
_LAID_ASIDE = frozenset(
    {"guild", "channel", "person", "permission", "locked", "threads", "refused", "content", "failed"}
)
"""The reasons with which messages wait or were parked: of these, too, only the newest board is posted."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The rows of a lane after merging; `kept` shows all changes of the boards and notices `covered`."""

    rows: tuple[OutboxRow, ...]
    kept: OutboxRow
    covered: tuple[int, ...]


def merge(rows: Sequence[OutboxRow], now: datetime) -> Merged | None:
    """Return the rows of a lane with its boards merged into the newest; None if the first isn't stale."""
    boards = [row for row in rows if row.draft.kind == "board"]
    news = [row for row in boards if not row.draft.payload.get("again")]
    if len(boards) < 2 or not news or not _is_stale(boards[0], now):
        return None
    newest = news[-1]
    covered = tuple(
        row.id
        for row in rows
        if row.id < newest.id
        and (row.draft.kind == "board" or (row.draft.kind == "notice" and "last" in row.draft.payload))
    )
    if not covered:
        return None
    # Without `ping` it calls everyone who is to act: the boards that it covers called some of them.
    first = min(row.draft.payload["first"] for row in rows if row.id in covered or row is newest)
    payload = {"first": first, "last": newest.draft.payload["last"]}
    shown = [row for row in rows if row.id in covered or row is newest]
    if reasons := [row.draft.payload["reason"] for row in shown if row.draft.payload.get("reason")]:
        payload["reason"] = " / ".join(reasons)
    kept = replace(newest, draft=replace(newest.draft, payload=payload))
    left = tuple(kept if row is newest else row for row in rows if row.id not in covered)
    return Merged(left, kept, covered)


def _is_stale(row: OutboxRow, now: datetime) -> bool:
    return row.error in _LAID_ASIDE or now - row.created >= STALE_AFTER
