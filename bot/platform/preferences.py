"""A cache of the settings of servers and people. What other processes write is told by `forget`."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from cachetools import LRUCache

from matches.ports import Store

Scope: TypeAlias = Literal["guild", "user"]
MAX_CACHED = 4096
"""Maximum number of cached servers and people."""


class Preferences:
    """The settings in the store, behind a cache."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._forgotten = 0
        """How often something was forgotten: what was being read meanwhile may be old."""
        self._known: LRUCache[tuple[Scope, int], dict[str, Any]] = LRUCache(MAX_CACHED)

    async def get(self, scope: Scope, owner: int) -> dict[str, Any]:
        """Return the settings of a server or person; empty if there are none."""
        made = self._known.get((scope, owner))
        if made is None:
            before = self._forgotten
            made = await self._store.settings(scope, owner)
            if before == self._forgotten:
                self._keep(scope, owner, made)
        return dict(made)

    def cached(self, scope: Scope, owner: int) -> dict[str, Any] | None:
        """Return the settings if they are in the cache, else None."""
        made = self._known.get((scope, owner))
        return None if made is None else dict(made)

    async def save(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        """Replace the settings of a server or person."""
        self._known.pop((scope, owner), None)
        await self._store.save_settings(scope, owner, values)
        self._keep(scope, owner, values)

    def forget(self, scope: Scope, owner: int) -> None:
        """Read these settings from the store again: a part of the service has changed them there."""
        self._forgotten += 1
        self._known.pop((scope, owner), None)

    def forget_all(self) -> None:
        """Read all settings from the store again."""
        self._forgotten += 1
        self._known.clear()

    def _keep(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        self._known[scope, owner] = dict(values)
