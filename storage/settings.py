"""The settings of servers and people, as JSON."""

from __future__ import annotations

import json
from typing import Any, Literal

from matches.store.standing import is_unlisted
from storage.rows import to_json
from storage.transactions import StorePart


class SettingsPart(StorePart):
    """The statements about settings that every database takes."""

    async def settings(self, scope: Literal["guild", "user"], id: int) -> dict[str, Any]:  # noqa: A002 - the protocol's name
        """Return the settings of a server or person; empty if there are none."""
        row = await self._fetch_one("SELECT settings FROM settings WHERE scope = ? AND id = ?", scope, id)
        values: dict[str, Any] = {} if row is None else json.loads(row[0])
        return values

    async def save_settings(
        self,
        scope: Literal["guild", "user"],
        id: int,  # noqa: A002 - the protocol's name
        values: dict[str, Any],
    ) -> None:
        """Replace the settings of a server or person."""
        await self._execute(
            "INSERT INTO settings (scope, id, settings, private) VALUES (?, ?, ?, ?) ON CONFLICT (scope, id) "
            "DO UPDATE SET settings = excluded.settings, private = excluded.private",
            scope,
            id,
            to_json(values),
            int(is_unlisted(values)),
            tells=f"settings:{scope}:{id}",
        )
