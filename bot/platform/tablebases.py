"""Tables of exact values, where the operator has put some: mapped read-only, so that they cost no memory.

The product goes on without them; a table that can't be read is warned of once, at the start.
"""

from __future__ import annotations

import logging
import mmap
from pathlib import Path

from games.engine import registry
from games.engine.game import AnyGame, Oracle

log = logging.getLogger(__name__)


def find_oracles(folder: Path) -> dict[str, Oracle]:
    """An oracle for each game of which a good table lies in the folder, by the game's key."""
    found = {}
    for game in registry.all_games():
        if game.table is not None and (path := folder / game.table).is_file():
            try:
                found[game.key] = open_table(game, path)
            except (OSError, ValueError) as error:
                log.warning("the table %s can't be used: %s", path, error)
    return found


def open_table(game: AnyGame, path: Path) -> Oracle:
    """The oracle of a table, which stays mapped as long as the oracle lives. Raises OSError, ValueError."""
    with path.open("rb") as file:
        table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return game.oracle(memoryview(table))
