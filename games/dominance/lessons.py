"""The lessons of Dominance: spawning, moving, the two ways to take, three tactics and two ends."""

from __future__ import annotations

from typing import Final

from games.engine.fields import Json
from games.engine.game import Seat
from games.engine.teaching import LessonStep, RulesPage

RED: Final = Seat(0)


def _step(
    key: str,
    red: str,
    black: str,
    *accepts: str,
    goal: str = "",
    least: float = 1,
    avoid: str = "",
    lost: bool = False,
) -> LessonStep:
    """Return a step for Red; with `lost`, all that Black doesn't have in play is lost."""
    men = {"R": red.split(), "B": black.split()}
    gone = 10 - len(men["B"]) if lost else 0
    position: Json = {
        "board": "hex4",
        "pieces": {code: list(spaces) for code, spaces in men.items()},
        "pool": {"R": 10 - len(men["R"]), "B": 0 if lost else 10 - len(men["B"])},
        "lost": {"R": 0, "B": gone},
        "turn": "R",
    }
    return LessonStep(key, position, RED, 2, accepts, goal, least, avoid)


LESSONS: Final = (
    _step("spawn", "", "", "+a1", "+a4", "+g1", "+g4"),
    _step("move", "c3", "f4", "c3-b2", "c3-b3", "c3-c2", "c3-c4", "c3-d3", "c3-d4"),
    _step("opposite", "c3 f4", "d4", "f4-e4"),
    _step("beside", "c3 b4", "d4", goal="takes"),
    _step("guarded", "e4 b2", "c3 c4", "e4-d4"),
    _step("entrance", "c3", "a2 b2", "+a1"),
    _step("double", "c3 c5 f4", "d4 d5", goal="takes", least=2),
    _step("safety", "g3 b3 c3", "d4 b4 d7 f1", avoid="exposes"),
    _step("lock", "a1 a4 g1 f5", "d1", goal="wins"),
    _step("end", "e4 b2", "c3 c4", goal="wins", lost=True),
)

RULES: Final = (
    RulesPage("end"),
    RulesPage("spawn"),
    RulesPage("entrance"),
    RulesPage("move"),
    RulesPage("opposite"),
    RulesPage("beside"),
    RulesPage("opposite"),
    RulesPage("guarded"),
    RulesPage("double"),
    RulesPage("end"),
    RulesPage("lock"),
    RulesPage("lock"),
    RulesPage("lock"),
    RulesPage("safety"),
    RulesPage("beside"),
    RulesPage("spawn"),
    RulesPage("move"),
)
"""What the pages of the rules show, in order."""
