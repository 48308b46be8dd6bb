"""The golden cases of the rules in players' words: refusals, their reasons, and alternatives."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.dominion import GAME, endings, judge
from games.dominion.position import State
from games.engine.game import Partial, Rejected, Seat
from games.engine.match import walk
from games.engine.record import read
from locales import Catalogue
from tests.games.dominion.helpers import position

CATALOGUE = Catalogue(strict=True)
NAMES = ("Zhao", "Chu", "Third", "Fourth")
GOLDEN = Path(__file__).parent / "golden"


def said(state: State, text: str) -> str:
    """Return the refusal of a text in English."""
    seat = Seat(max(judge.to_act(state.position)))
    found = GAME.parse(GAME.view(state, seat), seat, text)
    assert isinstance(found, Rejected), found
    return CATALOGUE.say(found.why, "en", NAMES.__getitem__)


def reach(state: State, text: str) -> set[str]:
    """Return where a piece may go, from the choices of half a move."""
    seat = Seat(max(judge.to_act(state.position)))
    found = GAME.parse(GAME.view(state, seat), seat, text)
    assert isinstance(found, Partial), found
    return {choice.partition("-")[2] for choice in found.choices}


SGT = position(p1="Rg7 Sg8", free="i7")
ASN = position(p1="Xg2", p0="Sg5 Eg9", free="g11")
LINED = position(p1="Sf3 Sg2 Si2")


def test_2_sergeant() -> None:
    assert reach(SGT, "sgt g7") == {"e7", "f6", "f7", "f8", "g5", "g6", "g8", "h6", "h7", "h8"}
    assert said(SGT, "g7-g9") == (
        "The Sergeant on g7 can't do that: it is blocked on g8. "
        "It may go to g5, f6, g6, h6, e7, f7, h7, f8, g8, or h8."
    )
    assert "a Sergeant only eliminates one step diagonally, and i7 lies straight ahead" in said(SGT, "sgt i7")


def test_3_assassin() -> None:
    assert reach(ASN, "asn") == {"g1", "g3", "g4", "g9", *(f"{file}2" for file in "abcdefhijklm")}
    assert "before g5 there are 0" in said(ASN, "asn g5")
    assert "before g11 there are 2" in said(ASN, "g2-g11")


def test_5_warrior() -> None:
    state = position(p1="Wg7 Sf6 Sf7 Sf8 Sg6 Sg8 Sh6 Sh7 Sh8")
    assert reach(state, "war") == {"e6", "e8", "f5", "f9", "h5", "h9", "i6", "i8"}
    assert "leaps two squares one way and one to the side" in said(state, "g7-g9")


def test_6_soldier_and_lines() -> None:
    assert reach(LINED, "f3") == {"e2", "e3", "f2", "f4", "g3"}
    lost = position(p1="Sf3 Sg2")
    assert reach(lost, "f3") == {"e3", "f2", "f4", "g3"}
    assert "e2 lies along a defensive line of a Territory that you don't control" in said(lost, "f3-e2")
    assert "and f4 is neither" in said(position(p1="Se3 Sg2 Si2"), "e3-f4")


def test_13_limits() -> None:
    full = "Pg2 Gg1 Gh1 Ah2 Ai1 Wf4 Wg4 Xh4 Xi4 Rd4 Re4 Rj4 Se2 Si2"
    state = position(phase="demote_upper", p1=full)
    assert said(state, "f4=R").startswith(
        "f4 isn't an answer to Fate: a Warrior can't become Sergeant now, only Soldier."
    )
    assert "an Emperor is never promoted or demoted" in said(state, "m1")
    assert "a Sergeant is one of the other ranks" in said(state, "d4")


def test_14_location() -> None:
    state = position(phase="demote_upper", p1="Gg8 Wl7", p0="Sl5 Sl9")
    assert said(state, "l7") == (
        "l7 isn't an answer to Fate: l7 lies in a Territory that Zhao controls, "
        "and units there are neither promoted nor demoted. Choose g8."
    )


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_golden_matches_can_be_told(path: Path) -> None:
    record = read(path.read_text("utf-8"))
    longest = 0
    for _, facts in walk(record.entries):
        public = [fact for fact in facts if fact.to is None]
        lines = [[f for f in public if f.line == line] for line in range(5)]
        text = [
            " · ".join(
                CATALOGUE.say(f.msg, "en", lambda seat: f"▲ {NAMES[seat]} (A Longer Name)") for f in line
            )
            for line in lines
        ]
        longest = max(longest, sum(map(len, text)))
    assert 0 < longest <= 600, "a story fits beside the board"


def test_the_points_of_an_admiral_decide_a_golden_match() -> None:
    """In version 1 it would be a draw."""
    place = read((GOLDEN / "2-admiral-v2.txt").read_text("utf-8")).match.state.position
    before = place._replace(phase="move", outcome=None)
    by = [endings.adjudicate(before._replace(law=place.law._replace(rules=rules))) for rules in (1, 2)]
    assert [each.outcome.why.key.rpartition(".")[2] for each in by if each.outcome] == ["draw", "points"]
    assert by[1] == place


def test_each_kind_of_ending_has_its_golden_match() -> None:
    stories = {}
    for path in GOLDEN.glob("*.txt"):
        record = read(path.read_text("utf-8"))
        stories[path.stem] = {
            fact.msg.key.rpartition(".")[2] for _, facts in walk(record.entries) for fact in facts
        } | {record.match.ending.outcome.why.key.rpartition(".")[2]}  # type: ignore[union-attr]  # it is over
    assert {"fell", "last"} <= stories["2"]
    assert {"fell_heir", "no_heir", "last"} <= stories["2-no-heir"]
    assert "points" in stories["2-points"]
    assert "points" in stories["2-admiral-v2"]
    assert "draw" in stories["2-draw"]
    assert {"resign", "last"} <= stories["2-resigned"]
    assert {"fell_sure", "crowned"} <= stories["3-crowned"]
