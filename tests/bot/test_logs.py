"""Logs as text and JSON: one object a line, and no secret in either, wherever it stands."""

from __future__ import annotations

import ast
import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.platform.logs import HIDDEN, Redactor
from tests.test_contracts import ROOT

OLD_TOKEN = "MTA5MDAwMDAwMDAwMDAwMDAw.GaBcDe." + "x" * 38
Log = Callable[..., str]


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    """`log("text %s", value, extra=..., error=...)` returns what is written."""
    logger = logging.getLogger(f"tests.logs.{request.param}")
    logger.propagate = False
    handler: logging.StreamHandler[io.StringIO] = logging.StreamHandler(io.StringIO())
    handler.setFormatter(Redactor(["hunter2 the second"], as_json=request.param == "json"))
    logger.addHandler(handler)

    def write(
        text: str, *args: object, extra: dict[str, Any] | None = None, error: Exception | None = None
    ) -> str:
        logger.warning(text, *args, extra=extra, exc_info=error)
        return handler.stream.getvalue()

    yield write
    logger.removeHandler(handler)


SECRETS = [
    ("postgresql://dominium:s3cret-word@db:5432/dominium", "s3cret-word"),
    ("postgresql+asyncpg://dominium:p@ss/w:rd@db/dominium?sslmode=require", "p@ss/w:rd"),
    ("http://proxy:pr0xyword@10.0.0.1:3128", "pr0xyword"),
    ("host=db user=dominium password=s3cret-word dbname=x", "s3cret-word"),
    ("PGPASSWORD='two words' psql", "two words"),
    (f"401 for Bot {OLD_TOKEN}", OLD_TOKEN),
    (
        "https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb24tdG9rZW4/messages/@original",
        "aW50ZXJhY3Rpb24",
    ),
    ("/interactions/123/aW50ZXJhY3Rpb24/callback", "aW50ZXJhY3Rpb24"),
    ("it is hunter2 the second", "hunter2 the second"),
]


@pytest.mark.parametrize(("line", "secret"), SECRETS, ids=[secret for _, secret in SECRETS])
def test_what_looks_like_a_secret_is_hidden(log: Log, line: str, secret: str) -> None:
    for written in (
        log("it failed: %s", line),
        log("it failed", extra={"url": line, "parts": [line], "more": {"inner": ValueError(line)}}),
        log("it failed", error=RuntimeError(line)),
    ):
        assert secret not in written
        assert HIDDEN in written


@pytest.mark.parametrize(
    "line",
    [
        "https://discord.com/api/v10/channels/1/messages answers 503",
        "the token is refused; copy it again: it was reset",
        "sqlite:///data/dominium.sqlite3",
        "at 12:30 ann@example.org wrote",
        "F-7K2M9Q: the board can't be drawn ahead",
    ],
)
def test_everything_else_stays(log: Log, line: str) -> None:
    assert line in log(line)


def as_json(record: dict[str, Any], error: Exception | None = None) -> dict[str, Any]:
    """The object that is written for a record, on a line of its own."""
    made = logging.makeLogRecord(record)
    if error is not None:
        made.exc_info = (type(error), error, None)
    line = Redactor([], as_json=True).format(made)
    assert "\n" not in line
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def test_a_line_of_json_has_time_level_logger_and_event() -> None:
    found = as_json(
        {"msg": "one\n%s", "args": ("two",), "levelname": "INFO", "name": "bot.app", "created": 0.5}
    )
    at = datetime.fromtimestamp(0.5, UTC).isoformat(timespec="milliseconds")
    assert found == {"time": at, "level": "INFO", "logger": "bot.app", "event": "one\ntwo"}
    assert "RuntimeError: lost" in as_json({"msg": "x"}, RuntimeError("lost"))["trace"]


@pytest.mark.parametrize(
    ("record", "match"),
    [
        ({"msg": "boards are merged", "match": "F-7K2M9Q"}, "F-7K2M9Q"),
        ({"msg": "match %s can't be read", "args": ("D-7K2",)}, "D-7K2"),
        ({"msg": "F-7K2M9Q: the board can't be drawn ahead"}, "F-7K2M9Q"),
        ({"msg": "F-7K2M9Q", "match": "F-222222"}, "F-222222"),
        ({"msg": "the UTF-8 in PEP-484 and /data/F-7K2M9Q.txt-X"}, None),
    ],
)
def test_the_match_is_named_where_it_is_known(record: dict[str, Any], match: str | None) -> None:
    assert as_json(record).get("match") == match


def test_what_a_record_adds_never_hides_what_each_line_has() -> None:
    found = as_json({"msg": "said", "event": "another", "time": 7, "rows": (1, None, True)})
    assert (found["event"], found["event_"], found["time_"], found["rows"]) == (
        "said",
        "another",
        7,
        [1, None, True],
    )


# --- people -------------------------------------------------------------------------------------------

LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
PEOPLE = re.compile(
    r"(?:^|_)(?:users?|authors?|members?|person|people|players?|owners?|holders?|nick|mention)(?:_|$)"
)


def people_logged(source: str) -> list[int]:
    """Return the lines of log calls whose arguments have a name of people."""
    found = []
    for call in ast.walk(ast.parse(source)):
        match call:
            case ast.Call(func=ast.Attribute(ast.Name("log"), level)) if level in LEVELS:
                arguments = [*call.args[1:], *(word.value for word in call.keywords if word.arg == "extra")]
                named = [
                    name
                    for argument in arguments
                    for node in ast.walk(argument)
                    for name in [getattr(node, "attr", getattr(node, "id", ""))]
                    if PEOPLE.search(name) and ast.unparse(node) != "self.user"  # the bot itself
                ]
                found += [call.lineno] * bool(named)
    return found


def test_people_in_logs_are_found() -> None:
    lines = (
        "log.info('%s', user)",
        "log.warning('x', extra={'by': row.author.id})",
        "log.info('user', extra={})",
    )
    assert people_logged("\n".join(lines)) == [1, 2]


def test_no_log_names_people() -> None:
    files = [
        file
        for room in ("bot", "matches", "storage", "render", "sandbox", "cli")
        for file in (ROOT / room).rglob("*.py")
    ]
    assert len(files) > 300
    found = {file: lines for file in files if (lines := people_logged(file.read_text("utf-8")))}
    assert not found
