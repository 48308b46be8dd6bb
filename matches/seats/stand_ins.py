"""Let computers stand in for people whose time is up. They may come back, twice at most."""

from __future__ import annotations

from typing import Final

from games.ai.levels import Levels
from games.engine.game import Seat
from matches.core import Core
from matches.results import Played, Refused
from matches.seats.seat_changes import SeatChange, Seats
from matches.store.rows import MatchRow

MOST_RETURNS: Final = 2
"""Number of times that a person may come back to a seat that a computer took because their time was up."""


class StandIns:
    """Finds a computer for a late seat."""

    def __init__(self, core: Core, seats: Seats, levels: Levels) -> None:
        """`levels` has the computer players of each game."""
        self._core = core
        self._seats = seats
        self._levels = levels

    async def fill_in(self, row: MatchRow, seat: Seat) -> Played | Refused:
        """Let a computer of a middle level take a seat; refused where it would be the last person's."""
        held = await self._core.store.holders(row.id)
        times = sum(one.seat == seat and one.why == "time" for one in held)
        names = self._levels.names(row.game)
        filled = await self._seats.replace(
            row.id,
            seat,
            names[len(names) // 2],
            request=f"late:{row.id}:{row.version}:{seat}",
            why="time",
            returns=times < MOST_RETURNS,
        )
        return filled.played if isinstance(filled, SeatChange) else filled
