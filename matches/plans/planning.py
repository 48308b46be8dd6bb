"""Keep people's plans, and play them when what they wait for has happened.

A plan is private: it is shown to the person who made it, and to no one else, not even in logs. What it plays
is an ordinary move of theirs, judged as any other. The rest of the plan is stored in the transaction of that
move, so that after a crash a move is either planned or played. What else has become of a plan follows from
the log.

A move that the game warns about isn't played, nor any while someone waits for the planner's answer (a draw, a
takeback). Plans are removed with the end of the match, and when the seat changes hands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from games.engine import match as engine
from games.engine import orders
from games.engine.game import Done, Seat
from games.engine.match import Change, Match
from games.engine.message import Msg, msg
from games.engine.orders import Executed
from matches import occupants
from matches import outbox_drafts as drafts
from matches.core import ATTEMPTS, Core, LoadedMatch, stale
from matches.locks import HeldLock
from matches.long_work import in_thread
from matches.occupants import why_not_in_study
from matches.plans import checks, grammar
from matches.plans.lines import Progress, due_lines, follow, from_here, remaining, with_line
from matches.play import typed_text
from matches.ports import RepeatedError, StaleError, StoreError
from matches.results import Played, Refused
from matches.store.plans import Line, PlanRow
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)

_MAX_TURNS = 64
"""Maximum number of planned moves in one call; the next `tick` continues."""
_MAX_FORCED = 100
"""Maximum number of forced actions in one change."""
_MAX_SUGGESTED = 4096
News: TypeAlias = Literal[
    "played", "partly", "only", "unforeseen", "illegal", "caution", "takeback", "left", "moved"
]
"""What became of a plan: something was played, or it was dropped, and why."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a person has planned for a match."""

    row: MatchRow
    match: Match
    lines: tuple[Line, ...]
    only_move: bool


class _Verdict(NamedTuple):
    """What is to be done with a plan: what is left of it, the news to send, and a move to play."""

    plan: PlanRow
    news: News | None = None
    move: str = ""
    executed: Executed | None = None


