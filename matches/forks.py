"""Continue finished matches from any of their moves, with people or computers, in lobbies of their own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from games.engine.forks import ForkPoint, decision_after
from games.engine.game import Seat
from games.engine.match import CorruptLogError, Match
from games.engine.message import msg
from matches.clocks.control import TimeControl
from matches.core import Core, why_not_started
from matches.lobbies import Lobbies
from matches.results import Lobby, Person, Refused
from matches.rows import MatchRow, OriginRef, Place

log = logging.getLogger(__name__)


class Forks:
    """Continues finished matches."""

    def __init__(self, core: Core, lobbies: Lobbies) -> None:
        self._core = core
        self._lobbies = lobbies

    async def find(self, row: MatchRow, move: int | None = None) -> Match | Refused:
        """Return a finished match after that many moves, with seats to act; the last such position for None.

        A match in progress can't be continued: its log has what is still hidden, and its moves may be advice.
        """
        if (why := why_not_started(row)) is not None:
            return Refused(why)
        if row.source != "import" and (row.status not in ("over", "aborted") or row.set_aside):
            return Refused(msg("match.fork.live", match=row.id))
        entries = [one.entry for one in await self._core.store.log(row.id)]
        try:
            found: ForkPoint = await asyncio.to_thread(decision_after, entries, move)
        except CorruptLogError as error:
            log.exception("match %s can't be read", row.id)
            return Refused(msg("match.refuse.corrupt", id=row.id, entry=error.seq))
        except LookupError as error:
            (last,) = error.args
            if last is None:
                return Refused(msg("match.fork.none", match=row.id))
            return Refused(msg("match.fork.move", match=row.id, last=last))
        return found.match

    async def open(
        self,
        row: MatchRow,
        host: Person,
        place: Place,
        *,
        request: str,
        move: int | None = None,
        invited: Sequence[Person] = (),
        use_thread: bool = True,
        clock: TimeControl | None = None,
    ) -> Lobby | Refused:
        """Open the lobby of a match that continues this one, with its seats and options.

        Whether the host may see this match is up to the caller. Raises StoreError if no id can be found.
        """
        found = await self.find(row, move)
        if isinstance(found, Refused):
            return found
        return await self._lobbies.create(
            host,
            place,
            row.game,
            request=request,
            seats=found.setup.seats,
            options=dict(found.setup.options),
            invited=invited,
            use_thread=use_thread,
            clock=clock,
            origin=reference(row, found),
        )

    async def begins(self, row: MatchRow) -> Match | None:
        """Return the position in which the match of a lobby will begin.

        None for the start of its game, or if the position can't be made any longer.
        """
        if row.origin is None:
            return None
        try:
            return await self._core.origins.at(row.origin)
        except (LookupError, CorruptLogError):
            log.exception("the origin of %s can't be read", row.id)
            return None


def reference(row: MatchRow, match: Match) -> OriginRef:
    """Return what a lobby keeps of the position in which its match begins."""
    out = frozenset(map(Seat, range(match.setup.seats))) - match.playing
    return OriginRef(row.id, match.seq, match.plays, match.setup.rules, tuple(sorted(map(int, out))))
