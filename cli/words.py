"""Words of the catalogue for a terminal: seats go by their names, in English."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from games.engine.game import AnyGame, Seat, Setup
from games.engine.message import Msg
from locales import Catalogue

Say = Callable[[Msg], str]


@cache
def catalogue() -> Catalogue:
    """Return the catalogue, read once."""
    return Catalogue()


def sayer(game: AnyGame, setup: Setup) -> Say:
    """Says messages of a match with that setup."""

    def name(seat: int) -> str:
        return catalogue().say(game.look(setup, Seat(seat)).name)

    return catalogue().speaker(names=name)


def speak(message: Msg, game: AnyGame, setup: Setup) -> str:
    """Return one message of a match with that setup."""
    return sayer(game, setup)(message)
