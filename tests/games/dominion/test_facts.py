"""The facts of a turn in five lines, buttons, warnings and odds, in English."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from games.dominion import GAME, facts, judge, turns
from games.dominion.actions import decode
from games.dominion.position import NOBODY, Law, State
from games.engine.game import Fact, Odds, Rejected, Seat
from locales import Catalogue
from tests.games.dominion.helpers import N, S, act, keys, lawful, position, ready, step
from tests.rows import rows

CATALOGUE = Catalogue(strict=True)
NAMES = ("Zhao", "Chu", "Third", "Fourth")


def told(found: tuple[Fact, ...]) -> dict[int, str]:
    """Return the facts by line, as the board shows them."""
    lines: dict[int, list[str]] = {}
    for fact in found:
        lines.setdefault(fact.line, []).append(CATALOGUE.say(fact.msg, "en", NAMES.__getitem__))
    return {line: " · ".join(said) for line, said in lines.items()}


@rows(
    "state, wire, story",
    [
        (position(p1="Sg7"), "g7-g8", {0: "Soldier g7-g8"}),
        (position(p1="Rg7 Sg8"), "g7-g8", {0: "Sergeant g7-g8, changing places with a Soldier"}),
        (position(p1="Gg7", p0="Sg9"), "g7-g9", {0: "General g7-g9 eliminates Zhao's Soldier"}),
        (position(p1="Gg7", free="g9"), "g7-g9", {0: "General g7-g9 eliminates a free Peasant"}),
        (position(p1="Sd4 Sf5", free="e5"), "d4-d5", {0: "Soldier d4-d5", 1: "Recruited by Chu: e5"}),
        (
            position(turn=N, p1="Sf4 Sh6", p0="Gg4 Ga6", free="g5"),
            "a6-g6",
            {0: "General a6-g6", 1: "Contested: g5"},
        ),
        (
            position(turn=N, p1="Sf4 Sh6", p0="Gg4 Gg6", free="g5"),
            "g6-g7",
            {0: "General g6-g7", 1: "Recruited by Chu: g5"},
        ),
        (
            position(p1="Se2 Gg4 ph3 pi1"),
            "g4-g2",
            {0: "General g4-g2", 1: "Armed as Soldiers by Chu: i1 and h3", 2: "Chu now controls South"},
        ),
        (
            position(p1="Se2 Gg2"),
            "g2-g4",
            {0: "General g2-g4", 2: "Chu lost control of South, now neutral"},
        ),
        (
            position(p1="Sf6 Sf7 Sf8 Sg6 Sg8 Sh6 Sh7 Sh9", p0="Rg7"),
            "h9-h8",
            {0: "Soldier h9-h8", 1: "Surrounded, now Soldiers of Chu: g7"},
        ),
        (
            position(p1="Pg7", p0="Eg13 Pa10"),
            "g7-g13",
            {
                0: "Prince g7-g13 eliminates Zhao's Emperor",
                3: "Zhao's Prince may succeed on the next turn: a chance of 1/24 (4.2 %)",
            },
        ),
        (
            position(p1="Pg7", p0="Eg13 Sa10"),
            "g7-g13",
            {
                0: "Prince g7-g13 eliminates Zhao's Emperor",
                3: "Zhao has no Prince to succeed · "
                "Zhao is out: the court is gone, Sergeants and Soldiers are Peasants now",
            },
        ),
        (position(phase="fate"), "fate no", {4: "Fate: no"}),
        (position(phase="fate"), "fate 4", {4: "Fate: yes, sticks 4: no change"}),
        (
            position(phase="fate"),
            "fate 6",
            {4: "Fate: yes, sticks 6: promote one of the upper ranks, but that is impossible"},
        ),
        (
            position(phase="fate", p1="Sg7"),
            "fate 5",
            {4: "Fate: yes, sticks 5: promote one of the lower ranks"},
        ),
        (position(phase="promote_lower", p1="Sg7"), "promote g7=R", {4: "Soldier g7 promoted to Sergeant"}),
        (position(phase="demote_upper", p1="Pg7"), "demote g7=G", {4: "Prince g7 demoted to General"}),
        (
            position(phase="peasant", p1="Sd5 Sf5"),
            "peasant e5",
            {4: "A new Peasant on e5", 1: "Recruited by Chu: e5"},
        ),
        (
            position(law=lawful(3), turn=0, phase="heir", pending=[0], p0="Pe12"),
            "stay",
            {3: "Zhao's Prince is Emperor now"},
        ),
        (
            position(law=lawful(3), turn=0, phase="succession", pending=[0], p0="Pe12"),
            "fate 6",
            {3: "Fate is with Zhao's Prince"},
        ),
    ],
)
def test_a_turn_is_a_story(state: State, wire: str, story: dict[int, str]) -> None:
    assert told(step(state, wire).facts) == story


def test_the_start_is_told() -> None:
    begun = GAME.start(GAME.setup(3))
    assert told(begun.facts)[2].startswith("Chu sits between the other two")
    assert GAME.start(GAME.setup(2)).facts == ()
    thrown = step(begun.state, "throw 6,6,1/2,3")
    assert told(thrown.facts) == {0: "Chu threw highest and begins (6 6 1; 2 3)"}
    one = turns.play(thrown.state, 1, decode(_first_pair(thrown.state, 1)))
    assert [fact.to for fact in one.facts] == [None, {1}], "which ones is told to nobody else"
    two = turns.play(one.state, 0, decode(_first_pair(one.state, 0)))
    assert keys(two.facts) == ["ready", "chosen"]
    three = turns.play(two.state, 2, decode(_first_pair(two.state, 2)))
    assert keys(three.facts) == ["sergeants"] * 3
    assert {fact.line for fact in three.facts} == {1}


def _first_pair(state: State, seat: int) -> str:
    return judge.legal(state.position, seat)[0].text


def test_a_territory_that_changes_hands_is_told_once() -> None:
    state = position(p1="Ge11 Sg12", p0="Ee13 Se12", turn=S)
    assert told(step(state, "e11-e12").facts)[2] == "Chu now controls North"
    both = facts.control_changes((0, 0, 1, NOBODY), (1, 1, NOBODY, NOBODY))
    assert told(both) == {2: "Chu now controls North and East · Chu lost control of South, now neutral"}


@rows(
    "options, chance",
    [
        ({}, Fraction(1, 24)),
        ({"fate": 2}, Fraction(1, 12)),
        ({"sticks": "sticks"}, Fraction(1, 256)),
        ({"succession": "kind"}, Fraction(1, 3)),
        ({"succession": "kind", "sticks": "sticks"}, Fraction(7, 64)),
        ({"succession": "sure"}, Fraction(1)),
    ],
)
def test_the_chance_of_an_heir(options: dict[str, Any], chance: Fraction) -> None:
    law: Law = lawful(**options)
    assert facts.succession_chance(law) == chance
    said = told((facts.emperor_taken(law, N, heir=True),))[3]
    assert str(chance) in said if chance < 1 else "will succeed" in said
    assert sum(facts.sticks_chance(law, n) for n in range(7)) == 1


# --- warnings --------------------------------------------------------------------------------------------


@rows(
    "state, wire, said",
    [
        (position(p1="Eg2 Gh2", p0="Gg9"), "h2-h3", "Zhao's General on g9"),
        (position(p1="Eg2 Gf3", p0="Gg9"), "f3-g3", ""),
        (position(p1="Eg2 Gg5", p0="Gg9"), "g5-h5", "Zhao's General on g9"),
        (position(p1="Eg2 Gg5", p0="Gg9"), "g5-g9", ""),
        (position(p1="Eg2", p0="Sf4"), "g2-g3", "Zhao's Soldier on f4"),
        (position(p1="Pg7 Eg2", p0="Eg13 Gg9 Ga2"), "g7-g9", "Zhao's General on a2"),
        (position(p1="Pg7 Eb2", p0="Eg13 Ga2"), "g7-g13", ""),
        (position(law=lawful(3), p1="Ek1 Se3", p0="Ga1", p2="Gl1", turn=1), "e3-e4", "Third's General on l1"),
        (
            position(law=lawful(3), p1="Ek1 Se3", p0="Pa1 Ga2", pending=[0], turn=1),
            "e3-e4",
            "Zhao's Prince on a1",
        ),
        (position(law=lawful(3), p1="Ek1 Se3", p0="Pa9 Ga1", pending=[0], turn=1), "e3-e4", ""),
        (position(phase="promote_lower", p1="Eg2 Sh2", p0="Gg9"), "promote h2=R", ""),
    ],
)
def test_an_emperor_who_can_be_taken_is_warned(state: State, wire: str, said: str) -> None:
    seat = Seat(state.position.turn)
    action = decode(wire)
    assert GAME.refuse(state, seat, action) is None
    found = GAME.caution(GAME.view(state, seat), seat, action)
    assert (found is not None) == bool(said)
    assert found is None or said in CATALOGUE.say(found, "en", NAMES.__getitem__)


# --- buttons ---------------------------------------------------------------------------------------------


def buttons(state: State) -> list[tuple[str, str]]:
    """Return the labels and texts of the buttons of the seat that is to act."""
    seat = Seat(max(judge.to_act(state.position)))
    found = GAME.shortcuts(GAME.view(state, seat), seat)
    return [(CATALOGUE.say(each.label), each.text) for each in found]


def test_buttons_are_for_what_is_quickly_said() -> None:
    assert buttons(ready(lawful())) == []
    assert buttons(act(GAME.start(GAME.setup(2)).state, "throw 1,2")) == [
        ("f3 + h3 (default)", "auto"),
        ("Choose two", "sgt"),
    ]
    assert buttons(position(phase="promote_lower", p1="Sg7 Rg8")) == [
        ("Soldier g7 → Sergeant", "promote g7"),
        ("Sergeant g8 → Warrior", "promote g8=W"),
        ("Sergeant g8 → Assassin", "promote g8=X"),
        ("Auto (Sergeant g8 → Warrior)", "auto"),
    ]
    assert buttons(position(phase="demote_lower", p1="Rg8")) == [("Sergeant g8 → Soldier", "demote g8")]
    many = position(phase="promote_lower", p1="Sa1 Sb1 Sc1 Sd1 Se1 Sf1 Sg1 Rh1 Ri1")
    assert [text for _, text in buttons(many)] == ["promote", "auto"]
    ten = position(phase="promote_lower", p1="Sa1 Sb1 Sc1 Sd1 Se1 Sf1 Sg1 Sh1 Rj1")
    assert len(buttons(ten)) == 10
    assert "auto" not in [text for _, text in buttons(ten)]
    assert len(buttons(position(phase="peasant"))) == 10
    heir = position(law=lawful(3), turn=0, phase="heir", pending=[0], p0="Pe12")
    assert buttons(heir) == [("Stay", "stay"), ("Move the Prince", "prince")]
    full = position(phase="peasant", free="e5 g5 i5 e7 g7 i7 e9 g9 i9")
    assert [text for _, text in buttons(full)] == ["place", "auto"]


def test_silent_players_promote_the_middle_or_the_first_who_are_left() -> None:
    choosing = act(GAME.start(GAME.setup(2)).state, "throw 1,2")
    for seat, wire in ((N, "sergeants f11 h11"), (S, "sergeants f3 h3")):
        assert GAME.default(GAME.view(choosing, Seat(seat)), Seat(seat)) == decode(wire)


# --- chances ---------------------------------------------------------------------------------------------


def chances(state: State, text: str) -> dict[str, Fraction]:
    """Return the odds after a move, by their English texts."""
    seat = Seat(state.position.turn)
    found = GAME.odds(GAME.view(state, seat), seat, text)
    assert not isinstance(found, Rejected)
    (one,) = found
    assert isinstance(one, Odds)
    assert sum(chance for chance, _ in one.chances) == 1
    assert [chance for chance, _ in one.chances] == sorted((c for c, _ in one.chances), reverse=True)
    return {CATALOGUE.say(what, "en", NAMES.__getitem__): chance for chance, what in one.chances}


def test_the_chances_of_fate_after_a_move() -> None:
    state = position(p1="Pg2 Rf3 Sh3 Se2")
    assert chances(state, "h3-h4") == {
        "Fate says no": Fraction(3, 4),
        "demote one of the upper ranks: g2": Fraction(1, 24),
        "demote one of the lower ranks: f3": Fraction(1, 24),
        "a new Peasant for the circle": Fraction(1, 24),
        "the sticks change nothing": Fraction(1, 24),
        "promote one of the lower ranks: e2, f3, and h4": Fraction(1, 24),
        "promote one of the upper ranks: impossible, nothing changes": Fraction(1, 24),
    }
    sticks = position(p1="Sg7", law=lawful(sticks="sticks", fate=2))
    assert chances(sticks, "g7-g8")["the sticks change nothing"] == Fraction(1, 2) * Fraction(1 + 15, 64)
    assert set(chances(position(p1="Gg7", p0="Eg13"), "g7-g13")) == {"the match is over then"}
    heir = position(law=lawful(3), turn=0, phase="heir", pending=[0], p0="Pe12 Sf11")
    assert chances(heir, "stay") == {"no throw after this": Fraction(1)}


def test_chances_are_told_of_moves_only() -> None:
    state = ready(lawful(), first=S)
    view = GAME.view(state, Seat(S))
    assert isinstance(GAME.odds(view, Seat(S), "e3-e6"), Rejected)
    found = GAME.odds(view, Seat(S), "f3")
    assert not isinstance(found, Rejected)
    assert len(found) == 4
    assert {each.text[:3] for each in found} == {"f3-"}
    everything = GAME.odds(view, Seat(S), "")
    assert not isinstance(everything, Rejected)
    assert len(everything) == 1
    assert GAME.odds(GAME.view(state, Seat(N)), Seat(N), "") == ()
    asked = position(phase="promote_lower", p1="Sg7")
    assert GAME.odds(GAME.view(asked, Seat(S)), Seat(S), "") == ()
