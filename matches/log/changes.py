"""Group the entries of a log into changes: a change is the entries of one commit, for one request.

Draws of chance and the reveal of the secret belong to the entry before them. Several actions of one commit
have the same time, and no two commits of a match do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.engine.match import Entry, Kind
from matches.store.rows import Logged

AUTOMATIC = frozenset({Kind.CHANCE, Kind.REVEAL})
"""Kinds of entries that follow from others automatically."""
POSITION_KEPT = frozenset(
    {
        *(Kind.OFFER, Kind.ASK, Kind.DECLINE, Kind.SUBSTITUTE),
        *(Kind.FLAG, Kind.CLAIM, Kind.PAUSE, Kind.RESUME),
        *(Kind.DOWNTIME, Kind.VACATION, Kind.HINT, Kind.COACH, Kind.RULING),
    }
)
"""Kinds of entries that don't change the position, such as draw offers."""
NOTES = frozenset({Kind.DOWNTIME, Kind.VACATION})
"""Kinds of entries by which the host notes what has stopped clocks: the next message tells of them."""
UNTOLD = NOTES | {Kind.HINT, Kind.COACH}
"""Kinds of entries after which the latest board stays the current one."""
BY_CLOCK = frozenset({Kind.FLAG, Kind.DEFAULT, Kind.TIMEOUT})
"""Kinds of entries that the clock makes, even where a person claimed them."""
_TOGETHER = frozenset({Kind.PLAY, Kind.CLAIM, Kind.SUBSTITUTE}) | BY_CLOCK
"""Kinds of which one commit may have several entries."""


def is_current(log: Sequence[Entry], version: int) -> bool:
    """Return whether nothing that is told has followed entry `version`."""
    return version < len(log) and all(entry.kind in UNTOLD for entry in log[version + 1 :])


@dataclass(frozen=True, slots=True)
class ChangeSpan:
    """The first and the last entry of a change, and whether it may have changed the position."""

    first: int
    last: int
    position: bool


def change_spans(log: Iterable[Logged], last: int) -> list[ChangeSpan]:
    """Return the changes up to entry `last`, in order; empty if there are no entries."""
    spans: list[ChangeSpan] = []
    decided: Logged | None = None
    for logged in log:
        entry = logged.entry
        if entry.seq > last:
            break
        goes_on = entry.kind in AUTOMATIC or (decided is not None and _same_commit(decided, logged))
        if spans and goes_on:
            position = spans[-1].position or entry.kind not in (POSITION_KEPT | AUTOMATIC)
            spans[-1] = ChangeSpan(spans[-1].first, entry.seq, position)
        else:
            spans.append(ChangeSpan(entry.seq, entry.seq, entry.kind not in POSITION_KEPT))
        if entry.kind not in AUTOMATIC:
            decided = logged
    return spans


def since_position(spans: list[ChangeSpan]) -> list[ChangeSpan]:
    """Return the last change of the position and those after it; all if none has changed it."""
    for index in range(len(spans) - 1, -1, -1):
        if spans[index].position:
            return spans[index:]
    return spans


def _same_commit(one: Logged, other: Logged) -> bool:
    return one.at == other.at and {one.entry.kind, other.entry.kind} <= _TOGETHER
