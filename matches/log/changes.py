"""Group the entries of a log into changes: the entries of one commit, for one request; and what follows.

Draws of chance and the reveal of the secret belong to the entry before them. Several actions of one commit
have the same time, and no two commits of a match do. From a change follow the row of the match, and who
begins to wait for what: of these the store keeps a row for each seat, written in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from games.engine.match import Entry, Kind, Match
from matches.store.rows import Logged, MatchRow, Status, TurnChange

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
"""Kinds of entries by which the host notes what has stopped clocks: the next message shows them."""
BOARD_KEPT = NOTES | {Kind.HINT, Kind.COACH}
"""Kinds of entries after which the latest board stays the current one."""
BY_CLOCK = frozenset({Kind.FLAG, Kind.DEFAULT, Kind.TIMEOUT})
"""Kinds of entries that the clock makes, even where a person claimed them."""
_TOGETHER = frozenset({Kind.PLAY, Kind.CLAIM, Kind.SUBSTITUTE}) | BY_CLOCK
"""Kinds of which one commit may have several entries."""
_MIN_FOR_NEXT = 3
"""Between two, the one who isn't to move is always next."""


def is_current(log: Sequence[Entry], version: int) -> bool:
    """Return whether entry `version` is followed only by entries of BOARD_KEPT kinds, if any."""
    return version < len(log) and all(entry.kind in BOARD_KEPT for entry in log[version + 1 :])


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


def row_after(row: MatchRow, match: Match, now: datetime) -> MatchRow:
    """Return the row of a match after a change that was made at `now`; its log decides whether it is live."""
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


def turn_changes(
    before_row: MatchRow,
    before: Match | None,
    after_row: MatchRow,
    after: Match,
    entries: Iterable[Entry],
    author: int | None,
) -> tuple[TurnChange, ...]:
    """Return what changes for the people of a match, by seat; `before` is None at the start.

    `author` is who made the change; None at the start, where nobody knows who is to act.
    """
    if after_row.provenance.source == "study":
        return ()  # its owner plays all sides, and is never called
    was = {} if before is None else _waiting(before)
    now = _waiting(after)
    acted = {entry.seat for entry in entries if entry.kind is Kind.PLAY and entry.seat is not None}
    found = []
    for each in after_row.seats:
        seat, user = each.seat, each.user if each.occupant == "person" else None
        held = before_row.seats[seat]
        former = held.user if held.occupant == "person" else None
        what: Literal["turn", "next", "result", "over", "alone"] | None = None
        if user is None:
            if former is not None and was.get(seat):
                found.append(TurnChange(seat, former, "over", after.seq))
            continue
        if after.ending is not None:
            what = "result"
        elif now.get(seat) != was.get(seat) or (user != former and seat in now):
            what = now.get(seat, "over")
        elif now.get(seat) == "turn" and seat in acted and user == author:
            what = "turn"  # another order of the same turn: they know
        elif before is not None and _only(after) == seat and _only(before) is None and seat not in acted:
            what = "alone"
        if what is not None:
            found.append(TurnChange(seat, user, what, after.seq, acted=user == author))
    return tuple(found)


def _waiting(match: Match) -> dict[int, Literal["turn", "next"]]:
    """Return the seats that are to act, and the one that acts after the only one that does."""
    found: dict[int, Literal["turn", "next"]] = {int(seat): "turn" for seat in match.to_act if seat >= 0}
    only, playing = _only(match), match.playing
    if only is not None and len(playing) >= _MIN_FOR_NEXT:
        seats = match.setup.seats
        order = ((only + step) % seats for step in range(1, seats))
        following = next((seat for seat in order if seat in playing), None)
        if following is not None:
            found[following] = "next"
    return found


def _only(match: Match) -> int | None:
    """Return the seat that the match waits for, if it is one."""
    return int(min(match.to_act)) if len(match.to_act) == 1 and min(match.to_act) >= 0 else None
