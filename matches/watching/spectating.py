"""How late those who watch elsewhere see a match, as its table agreed in the lobby.

Elsewhere is everywhere but the channel or thread in which it is played: mirrors, showcases, direct messages,
`/ask board` and `/replay steps` in other channels. Players always see what is current, and everyone does once
it is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.log import Entry, Kind
from matches.log.changes import AUTOMATIC, POSITION_KEPT

UNTIL_END: Final = -1
"""The delay of a match of which others see the start only, until it is over."""
DELAYS: Final = (0, 1, 3, UNTIL_END)
"""The delays that a table can agree on, in turns."""
_DECISIONS: Final = frozenset({Kind.PLAY, Kind.DEFAULT})


def visible_entry(log: Sequence[Entry], delay: int) -> int:
    """Return the last entry of a running match that is shown elsewhere, `delay` turns late.

    A turn is what one seat decides in a row; whatever else changes the position counts as one.
    """
    if delay == 0:
        return log[-1].seq
    shown = 0
    if delay != UNTIL_END:
        turns, by = 0, None
        for entry in reversed(log):
            if entry.kind in AUTOMATIC | POSITION_KEPT:
                continue
            seat = entry.seat if entry.kind in _DECISIONS else None
            if seat is None or seat != by:
                turns, by = turns + 1, seat
            if turns > delay or entry.seq == 0:
                shown = entry.seq
                break
    while shown + 1 < len(log) and log[shown + 1].kind in AUTOMATIC:
        shown += 1
    return shown
