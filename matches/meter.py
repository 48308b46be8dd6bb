"""To whom the service reports how much it does and how long that takes.

Nothing that is reported names a match or a person.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

Step: TypeAlias = Literal["in", "load", "judge", "commit", "draw", "post"]
"""A step of a move: it comes in, its match is loaded, it is judged, committed, drawn, posted."""


class Meter(Protocol):
    """Takes reports; each call costs a microsecond at most."""

    def took(self, step: Step, seconds: float) -> None:
        """Note how long a step took."""
        ...

    def moved(self, game: str, moves: int) -> None:
        """Note that moves of a game were committed, by the key of the game."""
        ...


class NoMeter:
    """Takes reports and forgets them."""

    def took(self, step: Step, seconds: float) -> None:
        """Do nothing."""

    def moved(self, game: str, moves: int) -> None:
        """Do nothing."""
