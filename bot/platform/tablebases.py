"""Open the tables of exact values, memory-mapped read-only: the operator's own, or those that ship.

A table of the operator's goes first, as it is more exact. One that can't be used is logged once at the
start, and the shipped one takes its place.
"""

from __future__ import annotations

import logging
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from games.engine import registry
from games.engine.game import AnyGame, Oracle

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tablebase:
    """A table that was found: its oracle, or why it can't be used."""

    game: str
    path: Path
    shipped: bool
    """Whether it came with the program."""
    oracle: Oracle | None
    problem: str = ""


def find_tablebases(folder: Path) -> Iterator[Tablebase]:
    """Yield the tables of each game up to the first that can be used: in the folder, then the shipped one.

    A table that the operator hasn't installed is left out; a shipped one that is missing has a problem.
    """
    for game in registry.all_games():
        for path, shipped in _paths(game, folder):
            try:
                found = Tablebase(game.key, path, shipped, open_tablebase(game, path))
            except (OSError, ValueError) as error:
                yield Tablebase(game.key, path, shipped, None, str(error))
                continue
            yield found
            break


def find_oracles(folder: Path) -> dict[str, Oracle]:
    """Return an oracle for each game that has a table, by the game's key; log what can't be used."""
    found = {}
    for table in find_tablebases(folder):
        if table.oracle is not None:
            found[table.game] = table.oracle
        else:
            log.warning("the table %s can't be used: %s", table.path, table.problem)
    return found


def shipped_table(game: AnyGame) -> Path | None:
    """Return where the table that ships with a game is; None if it has none."""
    if game.shipped_table is None:
        return None
    return Path(str(files(registry.package(game.key)) / game.shipped_table))


def open_tablebase(game: AnyGame, path: Path) -> Oracle:
    """Return an oracle on a table, which stays mapped while the oracle exists. Raises OSError, ValueError."""
    with path.open("rb") as file:
        table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return game.oracle(memoryview(table))


def _paths(game: AnyGame, folder: Path) -> Iterator[tuple[Path, bool]]:
    if game.table is not None and (path := folder / game.table).is_file():
        yield path, False
    if (own := shipped_table(game)) is not None:
        yield own, True
