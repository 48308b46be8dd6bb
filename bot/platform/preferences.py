"""A cache of the settings of servers and people. No other process writes them."""

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
        self._known: LRUCache[tuple[Scope, int], dict[str, Any]] = LRUCache(MAX_CACHED)

    async def get(self, scope: Scope, owner: int) -> dict[str, Any]:
        """Return the settings of a server or person; empty if there are none."""
        made = self._known.get((scope, owner))
        if made is None:
            made = await self._store.settings(scope, owner)
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
        self._known.pop((scope, owner), None)

    def _keep(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        self._known[scope, owner] = dict(values)
