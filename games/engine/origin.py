"""Matches that begin with a position of another match: a record continued from one of its moves.

Entry 0 of such a match has an origin: which match, which of its entries and moves, and the position itself,
so that the log stands alone. A position in which chance is due is never an origin, and neither is the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.game import CHANCE, AnyGame, Json, Seat, Setup

_PARTS: Final = frozenset({"match", "entry", "move", "gone"})
_CHECKSUM: Final = "checksum"
_MAX_NUMBER: Final = 10**9


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a match begins that doesn't begin at the start of its game."""

    match: str
    """The id of the match that it continues."""
    entry: int
    """The last log entry of that match that led to the position."""
    move: int
    """The number of moves that had been made in that match."""
    position: Json
    """The position, as the game's `dump` writes it."""
    gone: frozenset[Seat] = frozenset()
    """Seats that had resigned or run out of time."""
    checksum: str = ""
    """The checksum of the record it was read from; empty for a match of the same host."""

    def reference(self) -> dict[str, Json]:
        """Return everything but the position, as JSON."""
        found: dict[str, Json] = {
            "match": self.match,
            "entry": self.entry,
            "move": self.move,
            "gone": [int(seat) for seat in sorted(self.gone)],
        }
        return found | ({_CHECKSUM: self.checksum} if self.checksum else {})


def read_origin(reference: Any, position: Json, game: AnyGame, setup: Setup) -> tuple[Origin, Any]:
    """Return an origin and its state.

    Raises ValueError or TypeError with a reason if no match of this setup can begin there.
    """
    origin = _parse(reference, position, setup)
    state = game.load(position, setup.rules)
    if game.dump(state) != position:
        raise ValueError("the position isn't written as it should be")
    if not game.fits(state, setup):
        raise ValueError("the position belongs to other seats or options")
    if not (acting := game.to_act(state)) or CHANCE in acting:
        raise ValueError("nobody is to act in the position")
    if acting & origin.gone:
        raise ValueError("a seat that has left is to act in the position")
    return origin, state


def _parse(reference: Any, position: Json, setup: Setup) -> Origin:
    if not isinstance(reference, Mapping) or reference.keys() - {_CHECKSUM} != _PARTS:
        raise ValueError("an origin has match, entry, move and gone")
    match, checksum = reference["match"], reference.get(_CHECKSUM, "")
    if not isinstance(match, str) or re.fullmatch("[A-Za-z0-9-]{1,40}", match) is None:
        raise ValueError("the origin names no match")
    if _CHECKSUM in reference and not (
        isinstance(checksum, str) and re.fullmatch("[0-9a-f]{64}", checksum) is not None
    ):
        raise ValueError("the checksum of the origin isn't one")
    entry, move = reference["entry"], reference["move"]
    if not all(type(number) is int and 0 <= number < _MAX_NUMBER for number in (entry, move)):
        raise ValueError("entry and move of the origin are numbers from 0")
    gone = reference["gone"]
    if not isinstance(gone, list) or any(type(seat) is not int for seat in gone):
        raise TypeError("gone is a list of seats")
    if gone != sorted(set(gone)) or not set(gone) <= set(range(setup.seats)):
        raise ValueError("gone lists seats in order, each once")
    return Origin(match, entry, move, position, frozenset(map(Seat, gone)), checksum)
