"""The weights of the evaluation, in hundredths of a single piece that is on top of its own pile."""

from __future__ import annotations

from typing import Final

PILE: Final = (0, 102, 138, 174, 204, 234)
"""Value of a controlled pile by its height: taller ones reach further and hold others down."""
OWN_PIECE: Final = 6
"""Value of each piece of the controller's own colour in a pile, the top one included."""
RESERVE: Final = {2: 216, 3: 180, 4: 180}
"""Value of a piece in reserve, by number of seats: it can go anywhere and can't be covered."""
WAITING: Final = 108
"""Value of a 13th piece that waits beside the board."""
CAPTURE: Final = {2: 48, 3: 0, 4: 0}
"""Value of a captured piece, by number of seats: it never comes back."""
FAST_CAPTURE: Final = {2: 240, 3: 240, 4: 240}
"""Value of a captured piece in the fast game, by number of seats."""
FAST_RESERVE: Final = {2: 180, 3: 240, 4: 240}
"""Value of a piece in reserve in the fast game: with three or four seats it counts towards the ten."""
