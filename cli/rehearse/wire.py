"""Discord as it is, with no library between: requests, and a socket of the gateway, frame by frame.

A request comes again only where a limit asks for patience, or after an error of Discord's own (5xx), which
proves nothing about any fact.

https://docs.discord.com/developers/topics/rate-limits, https://docs.discord.com/developers/events/gateway
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
from discord.http import Route

_PATIENCE = 5
"""How often a limit is waited for."""
_AGENT = "DiscordBot (https://github.com/Rapptz/discord.py, rehearsal)"


@dataclass(frozen=True, slots=True)
class RestAnswer:
    """What Discord answered to one request."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def code(self) -> int:
        """Discord's code of a refusal, else 0."""
        found = self.body.get("code", 0) if isinstance(self.body, dict) else 0
        return found if isinstance(found, int) else 0

    @property
    def ok(self) -> bool:
        """Whether the request was carried out."""
        return self.status < 300

    @property
    def verdict(self) -> str:
        """Status and code in a few characters: `200`, `404 10008`."""
        return str(self.status) if self.ok else f"{self.status} {self.code}"


class Rest:
    """Asks as one bot, far below all limits: waits if nothing is left by the last answer."""

    def __init__(
        self, session: aiohttp.ClientSession, token: str, wait: Callable[[float], Awaitable[None]]
    ) -> None:
        self._session, self._token, self._wait = session, token, wait
        self._spent: dict[tuple[str, str], float] = {}
        self.asked = 0
        """How many requests were sent."""

    async def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        files: Mapping[str, bytes] | None = None,
        token: str | None = None,
        hasty: bool = False,
    ) -> RestAnswer:
        """Send a request; `hasty` ones neither wait for a limit nor come again.

        Raises aiohttp.ClientError if Discord can't be reached, or only answers with errors of its own.
        """
        route = (part if at < 3 or not part.isdigit() else "" for at, part in enumerate(path.split("/")))
        key = method, "/".join(route)
        if not hasty and (left := self._spent.pop(key, 0.0)):
            await self._wait(left)
        tries = 1 if hasty else _PATIENCE
        while True:
            answer = await self._send(method, path, body, files, token or self._token)
            tries -= 1
            if answer.headers.get("X-RateLimit-Remaining") == "0":
                self._spent[key] = float(answer.headers.get("X-RateLimit-Reset-After", 1))
            if answer.status < 500 and (answer.status != 429 or tries == 0):
                return answer
            if tries == 0:
                raise aiohttp.ClientError(f"Discord answers {answer.status}")
            answered = answer.body if isinstance(answer.body, dict) else {}
            await self._wait(float(answered.get("retry_after", 60 if answer.status == 429 else 2)))

    async def _send(
        self, method: str, path: str, body: Any, files: Mapping[str, bytes] | None, token: str
    ) -> RestAnswer:
        self.asked += 1
        headers = {"Authorization": f"Bot {token}", "User-Agent": _AGENT}
        sent: dict[str, Any] = {} if body is None else {"json": body}
        if files:
            form = aiohttp.FormData()
            form.add_field("payload_json", json.dumps(body or {}))
            for index, (name, data) in enumerate(files.items()):
                form.add_field(
                    f"files[{index}]",
                    io.BytesIO(data),
                    filename=name,
                    content_type="application/octet-stream",
                )
            sent = {"data": form}
        async with self._session.request(method, f"{Route.BASE}{path}", headers=headers, **sent) as answer:
            as_json = answer.content_type == "application/json"
            found = await answer.json() if as_json else await answer.text()
            return RestAnswer(answer.status, found, dict(answer.headers))


DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO = 0, 1, 2, 6, 9, 10
INTENTS = 1 << 0 | 1 << 9
"""Servers and their messages: nothing that has to be switched on."""

PATIENCE = 15.0
"""Seconds to wait for a frame."""


class ClosedError(Exception):
    """Discord closed the socket; `code` is the reason."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the gateway closed with {code}")
        self.code = code


class GatewayLine:
    """A socket, the frames that came, and the session that it belongs to."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, token: str) -> None:
        self._socket, self._token = socket, token
        self.session = ""
        self.sequence: int | None = None
        self.events: list[dict[str, Any]] = []
        """All events since the start, with their name as `t`, data as `d` and number as `s`."""

    async def send(self, op: int, data: Any) -> None:
        """Send a frame."""
        await self._socket.send_str(json.dumps({"op": op, "d": data}))

    async def frame(
        self, fits: Callable[[dict[str, Any]], bool], patience: float | None = None
    ) -> dict[str, Any]:
        """Return the next frame that fits.

        Raises ClosedError if Discord closes the socket first, TimeoutError after `patience` seconds (15).
        """
        async with asyncio.timeout(patience or PATIENCE):
            while True:
                message = await self._socket.receive()
                if message.type is not aiohttp.WSMsgType.TEXT:
                    raise ClosedError(self._socket.close_code or 0)
                frame: dict[str, Any] = json.loads(message.data)
                if frame.get("s") is not None:
                    self.sequence = frame["s"]
                if frame["op"] == DISPATCH:
                    self.events.append(frame)
                if fits(frame):
                    return frame

    async def event(
        self,
        name: str,
        where: Callable[[dict[str, Any]], bool] = lambda data: True,
        patience: float | None = None,
    ) -> dict[str, Any]:
        """Return the data of the first event of this name for which `where` holds. Raises as `frame`."""
        for known in self.events:
            if known["t"] == name and where(known["d"]):
                data: dict[str, Any] = known["d"]
                return data
        found = await self.frame(lambda frame: frame["t"] == name and where(frame["d"]), patience)
        wanted: dict[str, Any] = found["d"]
        return wanted

    async def identify(self, token: str | None = None) -> dict[str, Any]:
        """Begin a session; return the data of READY. Raises as `frame`."""
        properties = {"os": "linux", "browser": "dominium", "device": "dominium"}
        asked = {"token": token or self._token, "intents": INTENTS, "properties": properties}
        await self.send(IDENTIFY, asked)
        ready = await self.event("READY")
        self.session = ready["session_id"]
        return ready

    async def resume(self, session: str, sequence: int | None) -> None:
        """Ask for a session to be taken up again."""
        await self.send(RESUME, {"token": self._token, "session_id": session, "seq": sequence or 0})

    async def close(self, code: int) -> None:
        """Close the socket; after another code than 1000 and 1001 the session can be resumed."""
        await self._socket.close(code=code)


@contextlib.asynccontextmanager
async def gateway(session: aiohttp.ClientSession, url: str, token: str) -> AsyncIterator[GatewayLine]:
    """Open a socket, past HELLO, whose heart beats. Raises as `GatewayLine.frame`."""
    async with session.ws_connect(f"{url}?v=10&encoding=json", max_msg_size=0) as socket:
        line = GatewayLine(socket, token)
        hello = await line.frame(lambda frame: frame["op"] == HELLO)

        async def beat() -> None:
            while not socket.closed:
                await asyncio.sleep(hello["d"]["heartbeat_interval"] / 1000)
                await line.send(HEARTBEAT, line.sequence)

        beating = asyncio.create_task(beat())
        try:
            yield line
        finally:
            beating.cancel()
