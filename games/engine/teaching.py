"""What games have to teach with: the steps of lessons, what a puzzle asks, the pictures of their rules.

Lessons are judged in `lessons`. The rules have the texts `{game}.rules.1` and further, one idea each, at most
500 characters. A page shows the board of a lesson and leads to it, or the start of a match, or a position of
its own; what is played on it is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from games.engine.dice import Dice
from games.engine.fields import Json
from games.engine.message import Msg
from games.engine.scene import Mark, Scene
from games.engine.values import CHANCE, Seat

MAX_TEXT: Final = 200
"""Maximum length of a step's text, in characters."""
ENOUGH: Final = 1e-9


@dataclass(frozen=True, eq=False)
class LessonStep:
    """One idea: a position, and the task that its text sets."""

    key: str
    """Names its texts, and the progress of people: it never changes its meaning."""
    position: Json
    """As the game's `dump` writes it."""
    seat: Seat
    """The learner's seat, which is to act."""
    seats: int
    accepts: tuple[str, ...] = ()
    """The moves that answer the task, as the log writes them."""
    goal: str = ""
    """The kind of effect that answers it as well."""
    least: float = ENOUGH
    """How much of the effect there has to be."""
    avoid: str = ""
    """The kind of effect that no answer may have; alone it makes every other legal move an answer."""
    rules: int = 0
    """The version of the rules of its position; 0 for the current one."""


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """A task within a turn, with the exact chances of all that may carry it out."""

    kind: str
    """Its kind, the text `{game}.puzzle.{kind}`."""
    task: Msg
    """What is asked."""
    moves: tuple[Any, ...]
    """The legal actions that are compared."""
    chance: Callable[[Any], float]
    """Returns the chance that one of them leads to what is asked."""


MAX_PAGE: Final = 500
"""Maximum length of a page's text, in characters."""


@dataclass(frozen=True)
class RulesPage:
    """What a page of rules shows above its text."""

    lesson: str = ""
    """The key of the lesson step whose board is shown, and which the page leads to."""
    position: Json = None
    """Shown instead, as the game's `dump` writes it; without both the start of a match."""
    seats: int = 2
    options: Mapping[str, Json] = field(default_factory=dict)
    played: tuple[str, ...] = ()
    """What is played on it, as the log writes it."""


def page_scene(game: Any, page: RulesPage) -> Scene:
    """Return the picture of a page of a game, an `AnyGame`. Raises ValueError for data the game refuses."""
    viewer: Seat | None = None
    if page.lesson:
        step = next(each for each in game.lessons if each.key == page.lesson)
        state, viewer = game.load(step.position, game.rules), step.seat
    elif page.position is not None:
        state = game.load(page.position, game.rules)
    else:
        state = game.start(game.setup(page.seats, page.options)).state
    marks: tuple[Mark, ...] = ()
    for wire in page.played:
        step_after = game.apply(state, min(game.to_act(state)), game.decode(wire))
        state = step_after.state
        known = (fact for fact in step_after.facts if fact.to is None or viewer in fact.to)
        marks += tuple(mark for fact in known for mark in fact.marks)
    nth = 0
    while game.to_act(state) == {CHANCE}:
        state = game.apply(state, CHANCE, game.draw(state, Dice(b"rules", game.key, nth, ""))).state
        nth += 1
    scene: Scene = game.scene(game.view(state, viewer), viewer)
    return replace(scene, marks=scene.marks + marks)
