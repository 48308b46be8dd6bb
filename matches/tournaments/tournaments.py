"""Tournaments from their creation to their end. `tournament_rules` has the rules of what people do.

The rest is done by `tick`: it takes in the results of matches that have ended, pairs what can be paired, and
starts matches. A tournament in which nothing has changed isn't even read: whatever changes it wakes it, in
the same transaction (`TournamentStore.claim_tournaments`). Each step can be repeated: the match of a pairing
is made by requests that name the pairing, so that a crash in between makes no second one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine.game import Seat
from games.engine.match import Change
from games.engine.message import Msg, msg
from matches.clocks.control import from_json, to_json
from matches.core import ATTEMPTS, Core, LoadedMatch, stale
from matches.lobby import lobby_rules
from matches.lobby.admission import Admission, seated
from matches.lobby.lobbies import Lobbies
from matches.long_work import in_thread
from matches.ports import StaleError
from matches.results import Person, Refused
from matches.store.rows import MatchRow
from matches.store.standing import EVERYWHERE, Ladder
from matches.store.tournaments import TournamentEntry, TournamentPlan, TournamentRow
from matches.tournaments import tournament_rules
from matches.tournaments.starting import start_matches
from matches.tournaments.tournament_rules import Judged, TournamentChange
from tournaments.event import Event, forfeited, points_of_match, with_result
from tournaments.league import LEAST
from tournaments.progress import advanced, is_over

log = logging.getLogger(__name__)
_AGAIN: Final = timedelta(minutes=1)
"""After which time a tournament is looked after again, if that was interrupted."""
_TITLE: Final = 60
"""Maximum length of a title, in characters."""


class Tournaments:
    """Everything that can be done with tournaments."""

    def __init__(self, core: Core, levels: Levels, lobbies: Lobbies, admission: Admission) -> None:
        self._core = core
        self._levels = levels
        self._lobbies = lobbies
        self._admission = admission

    # --- what people do -----------------------------------------------------------------------------------

    async def create(
        self,
        organiser: Person,
        guild: int,
        channel: int,
        title: str,
        game: str,
        plan: TournamentPlan,
        deadline: datetime | None = None,
    ) -> TournamentRow | Refused:
        """Open a tournament in a channel, or return why it can't be.

        Sign-up ends at `deadline`, if there is one. With a clock, people whose time is up lose, whatever the
        clock's own rule for that: others wait for the result.
        """
        title = " ".join(title.split())[:_TITLE]
        judged = lobby_rules.check_setup(game, plan.seats, plan.options)
        if isinstance(judged, Msg):
            return Refused(judged)
        teams = judged[0].teams(plan.seats, judged[1].options)
        why_not = tournament_rules.why_no_teams(plan) or tournament_rules.why_not_playable(plan, teams)
        if not title or why_not is not None:
            return Refused(why_not or msg("tournament.refuse.plan"))
        if plan.format == "league" and plan.group < LEAST:
            return Refused(msg("tournament.refuse.division", n=LEAST))
        if plan.check_in and deadline is None:
            return Refused(msg("tournament.refuse.check_in"))
        if (why := await self._admission.why_not_join(guild, organiser.id)) is not None:
            return Refused(why)
        now = self._core.now()
        cap = max(2, min(plan.cap, tournament_rules.MAX_ENTRANTS))
        clock = plan.clock
        if clock is not None:
            clock = to_json(replace(from_json(clock), acts="automatic", follows="loss"))
        plan = replace(plan, cap=cap, clock=clock, sides=tournament_rules.sides_of(plan, teams))
        row = TournamentRow(
            0, guild, channel, organiser.id, title, game, "open", plan, now, now, deadline=deadline
        )
        return await self._core.store.create_tournament(row, TournamentEntry(now, organiser.id, "created"))

    async def join(self, tournament: int, who: Person, team: int = 0) -> TournamentRow | Refused:
        """Take part, in the team of that number, by default in the smallest one.

        Refused also for people who may not play with someone who takes part.
        """
        row = await self._core.store.tournament(tournament)
        if row is not None:
            others = {one.user for one in row.entrants if one.user is not None and one.user != who.id}
            if (why := await self._admission.why_not_join(row.guild, who.id, others)) is not None:
                return Refused(why)
        return await self._change(
            tournament, lambda row: tournament_rules.join(row, who, self._core.now(), team)
        )

    async def leave(self, tournament: int, user: int) -> TournamentRow | Refused:
        """Leave before the start, or withdraw: matches in progress are played to their end."""
        return await self._change(
            tournament, lambda row: tournament_rules.leave(row, row.number_of(user), user, self._core.now())
        )

    async def organise(
        self,
        tournament: int,
        by: int,
        judge: Callable[[TournamentRow], Judged],
        *,
        manager: bool = False,
    ) -> TournamentRow | Refused:
        """Do what only the organiser and managers of the server may do."""

        def judged(row: TournamentRow) -> Judged:
            return tournament_rules.why_not_organiser(row, by, manager=manager) or judge(row)

        return await self._change(tournament, judged)

    async def add_computer(
        self, tournament: int, by: int, level: str, *, manager: bool = False
    ) -> TournamentRow | Refused:
        """Let a computer of a level take part."""

        def judge(row: TournamentRow) -> Judged:
            if not self._levels.has(row.game, level):
                names = tuple(msg(f"ai.level.{name}") for name in self._levels.names(row.game))
                return msg("lobby.refuse.level", levels=names)
            return tournament_rules.add_computer(row, level, by, self._core.now())

        return await self.organise(tournament, by, judge, manager=manager)

    async def start(self, tournament: int, by: int, *, manager: bool = False) -> TournamentRow | Refused:
        """Start: people are seeded by their rating, the others after them by lot; or all by lot, if agreed.

        The seeding of a league is that of its last season, if it has had one.
        """
        row = await self._core.store.tournament(tournament)
        seeds = {} if row is None else await self._seeds(row)

        def judge(row: TournamentRow) -> Judged:
            order = sorted((one.number for one in row.entrants), key=lambda one: seeds.get(one, (1, 0)))
            return tournament_rules.start(row, order, by, self._core.now())

        return await self.organise(tournament, by, judge, manager=manager)

    async def _seeds(self, row: TournamentRow) -> dict[int, tuple[int, int]]:
        """Return what entrants are sorted by: those with a rating come first, by it, the others by lot."""
        judged = lobby_rules.check_setup(row.game, row.plan.seats, row.plan.options)
        found: dict[int, tuple[int, int]] = {}
        if row.plan.season > 1:
            return {one.number: (0, one.number) for one in row.entrants}
        for one in row.entrants:
            found[one.number] = 1, int.from_bytes(self._core.entropy.token(4), "big")
            if one.user is not None and not row.plan.by_lot and not isinstance(judged, Msg):
                ladder = Ladder(row.game, judged[0].family(row.plan.seats, judged[1].options), EVERYWHERE)
                rating = (await self._core.store.ratings_of(one.user)).get(ladder)
                if rating is not None:
                    found[one.number] = 0, -rating.mu
        return found

    async def repair(
        self, tournament: int, by: int, pairing: int, result: str, *, manager: bool = False
    ) -> TournamentRow | Refused:
        """Give a pairing a result, as `tournament_rules.repair` reads it."""
        now = self._core.now()
        return await self.organise(
            tournament,
            by,
            lambda row: tournament_rules.repair(row, pairing, result, by, now),
            manager=manager,
        )

    async def give_time(
        self, tournament: int, by: int, pairing: int, seconds: int, *, request: str, manager: bool = False
    ) -> TournamentRow | Refused:
        """Give both players of a pairing more time on their clocks; organisers can't in their own matches.

        The match has the last word: what it has taken is noted here whatever else has happened meanwhile, and
        once. Between the two only a kill can come, after which only the match has recorded it.
        """
        row = await self._core.store.tournament(tournament)
        if row is None:
            return Refused(msg("tournament.refuse.unknown"))
        why = tournament_rules.why_not_organiser(row, by, manager=manager) or tournament_rules.why_no_time(
            row, pairing
        )
        match = row.matches[pairing - 1] if why is None else None
        if match is None:
            return Refused(why or msg("tournament.refuse.not_played"))
        given = await self._core.decide(match, by, request, lambda loaded: _more_time(loaded, by, seconds))
        if isinstance(given, Refused):
            return given
        about = {"pairing": pairing, "seconds": seconds, "entry": given.last}
        if any(one.data == about for one in await self._core.store.tournament_log(tournament)):
            return await self._core.store.tournament(tournament) or Refused(msg("tournament.refuse.unknown"))
        now = self._core.now()
        return await self._change(
            tournament, lambda row: tournament_rules.changed(row, now, by, "time", **about)
        )

    async def substitute(
        self, tournament: int, by: int, number: int, who: Person, *, manager: bool = False
    ) -> TournamentRow | Refused:
        """Put a person in the place of an entrant."""
        row = await self._core.store.tournament(tournament)
        if row is not None:
            others = {one.user for one in row.entrants if one.user is not None and one.number != number}
            if (why := await self._admission.why_not_invite(row.guild, (who.id,), others)) is not None:
                return Refused(why)
        now = self._core.now()
        return await self.organise(
            tournament,
            by,
            lambda row: tournament_rules.substitute(row, number, who, by, now),
            manager=manager,
        )

    async def _change(
        self, tournament: int, judge: Callable[[TournamentRow], Judged]
    ) -> TournamentRow | Refused:
        async with self._core.locks.hold(f"tournament/{tournament}"):
            for _ in range(ATTEMPTS):
                row = await self._core.store.tournament(tournament)
                if row is None:
                    return Refused(msg("tournament.refuse.unknown"))
                verdict = judge(row)
                if isinstance(verdict, Msg):
                    return Refused(verdict)
                try:
                    return await self._save(verdict)
                except StaleError:
                    continue
            return stale()

    async def _save(self, change: TournamentChange) -> TournamentRow:
        """Save a change of a row that was just read. Raises StaleError."""
        row = replace(change.row, revision=change.row.revision + 1, updated=self._core.now())
        await self._core.store.save_tournament(row, change.entries, change.following)
        return row

    # --- what follows -------------------------------------------------------------------------------------

    async def tick(self) -> tuple[MatchRow, ...]:
        """Look after the tournaments in which something has changed; return the matches that were started.

        An error in one tournament is logged, and the others go on; what it was about is tried again later.
        """
        started: list[MatchRow] = []
        now = self._core.now()
        for tournament in await self._core.store.claim_tournaments(now, now + _AGAIN):
            try:
                started += await self._advance(tournament, now + _AGAIN)
            except StaleError:
                continue  # someone was quicker: the next tick goes on from there
            except Exception:
                log.exception("tournament %s can't be looked after", tournament)
        return tuple(started)

    async def _advance(self, tournament: int, claimed: datetime) -> tuple[MatchRow, ...]:
        """Take in results, pair, and start matches; return those that were started. Raises StaleError.

        What is saved here is looked through once more by the next tick, which then finds nothing to do.
        """
        async with self._core.locks.hold(f"tournament/{tournament}"):
            row = await self._core.store.tournament(tournament)
            if row is None:
                return ()
            before = row
            if row.status in ("open", "running", "paused"):
                change = await self._looked_after(row)
                if change.row != row:
                    row = await self._save(change)
            started: tuple[MatchRow, ...] = ()
            refused = False
            if row.status == "running":
                started, refused, change = await start_matches(self._lobbies, row, self._core.now())
                if started:
                    await self._save(change)
            if row == before and not started and not refused:
                await self._core.store.rest_tournament(tournament, claimed, row.next_step)
            return started

    async def _looked_after(self, row: TournamentRow) -> TournamentChange:
        """Return a tournament after everything that follows from results, bars and the time."""
        change = await self._without_the_gone(TournamentChange(row))
        if row.status == "open":
            return await self._by_time(change)
        ended = frozenset(await self._core.store.ended_in_tournament(row.id))
        change = await self._with_results(change, ended)
        if row.next_step is not None and self._core.now() >= row.next_step:
            change = change.then(tournament_rules.end_season(change.row, self._core.now()))
        return await self._paired(change, ended) if row.status == "running" else change

    async def _by_time(self, change: TournamentChange) -> TournamentChange:
        """Return a tournament whose check-in has begun, or whose sign-up has ended, if it's time."""
        row, now = change.row, self._core.now()
        if row.next_step is None or now < row.next_step:
            return change
        if row.plan.check_in and not row.checking:
            return change.then(tournament_rules.begin_check_in(row, now))
        change = change.then(tournament_rules.close_sign_up(row, now))
        if change.row.deadline is None:
            return change
        seeds = await self._seeds(change.row)
        begun = tournament_rules.start(change.row, sorted(seeds, key=lambda one: seeds[one]), None, now)
        return change if isinstance(begun, Msg) else change.then(begun)

    async def _with_results(self, change: TournamentChange, ended: frozenset[str]) -> TournamentChange:
        """Return a tournament with the results of matches that have ended since."""
        row, entries, now = change.row, list(change.entries), self._core.now()
        event = row.event
        for index in event.open:
            match = row.matches[index] if index < len(row.matches) else None
            found = await self._core.store.match(match) if match is not None and match in ended else None
            if match is None or found is None or found.status != "over" or found.result is None:
                continue
            seats = event.pairings[index].seats
            absent = await self._absent(match) if row.plan.seats == 2 or not row.plan.sides else frozenset()
            unplayed = bool(absent) and len(seats) - len(absent) < 2  # else the others have played it
            if unplayed:
                numbers = frozenset(seats[seat] for seat in absent)
                event = with_result(event, index, forfeited(event, seats, numbers), played=False)
            else:
                event = with_result(event, index, points_of_match(event, found.result["ranks"]))
            points = event.pairings[index].points or ()
            data = {"pairing": index + 1, "match": match, "points": list(points)}
            entries.append(TournamentEntry(now, None, "forfeit" if unplayed else "result", data))
        return TournamentChange(replace(row, pairings=event.pairings), tuple(entries))

    async def _absent(self, match: str) -> frozenset[int]:
        """Return the seats of people whose time was up before they had made a move."""
        found = await self._core.store.match_result(match)
        people = () if found is None else found[0].people
        return frozenset(one.seat for one in people if one.timed_out is not None and not one.moves)

    async def _without_the_gone(self, change: TournamentChange) -> TournamentChange:
        """Return a tournament without people who were forgotten, or may no longer play."""
        people = {
            one.user: one.number for one in change.row.entrants if one.user is not None and not one.left
        }
        barred = await self._admission.barred(change.row.guild, people)
        for user, number in people.items():
            if user < 0 or user in barred:
                verdict = tournament_rules.leave(change.row, number, None, self._core.now())
                change = change if isinstance(verdict, Msg) else change.then(verdict)
        return change

    async def _paired(self, change: TournamentChange, ended: frozenset[str]) -> TournamentChange:
        """Return a tournament with all pairings that can be made, over if there is nothing left to play.

        What someone who withdrew still plays is no forfeit before it has ended without a result.
        """
        row, now = change.row, self._core.now()
        begun = [match is not None and match not in ended for match in row.matches]
        played = frozenset(index for index in row.event.open if index < len(begun) and begun[index])
        event: Event = await in_thread(advanced, row.event, played)
        entries = [
            TournamentEntry(now, None, "round", {"round": number})
            for number in range(row.event.round + 1, event.round + 1)
        ]
        matches = (*row.matches, *(None,) * (len(event.pairings) - len(row.matches)))
        row = replace(row, pairings=event.pairings, matches=matches)
        if is_over(event):
            row = replace(row, status="over")
            entries.append(TournamentEntry(now, None, "over"))
        whole = TournamentChange(row, (*change.entries, *entries))
        return whole.then(tournament_rules.open_next(row, now)) if row.status == "over" else whole


def _more_time(loaded: LoadedMatch, by: int, seconds: int) -> Change | Refused:
    """Return the change by which all people who still play in a match have more time."""
    if by in seated(loaded.row):
        return Refused(msg("match.refuse.moderate_own"))
    whole: Change | None = None
    for one in loaded.row.seats:
        match = loaded.match if whole is None else whole.match
        if one.user is None or Seat(one.seat) not in match.playing:
            continue
        given = engine.rule(match, f"time {seconds}", loaded.sealed, Seat(one.seat))
        if isinstance(given, Msg):
            return Refused(given)
        whole = given if whole is None else whole.then(given)
    return Refused(msg("match.refuse.over")) if whole is None else whole
