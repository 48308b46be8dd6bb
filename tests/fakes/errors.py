"""Groups of errors, in the store in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches.store.error_store import MAX_GROUPS, ErrorGroup
from tests.fakes.base import in_ms
from tests.fakes.departures import MemoryDepartures


@dataclass
class MemoryErrors(MemoryDepartures):
    """Groups by place and kind."""

    _errors: dict[tuple[str, str], ErrorGroup] = field(default_factory=dict)

    async def note_errors(self, groups: Sequence[ErrorGroup], most: int = MAX_GROUPS) -> None:
        """Add what was counted to the groups; keep the latest ones."""
        self._change()
        for one in groups:
            new = replace(one, since=in_ms(one.since), latest=in_ms(one.latest), told=None)
            known = self._errors.get((one.place, one.kind))
            if known is not None:
                count = known.count + new.count
                new = replace(known, count=count, latest=new.latest, version=new.version)
            self._errors[one.place, one.kind] = new
        kept = (await self.error_groups())[:most]
        self._errors = {(one.place, one.kind): one for one in kept}

    async def error_groups(self) -> tuple[ErrorGroup, ...]:
        """Return all groups, those seen latest first."""
        by_name = sorted(self._errors.values(), key=lambda one: (one.place, one.kind))
        return tuple(sorted(by_name, key=lambda one: one.latest, reverse=True))

    async def errors_told(self, groups: Collection[ErrorGroup], at: datetime) -> None:
        """Note that operators were told of these groups."""
        self._change()
        for one in groups:
            if (known := self._errors.get((one.place, one.kind))) is not None:
                self._errors[one.place, one.kind] = replace(known, told=in_ms(at))

    async def clear_errors(self) -> int:
        """Remove all groups; return how many there were."""
        self._change()
        count = len(self._errors)
        self._errors = {}
        return count
