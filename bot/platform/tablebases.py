"""Open the tables of exact values that the operator has installed, memory-mapped read-only.

They are optional; a table that can't be read is logged once at the start.
"""

from __future__ import annotations

import logging
import mmap
from pathlib import Path

from games.engine import registry
from games.engine.game import AnyGame, Oracle

log = logging.getLogger(__name__)


def find_oracles(folder: Path) -> dict[str, Oracle]:
    """Return an oracle for each game with a valid table in the folder, by the game's key."""
    found = {}
    for game in registry.all_games():
        if game.table is not None and (path := folder / game.table).is_file():
            try:
                found[game.key] = open_tablebase(game, path)
            except (OSError, ValueError) as error:
                log.warning("the table %s can't be used: %s", path, error)
    return found


def open_tablebase(game: AnyGame, path: Path) -> Oracle:
    """Return an oracle on a table, which stays mapped while the oracle exists. Raises OSError, ValueError."""
    with path.open("rb") as file:
        table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return game.oracle(memoryview(table))
