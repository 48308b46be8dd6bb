"""Continue finished matches from any of their moves, with people or computers, in lobbies of their own."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from games.engine.dice import SECRET_BYTES, Sealed
from games.engine.forks import ForkPoint, decision_after, origin_of
from games.engine.game import Seat
from games.engine.match import CorruptLogError, Match, begin
from games.engine.message import msg
from matches import outbox_drafts as drafts
from matches.clocks.control import TimeControl
from matches.core import Core, unknown_match, why_not_started
from matches.ids import create_with_new_id
from matches.lobby.admission import Admission
from matches.lobby.lobbies import Lobbies
from matches.long_work import in_thread
from matches.occupants import is_study, seats_in
from matches.ports import RepeatedError
from matches.results import Lobby, Person, Refused
from matches.store.rows import (
    Commit,
    Conditions,
    LobbyState,
    Logged,
    MatchRow,
    OriginRef,
    Place,
    Provenance,
    Request,
)

log = logging.getLogger(__name__)
MAX_STUDIES = 10
"""Maximum number of studies that a person has going at a time."""


class Forks:
    """Continues finished matches."""

    def __init__(self, core: Core, lobbies: Lobbies, admission: Admission) -> None:
        self._core = core
        self._admission = admission
        self._lobbies = lobbies

    async def find(self, row: MatchRow, move: int | None = None) -> Match | Refused:
        """Return a finished match after that many moves, with seats to act; the last such position for None.

        A match in progress can't be continued: its log has what is still hidden, and its moves may be advice.
        """
        if (why := why_not_started(row)) is not None:
            return Refused(why)
        if row.ended_by_moderator:
            return Refused(msg("match.refuse.held_ended"))
        if row.provenance.source != "import" and (row.status not in ("over", "aborted") or row.set_aside):
            return Refused(msg("match.fork.live", match=row.id))
        entries = [one.entry for one in await self._core.store.log(row.id)]
        try:
            found: ForkPoint = await in_thread(decision_after, entries, move)
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

    async def study(
        self, row: MatchRow, owner: Person, channel: int, *, request: str, move: int | None = None
    ) -> MatchRow | Refused:
        """Begin a study from a move of this match, in a person's direct messages.

        Raises StoreError if no id can be found.
        """
        found = await self.find(row, move)
        if isinstance(found, Refused):
            return found
        async with self._core.locks.hold(f"user/{owner.id}"):
            if (served := await self._core.store.request(request)) is not None:
                return await self._served(served)
            if (why := await self._admission.why_excluded(None, owner.id)) is not None:
                return Refused(why)
            mine = await self._core.store.by_user(owner.id, ("live",))
            if sum(map(is_study, mine)) >= MAX_STUDIES:
                return Refused(msg("match.fork.studies", n=MAX_STUDIES))
            try:
                return await create_with_new_id(
                    self._core.store,
                    self._core.entropy,
                    found.game.code,
                    lambda match_id: self._begun(row, found, owner, channel, match_id, request),
                )
            except RepeatedError as error:
                return await self._served(error.request)

    async def _served(self, served: Request) -> MatchRow | Refused:
        return await self._core.store.match(served.match) or unknown_match(served.match)

    def _begun(
        self, row: MatchRow, at: Match, owner: Person, channel: int, match_id: str, request: str
    ) -> Commit:
        """Return the commit that creates a study with an id, already begun."""
        now, secret = self._core.now(), self._core.entropy.token(SECRET_BYTES)
        sealed = Sealed(secret, match_id, "study")
        change = begin(at.game, at.setup, sealed, origin=origin_of(at, row.id))
        study = MatchRow(
            id=match_id,
            game=row.game,
            status="live",
            place=Place(None, channel),
            host=owner.id,
            seats=seats_in(change.match, owner),
            options=dict(at.setup.options),
            secret=secret.hex(),
            created=now,
            updated=now,
            version=change.match.seq,
            lobby=LobbyState(use_thread=False),
            conditions=Conditions(rated=False),
            provenance=Provenance("study", reference(row, at)),
        )
        logged = tuple(Logged(entry, now) for entry in change.entries)
        return Commit(study, now, logged, drafts.start(study, change.match.seq, ()), request)

    async def begins(self, row: MatchRow) -> Match | None:
        """Return the position in which the match of a lobby will begin.

        None for the start of its game, or if the position can't be made any longer.
        """
        if row.provenance.origin is None:
            return None
        try:
            return await self._core.origins.at(row.provenance.origin)
        except (LookupError, CorruptLogError):
            log.exception("the origin of %s can't be read", row.id)
            return None


def reference(row: MatchRow, match: Match) -> OriginRef:
    """Return what a lobby keeps of the position in which its match begins."""
    out = frozenset(map(Seat, range(match.setup.seats))) - match.playing
    return OriginRef(row.id, match.seq, match.plays, match.setup.rules, tuple(sorted(map(int, out))))
