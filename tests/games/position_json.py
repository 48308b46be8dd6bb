"""Positions that go into JSON and come back."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from games.engine.game import AnyGame
from tests.soak import SOAK

S = TypeVar("S")


def through_json(game: AnyGame, state: S) -> S:
    """Return the position after dump, JSON text and load."""
    found: S = game.load(json.loads(json.dumps(game.dump(state))), 1)
    return found


def comes_back(game: AnyGame, state: Any) -> None:
    """A position is the same after it was JSON."""
    again = through_json(game, state)
    assert again == state
    assert hash(again) == hash(state)
    assert repr(again) == repr(state)


def is_tried(nth: int) -> bool:
    """Return whether the nth position of a match is tried: the first ones, then each fifth; in a soak all."""
    return SOAK or nth < 20 or nth % 5 == 0