class Plans:
    """Everything about plans."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._planned: set[str] | None = None
        """Matches for which there may be plans; None until they have been read from the store."""
        self._due: set[str] = set()
        """Those of them that have changed since their plans were looked at."""
        core.observe(self._note)

    # --- what people do ---------------------------------------------------------------------------------

    async def show(self, match_id: str, who: int) -> Planned | Refused:
        """Return what a person has planned, as it stands now."""
        return await self._edit(match_id, who, lambda loaded, plan: None)

    async def add(self, match_id: str, who: int, text: str) -> Planned | Refused:
        """Add a line that begins in the current position, or say why it can't be planned.

        A line that is planned already is refused, so that a repeated request changes nothing.
        """
        typed = grammar.read_line(text)
        if isinstance(typed, Msg):
            return Refused(typed)
        for _ in range(ATTEMPTS):
            loaded = await self._core.load(match_id)
            if isinstance(loaded, Refused):
                return loaded
            seat = _seat_of(loaded, who)
            if isinstance(seat, Refused):
                return seat
            if seat in loaded.match.to_act:
                return Refused(msg("plan.refuse.turn", match=match_id))
            line = await in_thread(checks.check_line, loaded.match, seat, typed)
            if isinstance(line, Refused):
                return line

            def add(
                now: LoadedMatch, plan: PlanRow, line: Line = line, seq: int = loaded.match.seq
            ) -> PlanRow | Refused:
                if now.match.seq != seq:
                    return stale()
                moves = _progress(now.match, plan).moves
                lines = with_line(from_here(plan.lines, moves), line)
                return Refused(lines) if isinstance(lines, Msg) else replace(plan, lines=lines, version=seq)

            found = await self._edit(match_id, who, add)
            if isinstance(found, Planned) or not found.stale:
                return found
        return stale()

    async def remove(self, match_id: str, who: int, line: str | None = None) -> Planned | Refused:
        """Remove the line that is written like this, or all lines; what is played for them stays switched."""

        def remove(loaded: LoadedMatch, plan: PlanRow) -> PlanRow | Refused:
            kept = tuple(each for each in plan.lines if line is not None and grammar.written(each) != line)
            if len(kept) == len(plan.lines):
                return Refused(
                    msg("plan.refuse.none" if line is None else "plan.refuse.gone", match=match_id)
                )
            return replace(plan, lines=kept)

        return await self._edit(match_id, who, remove)

    async def set_only_move(self, match_id: str, who: int, *, on: bool) -> Planned | Refused:
        """Switch whether a person's only legal move is played for them, in this match."""
        return await self._edit(match_id, who, lambda loaded, plan: replace(plan, only_move=on))

    async def suggest(self, match_id: str, who: int, text: str, limit: int = 25) -> tuple[str, ...]:
        """Return at most `limit` texts that go on with what a person types as a line. Empty on their turn."""
        loaded = await self._core.load(match_id)
        typed = grammar.read_beginning(text[: grammar.MAX_TEXT])
        if isinstance(loaded, Refused) or typed is None:
            return ()
        seat = _seat_of(loaded, who)
        if isinstance(seat, Refused) or seat in loaded.match.to_act:
            return ()
        words = islice(checks.legal_words(loaded.match, seat, typed), _MAX_SUGGESTED)
        head = f"{typed.head.rstrip()} " if typed.head.strip() else ""
        return tuple(head + word for word in typed_text.completions(typed.word, words, limit))

    async def _edit(
        self,
        match_id: str,
        who: int,
        edit: Callable[[LoadedMatch, PlanRow], PlanRow | Refused | None],
    ) -> Planned | Refused:
        """Change a person's plan, as it stands now, and return it; None for no change."""
        await self.run_due(match_id)
        async with self._core.locks.hold(match_id):
            loaded = await self._core.load(match_id)
            if isinstance(loaded, Refused):
                return loaded
            seat = _seat_of(loaded, who)
            if isinstance(seat, Refused):
                return seat
            match, stored = loaded.match, await self._core.store.plans(match_id)
            known = next((plan for plan in stored if (plan.seat, plan.user) == (seat, who)), None)
            plan = PlanRow(match_id, seat, who, match.seq) if known is None else known
            here = _progress(match, plan)
            plan = replace(plan, lines=here.lines, version=plan.version if here.moves else match.seq)
            edited = edit(loaded, plan)
            if isinstance(edited, Refused):
                return edited
            if edited is not None and edited != known and not (edited.empty and known is None):
                (await self._matches()).add(match_id)  # first: what fails may have been stored all the same
                self._due.add(match_id)
                await self._core.store.save_plan(edited)
            shown = plan if edited is None else edited
            return Planned(loaded.row, match, shown.lines, shown.only_move)

    # --- what happens on its own ------------------------------------------------------------------------

    async def run(self, match_id: str) -> tuple[Played, ...]:
        """Play what is planned for a match until nothing is due, and return what was played.

        Costs nothing for a match without plans. An error other than StoreError is logged without any words of
        the plan, and tried again by the next `tick`.
        """
        done: list[Played] = []
        if match_id not in await self._matches():
            return ()
        try:
            for _ in range(_MAX_TURNS):
                played = await self._next(match_id)
                if played is None:
                    self._due.discard(match_id)
                    break
                done.append(played)
        except StaleError:
            self._due.add(match_id)
        except StoreError:
            self._due.add(match_id)
            raise
        except Exception as error:  # its text might quote the plan
            self._due.add(match_id)
            log.error("plans for match %s failed: %s", match_id, type(error).__name__)
        return tuple(done)

    async def run_due(self, match_id: str) -> tuple[Played, ...]:
        """Play what is planned for a match if it has changed since its plans were looked at."""
        await self._matches()
        return await self.run(match_id) if match_id in self._due else ()

    async def waiting(self) -> tuple[str, ...]:
        """Return the matches that have changed since their plans were looked at, in earlier runs too."""
        await self._matches()
        return tuple(self._due)

    def look_again(self, match_id: str | None = None) -> None:
        """Look at the plans for a match, or for all: another process has changed them, or the match."""
        if match_id is None:
            self._planned = None
        elif self._planned is not None:
            self._planned.add(match_id)
            self._due.add(match_id)

    async def _matches(self) -> set[str]:
        """Return the matches for which there may be plans."""
        if self._planned is None:
            found = await self._core.store.planned_matches()
            self._planned = set(found)
            self._due |= found
        return self._planned

    def _note(self, row: MatchRow, match: Match) -> None:
        """Note that a match has changed, so that `waiting` finds it even if nobody calls `run`."""
        if self._planned is not None and row.id in self._planned:
            self._due.add(row.id)

    async def _next(self, match_id: str) -> Played | None:
        """Bring the plans for a match up to date, and play the first move that is due; None if none is."""
        async with self._core.locks.hold(match_id) as held:
            plans = await self._core.store.plans(match_id)
            loaded = await self._core.load(match_id) if plans else None
            if loaded is None or isinstance(loaded, Refused):
                if self._planned is not None and not plans:
                    self._planned.discard(match_id)
                return None
            loaded = await self._core.with_downtimes(loaded, held)
            for plan in plans:
                verdict = _judge(loaded, plan)
                if verdict.executed is None and (verdict.news is not None or verdict.plan.empty):
                    notices = verdict.news and drafts.plan_news(
                        match_id, plan.user, verdict.news, verdict.move
                    )
                    await self._core.store.save_plan(verdict.plan, notices or None, self._core.now())
                    verdict = _judge(loaded, verdict.plan)  # without its lines the only move may be due
                if verdict.executed is not None:
                    return await self._play(loaded, verdict, verdict.executed, held)
        return None

    async def _play(
        self, loaded: LoadedMatch, verdict: _Verdict, executed: Executed, held: HeldLock
    ) -> Played | None:
        """Commit a planned move, with what is left of the plan and the news for the planner."""
        match, plan, left = loaded.match, verdict.plan, executed.undone
        if left is not None and not left.refused:
            left = None
        plan = replace(plan, version=executed.change.match.seq, lines=plan.lines if left is None else ())
        news: News = (verdict.news or "played") if left is None else "partly"
        notices = drafts.plan_news(match.id, plan.user, news, verdict.move, "" if left is None else left.text)
        request = f"plan-{match.id}-{plan.seat}-{match.seq + 1}"
        try:
            return await self._core.commit_change(
                loaded.row, match, executed.change, request, plan.user, held, plan=plan, extra=(notices,)
            )
        except RepeatedError:  # no plan can be stored behind its own move
            await self._core.store.save_plan(replace(plan, lines=(), only_move=False))
            return None


