"""Check of `doctor`: the PostgreSQL database of DATABASE_URL. Read-only, whether or not the bot runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from cli.findings import Finding
from matches.ports import StoreError
from storage.postgres import require_driver

if TYPE_CHECKING:
    from storage.postgres.inspection import Inspection


def look(url: str) -> Inspection | StoreError:
    """Return what the database of a URL is like, or why that can't be said."""
    try:
        require_driver()
        from storage.postgres.inspection import inspect_database

        return inspect_database(url)
    except StoreError as error:
        return error


def database(found: Inspection | StoreError) -> Iterator[Finding]:
    """Check that the database can be reached, is ours, fits the program, and has whole logs."""
    if isinstance(found, StoreError):
        yield Finding("fail", "database", str(found))
        return
    name = f"{found.name[:1].upper()}{found.name[1:]}"
    if found.wrong_logs:
        advice = "Stop the bot, keep the database, and restore the last backup."
        text = f"{name}: the logs of {found.wrong_logs} matches don't fit their rows"
        yield Finding("fail", "database", text, advice)
        return
    if not found.schema:
        yield Finding("ok", "database", f"{name}: PostgreSQL {found.server}, empty; the first start fills it")
        return
    if found.processes:
        yield _processes(found)
    steps = f", {found.missing} migrations run at the next start" if found.missing else ""
    yield Finding(
        "ok",
        "database",
        f"{name}: PostgreSQL {found.server}, {found.size / 1e6:,.1f} MB, schema {found.schema}{steps}",
    )


def _named(shards: Collection[int]) -> str:
    """Return `shard 0`, or `shards 0, 1`."""
    return f"shard{'s' * (len(shards) > 1)} {', '.join(map(str, shards))}"


def _processes(found: Inspection) -> Finding:
    served = "; ".join(
        f"{name} serves {_named(shards) if shards else 'none, and stands by'}"
        for name, shards in found.processes
    )
    if not found.unserved:
        return Finding("ok", "processes", served)
    advice = "Within some seconds another process takes them over. If not, read the logs of all processes."
    return Finding("warn", "processes", f"{served}; nobody serves {_named(found.unserved)}", advice)
