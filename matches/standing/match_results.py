"""What a finished match says about its people: a pure function of its row, its log, and who held its seats.

The same is computed when a match ends and when ratings are rebuilt, so nothing else may be asked here: no
clock, no settings, no blocks, which people could change afterwards. docs/standing.md states the rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from statistics import median_low

from games.engine import registry
from games.engine.match import Kind
from games.engine.rulings import MODERATOR
from matches.log.replay import MAX_INLINE
from matches.long_work import in_thread
from matches.ports import Store
from matches.store.rows import Logged, MatchRow, SeatHolder
from matches.store.standing import ComputerResult, MatchResult, PersonResult, Share, Unrated, Why

_TURN = frozenset((Kind.PLAY, Kind.DEFAULT, Kind.TAKEBACK, Kind.START))
"""Kinds of entries after which someone else may be to move."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)

LogRow = tuple[int, str, int | None, str, int]
"""An entry of a log as it is stored, for rebuilds read millions: number, kind, seat, data, milliseconds."""


@dataclass(frozen=True, slots=True)
class _Tenure:
    """A person or a computer (None) in a seat, from entry `since` up to before entry `until`."""

    seat: int
    user: int | None
    since: int
    until: int | None = None

    def holds(self, seq: int) -> bool:
        """Return whether an entry of the seat was made in their time."""
        return self.since < seq and (self.until is None or seq < self.until)


def result_of(row: MatchRow, logged: Sequence[Logged], holders: Sequence[SeatHolder]) -> MatchResult | None:
    """Return what a match says about its people; None if it says nothing. `logged` is its whole log."""
    rows = [(one.entry.seq, one.entry.kind, one.entry.seat, one.entry.data, _to_ms(one.at)) for one in logged]
    return result_of_rows(row, rows, holders)


def result_of_rows(row: MatchRow, log: Sequence[LogRow], holders: Sequence[SeatHolder]) -> MatchResult | None:
    """Return what a match says about its people; None if it says nothing.

    It does if it began when there were ratings, was played to its end, and people sat in it.
    """
    ranks: list[int] = [] if row.result is None else row.result.get("ranks", [])
    if row.status != "over" or row.provenance.source != "played" or row.conditions.rated is None or not ranks:
        return None
    game = registry.get(row.game)
    teams = game.teams(len(row.seats), row.options)
    tenures = _tenures(row, holders)
    places = dict(zip(teams, ranks, strict=True))
    tied = {place for place, sides in Counter(places.values()).items() if sides > 1}
    own = _by_seat(log)
    people = tuple(
        _person(tenures[seat], user, own.get(seat, ()), teams[seat], ranks[seat], tied=ranks[seat] in tied)
        for seat in sorted(tenures)
        for user in dict.fromkeys(one.user for one in tenures[seat] if one.user is not None)
    )
    if not people:
        return None
    computers = _computers(log[0][3], tenures, teams, ranks)
    return MatchResult(
        match=row.id,
        at=_from_ms(log[-1][4]),
        game=row.game,
        family=game.family(len(row.seats), row.options),
        guild=row.place.guild,
        sides=len(set(teams)),
        unrated=_why_unrated(row, log, tenures, people, computers),
        people=people,
        computers=computers,
    )


def _to_ms(at: datetime) -> int:
    return (at - _EPOCH) // _MS


def _from_ms(at: int) -> datetime:
    return _EPOCH + at * _MS


def _computers(
    head: str, tenures: Mapping[int, list[_Tenure]], teams: Sequence[int], ranks: Sequence[int]
) -> tuple[ComputerResult, ...]:
    """Return the computers that sat in a match from the start and whose strength its first entry has."""
    if '"computers"' not in head:
        return ()
    noted = json.loads(head).get("computers", {})
    return tuple(
        ComputerResult(seat, teams[seat], ranks[seat], *noted[str(seat)])
        for seat, held in sorted(tenures.items())
        if held[0].user is None and str(seat) in noted
    )


def _tenures(row: MatchRow, holders: Sequence[SeatHolder]) -> Mapping[int, list[_Tenure]]:
    """Return who held each seat, in order. Seats that never changed hands have no row in `holders`."""
    held: dict[int, list[_Tenure]] = {}
    for one in sorted(holders, key=lambda each: (each.seat, each.since)):
        before = held.setdefault(one.seat, [])
        if before:
            before[-1] = replace(before[-1], until=one.since)
        before.append(_Tenure(one.seat, one.user if one.occupant == "person" else None, one.since))
    for seat in row.seats:
        if seat.seat not in held:
            held[seat.seat] = [_Tenure(seat.seat, seat.user if seat.occupant == "person" else None, 0)]
    return held


