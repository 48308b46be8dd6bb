"""What is left open is reported on each Python alike.

CPython reports connections to SQLite from 3.13 on, and answers of HTTP errors from 3.14 on; before, this
does. As an object may be collected late, a test after the one that left it open may be the one that fails.
"""

from __future__ import annotations

import sqlite3
import sys
import warnings
from functools import partial
from urllib.error import HTTPError

import pytest


class _Connection(sqlite3.Connection):
    def __del__(self) -> None:
        try:
            _ = self.total_changes  # whichever the thread
        except sqlite3.ProgrammingError:
            return  # it is closed, or was never open
        warnings.warn(f"unclosed database in {self!r}", ResourceWarning, stacklevel=1, source=self)


def _collected(error: HTTPError) -> None:
    closer = vars(error).get("_closer")  # none without a body
    if closer is not None and not closer.close_called:
        warnings.warn(f"unclosed {error!r}", ResourceWarning, stacklevel=1, source=error)


def report() -> None:
    """Report what this Python doesn't, until the process ends."""
    patch = pytest.MonkeyPatch()
    if sys.version_info < (3, 13):
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=_Connection))
    if sys.version_info < (3, 14):
        patch.setattr(HTTPError, "__del__", _collected, raising=False)
