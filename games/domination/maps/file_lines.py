"""Lines of a map's text files with their numbers, and the report of errors and notes about them.

Parsing doesn't stop at the first error, so that the map's author sees all of them at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from games.engine.message import Msg, Value, msg

MAX_MESSAGES: Final = 25
"""Maximum number of errors, and of notes, that are listed; the rest is counted."""
MAX_NUMBER: Final = 999_999
Finding: TypeAlias = tuple[str, int, Msg]
"""File, line (0 for the whole file), message."""
_BREAK = re.compile(r"\r\n|\r|\n")
_GAP = re.compile(r"[ \t]+")
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
_MAX_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Line:
    """A line with content, stripped; `number` counts from 1, `section` is "" before the first."""

    file: str
    number: int
    section: str
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words between spaces and tabs."""
        return tuple(_GAP.split(self.text))


@dataclass(slots=True)
class Report:
    """Errors, which make the map unusable, and notes, which don't."""

    errors: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)

    def error(self, at: Line | str, key: str, /, **values: Value) -> None:
        """Add the error `domination.map.{key}` about a line or a whole file."""
        self.errors.append(_finding(at, key, values))

    def note(self, at: Line | str, key: str, /, **values: Value) -> None:
        """Add the note `domination.map.{key}` about a line or a whole file."""
        self.notes.append(_finding(at, key, values))


def _finding(at: Line | str, key: str, values: dict[str, Value]) -> Finding:
    what = msg(f"domination.map.{key}", **values)
    return (at, 0, what) if isinstance(at, str) else (at.file, at.number, what)


def messages(found: list[Finding]) -> tuple[Msg, ...]:
    """Return the messages in the order of files and lines: the first ones, and the number of the others."""
    messages = [_located(*one) for one in sorted(found, key=lambda one: one[:2])[:MAX_MESSAGES]]
    if len(found) > MAX_MESSAGES:
        messages.append(msg("domination.map.more", n=len(found) - MAX_MESSAGES))
    return tuple(messages)


def _located(file: str, line: int, what: Msg) -> Msg:
    """Return a message with its file and line in front."""
    if line:
        return msg("domination.map.line", file=printable(file), line=line, what=what)
    return msg("domination.map.file", file=printable(file), what=what)


def section_lines(
    file: str, text: str, sections: frozenset[str], found: set[str], report: Report
) -> Iterator[Line]:
    """Yield the lines of a file with their sections, without blank lines and comments (`;`).

    A section is `[name]` in any case; an unknown one is an error, and its lines are skipped. The known ones
    are added to `found`.
    """
    section: str | None = ""
    for number, raw in enumerate(_BREAK.split(text.removeprefix("\ufeff")), 1):
        stripped = raw.strip(" \t\0\x1a")  # old editors end a text with ^Z
        if not stripped or stripped.startswith(";"):
            continue
        line = Line(file, number, section or "", stripped)
        if stripped.startswith("["):
            name = stripped.removeprefix("[").removesuffix("]").strip().lower()
            section = name if name in sections and stripped.endswith("]") else None
            if section is None:
                known = tuple(f"[{one}]" for one in sorted(sections))
                report.error(line, "section", what=printable(stripped), known=known)
            else:
                found.add(section)
        elif section is not None:
            yield line


def number_of(word: str) -> int | None:
    """Return a whole number from 0 to MAX_NUMBER in ASCII digits; None for other words."""
    return int(word) if _NUMBER.fullmatch(word) else None


def printable(text: str) -> str:
    """Return a quotation of a file, shortened and without unprintable characters."""
    visible = "".join(char if char.isprintable() else "\ufffd" for char in text[: _MAX_SHOWN + 1])
    return visible if len(visible) <= _MAX_SHOWN else f"{visible[:_MAX_SHOWN]}…"
