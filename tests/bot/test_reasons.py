"""Reasons in words: with the other move's number where both have one, and under a mistake of an analysis."""

from __future__ import annotations

from dataclasses import replace

from bot.messages.hints import differences
from games.ai.analysis import Mistake, mistake_reasons
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Json, Seat
from games.engine.message import msg
from games.engine.reasons import Reason
from locales import Catalogue

CATALOGUE = Catalogue(strict=True)


def reason(*, good: bool, other: float, counted: bool) -> Reason:
    return Reason("x", good, 3, other, 1.0, msg("focus.reason.captures", n=3), counted, "")


def test_the_other_moves_number_follows_where_both_have_one() -> None:
    why = [
        reason(good=True, other=1, counted=True),
        reason(good=False, other=2, counted=True),
        reason(good=True, other=0, counted=True),
        reason(good=True, other=1, counted=False),
    ]
    assert [CATALOGUE.say(each) for each in differences(why, "d4-d5", "e4-e6")] == [
        "It captures 3 pieces. With `e4-e6` it would be 1.",
        "It captures 3 pieces. With `d4-d5` it would be 2.",
        "It captures 3 pieces.",
        "It captures 3 pieces.",
    ]


def test_a_mistake_has_reasons_in_the_terms_of_its_game() -> None:
    game = registry.get("dominance")
    position: Json = {"pieces": {"R": ["c3", "f4"], "B": ["d4"]}, "turn": "R"}
    match = engine.begin(game, game.setup(2), Sealed(bytes(32), "D-1", "salt")).match
    match = replace(match, state=game.load(position, game.rules))
    mistake = Mistake(Seat(0), 1, 1, "f4-f5", 0.4, "f4-e4", 0.6, 0.0, ("f4-f5", "f4-e4"), ())
    assert mistake_reasons(game, match.state, mistake)[0].kind == "takes"
