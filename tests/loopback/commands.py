"""How many commands an application may create in a day.

https://docs.discord.com/developers/interactions/application-commands#registering-a-command
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from simcord.backend import Backend

from tests.loopback.errors import refusal

MOST_A_DAY = 200


class Creations:
    """Counts created commands: replacing a list counts those that weren't there under their name."""

    def __init__(self, backend: Backend, now: Callable[[], datetime]) -> None:
        self._backend = backend
        self._now = now
        self._made: dict[int | None, deque[datetime]] = {}

    def admit(self, guild: int | None, listed: list[Any]) -> None:
        """Let a list of commands in, for a guild or for all.

        Raises:
            BackendError: 30034, more than 200 were created within a day.
        """
        known = {_key(one) for one in self._backend.commands.get(guild, {}).values()}
        new = sum(_key(one) not in known for one in listed)
        now, made = self._now(), self._made.setdefault(guild, deque())
        while made and now - made[0] >= timedelta(days=1):
            made.popleft()
        if len(made) + new > MOST_A_DAY:
            raise refusal(30034)
        made.extend([now] * new)


def _key(command: Any) -> tuple[str, int]:
    return str(command["name"]), int(command.get("type") or 1)
