"""Structured logs on standard error, as text or JSON. The formatter hides secrets, in tracebacks too.

A line of JSON has the keys `time`, `level`, `logger` and `event`, `match` if it is about one match, `trace`
if there is a traceback, and whatever else the program adds to the record.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from matches.ids import ALPHABET

HIDDEN = "[hidden]"
CHATTY = ("discord", "aiosqlite", "asyncio", "PIL", "aiohttp", "psycopg")
"""Libraries whose messages below WARNING are dropped."""
_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}
_MATCH = re.compile(rf"(?<![\w/-])[A-Z]-[{ALPHABET}]{{3,}}(?![\w-])")
"""An id of a match in a text, as the program writes it."""

_PATTERNS = (
    # The password in the address of a database or proxy: scheme://user:password@host
    (
        re.compile(r"((?<![a-z])[a-z][a-z0-9+.-]{0,15}://[^\s:/@'\"]*+:)[^\s'\"]+(@)", re.IGNORECASE),
        rf"\1{HIDDEN}\2",
    ),
    # The same as a word of its own, as in the settings of PostgreSQL: password=... or password='...'
    (
        re.compile(r"(\b\w*(?:password|passwd)=)(?:'[^']*'|\"[^\"]*\"|[^\s'\",;&]+)", re.IGNORECASE),
        rf"\1{HIDDEN}",
    ),
    # A bot's token, whether it is the configured one or not: three parts, the first an id in base64
    (re.compile(r"(?<![\w-])[MNO][\w-]{22,}+\.[\w-]{6,}+\.[\w-]{25,}"), HIDDEN),
    # The tokens in the paths of interactions and webhooks, with which anyone can answer
    (re.compile(r"(/(?:interactions|webhooks)/\d+/)[\w.%~-]+"), rf"\1{HIDDEN}"),
)
"""What looks like a secret, and what is written instead."""


class Redactor(logging.Formatter):
    """Formats a record as text or JSON, and hides secrets: those it is given, and what looks like one."""

    def __init__(self, secrets: Iterable[str], *, as_json: bool) -> None:
        super().__init__()
        self._secrets = tuple(sorted({s for s in secrets if len(s) >= 8}, key=len, reverse=True))
        self._json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return one line of JSON, or a readable line followed by the traceback."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        extra = {k: v for k, v in record.__dict__.items() if k not in _STANDARD}
        text = self.hide(record.getMessage())
        trace = self.hide(self.formatException(record.exc_info)) if record.exc_info else ""
        if self._json:
            fields = {"time": at, "level": record.levelname, "logger": record.name, "event": text}
            if "match" not in extra and (about := _MATCH.search(text)) is not None:
                fields["match"] = about[0]
            fields |= {
                f"{key}_" if key in fields else key: self._plain(value) for key, value in extra.items()
            }
            if trace:
                fields["trace"] = trace
            return json.dumps(fields, ensure_ascii=False)
        pairs = "".join(f" {key}={value}" for key, value in extra.items())
        line = f"{at} {record.levelname:<7} {record.name}: {text}{self.hide(pairs)}"
        return f"{line}\n{trace}" if trace else line

    def _plain(self, value: Any) -> Any:
        """Return a value that JSON can hold, without secrets."""
        match value:
            case bool() | int() | float() | None:
                return value
            case dict():
                return {self.hide(str(key)): self._plain(inner) for key, inner in value.items()}
            case list() | tuple():
                return [self._plain(inner) for inner in value]
            case _:
                return self.hide(str(value))

    def hide(self, line: str) -> str:
        """Return the line with each secret replaced."""
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        for pattern, instead in _PATTERNS:
            line = pattern.sub(instead, line)
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
