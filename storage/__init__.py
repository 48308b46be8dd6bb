"""The Store: `open_store` opens it on SQLite, `open_either` also on PostgreSQL. All else here is private."""

from __future__ import annotations

from matches.ports import StoreError
from storage.archive_query import FinishedMatch
from storage.archive_reader import read_finished
from storage.backup import copy_file
from storage.copying import Copied, copy_store
from storage.lease import TakenError
from storage.opening import open_copy_end, open_either
from storage.reader import check_file
from storage.restoring import Restored, restore_file
from storage.store import SqliteStore, open_store, sqlite_note

__all__ = [
    "Copied",
    "FinishedMatch",
    "Restored",
    "SqliteStore",
    "StoreError",
    "TakenError",
    "check_file",
    "copy_file",
    "copy_store",
    "open_copy_end",
    "open_either",
    "open_store",
    "read_finished",
    "restore_file",
    "sqlite_note",
]
