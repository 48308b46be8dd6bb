"""The sandbox's web server: the page, its pictures and one WebSocket, on loopback only.

It listens nowhere else, and answers only requests that name it and come from its own page, so that no
website a person visits can play for them.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from aiohttp import web

from sandbox import views
from sandbox.actions import Actions, Modal
from sandbox.session import Session
from sandbox.world import BotFactory, World
from sandbox.worldfile import WorldFile

_STATIC = Path(__file__).with_name("static")
_KINDS: Final = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

USUAL_PORT: Final = 8000
_NEXT_PORTS: Final = 9

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def loopback(host: str) -> str:
    """Return `host` if it means only this machine; raise ValueError with the reason otherwise."""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host.strip("[]")).is_loopback:
            return host.strip("[]")
    if host.lower() == "localhost":
        return "127.0.0.1"
    raise ValueError(
        f"The sandbox listens on this machine only, and {host!r} is an address others could reach. "
        "Use 127.0.0.1: anyone who can open the page can play as anyone."
    )


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Server:
    """The page of `world` on `host` and `port`; None for the usual port, or another if that is taken."""

    def __init__(self, world: World, host: str, port: int | None) -> None:
        self._world = world
        self._host, self._asked, self._port = host, port, 0
        self._actions = Actions(world)
        self._actions.on_modal = self._show_modal
        self._sessions: set[Session] = set()
        app = web.Application(middlewares=[self._guard])
        app.router.add_get("/", self._page)
        app.router.add_get("/ws", self._socket)
        app.router.add_get("/static/{name}", self._file)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._upload)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=2)

    async def open(self) -> str:
        """Start to listen; return the address to open. Raises OSError when the port asked for is taken."""
        await self._runner.setup()
        if self._asked is not None:
            if not await self._listens(self._asked):
                raise OSError(  # without its number, which would be printed
                    f"Port {self._asked} on {self._host} is taken, perhaps by another sandbox. "
                    "Choose another with --port, or --port 0 for a free one (`make run ARGS='--port 0'`)."
                )
        else:
            for port in (*range(USUAL_PORT, USUAL_PORT + 1 + _NEXT_PORTS), 0):
                if await self._listens(port):
                    break
        self._port = int(self._runner.addresses[0][1])
        return f"http://{_named(self._host)}:{self._port}/"

    async def _listens(self, port: int) -> bool:
        """Listen on a port, 0 for any free one; return False if it is taken."""
        site = web.TCPSite(self._runner, self._host, port)
        try:
            await site.start()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            await site.stop()
            return False
        return True

    async def close(self) -> None:
        """Close every page's socket and stop listening."""
        await asyncio.gather(*(session.close() for session in list(self._sessions)), return_exceptions=True)
        await self._runner.cleanup()

    # ------------------------------------------------------------------ who may ask

    def _known(self) -> set[str]:
        return {f"{name}:{self._port}" for name in ("127.0.0.1", "localhost", "[::1]", _named(self._host))}

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        known = self._known()
        origin = request.headers.get("Origin")
        if request.headers.get("Host", "").lower() not in known:
            raise web.HTTPForbidden(text="This is a sandbox: open it by its own address.\n")
        if origin is not None and origin.lower() not in {f"http://{name}" for name in known}:
            raise web.HTTPForbidden(text="This is a sandbox: only its own page may talk to it.\n")
        response = await handler(request)
        if not response.prepared:
            response.headers.update(
                {
                    "Content-Security-Policy": _POLICY.format(host=request.host),
                    "X-Content-Type-Options": "nosniff",
                    "Referrer-Policy": "no-referrer",
                    "Cross-Origin-Resource-Policy": "same-origin",
                    "Cross-Origin-Opener-Policy": "same-origin",
                }
            )
        return response

    # ------------------------------------------------------------------ what there is

    async def _page(self, _request: web.Request) -> web.StreamResponse:
        return self._static("index.html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._static(request.match_info["name"])

    def _static(self, name: str) -> web.StreamResponse:
        path = _STATIC / name
        if path.parent != _STATIC or path.suffix not in _KINDS or not path.is_file():
            raise web.HTTPNotFound
        return web.Response(
            body=path.read_bytes(),
            content_type=_KINDS[path.suffix],
            charset="utf-8",
            headers={"Cache-Control": "no-cache"},
        )

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        data = views.upload(self._world.backend, request.path)
        if data is None:
            raise web.HTTPNotFound
        kind = mimetypes.guess_type(request.path)[0] or "application/octet-stream"
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        if kind not in views.PICTURES:
            # Never shown in place: a page or a drawing could carry a script.
            kind, headers["Content-Disposition"] = "application/octet-stream", "attachment"
        return web.Response(body=data, content_type=kind, headers=headers)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text="This is a sandbox: only its own page may talk to it.\n")
        if not self._world.begun:
            raise web.HTTPServiceUnavailable(text="The bot is starting.\n")
        people = self._world.people()
        wanted = request.query.get("as", "")
        person = next((one for one in people if wanted in (one.name, str(one.id))), people[0])
        session = Session(self._world, self._actions, person.id)
        self._sessions.add(session)
        try:
            return await session.run(request)
        finally:
            self._sessions.discard(session)

    def _show_modal(self, person: int, interaction: int, modal: Modal) -> None:
        # On the page that asked, should the same person be open twice.
        pages = [session for session in self._sessions if session.person == person]
        if pages:
            max(pages, key=lambda session: session.asked).show_modal(interaction, modal)


async def serve(
    make_bot: BotFactory,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    world: Path,
    ready: Callable[[str], None],
    on_world_reset: Callable[[], None] | None = None,
) -> None:
    """Run the bot on a local Discord and serve its page until cancelled.

    `world` is the file in which it lives on; `ready` gets the address once the page can be opened;
    `on_world_reset` is called before the bot is made when the world begins anew, so that its owner can say
    what becomes of a database that knows another one. `port` is 0 for any free one, and None for `USUAL_PORT`
    or, where that is taken, the next free one.

    Raises ValueError for a host that isn't loopback, OSError for a port that was asked for and is taken,
    `WorldFileError` for a file that can't be read or is in use, and any error of the bot at its start.
    """
    address = loopback(host)
    # Opened one by one and closed in reverse order, even after an error.
    # The file comes first: another sandbox on it must not be answered by a second one on the next port.
    async with contextlib.AsyncExitStack() as ending:
        file = WorldFile(world)
        ending.callback(file.close)
        living = World(make_bot, file, on_world_reset=on_world_reset)
        ending.push_async_callback(living.close)
        server = Server(living, address, port)
        ending.push_async_callback(server.close)
        url = await server.open()
        await living.start()
        ready(url)
        await asyncio.get_running_loop().create_future()
