"""A match at a Python prompt: every game can be played, printed, asked and written down there."""

from __future__ import annotations

from typing import Any

import pytest

from dominium import Match, MoveError, new
from games.engine import registry
from games.engine.dice import Dice
from games.engine.record import read

KEYS = [game.key for game in registry.all_games()]


def played(key: str, most: int, seed: str = "") -> Match:
    """A match after so many moves at random, or at its end."""
    match, dice = new(key, seed=seed), Dice(b"prompt", key, 0, "")
    for _ in range(most):
        if not match.turn:
            break
        who = match.turn[0]
        assert match.play(dice.pick(match.legal())).startswith(f"{who}: ")
    return match


@pytest.mark.parametrize("key", KEYS)
def test_every_game_is_played_at_a_prompt(key: str) -> None:
    match = played(key, 40)
    assert len(str(match).splitlines()) > 4
    assert repr(match).startswith(f"<{key} for ")
    while match.turn:
        assert match.outcome is None
        assert match.resign()
    assert match.outcome
    assert match.outcome in repr(match)
    assert match.legal() == ()
    assert read(match.record()).match.ending is not None
    match.undo()
    assert match.turn
    assert match.outcome is None


def test_equal_seeds_give_equal_dice() -> None:
    assert played("two_domains", 9).record() == played("two_domains", 9).record()
    assert played("two_domains", 0, "a").record() != played("two_domains", 0, "b").record()


def test_what_is_left_undone_is_quoted_on_the_last_line() -> None:
    match = new("domination", seats=2, setup="deal")
    while "place" not in match.legal()[0]:
        match.play(match.legal()[0])
    who = match.turn[0]
    first = match.legal(who)[0].rsplit(" ", 1)[0]
    with pytest.raises(MoveError, match="belongs to"):
        match.play(f"{first}, 1", who)
    told = match.play(f"{first} 1; place 1", who)
    assert told.splitlines()[-1].startswith("place 1: ")


def test_a_wrong_move_says_why_and_changes_nothing() -> None:
    match = new("focus", seats=2)
    before = match.record()
    for text, seat, reason in (("", None, "Try"), ("b4b7", None, "Try b4-b5"), ("e3-e4", "Red", "turn")):
        with pytest.raises(MoveError, match=reason):
            match.play(text, seat)
    assert match.legal("Red") == ()
    assert match.record() == before
    with pytest.raises(ValueError, match="There are: Red, Green"):
        match.play("e3-e4", "Blue")
    with pytest.raises(IndexError):
        match.undo()


@pytest.mark.parametrize(
    ("game", "seats", "options", "reason"),
    [
        ("chess", 2, {}, "There are: focus, "),
        ("focus", 5, {}, "Focus"),
        ("focus", 2, {"slow": True}, "Focus"),
    ],
)
def test_what_can_not_be_opened_says_what_can(
    game: str, seats: int, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        new(game, seats, **options)
