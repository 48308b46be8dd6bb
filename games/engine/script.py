"""What a typed text orders besides its first action: a value that the game has made of it, once.

A text may order many things: `attack ukr mea; attack mea egy; end`. The game reads all of it at once and
gives the first action and a script of what is left. Whenever the same seat is to act again, the engine hands
the script back, and the game gives the next action and what is left then. Nobody else looks inside.

Orders keep their places in the text. So what wasn't carried out is told in the words of its author, from the
first such order on, and nothing is ever spelled again or read twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Script:
    """Orders that are yet to be carried out. `orders` is the game's own business; it has to be hashable."""

    text: str
    """All that the author typed, as it was handed to `Game.parse`."""
    orders: tuple[Any, ...]

    def since(self, start: int) -> str:
        """Return the author's words from a place in the text on, without blanks around them."""
        return self.text[start:].strip()
