"""How a side that is ahead makes progress: it goes near the enemy's pieces, and trades.

A search sees a few moves ahead, but to corner the last pieces of a side takes ten and more. A side that
only keeps what it has then waits for the draw after 100 quiet actions. So the longer nothing has happened,
the more a step towards the enemy's pieces is worth to the side that is ahead, and the more a trade.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.dominance.boards import iter_bits
from games.dominance.search.tables import SWAP, TARGET, Tables
from games.engine.search import MOVE_BITS

SETS_IN: Final = 6
"""Quiet actions before a side presses."""
FULL: Final = 56
"""Quiet actions from which it presses with full force."""
TRADE: Final = 40
"""What its own pieces count less then, and the enemy's more, in hundredths of a piece."""
STEP: Final = 8
"""What a step of a piece towards the enemy's pieces is worth then, in hundredths of a piece."""

Worth = Sequence[Sequence[int]]
"""What pieces are worth, by their numbers in the pool and in play."""


class Pressure(NamedTuple):
    """What counts differently for the side that presses, as long as a search goes on."""

    seat: int
    worths: tuple[Worth, Worth]
    """By seat."""
    places: dict[int, int]
    """What a piece of this side is worth on each space beyond the usual."""
    gains: dict[int, int]
    """The same for each move of this side, shifted as in `scored`."""

    def worth_of(self, men: int) -> int:
        """Return what the places of some of this side's men are worth."""
        return sum([self.places[bit] for bit in iter_bits(men)])


def pressure(tables: Tables, seat: int, foes: int, quiet: int) -> Pressure | None:
    """Return how a side that is ahead presses on the enemy's men after a number of quiet actions."""
    force = min(quiet, FULL) - SETS_IN
    if force <= 0 or not foes:
        return None
    whole = FULL - SETS_IN
    trade, step = force * TRADE // whole, force * STEP / whole
    less, more = (
        [[worth + sign * trade * (pool + size) for size, worth in enumerate(row)]
         for pool, row in enumerate(tables.worth)]
        for sign in (-1, 1)
    )  # fmt: skip
    spots = [*iter_bits(foes)]
    away = {
        bit: sum(steps[spot] for spot in spots) / len(spots)
        for bit, steps in tables.features.distances.items()
    }
    far = max(away.values())
    places = {bit: round(step * (far - steps)) for bit, steps in away.items()}
    gains = {
        number: places[target] - places.get(SWAP[number] ^ target, 0) << MOVE_BITS
        for number, target in TARGET.items()
        if target in places
    }
    return Pressure(seat, (less, more) if seat == 0 else (more, less), places, gains)
