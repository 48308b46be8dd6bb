"""The text of a record as lines: long ones broken and joined again, headers, and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from games.engine.log import Match
from games.engine.message import Msg

VERSION = "Dominium record 1"
WIDTH = 100
"""Maximum length of a line, in characters; the rest follows on lines that begin with two spaces."""
MAX_LENGTH = 2_000_000
"""Maximum length of a record, in characters; no match of any game comes near it."""


class RecordError(ValueError):
    """A text that isn't a record of a match.

    `line` counts from 1; `why` is the game's own refusal, where it refused an entry, and `match` the match
    whose seats it names, if it had begun.
    """

    def __init__(self, line: int, reason: str, why: Msg | None = None, match: Match | None = None) -> None:
        super().__init__(f"line {line}: {reason}" + (f" ({why.key})" if why else ""))
        self.line = line
        self.reason = reason
        self.why = why
        self.match = match


class TooLateError(RecordError):
    """Raised where the time for checking a record is up."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What reading a record from a stranger may cost."""

    entries: int
    """Maximum number of entries after the start."""
    is_late: Callable[[], bool]
    """Asked before each entry and each check of a draw: whether the time is up."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A whole line of a record, with the number of its first line in the text."""

    number: int
    text: str


def wrapped(line: str) -> Iterator[str]:
    """Yield lines of at most WIDTH characters, broken before a space where possible."""
    indent, at = "", 0
    while len(indent) + len(line) - at > WIDTH:
        room = WIDTH - len(indent)
        cut = line.rfind(" ", at + 1, at + room + 1)
        if cut < at + room // 2:
            cut = at + room
        yield indent + line[at:cut]
        at, indent = cut, "  "
    yield indent + line[at:]


def joined_lines(text: str) -> list[RecordLine]:
    """Join continuation lines; return logical lines with the number of their first physical line.

    Raises RecordError for an unprintable character.
    """
    joined: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if not line.isprintable():
            raise RecordError(number, "there is an unprintable character")
        if line.startswith("  ") and joined and joined[-1][1][0]:
            joined[-1][1].append(line[2:])
        else:
            joined.append((number, [line]))
    return [RecordLine(number, "".join(parts)) for number, parts in joined]


def read_fields(lines: Sequence[RecordLine]) -> dict[str, RecordLine]:
    """Parse `Name: value` lines by name.

    Raises RecordError for a line without a name, or a name given twice.
    """
    found: dict[str, RecordLine] = {}
    for line in lines:
        name, colon, value = line.text.partition(":")
        if not colon or (value and not value.startswith(" ")):
            raise RecordError(line.number, "a header is a name, a colon, a space and a value")
        if name in found:
            raise RecordError(line.number, f"{name} is given twice")
        found[name] = RecordLine(line.number, value[1:])
    return found
