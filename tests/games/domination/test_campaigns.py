"""Campaigns of the planning players: their exact odds, and kills one after another."""

from __future__ import annotations

import pytest

from games.domination.computer.campaigns import best_campaign, exact_chance
from games.domination.computer.position_model import PositionModel, Strategy
from games.domination.rules import judge
from games.engine.values import Seat
from tests.games.domination.helpers import CODES, position


def test_the_chance_of_a_campaign_counts_each_number_of_armies_left() -> None:
    state = position({1: "ino ngu wau eau", 0: "sia 4"}, phase="attack", turn=0, step=2)
    model = PositionModel(judge.view(state, Seat(0)), 0, Strategy())
    sia, ino, ngu = (CODES.index(code) for code in ("sia", "ino", "ngu"))
    three, two, one = 855 / 1296, 125 / 216, 15 / 36
    first = three, (1 - three) * two, (1 - three) * (1 - two) * one
    assert exact_chance(model, [(sia, ino)]) == pytest.approx(sum(first))
    then = (two + (1 - two) * one, one, 0.0)
    assert exact_chance(model, [(sia, ino), (ino, ngu)]) == pytest.approx(
        sum(a * b for a, b in zip(first, then, strict=True))
    )


REST = " ".join(f"{code} 9" for code in CODES if code not in ("sia", "ino", "ngu", "wau", "eau"))


@pytest.mark.parametrize(
    ("cards", "taken"),
    [("ven bra per nwt", {"ino", "ngu", "wau", "eau"}), ("ven", {"ino"})],
    ids=["a-set", "no-set"],
)
def test_a_kill_is_followed_by_another_with_the_set_that_it_brings(cards: str, taken: set[str]) -> None:
    holds = {3: REST, 0: "sia 7", 1: "ino", 2: "ngu 4 wau eau"}
    state = position(holds, None, {0: "ala kam jap", 1: cards}, phase="attack", turn=0, step=2)
    found = best_campaign(PositionModel(judge.view(state, Seat(0)), 0, Strategy()), 0)
    assert found is not None
    assert {CODES[dst] for _, dst in found.steps} == taken


def test_no_set_is_due_without_a_limit_of_the_hand() -> None:
    hands = {0: "ala kam jap", 1: "ven bra per nwt"}
    for law, armies in (({}, 4), ({"hand": 0}, 0)):
        state = position({3: REST, 0: "sia 7", 1: "ino", 2: "ngu 4 wau eau"}, law, hands, turn=0, step=2)
        assert PositionModel(judge.view(state, Seat(0)), 0, Strategy()).inherited_armies(1) == armies
