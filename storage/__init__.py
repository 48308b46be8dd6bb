"""The Store: `open_store` opens it on SQLite, `open_either` also on PostgreSQL. All else here is private."""

from __future__ import annotations

from matches.ports import StoreError
from storage.archive import FinishedMatch
from storage.backup import copy_file
from storage.copying import Copied, copy_store
from storage.lease import TakenError
from storage.opening import (
    back_up,
    load_server,
    look_at_server,
    open_copy_end,
    open_either,
    open_existing,
    standing_of,
    stored_settings,
)
from storage.operator_reader import read_errors, read_finished, read_server_use
from storage.reader import check_file, require_database
from storage.restoring import Restored, restore_database, restore_file
from storage.store import SqliteStore, open_store, sqlite_note

__all__ = [
    "Copied",
    "FinishedMatch",
    "Restored",
    "SqliteStore",
    "StoreError",
    "TakenError",
    "back_up",
    "check_file",
    "copy_file",
    "copy_store",
    "load_server",
    "look_at_server",
    "open_copy_end",
    "open_either",
    "open_existing",
    "open_store",
    "read_errors",
    "read_finished",
    "read_server_use",
    "require_database",
    "restore_database",
    "restore_file",
    "sqlite_note",
    "standing_of",
    "stored_settings",
]
