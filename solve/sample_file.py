"""A file of played matches: a line that says how they are played, then one line for each match.

A match is appended as soon as it has ended, so that a run that was killed goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from solve.match_lines import load_lines
from solve.self_play import PlayedMatch

_BEGIN: Final = '{"match":'
"""How the line of a match begins."""


class SampleFile:
    """The matches of one run, in the order in which they are played."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """`about` determines the matches: those that were played otherwise aren't mixed with these."""
        self.path = path
        self._about = json.dumps(dict(about), sort_keys=True)

    def begin(self) -> None:
        """Create the file, without matches. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self._about + "\n", encoding="utf-8")

    def load(self) -> list[PlayedMatch]:
        """Return the matches that were played, and remove half a line at the end.

        Raises OSError, and ValueError if the file holds something else, which stays as it is.
        """
        found = load_lines(self.path, self._read, _BEGIN, self._about)
        if found is None:
            self.begin()
        return found or []

    def _read(self, lines: list[str]) -> list[PlayedMatch] | None:
        """Return the matches of a file's lines, None without lines. Raises ValueError."""
        if not lines:
            return None
        about, *lines = lines
        if about != self._about:
            raise ValueError("its matches were played with other settings or weights")
        found = [_match_of(line) for line in lines]
        if [match.number for match in found] != list(range(len(found))):
            raise ValueError("its matches aren't in order")
        return found

    def append(self, match: PlayedMatch) -> None:
        """Add a match. Raises OSError."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line_of(match) + "\n")


def _line_of(match: PlayedMatch) -> str:
    fields = {
        "match": match.number,
        "share": match.share,
        "values": match.values,
        "features": match.features,
        "deeper": match.deeper,
    }
    return json.dumps(fields, separators=(",", ":"))


def _match_of(line: str) -> PlayedMatch:
    """Return the match of a line. Raises ValueError."""
    try:
        fields = json.loads(line)
        return PlayedMatch(
            fields["match"],
            fields["share"],
            tuple(fields["values"]),
            tuple(None if each is None else tuple(each) for each in fields["features"]),
            tuple((first, second) for first, second in fields["deeper"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("a line isn't a match") from error
