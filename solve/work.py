"""Half-done work on disk: every finished block, and the one at work every few minutes, replaced as a whole.

A folder beside the table holds it until the table is written. What can't be read is computed again.
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
    """Write a file by `write(file)` under another name, and put it in its place once it is on disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    with draft.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class Work:
    """Arrays by name, with a few facts each, in a folder; nowhere without one."""

    def __init__(self, folder: Path | None, pinned: Mapping[str, Any]) -> None:
        """`pinned` says what the arrays are for: those of other work are left unread."""
        self._folder = folder
        self._pinned = dict(pinned)

    def load(self, name: str) -> tuple[dict[str, Values], dict[str, Any]] | None:
        """What was saved under a name; None if nothing was, or not by this work."""
        if self._folder is None:
            return None
        try:
            # The file is opened here, because NumPy leaves one open that it can't read.
            with (self._folder / f"{name}.npz").open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                facts = json.loads(str(file["facts"]))
                arrays = {key: file[key] for key in file.files if key != "facts"}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        pinned = facts.pop("pinned", None)
        return (arrays, facts) if pinned == self._pinned else None

    def save(self, name: str, arrays: Mapping[str, Values], facts: Mapping[str, Any]) -> None:
        """Keep arrays under a name, in place of what was there."""
        if self._folder is not None:
            text = json.dumps({**facts, "pinned": self._pinned})
            parts: dict[str, Any] = {**arrays, "facts": np.array(text)}
            replace(self._folder / f"{name}.npz", lambda file: np.savez(file, **parts))

    def drop(self, name: str) -> None:
        """Forget what was saved under a name."""
        if self._folder is not None:
            (self._folder / f"{name}.npz").unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget everything."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
