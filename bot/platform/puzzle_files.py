"""The puzzles that ship with each game, read once; a damaged file is logged, and its game has none."""

from __future__ import annotations

import logging
from functools import cache
from importlib.resources import files

from games.engine import registry
from games.engine.game import AnyGame
from games.engine.puzzles import FILE_NAME, Puzzle, PuzzleFileError, read_puzzles

log = logging.getLogger(__name__)


def puzzle_file(game: AnyGame) -> tuple[Puzzle, ...]:
    """Return the puzzles in the folder of a game; none if it has no file.

    Raises PuzzleFileError for a damaged file.
    """
    file = files(registry.package(game.key)) / FILE_NAME
    try:
        content = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise PuzzleFileError(f"the file can't be read: {error}") from error
    return read_puzzles(game, content)[1]


@cache
def shipped_puzzles(key: str) -> dict[str, Puzzle]:
    """Return the puzzles of a game by their keys, the easiest first; none if the file is damaged.

    It takes a moment for each file: call it in a worker thread.
    """
    try:
        found = puzzle_file(registry.get(key))
    except PuzzleFileError as error:
        log.warning("the puzzles of %s are left out: %s", key, error)
        return {}
    return {each.key: each for each in sorted(found, key=lambda each: (each.difficulty, each.key))}
