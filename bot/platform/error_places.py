"""Where in our own code an error happened, and its kind: all that is kept of it, and sent by workers."""

from __future__ import annotations

import logging
from traceback import walk_tb
from types import TracebackType
from typing import Final

OURS: Final = frozenset(
    (
        "dominium",
        "cli",
        "bot",
        "sandbox",
        "solve",
        "storage",
        "render",
        "locales",
        "atlases",
        "matches",
        "tournaments",
        "games",
    )
)
"""Our packages."""
_MAX_NAME: Final = 120
_REMOTE: Final = "remote_error"


def error_of(record: logging.LogRecord) -> tuple[str, str] | None:
    """Return place and kind of the error that a record has, of this process or another; None without one."""
    if (remote := getattr(record, _REMOTE, None)) is not None:
        return remote["place"], remote["kind"]
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return None
    place = place_of(error.__traceback__) or f"logged by {record.name[:_MAX_NAME]}"
    return place, type(error).__qualname__[:_MAX_NAME]


def as_error(place: str, kind: str) -> dict[str, dict[str, str]]:
    """Return what to add to a record, as its `extra`, about an error of another process."""
    return {_REMOTE: {"place": place, "kind": kind}}


def place_of(trace: TracebackType | None) -> str:
    """Return module, function and line of the innermost frame that is ours; an empty text if none is."""
    found = ""
    for frame, line in walk_tb(trace):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] in OURS:
            found = f"{module[:_MAX_NAME]}:{frame.f_code.co_qualname[:_MAX_NAME]}:{line}"
    return found
