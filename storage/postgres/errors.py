"""What PostgreSQL reports, as a sentence for the person who runs the program: what is wrong and what to do.

Nothing here ever shows a value that was stored, nor a password: details and hints of the server are left out.
"""

from __future__ import annotations

import psycopg
from psycopg import errors

from matches.ports import StoreError, StoreUnavailableError

_PASSING = {
    "53100": "There is no space left for {name}. Free some on the server's disk. No change was written "
    "in part.",
    "53200": "The server had not enough memory to work on {name}.",
    "53300": "The server of {name} has no connection left. Raise its max_connections, or close what else "
    "uses it.",
    "25006": "{name} is read-only: a standby, or a server whose disk is full. Name the primary in "
    "DATABASE_URL, or make it writable.",
    "57014": "{name} took too long to answer. See what else keeps its server busy.",
    "55P03": "{name} is locked by another program. Close what else works on it, then try again.",
    "57P01": "The server of {name} was shut down. Start it again.",
    "57P02": "The server of {name} has crashed. Look at its log.",
    "57P03": "The server of {name} doesn't take connections yet. Wait until it has started.",
    "58030": "The server had a disk error while {name} was in use. Check its disk.",
    "40001": "{name} was changed at the same moment, again and again. Try again.",
    "40P01": "{name} was changed at the same moment, again and again. Try again.",
}
"""What may be over at another start, by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""

_LASTING = {
    "42501": "The user of DATABASE_URL may not work on {name}. Make it the owner of the database, or grant "
    "it USAGE and CREATE on its schema.",
    "XX001": "{name} is damaged. Keep it as it is, and restore the last backup.",
    "XX002": "An index of {name} is damaged. Run REINDEX DATABASE, or restore the last backup.",
}

_REFUSED = {
    "password authentication failed": "the password or the user in DATABASE_URL is wrong",
    "no password supplied": "DATABASE_URL needs a password",
    "no pg_hba.conf entry": "the server lets this user or address not in (pg_hba.conf)",
    "does not exist": "there is no such database or user; create it first",
    "could not translate host name": "there is no host of that name",
}
"""The words by which a server refuses a connection: until one is made there are no codes."""

AGAIN = frozenset({"40001", "40P01", "25006"})
"""Nothing was written, and another try may work: a conflict, a deadlock, a former primary."""

_LOST_RACES = frozenset({"requests_pkey", "matches_id_key"})
"""Keys that another transaction has taken a moment ago. The next try sees the row, and can judge it."""


def worth_another_try(error: psycopg.Error) -> bool:
    """Return whether a transaction that failed like this may simply be begun again."""
    if isinstance(error, errors.UniqueViolation):
        return error.diag.constraint_name in _LOST_RACES
    return error.sqlstate in AGAIN


def ends_connection(error: psycopg.Error) -> bool:
    """Return whether a connection can no longer be used after an error, though it may still look alive.

    So after what the server calls fatal, and after what only the driver noticed.
    """
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError)
    # After a failover only a new connection finds the primary.
    return error.diag.severity_nonlocalized in ("FATAL", "PANIC") or error.sqlstate == "25006"


def explain(name: str, error: psycopg.Error) -> Exception:
    """Return the exception to raise for one of PostgreSQL's, of the database that people call `name`.

    LookupError where a row refers to a match that isn't there, ValueError where a value is not allowed, else
    StoreError, of the kind that may pass where it may.
    """
    if isinstance(error, errors.ForeignKeyViolation):
        return LookupError("there is no such match")
    if isinstance(error, (psycopg.IntegrityError, psycopg.DataError)):
        # The primary message of a constraint names the constraint; that of a value may quote the value.
        what = error.diag.message_primary if isinstance(error, psycopg.IntegrityError) else None
        return ValueError(f"not allowed in the store: {what or type(error).__name__}")
    code = error.sqlstate or ""
    if code in _LASTING:
        return StoreError(_sentence(_LASTING[code], name, error))
    if code in _PASSING:
        return StoreUnavailableError(_sentence(_PASSING[code], name, error))
    if isinstance(error, psycopg.OperationalError):
        return StoreUnavailableError(
            _sentence("The connection to {name} was lost. It is made again as soon as possible.", name, error)
        )
    return StoreError(_sentence("{name} can't be used.", name, error))


def unreachable(name: str, error: psycopg.Error) -> StoreError:
    """Return the exception to raise where no connection could be made."""
    text = _first_line(str(error))
    for words, meaning in _REFUSED.items():
        if words in text:
            return StoreError(f"{_upper(name)} can't be opened: {meaning}. (PostgreSQL says: {text})")
    return StoreUnavailableError(
        f"{_upper(name)} can't be reached. Check DATABASE_URL, and that the server runs. "
        f"(PostgreSQL says: {text})"
    )


def _sentence(sentence: str, name: str, error: psycopg.Error) -> str:
    text = error.diag.message_primary or _first_line(str(error))
    return f"{_upper(sentence.format(name=name))} (PostgreSQL says: {text})"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
