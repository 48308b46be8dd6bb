"""What a check of `doctor` found: how bad, about what, in one sentence, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of `doctor`. `advice` is empty where nothing is to be done."""

    level: Level
    what: str
    text: str
    advice: str = ""
