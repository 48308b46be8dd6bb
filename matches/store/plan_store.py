"""The part of the Store that keeps plans."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from matches.outbox.queue import Draft
from matches.store.plan_rows import PlanRow


class PlanStore(Protocol):
    """Where plans are kept.

    A commit with `plan` stores that plan in the same transaction. Whatever changes a match removes the plans
    that no longer belong to anyone: all of them once it isn't live, and that of a seat that a person lost.
    """

    async def plans(self, match_id: str) -> tuple[PlanRow, ...]:
        """Return the plans for a match, by seat."""
        ...

    async def planned_matches(self) -> frozenset[str]:
        """Return the ids of the matches for which there are plans."""
        ...

    async def save_plan(self, plan: PlanRow, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a plan or replace that of its seat, and queue a message in the same transaction.

        An empty plan removes it. Raises LookupError for an unknown match, ValueError for a message without
        the time.
        """
        ...
