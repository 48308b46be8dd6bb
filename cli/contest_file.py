"""The file of `dominium contest --resume`: each match as it ends, so that long contests can be made in parts.

A line is one match, with everything that determines it except the program itself. One file may hold several
contests; each goes on after its own lines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cli.matchups import ContestMatch
from games.engine.game import AnyGame, Setup
from solve.match_lines import load_lines

_FIELDS: Final = ("placing", "ranks", "decisions", "seconds", "moves", "slowest")
_BEGIN: Final = '{"game": '
"""How each line begins."""


class ContestFile:
    """The matches of one contest in a file that may hold those of others."""

    def __init__(
        self, path: Path, game: AnyGame, setup: Setup, pair: Sequence[str], seed: str, *, alone: bool
    ) -> None:
        """`pair` names the two players; the rest is what `matches` is given."""
        self.path = path
        self._about = {
            "game": game.key,
            "seats": setup.seats,
            "options": dict(setup.options),
            "players": list(pair),
            "seed": seed,
            "alone": alone,
        }

    def load(self) -> list[ContestMatch]:
        """Return the matches that were played, and remove half a line at the end; none without a file.

        Raises OSError, and ValueError if the file holds something else.
        """
        if not self.path.exists():
            return []
        return load_lines(self.path, self._read, _BEGIN)

    def _read(self, lines: list[str]) -> list[ContestMatch]:
        """Return the matches of this contest among a file's lines. Raises ValueError."""
        rows = [_row_of(line) for line in lines]
        ours = [row for row in rows if self._about.items() <= row.items()]
        if [row.get("match") for row in ours] != list(range(len(ours))):
            raise ValueError("its matches aren't in order")
        return [_match_of(row) for row in ours]

    def append(self, number: int, match: ContestMatch) -> None:
        """Add a match. Raises OSError."""
        about = self._about | {"match": number}
        found = {name: getattr(match, name) for name in _FIELDS}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(about | found) + "\n")


def _row_of(line: str) -> dict[str, Any]:
    """Return the fields of a line. Raises ValueError."""
    try:
        return dict(json.loads(line))
    except (TypeError, ValueError) as error:
        raise ValueError("a line isn't a match") from error


def _match_of(row: dict[str, Any]) -> ContestMatch:
    """Return the match of a line. Raises ValueError."""
    try:
        placing, ranks, decisions, seconds, moves, slowest = (row[name] for name in _FIELDS)
        return ContestMatch(
            tuple(placing), tuple(ranks), int(decisions), tuple(seconds), tuple(moves), tuple(slowest)
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("a line isn't a match") from error
