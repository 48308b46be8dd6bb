"""Texts of which a part has no meaning: nothing of them is played, and the part is quoted."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from games.dominance import GAME as DOMINANCE
from games.domination.game import GAME as DOMINATION
from games.dominion import GAME as DOMINION
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Done, Rejected, Seat
from games.engine.match import begin
from games.engine.orders import Executed, play
from games.focus import GAME as FOCUS
from games.two_domains import GAME as TWO_DOMAINS
from tests.games.dominance.helpers import begin as dominance
from tests.games.domination.helpers import act, position
from tests.games.domination.typed import carry
from tests.games.dominion.reading import CHOOSING, FALLING, RISING, SETTLING, START
from tests.games.focus.helpers import position as focus
from tests.laws.checks import can_be_said
from tests.rows import rows

PLACE = position({1: "kam 9 mea", 0: "ala 9 nwt 3 alb ukr 9 bra"}, phase="place", pool=19)
SETUP = position({1: "kam", 0: "ala nwt alb ukr"}, phase="setup", own=[{"pool": 19}, {"pool": 19}])
TRADE = position({1: "kam", 0: "ala nwt alb ukr"}, phase="place", pool=8, hands={0: "ala alb wus nwt"})
ATTACK = position({1: "kam 9 mea", 0: "ala 9 nwt 3 alb ukr 9 bra"})
MOVE = act(position({1: "kam mea", 0: "ala 10 nwt 3 alb ukr 9"}), "attack ala kam until 1", "roll 666 1")
CLAIM = DOMINATION.start(DOMINATION.setup(2)).state
CAPITAL = position({1: "kam", 0: "ala ukr bra"}, {"mode": "capital"}, phase="capital")
PILES = focus("e4=RRG d4=RR b4=GR", turn="G", reserve={"G": 2})
DICE = TWO_DOMAINS.load({"red": "12356", "blue": "12356", "turn": "red"}, TWO_DOMAINS.rules)


def refused(game: AnyGame, state: Any, text: str) -> Rejected:
    """Return the refusal of a text for the seat to act, the highest if there are several."""
    seat = max(game.to_act(state))
    if game is DOMINATION:
        seat = Seat(0)
    found = game.parse(game.view(state, seat), seat, text)
    assert not isinstance(found, Done), f"{text!r} plays {game.encode(found.action)}"
    assert isinstance(found, Rejected), f"{text!r}: {found}"
    can_be_said(found.why)
    near = [game.parse(game.view(state, seat), seat, each) for each in found.near]
    assert all(isinstance(each, Done) for each in near)
    return found


TORN = (
    ", ",
    ",",
    "; ",
    ";",
    "\n",
    "\r\n",
    " and ",
    " & ",
    " then ",
    " + 3 ",
    "、",
    "，",
    "；",
    " 2 ",
    " 5. ",
    " all ",
)
"""What tears a number off its country; some are numbers themselves."""


@rows("state, mark", [*product((PLACE, SETUP), TORN)])
def test_a_number_that_is_torn_off_its_country_stops_the_placement(state: Any, mark: str) -> None:
    found = refused(DOMINATION, state, f"place ala{mark}1")
    start, end = found.span
    assert f"place ala{mark}1"[start:end].strip() in {"1", "3", "2", "5"}
    assert not found.chat


@rows("text", ["place ala, 1", "place ala; 1", "place ala\n1", "place ala and 1", "place 1, ala"])
def test_what_to_type_instead_is_said(text: str) -> None:
    found = refused(DOMINATION, PLACE, text)
    assert found.why.key == "domination.refuse.belongs_to"
    assert dict(found.why.values) == {"part": "1", "n": 1, "at": "ALA Alaska", "code": "ala"}
    assert found.near == ("place ala 1",)


@rows(
    "state, text, part",
    [
        (PLACE, "place ala 1.5", "5"),
        (PLACE, "place ala 1,5", "5"),
        (PLACE, "place ala 1/2", "2"),
        (PLACE, "place ala 2-3", "3"),
        (PLACE, "place ala 1 of 5", "5"),
        (PLACE, "5 place ala", "5"),
        (PLACE, "5. place ala", "5"),
        (PLACE, "place ala, 3 ukr", "3"),
        (PLACE, "place ukr 3, 16 2", "16"),
        (PLACE, "ukr 3, 5", "5"),
        (PLACE, "place ala and", "and"),
        (PLACE, "place ala to", "to"),
        (PLACE, "place ala 3 on", "on"),
        (PLACE, "place ala; place ukr 3", "place ukr 3"),
        (PLACE, "place ala; ukr 3", "ukr 3"),
        (PLACE, "place ala 3; ala", "ala"),
        (PLACE, "place ala 3; place", "place"),
        (PLACE, "auto, 5", "5"),
        (PLACE, "auto; ala", "ala"),
        (PLACE, "keep, 5", "5"),
        (TRADE, "trade; ala", "ala"),
        (TRADE, "trade\nala alb wus", "ala"),
        (TRADE, "trade, 1; 3", "3"),
        (TRADE, "trade best, 4", "4"),
        (TRADE, "trade best 4", "best"),
        (TRADE, "trade best bonus ala bonus alb", "bonus"),
        (TRADE, "trade best bonus ala; bonus alb", "bonus"),
        (TRADE, "trade; trade ala alb wus", "trade"),
        (ATTACK, "attack ala kam x", "x"),
        (ATTACK, "attack ala kam x, 3", "x"),
        (ATTACK, "attack ala kam kam", "kam"),
        (ATTACK, "attack ala kam - 3", "3"),
        (ATTACK, "attack ala kam: 3", "3"),
        (ATTACK, "attack ala kam to", "to"),
        (ATTACK, "attack ala kam until 1,5", "5"),
        (ATTACK, "attack ala kam x2 x3", "attack"),
        (ATTACK, "roll ala kam, 2", "2"),
        (ATTACK, "roll ala kam\n2", "2"),
        (ATTACK, "2 roll ala kam", "2"),
        (ATTACK, "roll ala kam / 2", "2"),
        (ATTACK, "attack ala kam; attack", "attack"),
        (ATTACK, "attack ala kam; ukr 5", "ukr 5"),
        (ATTACK, "attack ala kam; kam until 4 move 3", "until"),
        (ATTACK, "attack ala kam; until 4, move 3 to kam", "until"),
        (ATTACK, "attack ala kam; until 4. move 3 to kam", "until 4"),
        (ATTACK, "attack ala kam move 2; 3", "3"),
        (ATTACK, "attack ala kam; move 5 to nwt", "move 5 to nwt"),
        (ATTACK, "fort nwt alb 1.5", "1.5"),
        (ATTACK, "fort nwt alb; 1", "1"),
        (ATTACK, "fort nwt alb 1, 5", "5"),
        (ATTACK, "end, 1", "1"),
        (MOVE, "move 3, 5", "5"),
        (MOVE, "move 3; 5", "5"),
        (MOVE, "move 5 to nwt", "move 5 to nwt"),
        (MOVE, "5, 3", "3"),
        (CLAIM, "claim ala 5", "5"),
        (CLAIM, "claim ala, 5", "5"),
        (CLAIM, "claim ala; 5", "5"),
        (CAPITAL, "capital ala, 1", "1"),
        (CAPITAL, "capital ala; 1", "1"),
    ],
)  # fmt: skip
def test_a_part_of_an_order_without_a_meaning_is_quoted(state: Any, text: str, part: str) -> None:
    start, end = refused(DOMINATION, state, text).span
    assert text[start:end].startswith(part) or part in text[start:end], text[start:end]


@rows(
    "game, state, text",
    [
        (FOCUS, PILES, "e4-e6, 2"),
        (FOCUS, PILES, "e4-e6; e4-e7"),
        (FOCUS, PILES, "2:e4-e5"),
        (FOCUS, PILES, "2.5:e4-e6"),
        (FOCUS, PILES, "e4-e6 to"),
        (FOCUS, PILES, "e4-e6 x"),
        (FOCUS, PILES, "e4-e66"),
        (FOCUS, PILES, "e4-e6-1"),
        (FOCUS, PILES, "+c4 2"),
        (FOCUS, PILES, "+c4 +c5"),
        (DOMINANCE, dominance(), "+a1, 2"),
        (DOMINANCE, dominance(), "+a1 +a5"),
        (DOMINANCE, dominance(), "2 +a1"),
        (DOMINANCE, dominance(), "+a1 to"),
        (TWO_DOMAINS, DICE, "grow 1.5"),
        (TWO_DOMAINS, DICE, "grow 1, 2"),
        (TWO_DOMAINS, DICE, "grow 1-3"),
        (TWO_DOMAINS, DICE, "gather 3"),
        (TWO_DOMAINS, DICE, "grow 1; battle"),
        (TWO_DOMAINS, DICE, "battle 1"),
        (DOMINION, START, "e3-e4, 5"),
        (DOMINION, START, "e3-e4; f3-f4"),
        (DOMINION, START, "e3-e4 to"),
        (DOMINION, START, "e3-e4 +f3"),
        (DOMINION, START, "e3-e4 ! +f3 5"),
        (DOMINION, START, "e3-e4 ! +f3=W=G"),
        (DOMINION, START, "e3-e4 ! +f 3 h"),
        (DOMINION, START, "e3-e4 ! +f3 f4-f5"),
        (DOMINION, CHOOSING, "move f3 h3"),
        (DOMINION, CHOOSING, "f3 h3 l3"),
        (DOMINION, RISING, "promote d4=X demote"),
        (DOMINION, RISING, "d4=X=W"),
        (DOMINION, RISING, "+d4=X 2"),
        (DOMINION, FALLING, "demote f2 promote"),
        (DOMINION, SETTLING, "@g5 @e5"),
        (DOMINION, SETTLING, "peasant g5, 7"),
    ],
)
def test_nothing_is_played_of_such_a_text_in_the_other_games(game: AnyGame, state: Any, text: str) -> None:
    refused(game, state, text)


@rows(
    "state, text, line",
    [
        (PLACE, "place ala (1)", ["place ala 1"]),
        (PLACE, "place ala: 1", ["place ala 1"]),
        (PLACE, "please put 1 army on ala!", ["place ala 1"]),
        (PLACE, "place ala 1, ukr", ["place ala 1", "place ukr 18"]),
        (PLACE, "1. place ala 1\n2. place ukr 2", ["place ala 1", "place ukr 2"]),
        (PLACE, "- place ala 1\n- place ukr 2", ["place ala 1", "place ukr 2"]),
        (PLACE, "then place ala 1", ["place ala 1"]),
        (PLACE, "place 1 3, 16 4", ["place ala 3", "place ukr 4"]),
        (TRADE, "trade 1,3,4; place ala 1", ["trade ala alb wus bonus alb", "place ala 1"]),
        (ATTACK, "roll ala kam 2", ["attack ala kam dice 2"]),
        (ATTACK, "roll ala kam 2x", ["attack ala kam x 2"]),
    ],
)
def test_what_has_a_meaning_is_still_played(state: Any, text: str, line: list[str]) -> None:
    played, left, _ = carry(state, text)
    assert (played, left) == (line, None)


def test_what_comes_too_late_is_quoted() -> None:
    _, left, _ = carry(SETUP, "place ala 19; auto")
    assert left is not None
    assert (left.text, left.why.key) == ("auto", "match.undone.turn")
    _, left, _ = carry(ATTACK, "auto; attack ala kam")
    assert left is not None
    assert (left.text, left.why.key) == ("attack ala kam", "match.undone.turn")
    _, left, _ = carry(PLACE, "place ala 3; place 5")
    assert left is not None
    assert (left.text, left.why.key, left.refused) == ("place 5", "domination.ask.where", False)


def test_answers_that_fate_does_not_ask_for_go_without_a_word() -> None:
    whys = set()
    for secret in range(64):
        sealed = Sealed(bytes([secret]), "D-AAA", "typed")
        match = replace(begin(DOMINION, DOMINION.setup(2), sealed).match, state=START)
        found = DOMINION.parse(DOMINION.view(START, Seat(1)), Seat(1), "e3-e4 ! +f3=X")
        assert isinstance(found, Done)
        done = play(match, Seat(1), found, sealed)
        assert isinstance(done, Executed)
        answered = any(entry.data.startswith("promote f3") for entry in done.change.entries)
        whys.add((answered, done.undone and done.undone.why.key))
    assert whys == {(True, None), (False, None)}, "the board asks what is still open"
