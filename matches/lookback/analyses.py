"""Analyse finished matches in the background, position by position, and keep what was found.

Every position is a question of its own to the thinker, so that turns of computers and other questions come in
between, and a worker that dies costs one position. Several people may wait for the same analysis; once nobody
does, it is cancelled. A restart ends it too: it begins anew when someone asks again.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

from games.ai.analysis import LEVEL, Analysis, Judged, effort_for, glance, summarise
from games.ai.analysis_json import dump_analysis, load_analysis
from games.ai.appraisal import Appraisal, source_of
from games.ai.decisions import Decision, decisions_of
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.core import Core
from matches.long_work import Run, long_in_thread
from matches.ports import StoreError
from matches.results import Refused
from matches.store.rows import MatchRow
from matches.thinking.jobs import AppraisalJob, BusyError, NoAnswerError, Thinker

log = logging.getLogger(__name__)

MOST_RUNS: Final = 8
"""Maximum number of analyses that are in progress at a time."""
_MOST_LOST: Final = 3
"""Number of positions in a row without an answer after which an analysis is given up."""
_SECONDS: Final = 30.0
"""Maximum number of seconds for a position: what stands out is looked at for longer than the rest."""
_TRIES: Final = 60
"""How often a position is asked about while too many other questions wait."""


@dataclass(eq=False)
class AnalysisRun(Run):
    """An analysis in progress."""

    match_id: str
    done: int = 0
    """Number of decisions that have been judged."""
    total: int = 0
    """Number of all decisions; 0 until they are known."""
    waiting: set[int] = field(default_factory=set)
    """The users who wait for it."""
    found: Analysis | None = None
    """The result; None as long as it is in progress, and if it failed."""


class Analyses:
    """The analyses of matches: those that were kept, and those in progress."""

    def __init__(self, core: Core, levels: Levels, thinker: Thinker, *, pause: float = 2.0) -> None:
        """`pause` is the number of seconds after which a busy thinker is asked again."""
        self._core = core
        self._levels = levels
        self._thinker = thinker
        self._pause = pause
        self._runs: dict[str, AnalysisRun] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def kept(self, row: MatchRow) -> Analysis | None:
        """Return the analysis of a match if one was made before, with the values that are best today."""
        data = await self._core.store.analysis(row.id, self.source(row.game))
        if data is None:
            return None
        try:
            return await long_in_thread(load_analysis, data)
        except ValueError as error:
            log.warning("%s: its analysis can't be read, and is made anew: %s", row.id, error)
            return None

    async def start(self, row: MatchRow, user: int) -> AnalysisRun | Refused:
        """Return the analysis of a finished match in progress, started for a user unless it runs already.

        Each person waits for one analysis at a time.
        """
        match = (await self._core.newest(row.id, row.version)).match
        if (why := refusal(match)) is not None:
            return Refused(why)
        other = next((run for run in self._runs.values() if user in run.waiting), None)
        if other is not None and other.match_id != row.id:
            return Refused(msg("match.analysis.one", other=other.match_id))
        run = self._runs.get(row.id)
        if run is None:
            if len(self._runs) >= MOST_RUNS:
                return Refused(msg("match.analysis.busy"))
            run = self._begin(row, match)
        run.waiting.add(user)
        return run

    def _begin(self, row: MatchRow, match: Match) -> AnalysisRun:
        run = self._runs[row.id] = AnalysisRun(row.id)
        task = asyncio.create_task(self._run(row, match, run), name=f"analysis of {row.id}")
        task.add_done_callback(lambda _: self._forget(run))  # it may be cancelled before it begins
        self._tasks[row.id] = task
        return run

    def running(self, match_id: str) -> AnalysisRun | None:
        """Return the analysis of a match that is in progress, or None."""
        return self._runs.get(match_id)

    def leave(self, match_id: str, user: int) -> None:
        """Note that a user no longer waits; an analysis that nobody waits for is cancelled."""
        run = self._runs.get(match_id)
        if run is None:
            return
        run.waiting.discard(user)
        if not run.waiting:
            self._cancel(match_id)

    async def close(self) -> None:
        """Cancel all analyses in progress."""
        tasks = list(self._tasks.values())
        for match_id in tuple(self._tasks):
            self._cancel(match_id)
        if tasks:
            await asyncio.wait(tasks)

    def _cancel(self, match_id: str) -> None:
        self._tasks[match_id].cancel()
        self._thinker.drop(_key(match_id))

    def source(self, game: str) -> str:
        """Return where the values of a game's analyses come from today."""
        return source_of(registry.get(game), self._levels, LEVEL)

    async def _run(self, row: MatchRow, match: Match, run: AnalysisRun) -> None:
        try:
            run.found = await self._analyse(row, match, run)
        except (BusyError, NoAnswerError) as error:
            log.warning("%s: its analysis is given up: %s", row.id, type(error).__name__)
        except Exception:
            log.exception("%s: its analysis fails", row.id)

    def _forget(self, run: AnalysisRun) -> None:
        del self._runs[run.match_id]
        del self._tasks[run.match_id]
        run.ended.set()

    async def _analyse(self, row: MatchRow, match: Match, run: AnalysisRun) -> Analysis | None:
        """Judge all decisions. Raises BusyError or NoAnswerError if the thinker is of no use now."""
        source = self.source(row.game)
        decisions = await long_in_thread(decisions_of, match)
        run.total, effort = len(decisions), effort_for(len(decisions))
        judged: list[Judged] = []
        lost = in_a_row = 0
        for decision in decisions:
            try:
                found = await self._ask(match, decision, effort)
                in_a_row = 0
            except NoAnswerError:
                lost, in_a_row = lost + 1, in_a_row + 1
                if in_a_row >= _MOST_LOST:
                    raise
                found = glance(decision, match)
            if found is None:  # the thinker is being closed
                return None
            judged.append(Judged(decision, found))
            run.done = len(judged)
        result = await long_in_thread(summarise, match, judged, source)
        if not lost:
            await self._keep(row.id, source, result)
        return result

    async def _keep(self, match_id: str, source: str, found: Analysis) -> None:
        data = await long_in_thread(dump_analysis, found)
        try:
            await self._core.store.save_analysis(match_id, source, data, self._core.now())
        except StoreError as error:
            log.warning("%s: its analysis can't be kept: %s", match_id, error)

    async def _ask(self, match: Match, decision: Decision, effort: float) -> Appraisal | None:
        job = AppraisalJob(
            _key(match.id),
            match.game,
            match.setup.rules,
            decision.state,
            decision.seat,
            match.setup.teams,
            f"analysis of {match.id} {decision.seq}".encode(),
            (decision.action,),
            level=LEVEL,
            effort=effort,
            seconds=_SECONDS,
        )
        for left in reversed(range(_TRIES)):
            try:
                return await self._thinker.appraise(job)
            except BusyError:
                if not left:
                    raise
                await asyncio.sleep(self._pause)
        raise BusyError


def _key(match_id: str) -> str:
    """Return the key of an analysis's questions, which no match has."""
    return f"analysis of {match_id}"


def refusal(match: Match) -> Msg | None:
    """Return why a match can't be analysed; None if it can."""
    if match.ending is None:
        return msg("match.analysis.live", match=match.id)
    if match.ending.outcome is None:
        return msg("match.analysis.no_result", match=match.id)
    if not match.plays:
        return msg("match.analysis.no_moves", match=match.id)
    return None
