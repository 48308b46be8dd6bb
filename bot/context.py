"""What actions and events are carried out with. `bot/app.py` makes the one context of a process.

A handler takes the context and what it was called with, and nothing else: no handler knows the client class.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import discord

from bot.messages.presenter import Presenter
from bot.platform.config import Config
from bot.platform.corrections import Corrections
from bot.platform.members import Members
from bot.platform.preferences import Preferences
from bot.platform.readers import Readers
from bot.platform.server_maps import ServerMaps
from matches.ports import Clock, MatchRow, Store
from matches.service import MatchService


class Deliver(Protocol):
    """Sends what a change of a match asks for, and lets its computers move."""

    async def __call__(self, match_id: str, row: MatchRow | None = None) -> None:
        """`row` is the match's row if the caller has just read or changed it."""


@dataclass(frozen=True, slots=True)
class Context:
    """The service and its store, what makes messages, who reads them, and the way to Discord."""

    config: Config
    clock: Clock
    store: Store
    service: MatchService
    presenter: Presenter
    readers: Readers
    preferences: Preferences
    maps: ServerMaps
    members: Members
    corrections: Corrections
    client: discord.Client
    """For what only the library can do: fetch a channel, open direct messages, name our own user."""
    send: Callable[[], Awaitable[None]]
    """Send what is due in the outbox."""
    deliver: Deliver
    """What follows a change of a match: everything is sent, computers move, and that is sent too."""
