"""The lessons of Two Domains: growing, gathering, mobilising, battles with and without a roll."""

from __future__ import annotations

from typing import Final

from games.engine.game import Seat
from games.engine.teaching import LessonStep, RulesPage

RED: Final = Seat(0)


def _step(
    key: str, red: str, blue: str, *accepts: str, goal: str = "", least: float = 1, avoid: str = ""
) -> LessonStep:
    """Return a step for Red: both lines from Home to the Front."""
    return LessonStep(key, {"red": red, "blue": blue, "turn": "red"}, RED, 2, accepts, goal, least, avoid)


LESSONS: Final = (
    _step("grow", "22222", "22222", "grow 1", "grow 2", "grow 3", "grow 4", "grow 5"),
    _step("gather", "23332", "22322", "gather"),
    _step("army", "15322", "23222", goal="army", least=6),
    _step("mobilise", "26134", "23223", "mobilise"),
    _step("battle", "12336", "22223", "battle"),
    _step("consensus", "12346", "23334", goal="consensus", least=6),
    _step("overrun", "12356", "22224", goal="removes", least=6),
    _step("shelter", "13632", "12356", avoid="exposes"),
    _step("unrest", "13266", "22342", avoid="ruins"),
    _step("end", "12336", "1", goal="wins", least=5),
)

RULES: Final = (
    RulesPage(),
    RulesPage("army"),
    RulesPage("battle"),
    RulesPage("overrun"),
    RulesPage(),
    RulesPage("grow"),
    RulesPage("gather"),
    RulesPage("mobilise"),
    RulesPage("battle"),
    RulesPage("overrun"),
    RulesPage("battle"),
    RulesPage("unrest"),
    RulesPage("shelter"),
    RulesPage("consensus"),
    RulesPage("unrest"),
    RulesPage("end"),
    RulesPage("end"),
    RulesPage("end"),
    RulesPage("shelter"),
    RulesPage("gather"),
    RulesPage("grow"),
    RulesPage("mobilise"),
)
"""What the pages of the rules show, in order."""
