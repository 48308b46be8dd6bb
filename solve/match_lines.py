"""Files with one match a line, each appended as it ends: after a kill, half a line may be at the end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def load_lines(path: Path, read: Callable[[list[str]], T], begin: str, first: str = "") -> T:
    """Return what `read` makes of the whole lines of a file, and remove half a line at its end.

    `begin` is how each line begins, `first` what the first one is, if it is no match. Nothing is removed if
    `read` raises, or if what is at the end isn't half of such a line. Raises OSError, ValueError.
    """
    raw = path.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    half = raw[len(whole) :]
    try:
        lines = whole.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError("a line isn't a match") from error
    found = read(lines)
    if half:
        wanted = first.encode() if first and not lines else begin.encode()
        if not wanted.startswith(half) and (wanted == first.encode() or not half.startswith(wanted)):
            raise ValueError("its end isn't that of a match")
        os.truncate(path, len(whole))
    return found
