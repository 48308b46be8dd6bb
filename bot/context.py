"""What actions and events are carried out with. `bot/app.py` makes the one context of a process.

A handler takes the context and what it was called with, and nothing else: no handler knows the client class.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from bot.messages.presenter import Presenter
from bot.platform.config import Config
from bot.platform.corrections import Corrections
from bot.platform.members import Members
from bot.platform.preferences import Preferences
from bot.platform.readers import Readers
from bot.platform.server_maps import ServerMaps
from matches.ports import Clock, Store
from matches.service import MatchService


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
    deliver: Callable[[str], Awaitable[None]]
    """What follows a change of a match: everything is sent, computers move, and that is sent too."""
