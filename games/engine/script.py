"""A script: the orders of a typed text that are still to be carried out, as the game parsed them.

A text may contain many orders: `attack ukr mea; attack mea egy; end`. The game parses all of it at once and
returns the first action and a script of the rest. Whenever the same seat is to act again, the engine hands
the script back, and the game returns the next action and a shorter script. Only the game looks inside.

Orders keep their positions in the text. So players are told in their own words what was not carried out,
from the first such order on, and no text is parsed twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.engine.normalization import Normalized


@dataclass(frozen=True, slots=True)
class Script:
    """Orders that are still to be carried out. `orders` has any type the game likes, if it is hashable."""

    text: str
    """The whole text, as it was passed to `Game.read`."""
    orders: tuple[Any, ...]
    start: int | None
    """Where in the text its first order begins; None if it may be dropped without a word."""

    plain: Normalized | None = field(default=None, compare=False)
    """The same with what was typed, from `Game.parse`."""

    def since(self, start: int) -> str:
        """Return what was typed from a position of the text on, without blanks around it."""
        if self.plain is None:
            return self.text[start:].strip()
        return self.plain.typed[self.plain.span(start, len(self.text))[0] :].strip()
