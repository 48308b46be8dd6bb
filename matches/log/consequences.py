"""What follows from a change of a match: its row, and who begins to wait for what.

Someone is to act, is next, or the match is over: of these the store keeps a row for each seat (`ping_rows`),
written in the transaction of the change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from games.engine.match import Entry, Kind, Match
from matches.store.ping_rows import TurnChange
from matches.store.rows import MatchRow, Status

_MIN_FOR_NEXT = 3
"""Between two, the one who isn't to move is always next."""


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
