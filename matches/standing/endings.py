"""What a change that ends a match says about its people, made ready for its transaction."""

from __future__ import annotations

from collections.abc import Sequence

from matches.log.replay import MAX_INLINE
from matches.ports import Store
from matches.standing.match_results import result_of
from matches.store.rows import Logged, MatchRow
from matches.store.standing_rows import MatchResult
from matches.threads import in_thread


async def result_after(store: Store, row: MatchRow, last: Sequence[Logged]) -> MatchResult | None:
    """Return what a match says about its people after a change; None unless the change ends it.

    `row` is the match after the change, `last` are its entries. A change that ends a match gives no seat to
    anyone else, so that the holders are those that are stored.
    """
    if row.status != "over" or row.conditions.rated is None:
        return None
    log = (*await store.log(row.id), *last)
    holders = await store.holders(row.id)
    if len(log) > MAX_INLINE:
        return await in_thread(result_of, row, log, holders)
    return result_of(row, log, holders)
