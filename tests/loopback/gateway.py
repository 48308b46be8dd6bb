"""The gateway, version 10: sessions that outlive their sockets, and the events each has been sent.

A session goes on counting and keeping events while its socket is gone, so that RESUME replays them; it ends
when it is dropped without resume, or when the bot identifies anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import importlib
import json
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import discord
from aiohttp import WSMsgType, web

from tests.loopback.world import Deliver, World, to_wire

HEARTBEAT_INTERVAL = 41_250
"""Milliseconds between heartbeats, as Discord asks."""
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


class Drop(enum.Enum):
    """How a socket ends: reset by the network, closed with code 4000, or asked to reconnect (op 7)."""

    RESET = "reset"
    CLOSE = "close"
    ASK = "ask"


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


_STREAMS: Mapping[str, Callable[[], _Compressor]] = {
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
    outbox: asyncio.Queue[str | int] = field(default_factory=asyncio.Queue)

    def put(self, op: Op, data: Any = None, *, sequence: int | None = None, event: str | None = None) -> None:
        """Queue one frame."""
        self.outbox.put_nowait(to_wire({"op": op, "d": data, "s": sequence, "t": event}))

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
    """

    id: str
    launch: int
    intents: discord.Intents
    line: Line | None
    feed: Deliver = lambda event, payload: None
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT_EVENTS))

    def deliver(self, event: str, payload: Mapping[str, Any]) -> None:
        """Number an event, keep it for RESUME, and send it if there is a socket."""
        self.sequence += 1
        frame = to_wire({"op": Op.DISPATCH, "d": payload, "s": self.sequence, "t": event})
        self.sent.append((self.sequence, frame))
        if self.line is not None:
            self.line.outbox.put_nowait(frame)

    def after(self, sequence: int) -> Iterator[str]:
        """The kept event frames that follow a sequence number."""
        return (frame for number, frame in self.sent if number > sequence)


class Gateway:
    """All sessions of one bot.

    Attributes:
        identified: number of sessions begun so far.
        resumed: number of sessions taken up again so far.
        close_codes: the codes with which the server has refused sockets.
    """

    def __init__(self, world: World, token: str, url: str, changed: Callable[[], None]) -> None:
        self._world = world
        self._token = token
        self._url = url
        self._changed = changed
        self._sessions: dict[str, Session] = {}
        self._lines: set[Line] = set()
        self._admits = asyncio.Event()
        self._admits.set()
        self.launch = 0
        self.identified = 0
        self.resumed = 0
        self.heartbeats = 0
        self.close_codes: list[int] = []
        world.listen(self._feed)

    def _feed(self, event: str, payload: Mapping[str, Any]) -> None:
        for session in self._sessions.values():
            session.feed(event, payload)
        self._changed()

    def connected(self, launch: int | None = None) -> bool:
        """Whether a session has a socket: of any bot process, or of this one."""
        return any(
            session.line is not None and launch in (None, session.launch)
            for session in self._sessions.values()
        )

    # ---------------------------------------------------------------- failing

    def drop(self, *, resume: bool = True, how: Drop = Drop.RESET) -> None:
        """End every socket now; events from here on wait for RESUME, or are lost if ``resume`` is false."""
        if not resume:
            self._sessions.clear()
        for line in tuple(self._lines):
            if line.session is not None:
                line.session.line = None
                line.session = None
            if how is Drop.ASK:
                line.put(Op.RECONNECT)
            elif how is Drop.CLOSE:
                line.hang_up(4000)
            elif line.transport is not None:
                line.transport.abort()

    @contextlib.asynccontextmanager
    async def outage(self, *, resume: bool = True, how: Drop = Drop.RESET) -> AsyncIterator[None]:
        """No gateway inside this block: sockets are dropped at its beginning, new ones wait for its end."""
        self._admits.clear()
        self.drop(resume=resume, how=how)
        try:
            yield
        finally:
            self._admits.set()

    def close(self) -> None:
        """End every socket and let nothing wait any more."""
        self._admits.set()
        self.drop(resume=False)

    # ---------------------------------------------------------------- serving

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Speak with one socket until it is gone."""
        wished = request.query.get("compress")
        if request.query.get("encoding", "json") != "json" or (wished and wished not in _STREAMS):
            return web.Response(status=400, text="only JSON, plain or as zlib-stream or zstd-stream")
        socket = web.WebSocketResponse(compress=False, heartbeat=None)
        await socket.prepare(request)
        line = Line(socket, request.transport, _STREAMS[wished]() if wished else None)
        self._lines.add(line)
        writer = asyncio.create_task(line.write())
        try:
            await self._admits.wait()
            line.put(Op.HELLO, {"heartbeat_interval": HEARTBEAT_INTERVAL})
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self._receive(line, json.loads(frame.data))
        finally:
            self._lines.discard(line)
            if line.session is not None:
                line.session.line = None
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
            self._changed()
        return socket

    def _receive(self, line: Line, frame: Mapping[str, Any]) -> None:
        match frame["op"]:
            case Op.HEARTBEAT:
                self.heartbeats += 1
                line.put(Op.HEARTBEAT_ACK)
            case Op.IDENTIFY:
                self._identify(line, frame["d"])
            case Op.RESUME:
                self._resume(line, frame["d"])
            case Op.REQUEST_MEMBERS:
                chunk = self._world.members_chunk(frame["d"])
                if chunk is not None and line.session is not None:
                    line.session.deliver("GUILD_MEMBERS_CHUNK", chunk)
            case Op.PRESENCE | Op.VOICE_STATE:
                pass
            case _:
                self._refuse(line, 4001)
        self._changed()

    def _refuse(self, line: Line, code: int) -> None:
        self.close_codes.append(code)
        line.hang_up(code)

    def _identify(self, line: Line, data: Mapping[str, Any]) -> None:
        intents = discord.Intents._from_value(int(data["intents"]))
        if data["token"] != self._token:
            self._refuse(line, 4004)
        elif line.session is not None:
            self._refuse(line, 4005)
        elif self._world.unapproved(intents):
            self._refuse(line, 4014)
        else:
            for stale in [session for session in self._sessions.values() if session.line is None]:
                del self._sessions[stale.id]
            self.identified += 1
            session = Session(f"session-{self.identified}", self.launch, intents, line)
            session.feed = self._world.subscription(intents, session.deliver)
            line.session = session
            self._sessions[session.id] = session
            session.deliver("READY", self._world.ready_payload(session.id, self._url))
            for guild in self._world.guild_payloads():
                session.feed("GUILD_CREATE", guild)

    def _resume(self, line: Line, data: Mapping[str, Any]) -> None:
        session = self._sessions.get(data["session_id"])
        seen = data["seq"]
        if data["token"] != self._token:
            self._refuse(line, 4004)
        elif session is None or seen is None or (session.sent and seen < session.sent[0][0] - 1):
            line.put(Op.INVALID_SESSION, data=False)
        elif seen > session.sequence:
            self._refuse(line, 4007)
        else:
            self.resumed += 1
            line.session = session
            session.line = line
            for frame in session.after(seen):
                line.outbox.put_nowait(frame)
            session.deliver("RESUMED", {})
