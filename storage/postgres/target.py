"""What a DATABASE_URL means: where to connect, and how to name that place without its password."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from matches.ports import StoreError

_DEFAULTS: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""A server that has vanished is noticed within a minute. What is in the URL goes first."""


@dataclass(frozen=True, slots=True)
class Target:
    """A database to connect to. `name` is for people, and has no password."""

    name: str
    parameters: dict[str, Any] = field(repr=False)


def read_target(url: str) -> Target:
    """Return what a URL names. Raises StoreError without repeating it: it may have a password."""
    try:
        given = conninfo_to_dict(url)
    except psycopg.Error:
        given = None  # the driver's own sentence may quote the password, so it isn't chained either
    if given is None or _is_torn(given):
        raise StoreError(
            "DATABASE_URL can't be read. Write postgresql://user:password@host:5432/database, and write "
            "special characters of the password as %XX."
        )
    here = {"application_name": f"dominium {os.getpid()} on {socket.gethostname()}"[:63]}
    return Target(_name(given), {**_DEFAULTS, **here, **given, "client_encoding": "utf8"})


def _is_torn(given: dict[str, Any]) -> bool:
    """Return whether a slash or an at sign in a password was taken for the end of it."""
    ports = str(given.get("port") or "").split(",")
    places = (str(given.get(part) or "") for part in ("host", "dbname"))
    return any("@" in place for place in places) or any(port and not port.isdecimal() for port in ports)


def _name(given: dict[str, Any]) -> str:
    host = str(given.get("host") or given.get("hostaddr") or "")
    at = f"{host}:{given['port']}" if given.get("port") else host
    database = given.get("dbname") or given.get("user") or ""
    return f"the database {database or '(default)'}" + (f" on {at}" if at else "")
