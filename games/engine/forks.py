"""Find the positions of a log from which a match can be continued."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.game import CHANCE
from games.engine.log import Entry, Kind, Match, in_force
from games.engine.match import walk
from games.engine.origin import Origin


class ForkPoint(NamedTuple):
    """A position in which seats are to act, and the number of the last such position."""

    match: Match
    last: int


def decision_after(entries: Sequence[Entry], move: int | None) -> ForkPoint:
    """Return the position after `move` moves, with what chance drew since, or the last one for None.

    Moves that were taken back don't count, and neither does anything after the end. Raises LookupError if
    seats aren't to act after that many moves: its only argument is the last number at which they are, None if
    there is none; CorruptLogError as `walk`.
    """
    final = entries[-1].seq - (entries[-1].kind is Kind.REVEAL)
    standing = {0, *(entry.seq for entry in in_force(entries, final))}
    found: Match | None = None
    last: int | None = None
    for match, _ in walk(entries):
        if match.seq not in standing or not match.to_act or CHANCE in match.to_act:
            continue
        last = match.plays
        if move is None or match.plays == move:
            found = match
    if found is None or last is None:
        raise LookupError(last)
    return ForkPoint(found, last)


def position_after(entries: Sequence[Entry], move: int | None) -> Match:
    """Return the match after `move` moves, with what chance drew since; for None as it stands.

    Unlike `decision_after`, the position may be the end. Raises LookupError with the number of moves that
    stand if there are fewer; CorruptLogError as `walk`.
    """
    last = entries[-1].seq
    standing = {last, *(e.seq for e in in_force(entries, last - (entries[-1].kind is Kind.REVEAL))), 0}
    found: Match | None = None
    plays = 0
    for match, _ in walk(entries):
        plays = match.plays
        if match.seq in standing and move in (None, plays):
            found = match
    if found is None:
        raise LookupError(plays)
    return found


def origin_of(match: Match, known_as: str, checksum: str = "") -> Origin:
    """Return the origin of a match that continues from here; `known_as` is the id it is known by."""
    return Origin(
        match=known_as,
        entry=match.seq,
        move=match.plays,
        position=match.game.dump(match.state),
        gone=match.seats.gone,
        checksum=checksum,
    )
