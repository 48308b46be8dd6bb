"""Missions with several aims: any one is enough since version 3 of the rules, as in the original program."""

from __future__ import annotations

from dataclasses import replace

from games.domination.computer.evaluation import progress
from games.domination.maps.atlas import ANY, Mission
from games.domination.maps.world import WORLD
from games.domination.rules.goals import accomplished
from games.domination.rules.position import RULES_VERSION, Position, View
from games.domination.view.private_hand import hand
from games.engine.message import Msg
from tests.games.domination.helpers import position
from tests.rows import rows

AUSTRALIA, SOUTH_AMERICA = "ino ngu wau eau", "ven per bra arg"
SEATS = {1: "", 2: "ala"}
HELD = {
    "nothing": {0: "jap kam"},
    "continent": {0: f"{AUSTRALIA} jap"},
    "countries": {0: "jap 2 kam 2 sia 2 mon 2 irk 2 yak 2"},
    "both": {0: f"{AUSTRALIA} jap 2 kam 2 sia 2 mon 2 irk 2 yak 2"},
}
BEAT, COUNT, LAND = (3, 0, 0), (0, 6, 2), (5,)


def of(rules: int, held: str, killers: tuple[int, int, int] = (-1, -1, -1)) -> Position:
    """A position under a version of the rules: what the first seat holds, and who has beaten whom."""
    found = position({**SEATS, **HELD[held]}).position
    info = found.info
    law = info.law._replace(rules=rules)
    return found._replace(info=info._replace(law=law, killers=killers))


@rows(
    "head, continents, killers, by_held, before",
    [
        (BEAT, LAND, (-1, -1, -1), {"continent", "both"}, set()),
        (BEAT, LAND, (-1, -1, 0), set(HELD), set(HELD)),
        (BEAT, LAND, (-1, -1, 1), {"continent", "both"}, {"continent", "both"}),
        (COUNT, LAND, (-1, -1, -1), {"continent", "countries", "both"}, {"both"}),
        ((3, 6, 2), LAND, (-1, -1, -1), {"continent", "both"}, set()),
        ((3, 6, 2), LAND, (-1, -1, 1), {"continent", "countries", "both"}, {"both"}),
        ((1, 6, 2), LAND, (-1, -1, -1), {"continent", "countries", "both"}, {"both"}),
        ((3, 6, 2), (), (-1, -1, -1), set(), set()),
        ((3, 6, 2), (), (-1, -1, 1), {"countries", "both"}, {"countries", "both"}),
        (COUNT, (), (-1, -1, -1), {"countries", "both"}, {"countries", "both"}),
        ((0, 0, 0), LAND, (-1, -1, -1), {"continent", "both"}, {"continent", "both"}),
        ((0, 0, 0), (5, ANY), (-1, -1, -1), set(), set()),
        (BEAT, (), (-1, -1, 1), set(), set()),
    ],
)
def test_any_aim_is_enough_and_earlier_versions_keep_theirs(
    head: tuple[int, int, int],
    continents: tuple[int, ...],
    killers: tuple[int, int, int],
    by_held: set[str],
    before: set[str],
) -> None:
    mission = Mission(*head, continents)
    for rules in range(1, RULES_VERSION + 1):
        won = {held for held in HELD if accomplished(of(rules, held, killers), 0, mission)}
        assert won == (before if rules < 3 else by_held), rules


@rows("number", [n for n, one in enumerate(WORLD.missions) if one.player <= 3])
@rows("held", HELD)
def test_missions_with_one_aim_are_the_same_in_all_versions(held: str, number: int) -> None:
    for killers in ((-1, -1, -1), (-1, -1, 0), (-1, -1, 1), (-1, 0, 0)):
        known = [of(rules, held, killers) for rules in range(1, RULES_VERSION + 1)]
        assert len({accomplished(each, 0, WORLD.missions[number]) for each in known}) == 1
        assert len({progress(View(each, None), 0, number) for each in known}) == 1


def said(message: Msg) -> set[str]:
    """The keys of a message."""
    return {message.key}.union(*(said(one) for _, one in message.values if isinstance(one, Msg)))


def test_the_hand_names_both_aims() -> None:
    here = of(3, "nothing")
    atlas = replace(WORLD, missions=(Mission(*BEAT, LAND, "Beat PLAYER3."), Mission(*COUNT, ())))
    start = position(
        {**SEATS, **HELD["nothing"]}, {"mode": "mission"}, own=[{"mission": n} for n in range(3)]
    )
    law = here.info.law._replace(atlas=atlas, mode="mission")
    here = here._replace(info=here.info._replace(law=law))
    lines = hand(View(here, start.own[0]), 0)
    keys = set().union(*map(said, lines))
    assert {"domination.hand.either", "domination.mission.beat", "domination.mission.continents"} <= keys
