"""What moderators of a server do with its matches and people, each with a reason that goes into their log.

Whether someone is a moderator is up to the caller. What they do in a match is an entry of its log, judged by
the engine, and committed together with the log of the moderators and the messages about it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from games.engine import match as engine
from games.engine.game import Seat
from games.engine.match import Change
from games.engine.message import Msg, msg
from matches import occupants
from matches import outbox_drafts as drafts
from matches.core import ATTEMPTS, Core, LoadedMatch, stale, unknown_match, why_not_started
from matches.lobby import lobby_rules
from matches.lobby.admission import Admission, seated
from matches.lobby.lobbies import Lobbies
from matches.outbox.messages import BoardMessage, LogNotice
from matches.outbox.queue import Draft
from matches.ports import RepeatedError, StaleError
from matches.results import Person, Played, Refused
from matches.seats import SeatChange, Seats
from matches.store.clocks import LOOK_AGAIN
from matches.store.moderation import Action, ModerationRow
from matches.store.rows import Commit, MatchRow, Place
from matches.store.seats import SeatOffer

_Notices: TypeAlias = Callable[[MatchRow, MatchRow], Awaitable[tuple[Draft, ...]]]
"""Drafts the messages of a change from the row after and before it."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a moderator of a server wants, why, and the id of the request."""

    guild: int
    moderator: int
    reason: str
    request: str


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """A seat, and the person in it when the moderator chose it; None for a computer."""

    seat: int
    user: int | None


