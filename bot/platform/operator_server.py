"""Serve metrics and health to the operator, by HTTP on an address of this machine.

- `/metrics`: what is counted, for Prometheus.
- `/healthz`: 200 as long as the event loop answers; a supervisor restarts the bot if it doesn't.
- `/readyz`: 200 if people can play now, else 503 with the reasons, one a line: events reach the bot, the
  database answers, and messages that could be sent don't wait for longer than `MOST_LATE`.

Nothing that is served names a match or a person. It is imported only where `DOMINIUM_METRICS` is set.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from bot.platform.counters import Counters
from bot.platform.metrics import CONTENT_TYPE, exposition
from matches.ports import Clock, StoreError
from matches.store.operation import OutboxState

log = logging.getLogger(__name__)

MOST_LATE = 300.0
"""Seconds for which a message may be due before the bot counts as not ready."""


class OperatorServer:
    """Answers on one address, from `start` to `close`."""

    def __init__(
        self,
        counters: Counters,
        clock: Clock,
        outbox: Callable[[], Awaitable[OutboxState | None]],
    ) -> None:
        """`outbox` returns what waits to be sent, None while there is no store. It may raise StoreError."""
        self._counters = counters
        self._clock = clock
        self._outbox = outbox
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int) -> tuple[str, int] | None:
        """Listen, and return the address; None, with one sentence in the log, if that isn't possible."""
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/healthz", self._health)
        app.router.add_get("/readyz", self._ready)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            await runner.cleanup()
            log.error(
                "no metrics and no health are served: %s port %d can't be used (%s). Choose another address "
                "in DOMINIUM_METRICS; the bot runs without.",
                host,
                port,
                error.strerror,
            )
            return None
        self._runner = runner
        address: tuple[str, int] = runner.addresses[0][:2]
        log.info("metrics and health are served", extra={"host": address[0], "port": address[1]})
        return address

    async def close(self) -> None:
        """Stop listening. A second call does nothing."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _metrics(self, request: web.Request) -> web.Response:
        try:
            outbox = await self._outbox()
        except StoreError:
            outbox = None  # what else is counted matters all the more
        text = exposition(self._counters, outbox, self._clock.now())
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response(text="dominium: alive\n")

    async def _ready(self, request: web.Request) -> web.Response:
        wrong = await self._obstacles(self._counters.readings())
        if wrong:
            return web.Response(status=503, text="".join(f"not ready: {why}\n" for why in wrong))
        return web.Response(text="dominium: ready\n")

    async def _obstacles(self, readings: Mapping[str, float]) -> list[str]:
        """Return why people can't play now, one clause for each reason."""
        wrong = []
        if not readings.get("gateway connected"):
            wrong.append("no events of Discord reach the bot")
        try:
            outbox = await self._outbox()
        except StoreError:
            outbox = None
        if outbox is None:
            wrong.append("the database can't be used")
        elif (late := outbox.lateness(self._clock.now())) > MOST_LATE:
            wrong.append(f"a message has been waiting to be sent for {late:.0f} seconds")
        return wrong
