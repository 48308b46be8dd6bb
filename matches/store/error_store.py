"""Unexpected errors, grouped by where they happen: part of the protocol of a Store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

MAX_GROUPS: Final = 300
"""Maximum number of groups of errors that are kept; those that were seen longest ago are dropped."""


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """The errors of one kind that were raised in one place. It has nothing of what the errors say."""

    place: str
    """Module, function and line of the innermost frame that is ours, as `bot.app:close:12`."""
    kind: str
    """The name of the exception's class."""
    count: int
    since: datetime
    """When the first one was seen."""
    latest: datetime
    version: str
    """The version of the program that raised the latest one."""
    told: datetime | None = None
    """When operators were told of the group."""


class ErrorStore(Protocol):
    """Groups of errors."""

    async def note_errors(self, groups: Sequence[ErrorGroup], most: int = MAX_GROUPS) -> None:
        """Add what was counted to the groups of the same place and kind; keep the latest `most` groups."""
        ...

    async def error_groups(self) -> tuple[ErrorGroup, ...]:
        """Return all groups, those seen latest first."""
        ...

    async def errors_told(self, groups: Collection[ErrorGroup], at: datetime) -> None:
        """Note that operators were told of these groups."""
        ...

    async def clear_errors(self) -> int:
        """Remove all groups; return how many there were."""
        ...