def _by_seat(log: Sequence[LogRow]) -> Mapping[int, list[tuple[LogRow, LogRow | None]]]:
    """Return the entries of each seat, each with the latest before it after which someone else may move."""
    found: dict[int, list[tuple[LogRow, LogRow | None]]] = {}
    latest: LogRow | None = None
    for entry in log:
        _, kind, seat, _, _ = entry
        if seat is not None:
            found.setdefault(seat, []).append((entry, latest))
        if kind in _TURN:
            latest = entry
    return found


def _person(
    tenures: Sequence[_Tenure],
    user: int,
    entries: Sequence[tuple[LogRow, LogRow | None]],
    side: int,
    place: int,
    *,
    tied: bool,
) -> PersonResult:
    """Return what a match says about one of the people who held a seat, from its entries by `_by_seat`."""
    own = [one for one in tenures if one.user == user]
    waits: list[int] = []
    last_move: int | None = None
    timed_out: int | None = None
    removed = False
    moves = 0
    for (seq, kind, seat, data, at), latest in entries:
        if not _held(own, seq):
            continue
        if kind == Kind.PLAY:
            moves, last_move = moves + 1, at
            if latest is not None and latest[2] != seat:
                waits.append(at - latest[4])
        elif kind == Kind.TIMEOUT:
            timed_out = at
        elif kind == Kind.RESIGN:
            removed = removed or data == MODERATOR
    began, stayed = tenures[0].user == user, tenures[-1].user == user
    share, why = _share(began=began, stayed=stayed, moved=moves > 0, removed=removed)
    return PersonResult(
        user=user,
        seat=tenures[0].seat,
        side=side,
        place=place,
        tied=tied,
        share=share,
        why=why,
        since=own[0].since,
        moves=moves,
        pace=median_low(waits) if waits else None,
        last_move=None if last_move is None else _from_ms(last_move),
        timed_out=None if timed_out is None else _from_ms(timed_out),
    )


def _held(own: Sequence[_Tenure], seq: int) -> bool:
    """Return whether one of someone's tenures holds an entry; hardly ever has anyone had two."""
    return own[0].holds(seq) or (len(own) > 1 and any(one.holds(seq) for one in own[1:]))


def _share(*, began: bool, stayed: bool, moved: bool, removed: bool) -> tuple[Share, Why]:
    """Return what a result may do to a person's rating, and why not everything."""
    if removed:
        return "none", "removed"
    if not moved:
        return "none", "unmoved" if stayed else "left"
    if not stayed:
        return ("loss" if began else "none"), "left"
    return ("both", "") if began else ("gain", "substitute")


def _why_unrated(
    row: MatchRow,
    log: Sequence[LogRow],
    tenures: Mapping[int, list[_Tenure]],
    people: Sequence[PersonResult],
    computers: Sequence[ComputerResult],
) -> Unrated:
    """Return why a match can't count for anyone's rating; empty if it can."""
    measured = {one.seat for one in computers}
    kinds = {entry[1] for entry in log}
    checks: tuple[tuple[Unrated, bool], ...] = (
        ("fork", row.provenance.origin is not None),
        ("computer", any(held[0].user is None and seat not in measured for seat, held in tenures.items())),
        ("friendly", not row.conditions.rated),
        ("twice", len({one.user for one in people}) < len(people)),
        ("hint", Kind.HINT in kinds),
        ("undo", Kind.ASK in kinds and Kind.TAKEBACK in kinds and _undone_by_consent(log)),
    )
    return next((why for why, holds in checks if holds), "")


def _undone_by_consent(log: Sequence[LogRow]) -> bool:
    """Return whether a move was taken back that its author couldn't have taken back alone."""
    asked: set[tuple[int | None, str]] = set()
    for _, kind, seat, data, _ in log:
        if kind == Kind.ASK:
            asked.add((seat, data))
        elif kind == Kind.TAKEBACK and (seat, data) in asked:
            return True
        elif kind in _TURN or kind == Kind.DECLINE:
            asked.clear()
    return False


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
