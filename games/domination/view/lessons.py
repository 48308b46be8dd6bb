"""The lessons of Domination: placing, odds, continents, cards, the border, and when to stop."""

from __future__ import annotations

from typing import Final

from games.domination.maps.world import WORLD
from games.engine.fields import Json
from games.engine.game import Seat
from games.engine.teaching import LessonStep, RulesPage

RED: Final = Seat(0)


def _step(
    key: str,
    ours: str,
    theirs: str,
    *accepts: str,
    phase: str = "attack",
    pool: int = 0,
    order: tuple[Json, ...] = (),
    hand: str = "",
    goal: str = "",
    least: float = 1,
    taken: bool = False,
) -> LessonStep:
    """Return a step for Red: countries such as `bra=3`; all others are Blue's, by default with two armies."""
    held = dict.fromkeys((country.code for country in WORLD.countries), "2")
    held |= dict(each.split("=") for each in theirs.split())
    mine = dict(each.split("=") for each in ours.split())
    countries: dict[str, Json] = {code: [1, int(n)] for code, n in held.items()}
    countries |= {code: [0, int(n)] for code, n in mine.items()}
    cards: list[Json] = list(hand.split())
    position: dict[str, Json] = {
        "law": {"seats": 2},
        "countries": countries,
        "phase": phase,
        "turn": 0,
        "round": 5,
        "pool": pool,
        "taken": taken,
    }
    if order:
        position["order"] = list(order)
    if cards:
        position["own"] = [{"hand": cards}, {}]
    return LessonStep(key, position, RED, 2, accepts, goal, least)


_SOUTH_AMERICA: Final = "ven=1 per=1 arg=1 cam=3"
_EVERYTHING: Final = " ".join(f"{country.code}=3" for country in WORLD.countries if country.code != "ice")

LESSONS: Final = (
    _step("place", f"{_SOUTH_AMERICA} bra=2", "naf=3", phase="place", pool=3, goal="guards"),
    _step("attack", f"{_SOUTH_AMERICA} bra=8", "naf=2", goal="odds", least=85),
    _step(
        "odds", "kam=4 ind=9", "ala=6 sia=2 chn=9 afg=9 mea=9 yak=7 irk=7 mon=7 jap=7", goal="odds", least=75
    ),
    _step(
        "move_in",
        f"{_SOUTH_AMERICA} bra=7 naf=0",
        "",
        phase="move",
        goal="fronts",
        least=5,
        order=("bra", "naf", "until", 1, 8, 2, 2, 3),
        taken=True,
    ),
    _step("continent", "ngu=2 wau=7 eau=1", "ino=2", goal="completes"),
    _step("card", "jap=5 mad=2", "kam=1 mon=6 eaf=4 saf=4", goal="odds", least=85),
    _step("break", f"{_SOUTH_AMERICA} bra=9", "naf=3", goal="breaks"),
    _step("trade", f"{_SOUTH_AMERICA} bra=2", "", phase="place", pool=3, hand="ala alb wus", goal="trades"),
    _step("fortify", "ven=1 per=6 arg=1 cam=3 bra=1", "naf=3", goal="fronts", least=4, taken=True),
    _step("stop", "ven=2 per=1 arg=1 cam=2 bra=3", "naf=8 wus=6 eus=7", "end", taken=True),
    _step("end", _EVERYTHING, "ice=1", goal="beats"),
)

_CHANCE: Final[dict[str, Json]] = {"setup": "auto"}

RULES: Final = (
    RulesPage(seats=6, options=_CHANCE),
    RulesPage("end"),
    RulesPage("attack"),
    RulesPage(options=_CHANCE),
    RulesPage(seats=6, options=_CHANCE),
    RulesPage(),
    RulesPage(seats=3, options={"setup": "deal"}),
    RulesPage(options={"setup": "deal"}),
    RulesPage(options=_CHANCE),
    RulesPage(options=_CHANCE | {"neutral": True}),
    RulesPage("place"),
    RulesPage("continent"),
    RulesPage("fortify"),
    RulesPage("break"),
    RulesPage("attack"),
    RulesPage("odds"),
    RulesPage("move_in"),
    RulesPage("card"),
    RulesPage("trade"),
    RulesPage("trade"),
    RulesPage("card"),
    RulesPage("trade"),
    RulesPage("trade"),
    RulesPage("trade"),
    RulesPage(seats=3, options={"mode": "mission", "setup": "deal"}),
    RulesPage(seats=3, options=_CHANCE | {"mode": "capital"}),
    RulesPage(seats=3, options=_CHANCE),
    RulesPage("stop"),
    RulesPage("break"),
    RulesPage("place"),
    RulesPage("attack"),
    RulesPage("fortify"),
)
"""What the pages of the rules show, in order."""
