"""The Store on SQLite: `open_store` opens it. Everything else in this folder is private to it."""

from __future__ import annotations

from matches.ports import StoreError
from storage.backup import copy_file
from storage.reader import check_file
from storage.store import SqliteStore, open_store, sqlite_note

__all__ = ["SqliteStore", "StoreError", "check_file", "copy_file", "open_store", "sqlite_note"]