def _seat_of(loaded: LoadedMatch, who: int) -> Seat | Refused:
    """Return the seat for which a person may plan, or why there is none."""
    if (why := why_not_in_study(loaded.row)) is not None:
        return Refused(why)
    seat = occupants.seat_of(loaded.row, who)
    if seat is None:
        return Refused(msg("match.refuse.not_yours"))
    if loaded.match.ending:
        return Refused(msg("match.refuse.over"))
    return Refused(msg("match.refuse.gone")) if seat not in loaded.match.playing else Seat(seat)


def _progress(match: Match, plan: PlanRow) -> Progress:
    return follow(plan.lines, match.log[plan.version + 1 :], plan.seat)


def _judge(loaded: LoadedMatch, plan: PlanRow) -> _Verdict:
    """Return what is to be done with a plan in the current position."""
    match, seat = loaded.match, Seat(plan.seat)
    if isinstance(_seat_of(loaded, plan.user), Refused) or _seat_of(loaded, plan.user) != seat:
        return _Verdict(replace(plan, lines=(), only_move=False))
    here = _progress(match, plan)
    without = replace(plan, lines=(), version=match.seq)
    if here.broken and plan.lines:
        return _Verdict(without, here.broken)
    if plan.lines and not here.lines:
        return _Verdict(without, "unforeseen")
    if seat not in match.to_act or _is_asked(match, seat):
        return _Verdict(plan)
    if due := due_lines(here.lines, here.moves):
        return _planned_move(loaded, plan, seat, due)
    if here.lines:
        return _Verdict(without, "unforeseen")
    return _only_move(loaded, plan, seat) if plan.only_move else _Verdict(plan)


def _is_asked(match: Match, seat: Seat) -> bool:
    """Return whether the seat is asked to agree to a draw or a takeback."""
    waits = match.talk.asked is not None and seat not in match.talk.asked.agreed
    return waits or bool(match.talk.offers - {seat})


def _planned_move(loaded: LoadedMatch, plan: PlanRow, seat: Seat, due: tuple[Line, ...]) -> _Verdict:
    """Read and judge the reply that is due, as if it were typed now."""
    match, step = loaded.match, due[0][0]
    game, view = match.game, match.game.view(match.state, seat)
    without = replace(plan, lines=(), version=match.seq)
    read = game.parse(view, seat, step.reply)
    if not isinstance(read, Done) or (step.wire and game.encode(read.action) != step.wire):
        return _Verdict(without, "illegal", step.reply)
    if game.caution(view, seat, read.action) is not None:
        return _Verdict(without, "caution", step.reply)
    executed = orders.play(match, seat, read, loaded.sealed)
    if isinstance(executed, Msg):
        return _Verdict(without, "illegal", step.reply)
    return _Verdict(replace(plan, lines=remaining(due)), "played", step.reply, executed)


def _only_move(loaded: LoadedMatch, plan: PlanRow, seat: Seat) -> _Verdict:
    """Play the only legal action, and those that are forced after it; nothing that the game warns about."""
    made = Change(loaded.match, (), ())
    texts: list[str] = []
    while seat in made.match.to_act and len(texts) < _MAX_FORCED:
        match, game = made.match, made.match.game
        view = game.view(match.state, seat)
        legal = tuple(islice(game.actions(view, seat), 2))
        if len(legal) != 1 or game.caution(view, seat, legal[0]) is not None:
            break
        change = engine.play(match, seat, legal[0], loaded.sealed)
        if isinstance(change, Msg):
            break
        texts.append(game.format(view, legal[0]))
        made = made.then(change)
    if not texts:
        return _Verdict(plan)
    return _Verdict(plan, "only", "; ".join(texts), Executed(made))
