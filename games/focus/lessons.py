"""The lessons of Focus: moving, stacking, splitting, capturing, the reserve, three tactics and an end."""

from __future__ import annotations

from typing import Final

from games.engine.fields import Json
from games.engine.game import Seat
from games.engine.teaching import LessonStep, RulesPage

RED: Final = Seat(0)


def _step(
    key: str,
    piles: str,
    *accepts: str,
    goal: str = "",
    least: float = 1,
    reserve: int = 0,
    captured: str = "",
) -> LessonStep:
    """Return a step for Red: piles such as `e4=RRG`, and captures such as `RG=5` (Red's, of green)."""
    taken: dict[str, dict[str, int]] = {}
    for each in captured.split():
        pair, _, count = each.partition("=")
        taken.setdefault(pair[0], {})[pair[1]] = int(count)
    on: dict[str, Json] = {at: pile for at, _, pile in (each.partition("=") for each in piles.split())}
    position: Json = {
        "seats": 2,
        "fast": False,
        "partners": False,
        "piles": on,
        "reserve": {"R": reserve} if reserve else {},
        "captured": {by: dict(row) for by, row in taken.items()},
        "turn": "R",
    }
    return LessonStep(key, position, RED, 2, accepts, goal, least)


LESSONS: Final = (
    _step("move", "d4=R e6=G c2=G", "d4-d5", "d4-d3", "d4-c4", "d4-e4"),
    _step("tall", "d4=GRR g5=G c2=G", "d4-d7", "d4-d1", "d4-a4", "d4-g4"),
    _step("split", "d4=RRR e6=G c2=G f2=R", "d4-d5", "d4-d3", "d4-c4", "d4-e4"),
    _step("over", "c4=RR d4=GG e6=G g3=R", "c4-e4"),
    _step("cover", "c4=RR e4=GG g6=G b3=R", goal="covers", least=2),
    _step("capture", "b3=RGRR f3=GRG d6=G", goal="captures"),
    _step("reserve", "b3=GRR e3=RGGG d6=G", goal="keeps"),
    _step("play", "b3=R e4=RGGRG c6=G g5=GG", "+e4", reserve=1),
    _step("uncover", "c3=RGR c5=GG f6=GG f3=R", "c3-c5"),
    _step("rescue", "c3=RRR c5=RG f6=G", goal="covers", least=2),
    _step("end", "d5=RR d3=RG a3=R", goal="wins"),
)

RULES: Final = (
    RulesPage("end"),
    RulesPage(),
    RulesPage(seats=4),
    RulesPage("move"),
    RulesPage("tall"),
    RulesPage("over"),
    RulesPage("split"),
    RulesPage("capture"),
    RulesPage("play"),
    RulesPage("uncover"),
    RulesPage(seats=3),
    RulesPage(seats=4, options={"partners": True}),
    RulesPage(options={"fast": True}),
    RulesPage("rescue"),
    RulesPage(seats=3),
    RulesPage("move"),
    RulesPage("split"),
)
"""What the pages of the rules show, in order."""
