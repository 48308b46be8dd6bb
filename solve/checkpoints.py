"""Checkpoints of a computation on disk: every finished block, and every few minutes the current one.

They are kept in a folder beside the table until that is written, and each file is replaced atomically.
Unreadable ones are computed again.
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from solve.kernel import Values


def replace(path: Path, write: Any) -> None:
    """Replace a file atomically: `write(file)` writes a draft, which is renamed once it is on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    with draft.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class Checkpoints:
    """Named arrays with some facts each, in a folder; without one nothing is saved."""

    def __init__(self, folder: Path | None, pinned: Mapping[str, Any]) -> None:
        """`pinned` identifies the computation: checkpoints with other values are ignored."""
        self._folder = folder
        self._pinned = dict(pinned)

    def load(self, name: str) -> tuple[dict[str, Values], dict[str, Any]] | None:
        """Return the arrays and facts saved under a name; None if there are none for this computation."""
        if self._folder is None:
            return None
        try:
            # The file is opened here, because NumPy doesn't close a file that it can't read.
            with (self._folder / f"{name}.npz").open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                facts = json.loads(str(file["facts"]))
                arrays = {key: file[key] for key in file.files if key != "facts"}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        pinned = facts.pop("pinned", None)
        return (arrays, facts) if pinned == self._pinned else None

    def save(self, name: str, arrays: Mapping[str, Values], facts: Mapping[str, Any]) -> None:
        """Save arrays and facts under a name, replacing what was there."""
        if self._folder is not None:
            text = json.dumps({**facts, "pinned": self._pinned})
            parts: dict[str, Any] = {**arrays, "facts": np.array(text)}
            replace(self._folder / f"{name}.npz", lambda file: np.savez(file, **parts))

    def drop(self, name: str) -> None:
        """Delete what was saved under a name."""
        if self._folder is not None:
            (self._folder / f"{name}.npz").unlink(missing_ok=True)

    def clear(self) -> None:
        """Delete all checkpoints."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
