"""Matches of Focus in Abstract Play's notation, replayed by a small model of what that host does."""

from __future__ import annotations

import json

import pytest

from games.engine import registry
from games.engine.dice import Sealed
from games.engine.match import Change, Match, begin, play, take_back
from games.engine.portable import restyled
from tests.laws.courses import Case, course

FOCUS = registry.get("focus")
STYLE = "abstract-play"


def moved(match: Match, sealed: Sealed, count: int) -> Match:
    for _ in range(count):
        (seat,) = match.to_act
        change = play(match, seat, next(FOCUS.actions(match.state, seat)), sealed)
        assert isinstance(change, Change)
        match = change.match
    return match


def beginning(first: int) -> tuple[Match, Sealed]:
    """A match that a seat begins."""
    for n in range(99):
        sealed = Sealed(bytes([n]) * 32, "F-AP", "1")
        match = begin(FOCUS, FOCUS.setup(2), sealed).match
        if match.to_act == {first}:
            return match, sealed
    raise AssertionError("the dice are loaded")


def replayed(rounds: list[list[str]]) -> dict[str, str]:
    """Play moves by that host's rules, and return the piles; player 1 begins."""
    rows = ["112211", "221122"]
    piles = {f + str(r): rows[(7 - r) % 2][i] for r in range(2, 8) for i, f in enumerate("bcdefg")}
    player = 1
    for text in [move for each in rounds for move in each]:
        if text.startswith("+"):
            target, lifted = text[1:], str(player)
        else:
            source, target = text.split("-")
            assert piles[source].endswith(str(player))
            steps = abs(ord(source[0]) - ord(target[0])) + abs(int(source[1]) - int(target[1]))
            lifted, piles[source] = piles[source][-steps:], piles[source][:-steps]
            assert len(lifted) == steps
        piles[target] = (piles.get(target, "") + lifted)[-5:]
        player = 3 - player
    return {space: pile for space, pile in piles.items() if pile}


@pytest.mark.parametrize("first", [0, 1])
def test_the_same_moves_lead_to_the_same_piles(first: int) -> None:
    match, sealed = beginning(first)
    match = moved(match, sealed, 31)
    text = restyled(match.log, STYLE)
    assert text is not None
    found = replayed(json.loads(text))
    ours = FOCUS.dump(match.state)
    assert isinstance(ours, dict)
    piles = ours["piles"]
    assert isinstance(piles, dict)
    if first == 0:
        assert {at: pile.translate({49: "R", 50: "G"}) for at, pile in found.items()} == piles
    else:
        mirrored = {f"{at[0]}{9 - int(at[1])}": pile for at, pile in found.items()}
        assert {at: pile.translate({49: "G", 50: "R"}) for at, pile in mirrored.items()} == piles


def test_a_round_has_both_players_and_what_was_taken_back_is_left_out() -> None:
    match, sealed = beginning(0)
    match = moved(match, sealed, 4)
    (seat,) = match.to_act
    change = take_back(match, seat, match.seq - 1, sealed)
    assert isinstance(change, Change)
    assert restyled(match.log, STYLE) != restyled(change.match.log, STYLE)
    rounds = json.loads(restyled(change.match.log, STYLE) or "")
    assert [len(each) for each in rounds] == [2, 1]
    assert restyled(beginning(0)[0].log, STYLE) == "[]\n"


@pytest.mark.parametrize(("seats", "fast"), [(2, True), (3, False), (4, False)])
def test_what_that_host_does_not_have_is_left(seats: int, fast: bool) -> None:
    options = {"fast": fast, "partners": False}
    played = course(Case("focus", seats, tuple(options.items())), "random")
    assert restyled(played.log, STYLE) is None


def test_other_styles_and_games_have_none() -> None:
    with pytest.raises(ValueError, match="no notation"):
        FOCUS.restyled("other", FOCUS.setup(2), ())
    game = registry.get("dominance")
    assert restyled(begin(game, game.setup(2), Sealed(b"d", "D-A", "1")).match.log, STYLE) is None
