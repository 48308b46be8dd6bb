"""Lessons: positions with a task, from a first move to tactics and an end.

A step is data of its game: a position as JSON, whose turn it is, and what answers the task: some moves, or an
effect that the move must have or avoid. Its texts are `{game}.lesson.{key}`, at most 200 characters with the
task, and `{game}.lesson.{key}.right`, which explains a right answer. A wrong answer is explained by the
game's own reasons, an illegal one by its refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from games.engine.game import AnyGame
from games.engine.message import Msg
from games.engine.reasons import Effect, Reason, compare
from games.engine.teaching import LessonStep
from games.engine.values import Done, Fact, Partial, Rejected


@dataclass(frozen=True, slots=True)
class Right:
    """The answer solves the task: the position after it, and what happened."""

    state: Any
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """The move is legal, but not what the task asks for: what it is called, and why a right one is better."""

    move: str
    reasons: tuple[Reason, ...]


Answer: TypeAlias = "Right | Wrong | Msg"


def position_of(game: AnyGame, step: LessonStep) -> Any:
    """Return the position of a step. Raises ValueError if the game refuses it."""
    return game.load(step.position, step.rules or game.rules)


def damage_of(game: AnyGame, step: LessonStep) -> str:
    """Return why a step can't be taught; empty if it can."""
    try:
        state = position_of(game, step)
        if game.to_act(state) != {step.seat}:
            return "another seat is to act"
        return "" if next(solutions(game, step), None) is not None else "nothing solves it"
    except (ValueError, LookupError, TypeError) as error:
        return str(error) or type(error).__name__


def solutions(game: AnyGame, step: LessonStep) -> Iterator[Any]:
    """Yield the legal actions that answer a step's task."""
    view = game.view(position_of(game, step), step.seat)
    return (action for action in game.actions(view, step.seat) if _solves(game, step, view, action))


def answer(game: AnyGame, step: LessonStep, text: str) -> Answer:
    """Return what a typed move is worth as the answer to a step, or why it can't be played."""
    state = position_of(game, step)
    view = game.view(state, step.seat)
    found = game.parse(view, step.seat, text)
    if isinstance(found, Partial):
        return found.prompt
    if isinstance(found, Rejected):
        return found.why
    return _judged(game, step, state, found)


def played(game: AnyGame, step: LessonStep, action: str) -> Right:
    """Return what a legal action, as the log writes it, leads to in a step."""
    after = game.apply(position_of(game, step), step.seat, game.decode(action))
    return Right(after.state, after.facts)


def _judged(game: AnyGame, step: LessonStep, state: Any, found: Done[Any]) -> Right | Wrong:
    view = game.view(state, step.seat)
    if _solves(game, step, view, found.action):
        after = game.apply(state, step.seat, found.action)
        return Right(after.state, after.facts)
    effects = game.effects(view, step.seat, found.action)
    return Wrong(game.format(view, found.action), compare(_wanted(game, step), effects))


@lru_cache(maxsize=256)
def _wanted(game: AnyGame, step: LessonStep) -> tuple[Effect, ...]:
    """Return what the first right answer to a step leads to; of a step of lessons it is found once."""
    view = game.view(position_of(game, step), step.seat)
    return game.effects(view, step.seat, next(solutions(game, step)))


def _solves(game: AnyGame, step: LessonStep, view: Any, action: Any) -> bool:
    if game.encode(action) in step.accepts:
        return True
    if not step.goal and not step.avoid:
        return False
    effects = game.effects(view, step.seat, action)
    reached = any(each.kind == step.goal and each.amount >= step.least for each in effects)
    return (reached or not step.goal) and all(each.kind != step.avoid for each in effects)
