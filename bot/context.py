"""The dependencies that every handler takes, as one frozen value. `bot/app.py` makes it once.

Handlers take this context and the arguments of their event, and don't know the client class.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import discord

from bot.messages.outgoing import Outgoing
from bot.messages.presenter import Presenter
from bot.platform.config import Config
from bot.platform.corrections import Correction, Corrections
from bot.platform.counters import Counters
from bot.platform.error_reports import ErrorReports
from bot.platform.maintenance import Maintenance
from bot.platform.members import Members
from bot.platform.reader_settings import Preferences, Readers
from bot.platform.server_maps import ServerMaps
from bot.platform.shards import Guilds
from bot.platform.throttle import Throttle
from matches.ports import Clock, Store
from matches.service import MatchService
from matches.store.rows import MatchRow


class Finish(Protocol):
    """Sends the messages of a changed match, and starts its computers."""

    async def __call__(self, match_id: str, row: MatchRow | None = None) -> None:
        """Deliver a match; `row` is its row if the caller has just read or changed it."""


class Answer(Protocol):
    """Answers a message."""

    async def __call__(
        self,
        channel: discord.abc.Messageable,
        reference: discord.MessageReference,
        outgoing: Outgoing,
        correction: Correction | None = None,
    ) -> None:
        """Answer a message without a ping, now or as soon as Discord takes it."""


@dataclass(frozen=True, slots=True)
class Discord:
    """The Discord client, and what it knows."""

    client: discord.Client
    """For what only the client can do: fetch a channel, open direct messages, name our own user."""
    guilds: Guilds
    """The servers that this process serves. Look here for a server, not at the client."""
    members: Members


@dataclass(frozen=True, slots=True)
class Delivery:
    """What brings messages to Discord."""

    send: Callable[[], Awaitable[None]]
    """Send the messages that are due in the outbox."""
    finish: Finish
    """Finish a change of a match: send its messages, and let computers move in the background."""
    sent: Callable[[str], Awaitable[None]]
    """Wait for what another call is sending of a match, for who reports whether it has arrived."""
    answer: Answer
    corrections: Corrections


@dataclass(frozen=True, slots=True)
class Operation:
    """What the operators see and limit."""

    counters: Counters
    errors: ErrorReports
    """The unexpected errors that aren't stored yet."""
    throttle: Throttle
    """How often a person may ask for what costs much."""
    maintenance: Maintenance
    """The planned pause of the bot, if the operators have announced one."""


@dataclass(frozen=True, slots=True)
class Context:
    """Configuration, match service and store, what makes messages and delivers them, and Discord."""

    config: Config
    clock: Clock
    store: Store
    service: MatchService
    presenter: Presenter
    readers: Readers
    preferences: Preferences
    maps: ServerMaps
    discord: Discord
    delivery: Delivery
    operation: Operation
