"""Presses that come too late: of a button or menu that was shown before the position changed.

Each carries the last entry of the log that its board showed. Notes and talk that follow it do no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.game import Seat
from games.engine.match import Entry, Kind, Match, fold
from matches.core import stale
from matches.log.changes import POSITION_KEPT
from matches.results import Refused


def why_late(match: Match, version: int | None, *, talk: bool = False) -> Refused | None:
    """Return the refusal if the position has changed since entry `version`, the last that a person saw.

    Draw offers don't change the position; with `talk` a change of the open offers counts too. None is never
    late: the person typed.
    """
    if version is None or version == match.seq:
        return None
    if not 0 <= version < match.seq or version < position_entry(match.log):
        return stale()
    return stale() if talk and _offers(match, version) != match.talk.offers else None


def position_entry(log: Sequence[Entry]) -> int:
    """Return the last entry that may have changed the position."""
    return next((entry.seq for entry in reversed(log) if entry.kind not in POSITION_KEPT), 0)


def _offers(match: Match, version: int) -> frozenset[Seat]:
    """Return the seats with an open draw offer after entry `version`; the position is the same since then."""
    offers: set[Seat] = set()
    left: set[Seat] = set()
    for entry in reversed(match.log[: version + 1]):
        if entry.kind is Kind.OFFER and entry.seat is not None and entry.seat not in left:
            offers.add(entry.seat)
        elif entry.kind is Kind.SUBSTITUTE and entry.data and entry.seat is not None:
            left.add(entry.seat)  # what its holder before had offered was withdrawn
        elif entry.kind is Kind.TAKEBACK:
            return fold(match.log[: version + 1]).talk.offers  # those of an earlier position
        elif entry.kind not in (POSITION_KEPT | {Kind.CHANCE}) - {Kind.DECLINE}:
            break
    return frozenset(offers)
