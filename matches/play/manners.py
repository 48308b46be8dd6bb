"""How computers behave: they resign hopeless matches, and offer or accept draws where nothing goes on.

What a computer expects comes with each of its turns, from the same search. The latest expectations of its
turns in a row are remembered here, not stored: after a restart it takes some turns more to make up its mind.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

from games.engine.game import Expectation, Seat
from games.engine.levels import MANNERS, Manners
from games.engine.match import Kind, Match
from matches.occupants import person_seats
from matches.store.rows import MatchRow
from matches.thinking.jobs import DecidedTurn

_MAX_CACHED: Final = 1024
_KEPT: Final = 24
"""Number of turns that are remembered."""
_WITH_DICE: Final = 0.25
"""Factor for the share below which a match with dice or cards is hopeless: there luck can still turn."""
_LOST: Final = 0.4
"""Share below which a draw is welcome."""
_EVEN: Final = 0.53
"""Share up to which a draw is fair once nothing goes on."""
_STILL: Final = 0.08
"""Range of the shares within which nothing goes on."""
_STILL_FOR: Final = 6
"""Number of turns without progress after which a fair draw is accepted."""
_PLAIN: Final = Manners()
"""Those of computers that never resign."""


@dataclass(frozen=True, slots=True)
class _Remembered:
    seq: int
    """The last entry of the turn."""
    expected: Expectation


class Courtesies:
    """Remembers what computers expect, and finds what would be polite."""

    def __init__(self) -> None:
        self._turns: LRUCache[tuple[str, Seat], tuple[_Remembered, ...]] = LRUCache(_MAX_CACHED)

    def note(self, turn: DecidedTurn) -> None:
        """Remember what computers expect after a turn that counts."""
        match = turn.match
        for seat, expected in turn.expected.items():
            known = self._in_force(match, seat)
            self._turns[match.id, seat] = (*known, _Remembered(match.seq, expected))[-_KEPT:]

    def resigns(self, row: MatchRow, match: Match, turn: DecidedTurn) -> Seat | None:
        """Return the seat that resigns in place of a turn that it would play; None if it goes on."""
        for seat, expected in turn.expected.items():
            manners = _manners(row, seat)
            latest = (*self._shares(match, seat), expected)[-manners.resigns_after :]
            below = manners.resigns_below * (_WITH_DICE if match.game.chance or match.game.hidden else 1.0)
            hopeless = all(each.share + 2 * each.error < below for each in latest)
            if hopeless and len(latest) == manners.resigns_after and harms_nobody(row, match, seat):
                return seat
        return None

    def agrees(self, match: Match, seat: Seat) -> bool | None:
        """Return whether a computer agrees to a draw; None if it hasn't searched in this match yet."""
        shares = self._shares(match, seat)
        if not shares:
            return None
        if shares[-1].share < _LOST:
            return True
        return shares[-1].share <= _EVEN and _is_still(shares[-_STILL_FOR:], _STILL_FOR)

    def offers(self, row: MatchRow, match: Match, seat: Seat) -> bool:
        """Return whether a computer that has just moved offers a draw: never twice in the same while."""
        after = _manners(row, seat).offers_after
        if not after or match.ending is not None or match.talk.offers or not harms_nobody(row, match, seat):
            return False
        if seat in match.to_act:
            return False
        turns = self._in_force(match, seat)[-after:]
        shares = [each.expected for each in turns]
        if not _is_still(shares, after) or not all(_LOST <= each.share <= 1 - _LOST for each in shares):
            return False
        first = turns[0].seq
        return all(entry.kind is not Kind.OFFER for entry in match.log[first:])

    def _shares(self, match: Match, seat: Seat) -> tuple[Expectation, ...]:
        return tuple(each.expected for each in self._in_force(match, seat))

    def _in_force(self, match: Match, seat: Seat) -> tuple[_Remembered, ...]:
        """Return the remembered turns of a seat; none after a takeback, or after someone else sat there."""
        known = self._turns.get((match.id, seat), ())
        if known and (known[-1].seq > match.seq or _interrupted(match, seat, known[-1].seq)):
            return ()
        return known


def _interrupted(match: Match, seat: Seat, since: int) -> bool:
    later = match.log[since + 1 :]
    reseated = (entry.kind is Kind.SUBSTITUTE and entry.seat == seat for entry in later)
    return any(reseated) or any(entry.kind is Kind.TAKEBACK for entry in later)


def _is_still(shares: Iterable[Expectation], wanted: int) -> bool:
    """Return whether there are as many turns as wanted, and none has brought progress."""
    values = [each.share for each in shares]
    return len(values) == wanted and max(values) - min(values) <= _STILL


def _manners(row: MatchRow, seat: Seat) -> Manners:
    return MANNERS.get(row.seats[seat].level, _PLAIN)


def harms_nobody(row: MatchRow, match: Match, seat: Seat) -> bool:
    """Return whether a seat plays alone against one team, of people only, so that its end harms no one."""
    teams = match.setup.teams
    others = match.playing - {seat}
    return (
        bool(others)
        and all(teams[each] != teams[seat] for each in others)
        and len({teams[each] for each in others}) == 1
        and others <= person_seats(row)
    )
