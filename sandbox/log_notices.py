"""Errors a bot catches and logs itself, as notices on the page.

An error logged by anything but the sandbox and the libraries below the bot is shown once, in
one line, from whichever thread it came.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

# Their errors are the sandbox's own, or reach it as exceptions of the bot.
_SILENT = ("sandbox", "discord", "asyncio", "aiohttp")


class LogNotices(logging.Handler):
    """Hands each error of the log to `tell`, in the loop it was made in."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._tell = tell
        self._loop = asyncio.get_running_loop()

    def emit(self, record: logging.LogRecord) -> None:
        """Tell one record."""
        if record.name.split(".")[0] in _SILENT or self._loop.is_closed():
            return
        error = record.exc_info[1] if record.exc_info else None
        cause = f": {type(error).__name__}: {error}" if error is not None else ""
        self._loop.call_soon_threadsafe(self._tell, f"{record.name}: {record.getMessage()}{cause}")
