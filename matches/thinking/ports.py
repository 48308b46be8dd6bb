"""What a computer has to decide, and the protocol of those who think about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Match


class BusyError(Exception):
    """Raised if too many matches wait for their computers. Nothing is lost: ask again later."""


@dataclass(frozen=True, slots=True)
class Job:
    """A position in which only computers, or computers among others, are to act."""

    match: Match
    sealed: Sealed
    """The dice of the match, for the draws of chance between two decisions. No player sees them."""
    levels: Mapping[Seat, str]
    """The levels of all seats that computers hold."""
    seed: bytes
    """The secret of the players' own dice."""
    turns: int = 1
    """Maximum number of turns, if computers are to act one after the other."""


class Thinker(Protocol):
    """Thinks for computers. One job of a match is worked on at a time."""

    async def think(self, job: Job) -> tuple[Change, ...] | None:
        """Return the turns of a job, each as one change, at least one; None if the job was dropped.

        Raises BusyError.
        """
        ...

    def drop(self, match_id: str) -> None:
        """Give up all jobs of a match: their position is no longer the current one."""
        ...

    async def close(self) -> None:
        """Give up all jobs, and end what works on them."""
        ...
