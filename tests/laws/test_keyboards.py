"""A legal text is read the same, whichever keyboard, phone or program has written its characters."""

from __future__ import annotations

from typing import Any

from games.engine.dice import Dice
from games.engine.game import Done, Rejected
from tests.laws.courses import Case, Course, course
from tests.laws.keyboards import spellings
from tests.laws.typed_variants import some
from tests.soak import SOAK

_STOPS, _TEXTS, _EACH = (40, 10, 70) if SOAK else (6, 3, 24)
"""Positions of a match, texts of a position, and spellings of each text."""


def test_every_keyboard_is_read(played: Course) -> None:
    dice = Dice(b"keyboards", str(played.case), 0, "spelling")
    wrong: list[str] = []
    for stop in played.some(_STOPS):
        game = stop.match.game
        for seat in sorted(stop.match.to_act):
            view = game.view(stop.match.state, seat)
            listed: list[Any] = list(game.listed(view, seat))
            for action in (dice.pick(listed) for _ in range(_TEXTS)):
                text = game.format(view, action)
                called = {changed: name for name, changed in spellings(text)}
                wrong += [
                    f"{text!r} with {called[changed]}: {changed!r}"
                    for changed in some(iter(called), _EACH, dice)
                    if game.parse(view, seat, changed) != Done(action)
                ]
    assert not wrong, "\n".join(sorted(set(wrong))[:40])


def test_a_refusal_points_into_what_was_typed(case: Case) -> None:
    match = next(course(case, "random").some(1)).match
    seat = min(match.to_act)
    view = match.game.view(match.state, seat)
    text = match.game.format(view, next(iter(match.game.listed(view, seat))))
    for stray in ("17", "１７", "1️⃣7️⃣", "𝟏𝟕"):
        typed = f"\u200e👍 {text} \u200b{stray}"
        found = match.game.parse(view, seat, typed)
        if isinstance(found, Rejected) and "unused" in found.why.key:
            assert typed[slice(*found.span)].strip("\u200b") == stray
