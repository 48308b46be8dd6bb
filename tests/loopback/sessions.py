"""Sockets and sessions of the gateway: what is sent in which order, and what is kept for RESUME."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import importlib
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import discord
from aiohttp import web

from tests.loopback.world import Deliver, to_wire

_KEPT_EVENTS = 5_000


class Op(enum.IntEnum):
    """Gateway opcodes (Discord, "Gateway Opcodes")."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class _Compressor(Protocol):
    def __call__(self, data: bytes) -> bytes: ...


def _zlib_stream() -> _Compressor:
    stream = zlib.compressobj()
    return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)


def _zstd_stream() -> _Compressor:
    # discord.py asks for it exactly when one of these two can be imported.
    try:
        zstandard: Any = importlib.import_module("zstandard")
    except ImportError:
        zstd: Any = importlib.import_module("compression.zstd")
        writer = zstd.ZstdCompressor()
        return lambda data: bytes(writer.compress(data, mode=writer.FLUSH_BLOCK))
    stream = zstandard.ZstdCompressor().compressobj()
    return lambda data: bytes(stream.compress(data) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))


STREAMS: Mapping[str, Callable[[], _Compressor]] = {
    "zlib-stream": _zlib_stream,
    "zstd-stream": _zstd_stream,
}


@dataclass(eq=False)
class Line:
    """One socket: frames go out in the order in which they were put, each compressed in one stream."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    compress: _Compressor | None
    session: Session | None = None
    muted: bool = False
    outbox: asyncio.Queue[str | int] = field(default_factory=asyncio.Queue)

    def put(self, op: Op, data: Any = None, *, sequence: int | None = None, event: str | None = None) -> None:
        """Queue one frame."""
        self.frame(to_wire({"op": op, "d": data, "s": sequence, "t": event}))

    def frame(self, text: str) -> None:
        """Queue one frame as it stands; a muted line loses it."""
        if not self.muted:
            self.outbox.put_nowait(text)

    def hang_up(self, code: int) -> None:
        """Close with this code after everything that is queued."""
        self.outbox.put_nowait(code)

    async def write(self) -> None:
        """Send what is queued until the socket is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                frame = await self.outbox.get()
                if isinstance(frame, int):
                    await self.socket.close(code=frame)
                    return
                if self.compress is None:
                    await self.socket.send_str(frame)
                else:
                    await self.socket.send_bytes(self.compress(frame.encode()))


@dataclass(eq=False)
class Session:
    """What the gateway remembers of one IDENTIFY.

    Attributes:
        launch: number of the bot process that identified.
        sent: event frames by sequence number, for RESUME.
        line: the socket it is on; ``None`` while it has none.
        guilds: those whose GUILD_CREATE it has been sent, and no GUILD_DELETE since.
    """

    id: str
    launch: int
    intents: discord.Intents
    line: Line | None
    feed: Deliver = lambda event, payload: None
    guilds: set[int] = field(default_factory=set)
    shard: tuple[int, int] = (0, 1)
    """Its shard, and the number of shards."""
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT_EVENTS))

    def hears(self, guild: int | None) -> bool:
        """Whether it is told what happens in a guild, or for None in direct messages.

        As Discord's documents say (Gateway, "Sharding").
        """
        shard, count = self.shard
        return shard == (0 if guild is None else (guild >> 22) % count)

    def deliver(self, event: str, payload: Mapping[str, Any]) -> None:
        """Number an event, keep it for RESUME, and send it if there is a socket."""
        self.sequence += 1
        frame = to_wire({"op": Op.DISPATCH, "d": payload, "s": self.sequence, "t": event})
        self.sent.append((self.sequence, frame))
        if self.line is not None:
            self.line.frame(frame)

    def after(self, sequence: int) -> Iterator[str]:
        """The kept event frames that follow a sequence number."""
        return (frame for number, frame in self.sent if number > sequence)
