"""The schema on PostgreSQL grows by the same numbered steps as on SQLite, all that are missing or none.

Both have the same tables and columns in the same order; tests/storage/test_postgres_schema.py compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matches.ports import StoreError
from storage.migrations import Migration, shipped
from storage.postgres.sessions import GATE, TABLES, Conn, one, others_connected

STEPS = Path(__file__).parent / "migrations"

MARK = "Dominium: the steps of the schema"
"""The comment on the record of migrations, by which a database is known as ours."""

UNFINISHED = "Dominium: an unfinished copy"
"""The same while a database is being filled by `dominium store copy`."""

_LEDGER = f"""
CREATE TABLE IF NOT EXISTS migrations (
    number  integer PRIMARY KEY,
    name    text    NOT NULL,
    sha256  text    NOT NULL,
    applied bigint  NOT NULL
);
COMMENT ON TABLE migrations IS '{MARK}';
CREATE TABLE IF NOT EXISTS writers (
    id   bigint      PRIMARY KEY,
    last bigint      NOT NULL,
    at   timestamptz NOT NULL
);
COMMENT ON TABLE writers IS 'Connections, each with the mark of its last transaction';
"""

_TABLES = """
SELECT count(*) FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace
AND c.relkind IN ('r', 'p') AND NOT EXISTS (
    SELECT 1 FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e'
)
"""


def shipped_for_postgres() -> tuple[Migration, ...]:
    """Return the steps that come with the program, in order, without a gap."""
    return shipped(STEPS)


def identify(db: Conn, name: str, newest: int, *, unfinished: bool = False) -> int:
    """Return a database's schema number, 0 if empty. Raises StoreError if it isn't ours or is too new.

    An unfinished copy is ours for the one who fills it only.
    """
    (schema,) = one(db.execute("SELECT current_schema()").fetchone())
    if schema is None:
        raise StoreError(f"{_upper(name)} has no schema to write to. Create one, or set the search_path.")
    (mark,) = one(db.execute("SELECT obj_description(to_regclass('migrations'), 'pg_class')").fetchone())
    if mark == UNFINISHED and not unfinished:
        raise StoreError(
            f"{_upper(name)} is an unfinished copy. Go on with `dominium store copy`, from the same database."
        )
    if mark not in (MARK, UNFINISHED):
        (tables,) = one(db.execute(_TABLES).fetchone())
        if tables:
            raise StoreError(
                f"{_upper(name)} holds another program's tables. Create an empty database for this one; that "
                "one was left as it is."
            )
        return 0
    (version,) = one(db.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone())
    if version > newest:
        raise StoreError(
            f"{_upper(name)} was written by a newer version of this program (schema {version}, this one "
            f"knows {newest}). Update the program, or restore a backup from before the update."
        )
    return int(version)


def migrate(db: Conn, name: str, steps: Sequence[Migration], now: int, *, unfinished: bool = False) -> int:
    """Apply the missing steps to a database, ours or empty; return how many. `now` is in milliseconds."""
    if db.process is None:
        return _migrate(db, name, steps, now, unfinished=unfinished)
    db.execute(GATE.replace("_xact", ""))  # several processes may start at once
    try:
        applied = _migrate(db, name, steps, now, unfinished=unfinished)
        db.execute(TABLES, prepare=False)
    finally:
        db.execute(GATE.replace("_xact_lock", "_unlock"))
    return applied


def _migrate(db: Conn, name: str, steps: Sequence[Migration], now: int, *, unfinished: bool) -> int:
    version = identify(db, name, len(steps), unfinished=unfinished)
    if version:
        compare(db, name, steps[:version])
        if version < len(steps) and db.process is not None and others_connected(db):
            raise StoreError(
                f"{_upper(name)} has to be brought up to date, and other processes of this bot use it. Stop "
                "all of them, then start them again in this version."
            )
    apply(db, steps[version:], now)
    return len(steps) - version


def apply(db: Conn, steps: Sequence[Migration], now: int) -> None:
    """Apply steps, in one transaction. `now` is in milliseconds."""
    if not steps:
        return
    with db.transaction():
        db.execute(GATE)
        db.execute(_LEDGER, prepare=False)
        for step in steps:
            db.execute(step.sql, prepare=False)
            db.execute(
                "INSERT INTO migrations VALUES (%s, %s, %s, %s)", (step.number, step.name, step.sha256, now)
            )


def compare(db: Conn, name: str, steps: Sequence[Migration]) -> None:
    """Raise StoreError unless a database was set up by exactly these steps."""
    recorded = db.execute("SELECT number, sha256 FROM migrations ORDER BY number").fetchall()
    if recorded != [(step.number, step.sha256) for step in steps]:
        raise StoreError(
            f"{_upper(name)} was set up by a different build of this program: its record of migrations is "
            "not the one known here. Use the build that wrote it, or put back a backup."
        )


def _upper(name: str) -> str:
    return name[:1].upper() + name[1:]
