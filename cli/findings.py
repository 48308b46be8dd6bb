"""The result of a check of `doctor`: level, subject, one sentence, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of `doctor`. `advice` is empty if there is nothing to do."""

    level: Level
    what: str
    text: str
    advice: str = ""
