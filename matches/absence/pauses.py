"""Pause a match by consent of all people who play in it. Any of them ends a pause, and so does a move."""

from __future__ import annotations

from itertools import islice

from games.engine import match as engine
from games.engine.game import Seat
from games.engine.match import Change, Kind, Match
from games.engine.message import Msg, msg
from matches import occupants
from matches.core import Core, LoadedMatch
from matches.results import Played, Refused
from matches.store.rows import MatchRow


class Pauses:
    """What people say about pauses."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def ask(
        self, match_id: str, who: int, *, request: str, asked: int | None = None
    ) -> Played | Refused:
        """Ask for a pause or agree to one; the last one who agrees pauses the match.

        `asked` is the entry of the request to agree to; None for any, or a new one.
        """

        def judge(loaded: LoadedMatch) -> Change | Refused:
            seat = occupants.seat_of(loaded.row, who)
            if (why := _why_not(loaded, seat, asked)) is not None or seat is None:
                return Refused(why or msg("match.refuse.not_yours"))
            others = waiting_for(loaded.row, loaded.match) - {Seat(seat)}
            act = engine.ask_pause if others else engine.pause
            change = act(loaded.match, Seat(seat), loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    async def resume(
        self, match_id: str, who: int, *, request: str, asked: int | None = None
    ) -> Played | Refused:
        """End a pause, or decline or withdraw the request for one.

        `asked` is the entry of the request to decline; None for whatever there is.
        """

        def judge(loaded: LoadedMatch) -> Change | Refused:
            seat = occupants.seat_of(loaded.row, who)
            if (why := _why_not(loaded, seat, asked)) is not None or seat is None:
                return Refused(why or msg("match.refuse.not_yours"))
            change = engine.resume(loaded.match, Seat(seat), loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)


def requested(match: Match) -> int | None:
    """Return the entry that made the open request for a pause; None if there is none."""
    if not match.talk.pausing:
        return None
    asking = (entry.seq for entry in reversed(match.log) if entry.kind is Kind.PAUSE and not entry.data)
    return list(islice(asking, len(match.talk.pausing)))[-1]  # each seat agrees once


def _why_not(loaded: LoadedMatch, seat: int | None, asked: int | None) -> Msg | None:
    """Return why someone can't say anything about a pause."""
    if seat is None:
        return msg("match.refuse.not_yours")
    if loaded.match.ending is None and loaded.match.hosting.clock is None:
        return msg("match.refuse.no_clock")
    if loaded.match.ending is None and asked is not None and asked != requested(loaded.match):
        return msg("match.refuse.no_pause_request")
    return None


def waiting_for(row: MatchRow, match: Match) -> frozenset[Seat]:
    """Return the seats of people who play and haven't agreed to a pause."""
    return (match.playing & occupants.person_seats(row)) - match.talk.pausing
