"""Settings of servers and people, read once and kept: this process is the only one that changes them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from cachetools import LRUCache

from matches.ports import Store

Scope: TypeAlias = Literal["guild", "user"]
KEPT = 4096


class Preferences:
    """A bounded memory in front of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[tuple[Scope, int], dict[str, Any]] = LRUCache(KEPT)

    async def get(self, scope: Scope, owner: int) -> dict[str, Any]:
        """The settings of a server or person; empty if none were made."""
        made = self._known.get((scope, owner))
        if made is None:
            made = await self._store.settings(scope, owner)
            self._keep(scope, owner, made)
        return dict(made)

    def known(self, scope: Scope, owner: int) -> dict[str, Any] | None:
        """The same if they were read already, without asking anybody."""
        made = self._known.get((scope, owner))
        return None if made is None else dict(made)

    async def save(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        """Replace the settings of a server or person."""
        self._known.pop((scope, owner), None)
        await self._store.save_settings(scope, owner, values)
        self._keep(scope, owner, values)

    def _keep(self, scope: Scope, owner: int, values: dict[str, Any]) -> None:
        self._known[scope, owner] = dict(values)
