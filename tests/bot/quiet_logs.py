"""What the program logs names matches and messages, not people (docs/privacy.md)."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from bot.platform.logs import CHATTY, Redactor


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(Redactor((), as_json=False))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.WARNING and record.name.partition(".")[0] in CHATTY:
            return  # as in production
        self.lines.append(self.format(record))


@contextmanager
def no_person_is_logged(people: Collection[int]) -> Iterator[None]:
    """Assert at the end that no line of the log has the id of one of these people, which may be added to."""
    heard, root = _Lines(), logging.getLogger()
    level = root.level
    root.addHandler(heard)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(heard)
        root.setLevel(level)
    named = [line for line in heard.lines for person in people if str(person) in line]
    assert not named, named
