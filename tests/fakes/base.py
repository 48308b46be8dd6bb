"""What all parts of the store in memory share: matches, settings, the queue, and whether it can be used."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeVar

from matches.outbox.messages import read_message
from matches.outbox.queue import Draft, OutboxRow
from matches.ports import StoreError
from matches.store.rows import MatchRow

_Json = TypeVar("_Json")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


def in_ms(when: datetime) -> datetime:
    """A time as every store keeps it: UTC, whole milliseconds, rounded down."""
    return _EPOCH + (when - _EPOCH) // _MS * _MS


def as_json(value: _Json) -> _Json:
    """A value after its way through JSON, apart from the original."""
    back: _Json = json.loads(json.dumps(value, allow_nan=False))
    return back


def as_stored(draft: Draft) -> Draft:
    """A draft as it comes back from JSON."""
    return replace(draft, message=read_message(draft.kind, as_json(draft.message.to_json())))


@dataclass
class MemoryBase:
    """A store over dictionaries. `failing` is raised by every change."""

    failing: StoreError | None = None
    rows: dict[str, MatchRow] = field(default_factory=dict)
    queue: dict[int, OutboxRow] = field(default_factory=dict)
    closed: bool = False
    _settings: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    _queued: int = 0
    _due: dict[str, dict[int, datetime]] = field(default_factory=dict)
    """The deadlines that clocks keep, by match and seat."""

    def _open(self) -> None:
        if self.closed:
            raise StoreError("The store is closed.")

    def _change(self) -> None:
        self._open()
        if self.failing is not None:
            raise self.failing

    def _known(self, match_id: str) -> None:
        if match_id not in self.rows:
            raise LookupError(f"there is no match {match_id!r}")

    def _enqueue(self, draft: Draft, at: datetime) -> int:
        self._queued += 1
        self.queue[self._queued] = OutboxRow(
            id=self._queued,
            draft=as_stored(draft),
            nonce=f"{self._queued:024x}",
            created=in_ms(at),
            due=in_ms(at),
        )
        return self._queued

    async def settings(self, scope: Literal["guild", "user"], id: int) -> dict[str, Any]:  # noqa: A002
        """The settings of a server or person."""
        self._open()
        return as_json(self._settings.get((scope, id), {}))

    async def save_settings(self, scope: Literal["guild", "user"], id: int, values: dict[str, Any]) -> None:  # noqa: A002
        """Replace settings."""
        self._change()
        self._settings[scope, id] = as_json(values)
