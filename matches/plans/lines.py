"""Follow the lines of a plan along the log of its match, by comparing entries alone.

A line begins after an entry of the log. The moves that others have made since then either may become what
its first step waits for, or are that, or make it impossible. Chance, and talk of draws and takebacks, don't
matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from games.engine.log import Entry, Kind
from games.engine.message import Msg, msg
from matches.store.plans import Line, PlanStep

MAX_LINES = 12
"""Maximum number of lines of a plan."""
Moves: TypeAlias = tuple[tuple[int, str], ...]
"""Moves that were made, by seat, as the log stores them."""
Broken: TypeAlias = Literal["", "takeback", "left", "moved"]
"""What has made all lines void: moves were taken back, someone has left, the planner has moved."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where lines are now: those that may still come true, and the moves of others since they began."""

    lines: tuple[Line, ...]
    moves: Moves = ()
    broken: Broken = ""


def follow(lines: tuple[Line, ...], entries: Iterable[Entry], seat: int) -> Progress:
    """Return where lines are after the entries that follow their beginning. `seat` is the planner's.

    A move of the planner's own goes on with the line if it is the reply that was due.
    """
    moves: Moves = ()
    for entry in entries:
        if entry.kind is Kind.TAKEBACK:
            return Progress((), (), "takeback")
        if entry.kind in (Kind.RESIGN, Kind.TIMEOUT):
            return Progress((), (), "left")
        if entry.kind is not Kind.PLAY or entry.seat is None:
            continue
        if entry.seat != seat:
            moves += ((entry.seat, entry.data),)
            continue
        due = due_lines(lines, moves)
        if not due or due[0][0].wire != entry.data:
            return Progress((), (), "moved")
        lines, moves = remaining(due), ()
    return Progress(tuple(line for line in lines if _may_come(line[0], moves)), moves)


def due_lines(lines: tuple[Line, ...], moves: Moves) -> tuple[Line, ...]:
    """Return the lines whose first step has come true, all with the same step; of several the most exact."""
    fitting = [line for line in lines if _has_come(line[0], moves)]
    if not fitting:
        return ()
    best = max((line[0] for line in fitting), key=lambda step: (not step.rest, len(step.moves)))
    return tuple(line for line in fitting if line[0] == best)


def remaining(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return lines without their first step."""
    return tuple(line[1:] for line in lines if len(line) > 1)


def with_line(lines: tuple[Line, ...], line: Line) -> tuple[Line, ...] | Msg:
    """Return lines and another one, which replaces its own beginning; or why it doesn't go with them."""
    for known in lines:
        if known[: len(line)] == line:
            return msg("plan.refuse.known")
        same = next((n for n, pair in enumerate(zip(known, line, strict=False)) if pair[0] != pair[1]), None)
        if same is not None and _condition(known[same]) == _condition(line[same]):
            return msg("plan.refuse.clash", move=known[same].reply)
    kept = tuple(known for known in lines if line[: len(known)] != known)
    return (*kept, line) if len(kept) < MAX_LINES else msg("plan.refuse.lines", limit=MAX_LINES)


def from_here(lines: tuple[Line, ...], moves: Moves) -> tuple[Line, ...]:
    """Return open lines as they begin after moves that were made, without those that others can't complete.

    The planner isn't to act, so that a line that names no further move can't come true. The most exact come
    first.
    """
    exact = sorted(lines, key=lambda line: (not line[0].rest, len(line[0].moves)), reverse=True)
    cut = ((replace(line[0], moves=line[0].moves[len(moves) :]), *line[1:]) for line in exact)
    return tuple(line for line in cut if line[0].moves or line[0].rest)


def _condition(step: PlanStep) -> tuple[Moves, bool]:
    return _named(step), step.rest


def _named(step: PlanStep) -> Moves:
    return tuple((move.seat, move.wire) for move in step.moves)


def _may_come(step: PlanStep, moves: Moves) -> bool:
    """Return whether moves are a beginning of what a step waits for, or go on as it allows."""
    named = _named(step)
    shared = min(len(named), len(moves))
    return named[:shared] == moves[:shared] and (step.rest or len(moves) <= len(named))


def _has_come(step: PlanStep, moves: Moves) -> bool:
    named = _named(step)
    return moves[: len(named)] == named if step.rest else moves == named
