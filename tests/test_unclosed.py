"""What is left open is reported, whichever Python runs the tests."""

from __future__ import annotations

import gc
import io
import re
import sqlite3
from collections.abc import Callable
from email.message import Message
from urllib.error import HTTPError

import pytest

from tests.test_contracts import ROOMS, ROOT


def failed_request() -> HTTPError:
    return HTTPError("http://127.0.0.1", 404, "Not Found", Message(), io.BytesIO())


def connection() -> sqlite3.Connection:
    return sqlite3.connect(":memory:")


def drop(left: list[sqlite3.Connection | HTTPError]) -> None:
    left.clear()
    gc.collect()  # a connection and its statements hold each other


@pytest.mark.parametrize("make", [connection, failed_request])
def test_what_is_left_open_is_reported_and_what_is_closed_is_not(
    make: Callable[[], sqlite3.Connection | HTTPError],
) -> None:
    left, closed = [make()], make()
    closed.close()
    del closed
    with pytest.warns(ResourceWarning, match=r"unclosed|cleaning up") as said:
        drop(left)
    assert len(said) == 1


def test_no_connection_is_left_to_with_which_only_commits() -> None:
    sources = [path for room in (*ROOMS, "deploy", "tests") for path in (ROOT / room).rglob("*.py")]
    # In texts, too: scripts that tests write run in processes of their own, where nothing is reported.
    committed = re.compile(r"(?:with|,)\s+sqlite3\.connect\((?:[^()]|\([^()]*\))*\)\s+as\b")
    found = [
        path.relative_to(ROOT).as_posix() for path in sources if committed.search(path.read_text("utf-8"))
    ]
    assert found == [], "put contextlib.closing around it"
