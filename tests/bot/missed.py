"""What reading missed messages sees: channels of Discord, their marks, and an inbox that keeps what comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import discord
from discord.utils import time_snowflake

from bot.inbound.catch_up import CatchUp
from bot.inbound.read_marks import ReadMarks
from matches.store.rows import Unread
from tests.fakes.hand_set import START, FakeClock

GUILD, OTHER = 3, 4
HOUR = timedelta(hours=1)
NOW = time_snowflake(START)


def ago(back: timedelta) -> int:
    """The first id of a message written so long ago."""
    return time_snowflake(START - back)


@dataclass
class Place:
    """A channel of Discord: what stands in it, and how it answers."""

    id: int
    messages: list[Any] = field(default_factory=list)
    guild: int | None = GUILD
    home: bool = True
    after: int | None = 100
    """The read mark."""
    known: bool = True
    """Whether the library has it among its channels."""
    readable: bool = True
    refusals: list[BaseException] = field(default_factory=list)

    @property
    def last_message_id(self) -> int | None:
        """What Discord tells of it."""
        return self.messages[-1].id if self.messages else None

    def say(
        self, message: int, *, bot: bool = False, route: str | None = None, mentions: bool = False
    ) -> Any:
        """Write a message."""
        made = SimpleNamespace(
            id=message,
            author=SimpleNamespace(bot=bot),
            route=route,
            raw_mentions=[1] if mentions else [],
            guild=None if self.guild is None else SimpleNamespace(id=self.guild),
            channel=SimpleNamespace(id=self.id),
        )
        self.messages.append(made)
        return made


class Inbox:
    """Takes in messages; some it can't handle."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.marks = ReadMarks()
        self.held: Any = None
        self.received: list[Any] = []
        self.saved: list[dict[int, int]] = []
        self.broken: set[int] = set()

    async def receive(self, message: Any) -> None:
        """Handle a message."""
        self.received.append(message)
        await asyncio.sleep(0)
        if message.id in self.broken:
            raise ValueError("not ours")

    async def save_marks(self) -> None:
        """Store the marks."""
        self.saved.append(self.marks.take_unsaved())

    def of(self, place: Place) -> list[int]:
        """What was received of a channel."""
        return [each.id for each in self.received if each.channel.id == place.id]


class World:
    """Discord and the store, as far as reading needs them."""

    def __init__(self, *places: Place, processes: int = 1) -> None:
        self.places = {place.id: place for place in places}
        self.reads: list[tuple[int, int | None]] = []
        """Channel and server of each page that was asked for."""
        self.sizes: set[int] = set()
        self.marks: dict[int, int] = {}
        self.sent = 0
        self.gone: set[int] = set()
        self.served = {GUILD, OTHER}
        self.unavailable = False
        self.deleted: list[int] = []
        self.reading = self.most = 0
        self.begun = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.clock = FakeClock()
        self.shards: Any = SimpleNamespace(
            count=2, heard=frozenset({0, 1}), in_time=True, of=lambda guild: int(guild == OTHER)
        )
        client = SimpleNamespace(
            get_channel=self.channel,
            fetch_channel=self.fetch,
            get_guild=self.guild,
            get_partial_messageable=self.partial,
        )
        store = SimpleNamespace(
            channels_to_read=self.homes, channels_elsewhere=self.elsewhere, read_mark=self.read_mark
        )
        guilds = SimpleNamespace(
            shards=self.shards,
            has_left=lambda guild: guild in self.gone,
            serves=lambda guild: guild is None or guild in self.served,
            get=self.guild,
        )
        self.ctx: Any = SimpleNamespace(
            discord=SimpleNamespace(client=client, guilds=guilds),
            store=store,
            clock=self.clock,
            delivery=SimpleNamespace(send=self.send),
            config=SimpleNamespace(processes=processes),
        )
        self.inbox = Inbox(self.ctx)
        inbox: Any = self.inbox
        self.missed = CatchUp(inbox)

    def channel(self, channel: int) -> Any:
        """A channel that the library knows."""
        place = self.places.get(channel)
        if place is None or not place.known:
            return None
        guild = None if place.guild is None else self.guild(place.guild)
        kind = discord.DMChannel if place.guild is None else discord.TextChannel
        found = mock.Mock(spec=kind, guild=guild, id=channel, last_message_id=place.last_message_id)
        found.readable = place.readable
        return found

    async def fetch(self, channel: int) -> Any:
        """A channel as Discord describes it when asked, which costs a request: only where it must be."""
        assert not self.places[channel].known
        assert not self.places[channel].home
        return SimpleNamespace(guild=SimpleNamespace(id=self.places[channel].guild))

    def guild(self, guild: int | None) -> Any:
        """A server that the bot is in."""
        if guild is None or guild in self.gone:
            return None
        found = mock.Mock(spec=discord.Guild, id=guild, unavailable=self.unavailable)
        places = [
            SimpleNamespace(
                id=each.id, last_message_id=each.last_message_id, history=self.partial(each.id).history
            )
            for each in self.places.values()
            if each.guild == guild
        ]
        found.channels, found.threads = places[::2], places[1::2]
        return found

    def partial(self, channel: int, guild_id: int | None = None) -> Any:
        """A channel by its number."""
        return SimpleNamespace(history=lambda **how: self.history(self.places[channel], guild_id, **how))

    async def history(
        self, place: Place, guild: int | None, *, limit: int, after: Any, oldest_first: bool
    ) -> AsyncIterator[Any]:
        """The messages of a channel."""
        self.reads.append((place.id, guild))
        self.sizes.add(limit)
        self.begun.set()
        self.reading += 1
        self.most = max(self.most, self.reading)
        try:
            await self.gate.wait()
            if place.refusals:
                raise place.refusals.pop(0)
            found = [each for each in place.messages if each.id > after.id] if place.readable else []
            for each in (found if oldest_first else found[::-1])[:limit]:
                yield each
        finally:
            self.reading -= 1

    async def homes(self) -> tuple[Unread, ...]:
        """Where live matches are played, or have left boards."""
        return tuple(
            Unread(each.id, each.after, each.home, each.guild if each.home else None)
            for each in self.places.values()
            if each.home or (each.guild is not None and each.after is not None)
        )

    async def elsewhere(self) -> tuple[Unread, ...]:
        """Direct messages, and the other channels of servers."""
        direct = tuple(
            Unread(each.id, each.after, False, None, True)
            for each in self.places.values()
            if not each.home and each.guild is None
        )
        return (*direct, *(Unread(-guild, 100, False, guild) for guild in (GUILD, OTHER)))

    async def read_mark(self, place: int) -> int | None:
        """Up to where something is read."""
        return self.marks.get(place)

    async def send(self) -> None:
        """Send what is due."""
        self.sent += 1

    @property
    def channels_read(self) -> list[int]:
        """Which channels were read, in order, each once."""
        return list(dict.fromkeys(channel for channel, _ in self.reads))