class Moderation:
    """Carries out what moderators decide."""

    def __init__(self, core: Core, lobbies: Lobbies, seats: Seats, admission: Admission) -> None:
        self._core = core
        self._lobbies = lobbies
        self._seats = seats
        self._admission = admission

    # --- a whole match ------------------------------------------------------------------------------------

    async def pause(self, match_id: str, by: Ruling) -> MatchRow | Refused:
        """Stop a match and its clocks: nobody can move until a moderator lets it go on."""
        return await self._rule(match_id, by, "pause")

    async def end(self, match_id: str, by: Ruling) -> MatchRow | Refused:
        """End a match without a result. Its secret stays sealed, so that it can be reopened."""
        return await self._rule(match_id, by, "end")

    async def draw(self, match_id: str, by: Ruling) -> MatchRow | Refused:
        """Decide that a match is drawn between all who still play: it is over, and can't be reopened."""
        return await self._rule(match_id, by, "draw")

    async def resume(self, match_id: str, by: Ruling) -> MatchRow | Refused:
        """Let a match go on that was paused, ended by a moderator, or set aside."""
        row = await self._core.store.match(match_id)
        if row is None or row.place.guild != by.guild:
            return unknown_match(match_id)
        if row.is_final:
            return await self._answer(by, Refused(msg("match.refuse.reopen", match=row.id)), row)
        if row.set_aside:
            others = await self._core.store.by_place(row.place.home, ("live",))
            if others and row.place.thread is None:
                return Refused(msg("match.refuse.reopen_place", other=others[0].id))
        if row.set_aside and not row.ended_by_moderator:
            return await self._change(match_id, by, "resume", _take_up, notices=self._board_again)
        return await self._rule(match_id, by, "resume")

    async def move(self, match_id: str, by: Ruling, place: Place) -> MatchRow | Refused:
        """Play a match in another channel of the server from now on."""

        def change(row: MatchRow) -> MatchRow | Msg:
            if (why := why_not_started(row)) is not None:
                return why
            if row.status != "live":
                return msg("match.refuse.over")
            if row.place.home == place.home:
                return msg("match.refuse.moved_here")
            return replace(row, place=place, unreachable="")

        async def notices(after: MatchRow, before: MatchRow) -> tuple[Draft, ...]:
            boards = await self._board_again(after, before)
            return boards if before.unreachable else (*boards, drafts.moved(after, before.place))

        detail = str(place.home)
        moved = await self._change(match_id, by, "move", change, notices=notices, detail=detail)
        if isinstance(moved, MatchRow):
            await self._core.store.outbox_revive(match_id, self._core.now())
        return moved

    async def clear(self, match_id: str, by: Ruling) -> MatchRow | Refused:
        """Close a lobby."""

        def change(row: MatchRow) -> MatchRow | Msg:
            return occupants.why_not_open(row) or lobby_rules.close(row)

        async def notices(after: MatchRow, before: MatchRow) -> tuple[Draft, ...]:
            return (*drafts.lobby(after, before), drafts.cleared(after, by.reason))

        return await self._change(match_id, by, "clear", change, notices=notices, own=True)

    async def _board_again(self, after: MatchRow, before: MatchRow) -> tuple[Draft, ...]:
        loaded = await self._core.position(before)
        return drafts.again(after, loaded.match, loaded.changes[0].first)

    # --- seats --------------------------------------------------------------------------------------------

    async def give_time(self, match_id: str, by: Ruling, held: SeatHeld, seconds: int) -> MatchRow | Refused:
        """Give the clock of a seat more time, from now on if its time is up."""

        def judge(loaded: LoadedMatch) -> Change | Msg:
            return engine.rule(loaded.match, f"time {seconds}", loaded.sealed, Seat(held.seat))

        return await self._decide(match_id, by, "time", judge, held=held, detail=str(seconds))

    async def award(self, match_id: str, by: Ruling, held: SeatHeld) -> MatchRow | Refused:
        """Decide that a seat and its team have won a match: it is over, and can't be reopened."""

        def judge(loaded: LoadedMatch) -> Change | Msg:
            return engine.rule(loaded.match, "win", loaded.sealed, Seat(held.seat))

        level = await self._level(match_id, held)
        return await self._decide(match_id, by, "win", judge, held=held, detail=level)

    async def remove(self, match_id: str, by: Ruling, held: SeatHeld) -> MatchRow | Refused:
        """Remove a seat from a match, as if it resigned."""

        def judge(loaded: LoadedMatch) -> Change | Msg:
            return engine.remove(loaded.match, Seat(held.seat), loaded.sealed)

        level = await self._level(match_id, held)
        return await self._decide(match_id, by, "remove", judge, held=held, detail=level)

    async def computer(self, match_id: str, by: Ruling, held: SeatHeld, level: str) -> MatchRow | Refused:
        """Let a computer of a level play a seat; its person can't come back on their own."""
        act = self._act(by, "computer", match_id, held.user, level)

        def check(loaded: LoadedMatch) -> Msg | None:
            refused = _why_not(loaded.row, by) or _why_not_held(loaded.row, held)
            return None if refused is None else refused.why

        changed = await self._seats.replace(
            match_id,
            held.seat,
            level,
            request=by.request,
            why="computer",
            by=by.moderator,
            returns=False,
            check=check,
            act=act,
        )
        return changed.played.row if isinstance(changed, SeatChange) else changed

    async def offer(self, match_id: str, by: Ruling, held: SeatHeld, to: Person) -> MatchRow | Refused:
        """Offer a seat to a person, who gets it by accepting."""
        loaded = await self._core.load(match_id)
        if isinstance(loaded, Refused):
            return loaded
        row = loaded.row
        if (refused := _why_not(row, by) or _why_not_held(row, held)) is not None:
            return refused
        why = await self._seats.why_not_offer_to(row, loaded.match, held.seat, to)
        others = frozenset(one.user for one in row.seats if one.user is not None and one.seat != held.seat)
        why = why or await self._admission.why_not_invite(row.place.guild, (to.id,), others)
        if why is not None:
            return Refused(why)
        offer = SeatOffer(row.id, held.seat, by.moderator, row.version, to.id, own=False)
        act = self._act(by, "offer", row.id, to.id)
        await self._seats.offer(row, offer, act)
        return row

    # --- people -------------------------------------------------------------------------------------------

    async def forbid(self, by: Ruling, person: int, notices: Sequence[Draft] = ()) -> Refused | None:
        """Forbid a person to start and join matches in the server, and take them out of its lobbies.

        Matches that they play in go on.
        """
        if person == by.moderator:
            return Refused(msg("match.refuse.forbid_self"))
        done = await self._core.store.moderate(self._act(by, "forbid", "", person), notices)
        for row in await self._core.store.by_user(person, ("lobby",)):
            if row.place.guild == by.guild:
                await self._lobbies.leave_or_close(row.id, person, request=f"{by.request}:{row.id}")
        return None if done else Refused(msg("match.refuse.forbidden_already", who=f"<@{person}>"))

    async def lift(self, by: Ruling, person: int, notices: Sequence[Draft] = ()) -> Refused | None:
        """Let a person play in the server again."""
        done = await self._core.store.moderate(self._act(by, "lift", "", person), notices)
        return None if done else Refused(msg("match.refuse.forbidden_not", who=f"<@{person}>"))

    # --- what all of them do ------------------------------------------------------------------------------

    async def _level(self, match_id: str, held: SeatHeld) -> str:
        """Return the level of the computer in a seat, by which the log names it; empty for a person."""
        row = await self._core.store.match(match_id)
        return row.seats[held.seat].level if row is not None and held.seat < len(row.seats) else ""

    async def _rule(self, match_id: str, by: Ruling, ruling: Action) -> MatchRow | Refused:
        def judge(loaded: LoadedMatch) -> Change | Msg:
            return engine.rule(loaded.match, ruling, loaded.sealed)

        return await self._decide(match_id, by, ruling, judge)

    async def _decide(
        self,
        match_id: str,
        by: Ruling,
        action: Action,
        judge: Callable[[LoadedMatch], Change | Msg],
        *,
        held: SeatHeld | None = None,
        detail: str = "",
    ) -> MatchRow | Refused:
        """Commit a change of a started match, together with its row of the moderators' log."""
        act = self._act(by, action, match_id, None if held is None else held.user, detail)

        def judged(loaded: LoadedMatch) -> Change | Refused:
            refused = _why_not(loaded.row, by) or _why_not_held(loaded.row, held)
            if refused is not None:
                return refused
            change = judge(loaded)
            return Refused(change) if isinstance(change, Msg) else change

        answer = await self._core.decide(match_id, by.moderator, by.request, judged, act=act)
        return answer.row if isinstance(answer, Played) else answer

    async def _change(
        self,
        match_id: str,
        by: Ruling,
        action: Action,
        change: Callable[[MatchRow], MatchRow | Msg],
        *,
        notices: _Notices,
        detail: str = "",
        own: bool = False,
    ) -> MatchRow | Refused:
        """Commit a change of a row that isn't one of its log; `own` allows it in matches of one's own."""
        async with self._core.locks.hold(match_id) as held:
            for _ in range(ATTEMPTS):
                row = await self._core.store.match(match_id)
                if row is None:
                    return unknown_match(match_id)
                if (refused := _why_not(row, by, own=own)) is not None:
                    return refused
                after = change(row)
                if isinstance(after, Msg):
                    return await self._answer(by, Refused(after), row)
                now = self._core.now()
                after = replace(after, revision=row.revision + 1, updated=max(now, row.updated))
                outbox = [_with_reason(draft, by.reason) for draft in await notices(after, row)]
                deadlines = {LOOK_AGAIN: now} if row.set_aside and row.conditions.clock is not None else None
                act = self._act(by, action, row.id, None, detail)
                commit = Commit(
                    after, now, (), tuple(outbox), by.request, deadlines, mirrors=True, moderation=act
                )
                try:
                    await self._core.store.commit(commit)
                except RepeatedError:
                    return row
                except StaleError:
                    continue
                held.changed()
                return after
            return stale()

    async def _answer(self, by: Ruling, refused: Refused, row: MatchRow) -> MatchRow | Refused:
        """Return a refusal, or the row if the request was served before."""
        return refused if await self._core.store.request(by.request) is None else row

    def _act(
        self, by: Ruling, action: Action, match_id: str, person: int | None, detail: str = ""
    ) -> ModerationRow:
        now = self._core.now()
        return ModerationRow(by.guild, by.moderator, action, by.reason, now, match_id, person, detail)


def _why_not(row: MatchRow, by: Ruling, *, own: bool = False) -> Refused | None:
    """Return why a moderator can't act on a match: it is elsewhere, or they play in it themselves."""
    if row.place.guild != by.guild:
        return unknown_match(row.id)
    if not own and by.moderator in seated(row):
        return Refused(msg("match.refuse.moderate_own"))
    return None


def _why_not_held(row: MatchRow, held: SeatHeld | None) -> Refused | None:
    """Return that a seat has changed hands since a moderator chose it."""
    if held is None or (held.seat < len(row.seats) and row.seats[held.seat].user == held.user):
        return None
    return Refused(msg("match.refuse.seat_changed"))


def _take_up(row: MatchRow) -> MatchRow | Msg:
    return replace(row, status="live", result=None) if row.set_aside else msg("match.refuse.not_paused")


def _with_reason(draft: Draft, reason: str) -> Draft:
    if isinstance(draft.message, BoardMessage | LogNotice):
        return replace(draft, message=replace(draft.message, reason=reason))
    return draft
