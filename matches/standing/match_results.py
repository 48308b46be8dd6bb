"""The results of people in a finished match: a pure function of its row, its log, and who held its seats.

The same is computed when a match ends and when ratings are rebuilt, so nothing else may be asked here: no
clock, no settings, no blocks, which people could change afterwards. docs/standing.md states the rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from statistics import median_low

from games.engine import registry
from games.engine.game import AnyGame
from games.engine.match import Kind
from games.engine.rulings import MODERATOR
from matches.log.replay import MAX_INLINE
from matches.long_work import in_thread
from matches.ports import Store
from matches.store.rows import Logged, MatchRow, SeatHolder
from matches.store.standing import ComputerResult, MatchResult, PersonResult, Share, Unrated, Why

_TURN = frozenset((Kind.PLAY, Kind.DEFAULT, Kind.TAKEBACK, Kind.START))
"""Kinds of entries after which someone else may be to move."""
_DEEDS = frozenset((Kind.PLAY, Kind.TIMEOUT, Kind.RESIGN))
"""Kinds of entries that `_Deeds` has."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)

LogRow = tuple[int, str, int | None, str, int]
"""An entry of a log as it is stored, for rebuilds read millions: number, kind, seat, data, milliseconds."""


@dataclass(frozen=True, slots=True)
class _Tenure:
    """A person or a computer (None) in a seat, from entry `since` up to the next one's."""

    seat: int
    user: int | None
    since: int


@dataclass(slots=True)
class _Deeds:
    """What someone did in a seat; times and waits in milliseconds."""

    moves: int = 0
    waits: list[int] = field(default_factory=list)
    last_move: int | None = None
    timed_out: int | None = None
    removed: bool = False


@dataclass(frozen=True, slots=True)
class EndedRow:
    """What the result of a match that was played to its end follows from, besides its log and holders."""

    match: str
    game: str
    guild: int | None
    options: str
    """As JSON."""
    ranks: Sequence[int]
    rated: bool
    fork: bool
    seats: Mapping[int, int | None]
    """Who has each seat, None for a computer."""


def result_of(row: MatchRow, logged: Sequence[Logged], holders: Sequence[SeatHolder]) -> MatchResult | None:
    """Return the result of a match for its people; None if it has none. `logged` is its whole log.

    It does if it began when there were ratings, was played to its end, and people sat in it.
    """
    ranks: list[int] = [] if row.result is None else row.result.get("ranks", [])
    if row.status != "over" or row.provenance.source != "played" or row.conditions.rated is None or not ranks:
        return None
    ended = EndedRow(
        row.id,
        row.game,
        row.place.guild,
        json.dumps(row.options),
        ranks,
        row.conditions.rated,
        row.provenance.origin is not None,
        {one.seat: one.user if one.occupant == "person" else None for one in row.seats},
    )
    log = [(one.entry.seq, one.entry.kind, one.entry.seat, one.entry.data, _to_ms(one.at)) for one in logged]
    return result_of_rows(ended, log, holders)


def result_of_rows(row: EndedRow, log: Sequence[LogRow], holders: Sequence[SeatHolder]) -> MatchResult | None:
    """Return the result of a match for its people; None if nobody sat in it."""
    teams, family = _sides(registry.get(row.game), len(row.seats), row.options)
    tenures = _tenures(row, holders)
    places = list(dict(zip(teams, row.ranks, strict=True)).values())
    deeds = _deeds(log, tenures)
    people = tuple(
        _person(tenures[seat], user, deeds[seat, user], teams[seat], row.ranks[seat], places)
        for seat in sorted(tenures)
        for user in dict.fromkeys(one.user for one in tenures[seat] if one.user is not None)
    )
    if not people:
        return None
    computers = _computers(log[0][3], tenures, teams, row.ranks)
    return MatchResult(
        match=row.match,
        at=_from_ms(log[-1][4]),
        game=row.game,
        family=family,
        guild=row.guild,
        sides=len(places),
        unrated=_why_unrated(row, log, tenures, people, computers),
        people=people,
        computers=computers,
    )


@lru_cache(1000)
def _sides(game: AnyGame, seats: int, options: str) -> tuple[tuple[int, ...], str]:
    """Return the team of each seat, and the family of the set-up."""
    chosen = json.loads(options)
    return game.teams(seats, chosen), game.family(seats, chosen)


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


def _tenures(row: EndedRow, holders: Sequence[SeatHolder]) -> Mapping[int, list[_Tenure]]:
    """Return who held each seat, in order. Seats that never changed hands have no row in `holders`."""
    held: dict[int, list[_Tenure]] = {}
    for one in sorted(holders, key=lambda each: (each.seat, each.since)):
        user = one.user if one.occupant == "person" else None
        held.setdefault(one.seat, []).append(_Tenure(one.seat, user, one.since))
    for seat, user in row.seats.items():
        if seat not in held:
            held[seat] = [_Tenure(seat, user, 0)]
    return held


def _deeds(
    log: Sequence[LogRow], tenures: Mapping[int, list[_Tenure]]
) -> Mapping[tuple[int, int | None], _Deeds]:
    """Return what each holder of each seat did in it."""
    found = {(one.seat, one.user): _Deeds() for held in tenures.values() for one in held}
    turn_of: int | None = None
    since: int | None = None
    for seq, kind, seat, data, at in log:
        if kind in _DEEDS and seat is not None:
            held = tenures[seat]
            deeds = found[seat, held[0].user if len(held) == 1 else _holder(held, seq)]
            if kind == Kind.PLAY:
                deeds.moves, deeds.last_move = deeds.moves + 1, at
                if since is not None and turn_of != seat:
                    deeds.waits.append(at - since)
            elif kind == Kind.TIMEOUT:
                deeds.timed_out = at
            elif data == MODERATOR:
                deeds.removed = True
        if kind in _TURN:
            turn_of, since = seat, at
    return found


def _holder(held: Sequence[_Tenure], seq: int) -> int | None:
    """Return who held a seat when an entry of it was made."""
    return next((one.user for one in reversed(held) if one.since < seq), held[0].user)


def _person(
    tenures: Sequence[_Tenure], user: int, deeds: _Deeds, side: int, place: int, places: Sequence[int]
) -> PersonResult:
    """Return the result of one of the people who held a seat."""
    began, stayed = tenures[0].user == user, tenures[-1].user == user
    share, why = _share(began=began, stayed=stayed, moved=deeds.moves > 0, removed=deeds.removed)
    return PersonResult(
        user=user,
        seat=tenures[0].seat,
        side=side,
        place=place,
        tied=places.count(place) > 1,
        share=share,
        why=why,
        since=next(one.since for one in tenures if one.user == user),
        moves=deeds.moves,
        pace=median_low(deeds.waits) if deeds.waits else None,
        last_move=None if deeds.last_move is None else _from_ms(deeds.last_move),
        timed_out=None if deeds.timed_out is None else _from_ms(deeds.timed_out),
    )


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
    row: EndedRow,
    log: Sequence[LogRow],
    tenures: Mapping[int, list[_Tenure]],
    people: Sequence[PersonResult],
    computers: Sequence[ComputerResult],
) -> Unrated:
    """Return why a match can't count for anyone's rating; empty if it can."""
    measured = {one.seat for one in computers}
    kinds = {entry[1] for entry in log}
    checks: tuple[tuple[Unrated, bool], ...] = (
        ("fork", row.fork),
        ("computer", any(held[0].user is None and seat not in measured for seat, held in tenures.items())),
        ("friendly", not row.rated),
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
    """Return the result of a match for its people after a change; None unless the change ends it.

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
