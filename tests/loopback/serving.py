"""How a request of the bot is served: logged, met by the faults planted for it, answered out of the world."""

from __future__ import annotations

import asyncio
import socket
import struct
import weakref
from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.discord_facts import verdict
from tests.discord_rules import judge
from tests.loopback.answers import HttpAnswer
from tests.loopback.faults import Cut, Faults, Moment, Strike
from tests.loopback.gateway import Gateway
from tests.loopback.limits import Limits
from tests.loopback.log import LoggedRequest
from tests.loopback.routes import Reply, Routes
from tests.loopback.uploads import read_body
from tests.loopback.waiting import Waiting
from tests.loopback.world import World, to_wire

Hook = Callable[[Moment, LoggedRequest], Awaitable[bool | None]]

_OPEN_ROUTES = ("/interactions/", "/webhooks/")
_LINGER_NOT = struct.pack("ii", 1, 0)  # closing then sends a reset


class Serving(Waiting):
    """Serves the API and the files of a world.

    Attributes:
        token: what the bot has to log in with.
        faults: where faults are planted.
        limits: how much the bot may ask.
        on_request: awaited for every request at both moments; answering ``False`` cuts the connection there.
    """

    world: World
    gateway: Gateway
    limits: Limits
    _routes: Routes

    def __init__(self, token: str) -> None:
        super().__init__()
        self.token = token
        self.faults = Faults(self.changed)
        self.on_request: Hook | None = None
        self.port = 0
        self._connections: weakref.WeakKeyDictionary[asyncio.BaseTransport, int] = weakref.WeakKeyDictionary()
        self._opened = 0

    @property
    def url(self) -> str:
        """Where the bot has to point its API: ``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def gateway_url(self) -> str:
        """Where the bot's gateway is."""
        return f"ws://127.0.0.1:{self.port}/gateway"

    async def _cdn(self, request: web.Request) -> web.Response:
        url = f"{self.url}{request.rel_url.path}"
        data = self.world.files.get(url)
        if data is None:
            return web.Response(status=404)
        return web.Response(body=data, content_type=self.world.files.media_type(url))

    async def _api(self, http: web.Request) -> web.StreamResponse:
        request = await self._log(http)
        strike: Strike = self.limits.refuse(request)
        strike = strike or await self._meet(Moment.BEFORE, request)
        if strike is None:
            reply = self._answer(request)
            request.status, request.answer, request.gap = reply.status, reply.body, reply.gap
            self.changed()
            answer = HttpAnswer(reply.status, reply.body, self.limits.headers(request))
            strike = await self._meet(Moment.AFTER, request) or answer
        if isinstance(strike, Cut):
            self._cut(http.transport, strike)
            return web.Response()  # goes nowhere: the transport is gone
        request.sent = strike.status
        self.limits.count(strike.status, strike.headers)
        self.changed()
        if strike.status == 204:
            return web.Response(status=204, headers=strike.headers)
        as_json = strike.content_type == "application/json"  # discord.py reads nothing else as JSON
        text = to_wire(strike.body) if as_json else str(strike.body)
        return web.Response(
            status=strike.status,
            body=text.encode(),
            content_type=strike.content_type,
            headers=strike.headers,
        )

    def _answer(self, request: LoggedRequest) -> Reply:
        self.world.threads.archive_idle()
        if not request.path.startswith(_OPEN_ROUTES) and request.authorization != f"Bot {self.token}":
            status, code = verdict("wrong-token")
            return Reply(status, {"message": "401: Unauthorized", "code": code})
        if request.method == "GET" and request.path == "/gateway/bot":
            starts = {
                "total": 1000,
                "remaining": 1000,
                "reset_after": 86_400_000,
                "max_concurrency": self.gateway.buckets,
            }
            shards = self.gateway.shards
            return Reply(200, {"url": self.gateway_url, "shards": shards, "session_start_limit": starts})
        if request.verdict.faults and request.verdict.known:
            return Reply(*request.verdict.refusal())
        return self._routes.handle(request)

    async def _meet(self, moment: Moment, request: LoggedRequest) -> Strike:
        if self.on_request is not None and await self.on_request(moment, request) is False:
            return Cut()
        return await self.faults.meet(moment, request)

    @staticmethod
    def _cut(transport: asyncio.Transport | None, cut: Cut) -> None:
        if transport is None:
            return
        if cut.orderly:
            transport.close()
            return
        wire = transport.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        transport.abort()

    async def _log(self, http: web.Request) -> LoggedRequest:
        path = "/" + http.match_info["path"]
        body, files = await read_body(http)
        template, args = self._routes.template(http.method, path)
        connection = 0
        if http.transport is not None:
            if http.transport not in self._connections:
                self._opened += 1
                self._connections[http.transport] = self._opened
            connection = self._connections[http.transport]
        request = LoggedRequest(
            number=len(self.requests),
            method=http.method,
            path=path,
            template=template,
            args=args,
            params=dict(http.query),
            body=body,
            files=files,
            authorization=http.headers.get("Authorization"),
            connection=connection,
            launch=self.gateway.launch,
            verdict=judge(
                http.method, path, body=body, params=dict(http.query), sizes=[one.size for one in files]
            ),
        )
        self.requests.append(request)
        self.changed()
        return request
