"""The gateway, version 10: sessions that outlive their sockets, and what a test does to them.

A session goes on counting and keeping events while its socket is gone, so that RESUME replays them; it ends
when it is dropped without resume, or when the bot identifies anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import discord
from aiohttp import WSMsgType, web
from simcord.builders import GuildHandle

from tests.discord_facts import Limit, says
from tests.loopback.interference import Interference
from tests.loopback.sessions import STREAMS, Line, Op, Session
from tests.loopback.world import World

HEARTBEAT_INTERVAL = 41_250
"""Milliseconds between heartbeats, as Discord asks."""
_OF_GUILDS = ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE")
"""Events whose id is a guild's own."""
_WRONG_TOKEN = Limit("wrong-token-at-the-gateway")
_ENDING = (4004, 4009, 4010, 4011, 4014)
"""Close codes that end the session with the socket."""


class Drop(enum.Enum):
    """How a socket ends: reset by the network, closed with code 4000, or asked to reconnect (op 7)."""

    RESET = "reset"
    CLOSE = "close"
    ASK = "ask"


class Gateway:
    """All sessions of one bot.

    Attributes:
        identified: number of sessions begun so far.
        resumed: number of sessions taken up again so far.
        close_codes: the codes with which the server has refused sockets.
        shards: number of shards that are recommended.
        buckets: number of sessions that may begin at once.
        identify_every: seconds between two of a bucket; 0 for no limit.
        too_early: how many were refused for that.
        shards_needed: least number of shards with which a session may begin.
        heartbeat_interval: milliseconds that new sockets are told to leave between heartbeats.
        interference: where events are held up or doubled.
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
        self.shards = 1
        self.shards_needed = 1
        self.buckets = 1
        self.identify_every = 0.0
        self.too_early = 0
        self._identified: dict[int, float] = {}
        self.heartbeat_interval = HEARTBEAT_INTERVAL
        self.interference = Interference(self._feed)
        self._withheld: set[int] = set()
        world.listen(self.interference.feed)

    def _feed(self, event: str, payload: Mapping[str, Any]) -> None:
        guild = payload["id"] if event in _OF_GUILDS else payload.get("guild_id")
        for session in self._sessions.values():
            if session.hears(None if guild is None else int(guild)):
                self._tell(session, event, payload)
        self._changed()

    def _tell(self, session: Session, event: str, payload: Mapping[str, Any]) -> None:
        """Send a session what it may know: of guilds only what follows their GUILD_CREATE."""
        if event in ("GUILD_CREATE", "GUILD_DELETE"):
            guild = int(payload["id"])
            if event == "GUILD_CREATE" and guild not in self._withheld:
                session.guilds.add(guild)
                session.feed(event, payload)
            elif event == "GUILD_DELETE" and guild in session.guilds:
                session.guilds.discard(guild)
                session.feed(event, payload)
        elif (
            event == "INTERACTION_CREATE"
            or payload.get("guild_id") is None
            or int(payload["guild_id"]) in session.guilds
        ):
            session.feed(event, payload)

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

    def drop_shard(self, shard: int, *, resume: bool = True) -> None:
        """End the sockets of one shard, as `drop` ends all."""
        for session in [one for one in self._sessions.values() if one.shard[0] == shard]:
            if not resume:
                del self._sessions[session.id]
            line, session.line = session.line, None
            if line is not None and line.transport is not None:
                line.session = None
                line.transport.abort()

    def hearing(self) -> list[int]:
        """The shards whose sessions have a socket, in order; twice if two sessions have the same."""
        return sorted(one.shard[0] for one in self._sessions.values() if one.line is not None)

    @contextlib.asynccontextmanager
    async def outage(self, *, resume: bool = True, how: Drop = Drop.RESET) -> AsyncIterator[None]:
        """No gateway inside this block: sockets are dropped at its beginning, new ones wait for its end."""
        self._admits.clear()
        self.drop(resume=resume, how=how)
        try:
            yield
        finally:
            self._admits.set()

    def invalidate(self, *, resumable: bool) -> None:
        """Tell every session that it is invalid (op 9); one that isn't resumable is forgotten."""
        for line in self._lines:
            line.put(Op.INVALID_SESSION, data=resumable)
        if not resumable:
            self._forget()

    def close_with(self, code: int) -> None:
        """Close every socket with a code; after some there is nothing left to resume."""
        for line in self._lines:
            self._refuse(line, code)
        if code in _ENDING:
            self._forget()

    def _forget(self) -> None:
        for session in self._sessions.values():
            if session.line is not None:
                session.line.session = None
        self._sessions.clear()

    def mute(self) -> None:
        """Let every socket that is open now go dead: nothing arrives on it, no heartbeat is answered.

        What happens meanwhile is kept for RESUME.
        """
        for line in self._lines:
            line.muted = True

    def withhold(self, guild: GuildHandle) -> None:
        """Make a guild unavailable: sessions are told so, new ones don't get its GUILD_CREATE.

        What happens in it meanwhile no session is told, not even later.
        """
        self._withheld.add(guild.id)
        self._feed("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})

    def restore(self, guild: GuildHandle) -> None:
        """Make a guild available: its GUILD_CREATE comes, late or for the first time."""
        self._withheld.discard(guild.id)
        self._feed("GUILD_CREATE", self._world.guild_payload(guild.id))

    def set_token(self, token: str) -> None:
        """Take only this token from here on."""
        self._token = token

    def close(self) -> None:
        """End every socket and let nothing wait any more."""
        self._admits.set()
        self.drop(resume=False)

    # ---------------------------------------------------------------- serving

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Speak with one socket until it is gone."""
        wished = request.query.get("compress")
        if request.query.get("encoding", "json") != "json" or (wished and wished not in STREAMS):
            return web.Response(status=400, text="only JSON, plain or as zlib-stream or zstd-stream")
        socket = web.WebSocketResponse(compress=False, heartbeat=None)
        await socket.prepare(request)
        line = Line(socket, request.transport, STREAMS[wished]() if wished else None)
        self._lines.add(line)
        writer = asyncio.create_task(line.write())
        try:
            await self._admits.wait()
            line.put(Op.HELLO, {"heartbeat_interval": self.heartbeat_interval})
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
                heard = line.session is not None and line.session.hears(int(frame["d"]["guild_id"]))
                if chunk is not None and line.session is not None and heard:
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
        shard = (int(data["shard"][0]), int(data["shard"][1])) if "shard" in data else (0, 1)
        if data["token"] != self._token:
            self._refuse(line, int(_WRONG_TOKEN))
        elif line.session is not None:
            self._refuse(line, 4005)
        elif self._world.unapproved(intents):
            self._refuse(line, 4014)
        elif not 0 <= shard[0] < shard[1]:
            self._refuse(line, 4010)
        elif shard[1] < self.shards_needed:
            self._refuse(line, 4011)
        elif self._is_too_early(shard[0]):
            self.too_early += 1
            line.put(Op.INVALID_SESSION, data=False)
        else:
            ours = [one for one in self._sessions.values() if one.launch == self.launch]
            for stale in [one for one in ours if one.line is None and one.shard == shard]:
                del self._sessions[stale.id]  # that of another process can still be resumed
            self.identified += 1
            session = Session(f"session-{self.identified}", self.launch, intents, line, shard=shard)
            session.feed = self._world.subscription(intents, session.deliver)
            line.session = session
            self._sessions[session.id] = session
            guilds = [guild for guild in self._world.guilds_of_bot() if session.hears(guild)]
            session.deliver("READY", self._world.ready_payload(session.id, self._url, shard, guilds))
            for guild in guilds:
                self._tell(session, "GUILD_CREATE", self._world.guild_payload(guild))

    def _is_too_early(self, shard: int) -> bool:
        """Whether a session of the same bucket has begun just before (Discord, "Max Concurrency")."""
        now, bucket = asyncio.get_running_loop().time(), shard % self.buckets
        if self.identify_every and now - self._identified.get(bucket, -math.inf) < self.identify_every:
            return True
        self._identified[bucket] = now
        return False

    def _resume(self, line: Line, data: Mapping[str, Any]) -> None:
        session = self._sessions.get(data["session_id"])
        seen = data["seq"]
        if data["token"] != self._token:
            self._refuse(line, int(_WRONG_TOKEN))
        elif session is None or seen is None or (session.sent and seen < session.sent[0][0] - 1):
            line.put(Op.INVALID_SESSION, data=says("unknown-session", "True"))
        elif seen > session.sequence:
            self._refuse(line, 4007)
        else:
            self.resumed += 1
            line.session = session
            session.line = line
            for frame in session.after(seen):
                line.frame(frame)
            session.deliver("RESUMED", {})
