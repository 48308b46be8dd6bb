"""Structured logs on standard error. The formatter hides secrets, in tracebacks too."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime

HIDDEN = "[hidden]"
CHATTY = ("discord", "aiosqlite", "asyncio", "PIL", "aiohttp", "psycopg")
"""Libraries whose messages below WARNING are dropped."""
_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}


class Redactor(logging.Formatter):
    """Formats a record as text or JSON, and hides the secrets anywhere in the result."""

    def __init__(self, secrets: Iterable[str], *, as_json: bool) -> None:
        super().__init__()
        self._secrets = tuple(sorted({s for s in secrets if len(s) >= 8}, key=len, reverse=True))
        self._json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return one line of JSON, or a readable line followed by the traceback."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        extra = {k: v for k, v in record.__dict__.items() if k not in _STANDARD}
        text = record.getMessage()
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        if self._json:
            fields = {"at": at, "level": record.levelname, "logger": record.name, "message": text, **extra}
            if trace:
                fields["trace"] = trace
            line = json.dumps(fields, default=str, ensure_ascii=False)
        else:
            pairs = "".join(f" {key}={value}" for key, value in extra.items())
            line = f"{at} {record.levelname:<7} {record.name}: {text}{pairs}"
            if trace:
                line = f"{line}\n{trace}"
        return self.hide(line)

    def hide(self, line: str) -> str:
        """Return the line with each secret replaced."""
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        return line


def set_up_logs(level: str, style: str, secrets: Iterable[str] = ()) -> None:
    """Log everything to standard error once, libraries from WARNING on; `style` is text or json."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redactor(secrets, as_json=style == "json"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for chatty in CHATTY:
        logging.getLogger(chatty).setLevel(max(logging.WARNING, logging.getLevelName(level)))
    logging.captureWarnings(True)
