"""Orders without a verb after others: the verb that they get, for every separator."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from games.domination.game import GAME
from games.domination.rules.position import State
from games.engine.game import Done, Partial, Rejected
from tests.games.domination.helpers import act, position
from tests.games.domination.typed import carry, order, read, reason, rest
from tests.rows import rows

HAND = {0: "ala alb wus nwt"}
PLACE = position({1: "kam 9 mea", 0: "ala 9 nwt 3 alb ukr 9 bra seu"}, phase="place", pool=8, hands=HAND)
ATTACK = position({1: "kam 9 mea", 0: "ala 9 nwt 3 alb ukr 9 bra seu"})
MOVE = act(position({1: "kam mea", 0: "ala 10 nwt 3 alb ukr 9"}), "attack ala kam until 1", "roll 666 1")
CLAIM = GAME.start(GAME.setup(2)).state
SETUP = position({1: "kam", 0: "ala nwt alb ukr bra"}, phase="setup", own=[{"pool": 20}, {"pool": 20}])

BREAKS = ("; ", ";", "\n", " then ", "；", "\r\n", ", then ", " and then ")
COMMAS = (", ", "，", " and ", " & ")

PLACINGS = {
    "ukr+5": "place ukr 5",
    "ukr 5": "place ukr 5",
    "5 ukr": "place ukr 5",
    "5 armies on Ukraine": "place ukr 5",
    "ukr: 5": "place ukr 5",
    "all on ukr": "place ukr all",
    "ukr all": "place ukr all",
    "ukr 3 bra 2": "place ukr 3 bra 2",
    "ukr+3 bra+2": "place ukr 3 bra 2",
}
"""Placements without a verb, and with one."""
FIGHTS = {
    "ukr mea": "attack ukr mea",
    "ukr>mea": "attack ukr mea",
    "ukr mea until 4": "attack ukr mea until 4",
    "ukr>mea x2": "attack ukr mea x2",
    "Ukraine to Middle East": "attack ukr mea",
}
LAST = {"ala nwt 5": "fort ala nwt 5", "ala nwt all": "fort ala nwt all"}
SHARES = {"5": "move 5", "all": "move all", "half": "move half", "3 stay": "move 3 stay"}

LEADS: dict[str, tuple[State, dict[str, str]]] = {
    "trade best": (PLACE, PLACINGS),
    "trade": (PLACE, PLACINGS),
    "trade 1 3 4": (PLACE, PLACINGS),
    "trade ala alb wus": (PLACE, PLACINGS),
    "trade ala alb wus bonus ala": (PLACE, PLACINGS),
    "trade best bonus ala": (PLACE, PLACINGS),
    "keep": (PLACE, PLACINGS),
    "pass": (PLACE, PLACINGS),
    "place bra 3": (PLACE, PLACINGS),
    "put 3 on bra": (PLACE, PLACINGS),
    "bra+3": (PLACE, PLACINGS),
    "place bra": (PLACE, PLACINGS | FIGHTS | LAST),
    "place bra 8": (PLACE, PLACINGS | FIGHTS | LAST),
    "bra 8": (PLACE, PLACINGS | FIGHTS | LAST),
    "auto": (ATTACK, PLACINGS | FIGHTS | LAST),
    "attack ala kam": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "blitz ala kam": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "roll ala kam": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "roll ala kam 2": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "attack ala kam until 5": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "attack ala kam x2 lead 2": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "attack ala kam move all": (ATTACK, PLACINGS | FIGHTS | LAST),
    "chain blitz ala>kam>yak": (ATTACK, PLACINGS | FIGHTS | LAST),
    "ala>kam": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "ala kam": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "move 5": (MOVE, PLACINGS | FIGHTS | LAST),
    "move all": (MOVE, PLACINGS | FIGHTS | LAST),
    "keep 3": (MOVE, PLACINGS | FIGHTS | LAST),
    "5": (MOVE, PLACINGS | FIGHTS | LAST),
    "end": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "fort nwt alb 2": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "nwt alb 2": (ATTACK, PLACINGS | FIGHTS | LAST | SHARES),
    "setup bra 3": (SETUP, PLACINGS),
    "place bra 3 ": (SETUP, PLACINGS),
    "bra 3": (SETUP, PLACINGS),
}


def said(state: State, text: str) -> tuple[Any, ...]:
    """Return what a text means, without positions in it."""
    found = read(state, text)
    match found:
        case Done(action):
            return "done", action.text, rest(found)
        case Partial(prompt, choices):
            return "asks", prompt.key, choices
        case Rejected(why):
            return "refused", why.key


STOPPED = (
    "blitz ala kam",
    "roll ala kam",
    "roll ala kam 2",
    "attack ala kam until 5",
    "attack ala kam x2 lead 2",
    "chain blitz ala>kam>yak",
)
"""Attacks whose stop rules continue after a comma."""
LISTS = ("place bra 3", "place bra 3 ", "put 3 on bra", "setup bra 3", "place bra", "place bra 8")
"""Placements that continue after a comma as one order, with their armies counted together."""


@pytest.mark.parametrize("lead", LEADS)
def test_each_order_gets_its_own_verb_unless_a_comma_continues_a_list(lead: str) -> None:
    state, forms = LEADS[lead]
    meant = {full: said(state, f"{lead}; {full}") for full in forms.values()}
    for mark, (bare, full) in product(BREAKS + COMMAS, forms.items()):
        continues = (bare in FIGHTS and lead in STOPPED) or (bare not in FIGHTS and lead in LISTS)
        joined = bare in ("half", "3 stay") and mark in COMMAS[2:]
        if mark in BREAKS or not (continues or joined):
            text = f"{lead}{mark}{bare}"
            assert said(state, text) == meant[full], text


@pytest.mark.parametrize("mark", COMMAS)
def test_armies_of_a_list_are_counted_together(mark: str) -> None:
    for bare in PLACINGS:
        found = read(PLACE, f"place bra 3{mark}{bare}")
        assert isinstance(found, Done), bare
        assert (found.action.text, rest(found).split()[:2]) == ("place bra 3", ["place", "ukr"]), bare
        assert reason(PLACE, f"place bra 8{mark}{bare}") == "pool", bare
    assert order(PLACE, f"place bra{mark}ukr 5") == "place bra 3 | place ukr 5", "Brazil gets the rest"
    assert order(PLACE, f"5 on ukr{mark}all on bra") == "place ukr 5 | place bra all"


AFTER_COMMA = (
    (PLACE, "trade 1# 3# 4", "trade ala alb wus bonus alb"),
    (PLACE, "trade ala# alb# wus", "trade ala alb wus bonus alb"),
    (PLACE, "trade ala alb# wus", "trade ala alb wus bonus alb"),
    (PLACE, "trade best# bonus ala", "trade ala alb wus bonus ala"),
    (PLACE, "trade 1# 3# 4# bra+5", "trade ala alb wus bonus alb | place bra 5"),
    (PLACE, "trade ala# alb# wus# 5 bra", "trade ala alb wus bonus alb | place bra 5"),
    (PLACE, "trade best# 5 bra# bra mea", "trade ala alb wus bonus alb | place bra 5; attack bra mea"),
    (PLACE, "place ukr 3# bra 2", "place ukr 3 | place bra 2"),
    (PLACE, "place ukr 3# bra", "place ukr 3 | place bra all"),
    (PLACE, "place ukr 3# 2 on bra", "place ukr 3 | place bra 2"),
    (PLACE, "place ukr 8# ukr mea# ala kam", "place ukr 8 | attack ukr mea; attack ala kam"),
    (ATTACK, "attack ukr mea until 4# ala kam", "attack ukr mea until 4 | >mea; attack ala kam until 4"),
    (ATTACK, "blitz ukr>mea# ala>kam", "attack ukr mea until 1 | >mea; attack ala kam until 1"),
    (CLAIM, "claim ala# kam# yak", "queue ala | claim kam yak"),
    (CLAIM, "ala# kam# yak", "queue ala | claim kam yak"),
    (CLAIM, "queue ala# kam", "queue ala | queue kam"),
)
"""Orders that a comma or "and" continues at each `#`, with the first action and its script."""
AFTER_BREAK = (
    (PLACE, "place ukr 3# bra", "place ukr 3 | place bra all"),
    (SETUP, "setup ala 6# ukr", "place ala 6 | place ukr all"),
    (PLACE, "trade best# bonus ala", "trade ala alb wus bonus ala"),
    (PLACE, "trade best# bra", "trade ala alb wus bonus alb | place bra"),
    (ATTACK, "attack ukr mea until 4# ala kam", "attack ukr mea until 4 | >mea; attack ala kam"),
    (ATTACK, "blitz ukr mea# mea ukr 2", "attack ukr mea until 1 | >mea; fortify mea ukr 2"),
    (PLACE, "trade best# bra 3# ukr", "trade ala alb wus bonus alb | place bra 3; place ukr"),
    (
        PLACE,
        "trade best# bra 3# ala nwt 5",
        "trade ala alb wus bonus alb | place bra 3; fortify ala nwt 5",
    ),
    (PLACE, "trade best# bra 3# pass", "trade ala alb wus bonus alb | place bra 3; end"),
    (PLACE, "place ukr 8# pass", "place ukr 8 | end"),
    (PLACE, "place ukr 8# ukr mea# mea ukr all", "place ukr 8 | attack ukr mea; fortify mea ukr all"),
    (CLAIM, "claim ala# kam# yak", "queue ala | claim kam yak"),
    (CLAIM, "claim ala# claim kam", "queue ala | claim kam"),
    (CLAIM, "ala# kam", "queue ala | claim kam"),
)
"""The same for a break, which continues only what is incomplete alone."""


@rows(
    "mark, state, text, line",
    [
        *((mark, *case) for mark, case in product(COMMAS[:2], AFTER_COMMA)),
        *((mark, *case) for mark, case in product(COMMAS[2:], AFTER_COMMA) if "bonus" not in case[1]),
        *((mark, *case) for mark, case in product(BREAKS, AFTER_BREAK)),
    ],
)
def test_what_a_separator_continues(mark: str, state: State, text: str, line: str) -> None:
    assert order(state, text.replace("# ", mark)) == line


def test_a_whole_turn_without_verbs() -> None:
    played, stop, after = carry(PLACE, "trade best; bra+3\nukr 9; ukr>mea; end")
    assert [line.split()[0] for line in played] == ["trade", "place", "place", "attack", "move", "end"]
    assert (stop, after.position.turn) == (None, 1)


def test_armies_out_of_time_are_refused_as_such() -> None:
    assert reason(ATTACK, "ukr+5") == reason(ATTACK, "ukr 5") == reason(ATTACK, "5 on ukr") == "due.attack"
    assert reason(ATTACK, "ukr 3 bra 2") == "due.attack", "it isn't a last move of three armies"
    assert reason(PLACE, "ukr mea") == reason(PLACE, "ukr>mea") == "due.place"
    assert reason(PLACE, "place ukr 3, ala nwt") == "amount"
    assert reason(PLACE, "trade 1 3, 4, 2") == reason(PLACE, "trade ala, alb, wus, nwt") == "three_cards"
    assert reason(ATTACK, "attack ala kam; yak") == "half"
