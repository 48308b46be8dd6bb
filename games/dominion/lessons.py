"""The lessons of Dominion: how units move and take, Peasants, strongholds, and the Emperors."""

from __future__ import annotations

from typing import Final

from games.engine.fields import Json
from games.engine.game import Seat
from games.engine.teaching import LessonStep, RulesPage

SOUTH: Final = Seat(1)


def _step(
    key: str,
    south: str,
    north: str,
    *accepts: str,
    free: str = "",
    goal: str = "",
    least: float = 0.5,
    avoid: str = "",
    phase: str = "move",
) -> LessonStep:
    """Return a step for the team in the south: units such as `Sf3`, and free Peasants such as `g5`."""
    position: Json = {
        "law": {
            "sides": [0, 2],
            "camps": [0, 1],
            "succession": "strict",
            "straddle": "all",
            "sticks": "die",
            "fate": 4,
            "sandwiched": "throw",
        },
        "pieces": {"0": list(north.split()), "1": list(south.split()), "free": list(free.split())},
        "phase": phase,
        "turn": 1,
        "first": 1,
        "round": 5,
        "quiet": 0,
        "stirred": False,
        "out": [],
        "pending": [],
        "seals": [0, 0],
        "ready": [True, True],
        "chosen": [None, None],
        "outcome": None,
    }
    return LessonStep(key, position, SOUTH, 2, accepts, goal, least, avoid)


LESSONS: Final = (
    _step("soldier", "Eg1 Sf5", "Eg13 Sg11", "f5-e5", "f5-g5", "f5-f4", "f5-f6"),
    _step("take", "Eg1 Se5 Sh4", "Eg13 Sf6 Se6", goal="takes"),
    _step("sergeant", "Eg1 Rg5 Se3", "Eg13 Sg11 Si11", "g5-g7", "g5-e5", "g5-i5", "g5-g3"),
    _step("general", "Eg1 Gd5 Se3", "Eg13 Wj5 Sd9", goal="takes", least=3),
    _step("warrior", "Eg1 Wf5 Se5 Sg5 Sf4 Se6", "Eg13 Ag7 Sd9", goal="takes", least=3),
    _step("assassin", "Eh1 Xg2 Se3", "Ei13 Gg9 Sd9", free="g5", goal="takes", least=5),
    _step("recruit", "Eg1 Sf5 Sh4 Se3", "Eg13 Sg11", free="g5 e9", goal="recruits"),
    _step("arm", "Eg1 Se2 Gg2 ph4", "Eg13 Sg11", goal="musters"),
    _step("stronghold", "Eg1 Se2 Af3 Sj4", "Eg13 Sg11", goal="controls"),
    _step("save", "Eg1 Sf2 Ah3", "Ei13 Gg9 Sd9", avoid="hangs"),
    _step("end", "Eg1 Gg6 Se3", "Eg13 Se11 Rd9", goal="wins"),
)

_SURROUNDED: Final = _step("surrounded", "Em1 Sf6 Gg6 Sh6 Rf7 Sh7 Sf8 Pg8 Sh9", "Ea13 Rg7 Si7").position
_FATE: Final = _step(
    "fate", "Eg1 Pg2 Gf2 Se2 Si2 Rf3 Rh3 Sg3 Se4 Si4", "Ea13", phase="promote_lower"
).position

RULES: Final = (
    RulesPage("end"),
    RulesPage(),
    RulesPage(seats=4),
    RulesPage(seats=3),
    RulesPage(),
    RulesPage("soldier"),
    RulesPage("take"),
    RulesPage("general"),
    RulesPage("take"),
    RulesPage("assassin"),
    RulesPage("soldier"),
    RulesPage("sergeant"),
    RulesPage("recruit"),
    RulesPage("recruit"),
    RulesPage("arm"),
    RulesPage(position=_SURROUNDED, played=("h9-h8",)),
    RulesPage("stronghold"),
    RulesPage("stronghold"),
    RulesPage("recruit"),
    RulesPage(position=_FATE),
    RulesPage(position=_FATE),
    RulesPage("general"),
    RulesPage(seats=3),
    RulesPage(position=_FATE),
    RulesPage("save"),
    RulesPage("end"),
    RulesPage(seats=4, options={"allied": True}),
    RulesPage("end"),
    RulesPage("stronghold"),
    RulesPage("take"),
    RulesPage("end"),
    RulesPage("soldier"),
    RulesPage("soldier"),
    RulesPage("arm"),
)
"""What the pages of the rules show, in order."""
