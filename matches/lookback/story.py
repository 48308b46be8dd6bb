"""Write the story of a finished match: two lines that stand alone, turning points, and lines for a chart.

It is written in a worker thread, once for all who ask, and cached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from cachetools import LRUCache

from games.ai.analysis import Analysis, has_result
from games.engine.match import Match
from games.engine.message import Msg, Value, Who, duration, msg
from matches.core import Core
from matches.long_work import in_thread
from matches.lookback.story_turns import StoryTurn, has_evaluation, turns_of
from matches.lookback.turning_points import Leads, TurningPoint, leads_of, turning_points
from matches.store.rows import MatchRow

MOST_POINTS: Final = 8
"""Maximum number of turning points in a story; the least important ones are left out."""
_SHORTEST: Final = timedelta(minutes=1)
"""Of matches that took less time the story leaves out how long."""
MAX_CACHED: Final = 64
"""Maximum number of cached stories; one has at most some 100 kB."""


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a match. All of it may be read by everyone who may see the match."""

    match: str
    short: tuple[Msg, Msg]
    """Two lines that stand alone: the game, who won how, how long it took; what turned it."""
    at_end: tuple[Msg, Msg]
    """Two lines to follow the result, which they don't repeat."""
    points: tuple[TurningPoint, ...]
    """The turning points in order."""
    notes: tuple[Msg, ...]
    """What a reader must know to judge them: where the lead comes from, how the chances are meant."""
    material: tuple[tuple[float, ...], ...]
    """What counts in the game by seat, at the start and after each turn; empty if nothing is counted."""
    chances: tuple[tuple[float, ...], ...] = ()
    """Estimated chances by seat, 0 to 1, at the start and after each turn; empty without estimates."""

    @property
    def lines(self) -> tuple[Msg, ...]:
        """The whole story as sentences; the first two stand alone."""
        points = tuple(point.text for point in self.points if point.text != self.short[1])
        return (*self.short, *points, *self.notes)


def story_of(match: Match, took: timedelta | None = None, analysis: Analysis | None = None) -> Story | None:
    """Return the story of a match; None if it has no result or nobody moved. It takes as long as a replay.

    `took` is the time from its start to its end, if that is known; `analysis` judges its positions better
    than the game's own evaluation.
    """
    if not has_result(match) or not match.plays:
        return None
    turns = turns_of(match, judge=analysis is None)
    leads = _leads(match, turns, analysis)
    points = turning_points(match, turns, leads, analysis)
    key = max(points, key=lambda point: point.weight, default=None)
    quiet = msg("story.quiet.move" if match.game.actions_are_moves else "story.quiet.turn")
    second = quiet if key is None else key.text
    chosen = sorted(points, key=lambda point: -point.weight)[:MOST_POINTS]
    length = _length(match, turns, took)
    end = msg("story.end.changes", length=length, n=leads.changes)
    return Story(
        match.id,
        (_result(match, length), second),
        (end if leads.changes else msg("story.end.steady", length=length), second),
        tuple(point for point in points if point in chosen),
        _notes(match, points, analysis),
        tuple(turn.material for turn in turns) if turns[0].material else (),
        _chances(turns),
    )


def _chances(turns: Sequence[StoryTurn]) -> tuple[tuple[float, ...], ...]:
    """Return the chances by the game's evaluation; those of a turn that wasn't judged are those before it."""
    found: list[tuple[float, ...]] = []
    for turn in turns:
        if turn.values is not None:
            found.append(turn.values)
        elif found:
            found.append(found[-1])
        else:
            return ()
    return tuple(found)


def _leads(match: Match, turns: Sequence[StoryTurn], analysis: Analysis | None) -> Leads:
    """Return who led, by the analysis, else the game's evaluation, else by what counts."""
    if match.ending is None or match.ending.outcome is None:
        return Leads(0)
    teams = match.setup.teams
    winners = frozenset(
        team for team, rank in zip(teams, match.ending.outcome.ranks, strict=True) if rank == 1
    )
    if analysis is not None:
        points = list(enumerate(analysis.points))[:-1]
        return leads_of(points, teams, winners, analysis.errors)
    if has_evaluation(match.game):
        points = [(turn.number, turn.values) for turn in turns[:-1] if turn.values is not None]
    else:
        counted = [(turn.number, turn.material) for turn in turns[:-1] if any(turn.material)]
        points = [(number, tuple(n / sum(row) for n in row)) for number, row in counted]
    return leads_of(points, teams, winners)


def _result(match: Match, length: Msg) -> Msg:
    """Return who won how, in which game and how long it took."""
    if match.ending is None or match.ending.outcome is None:
        raise ValueError("the match has no result")
    outcome = match.ending.outcome
    first = tuple(Who(seat) for seat, rank in enumerate(outcome.ranks) if rank == 1)
    rest = tuple(Who(seat) for seat, rank in enumerate(outcome.ranks) if rank != 1)
    values: dict[str, Value] = {
        "game": msg(f"{match.game.key}.title"),
        "who": first,
        "length": length,
        "why": outcome.why,
    }
    if "who" in dict(outcome.why.values):  # it names who won or drew
        return msg("story.short.told", others=rest, **values) if rest else msg("story.short.even", **values)
    if len({match.setup.teams[who.seat] for who in first}) == 1:
        return msg("story.short.win", others=rest, **values)
    return msg("story.short.shared", others=rest, **values) if rest else msg("story.short.draw", **values)


def _length(match: Match, turns: Sequence[StoryTurn], took: timedelta | None) -> Msg:
    if match.game.actions_are_moves:
        count = msg("story.length.moves", n=turns[-1].number)
    else:
        count = msg("story.length.turns", n=turns[-1].number)
    if took is None or took < _SHORTEST:
        return count
    return msg("story.length.over", count=count, time=duration(int(took.total_seconds())))


def _notes(match: Match, points: Sequence[TurningPoint], analysis: Analysis | None) -> tuple[Msg, ...]:
    keys = {point.text.key for point in points}
    notes: list[Msg] = []
    if any(key.startswith("story.lead.") for key in keys):
        source = "analysis" if analysis is not None else "rough" if has_evaluation(match.game) else "count"
        notes.append(msg(f"story.note.{source}"))
    if any(key.startswith("story.dice.") for key in keys):
        notes.append(msg("story.note.dice"))
    return tuple(notes)


class Stories:
    """Writes stories, one after the other."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._turn = asyncio.Lock()
        self._written: LRUCache[tuple[str, int, str], asyncio.Future[Story | None]] = LRUCache(MAX_CACHED)

    async def of(self, row: MatchRow, analysis: Analysis | None = None) -> Story | None:
        """Return the story of a match; None if it isn't over, has no result, or nobody moved.

        `analysis` is that of the match, if it has been analysed. Raises as `Queries.at`.
        """
        if row.status != "over":
            return None
        key = (row.id, row.version, "" if analysis is None else analysis.source)
        writing = self._written.get(key)
        if writing is None or (writing.done() and (writing.cancelled() or writing.exception())):
            writing = self._written[key] = asyncio.ensure_future(self._write(row, analysis))
        return await asyncio.shield(writing)

    async def _write(self, row: MatchRow, analysis: Analysis | None) -> Story | None:
        match = (await self._core.newest(row.id, row.version)).match
        took = await self._took(row)
        async with self._turn:
            return await in_thread(story_of, match, took, analysis)

    async def _took(self, row: MatchRow) -> timedelta | None:
        """Return the time from the start of a match to its end."""
        log = await self._core.store.log(row.id)
        return log[-1].at - log[0].at if log else None
