"""Who may reach the sandbox: this machine, by its own name, from its own page."""

from __future__ import annotations

import socket
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from sandbox import serve
from tests.sandbox.page import Sandbox, running
from tests.sandbox.tinybot import TinyBot


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "", "8.8.8.8"])
async def test_only_loopback_is_listened_on(world: Path, host: str) -> None:
    with pytest.raises(ValueError, match="this machine only"):
        await serve(TinyBot, host=host, port=0, world=world, ready=lambda _: None)
    assert list(world.parent.glob("*")) == []


async def test_a_taken_port_is_named_with_the_way_out(sandbox: Sandbox, tmp_path: Path) -> None:
    port = int(sandbox.url.rstrip("/").rsplit(":", 1)[1])
    with pytest.raises(OSError, match=rf"Port {port} .*--port"):
        await serve(TinyBot, port=port, world=tmp_path / "other.world", ready=lambda _: None)


@pytest.mark.parametrize("following", [9, 0])
async def test_without_a_port_the_next_free_one_is_taken(
    world: Path, monkeypatch: pytest.MonkeyPatch, following: int
) -> None:
    monkeypatch.setattr("sandbox.server._NEXT_PORTS", following)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr("sandbox.server.USUAL_PORT", taken)
        async with running(TinyBot, world, port=None) as sandbox:
            port = URL(sandbox.url).port or 0
            assert port != taken
            assert following == 0 or port in range(taken + 1, taken + 10)
            async with sandbox.http.get(sandbox.url) as response:
                assert response.status == 200


async def test_without_a_port_the_usual_one_is_taken_if_it_is_free(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        usual = free.getsockname()[1]
    monkeypatch.setattr("sandbox.server.USUAL_PORT", usual)
    async with running(TinyBot, world, port=None) as only:
        assert URL(only.url).port == usual


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "ws", "static/main.js", "attachments/1/2/a.png"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
)
async def test_foreign_hosts_and_origins_are_refused(
    sandbox: Sandbox, path: str, headers: dict[str, str]
) -> None:
    async with sandbox.http.get(sandbox.url + path, headers=headers) as response:
        assert response.status == 403


@pytest.mark.parametrize("origin", [None, "http://evil.example", "https://127.0.0.1"])
async def test_the_socket_wants_its_own_page(sandbox: Sandbox, origin: str | None) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await sandbox.http.ws_connect(f"{sandbox.url}ws?as=ann", origin=origin)
    assert refused.value.status == 403


async def test_the_page_brings_a_strict_policy(sandbox: Sandbox) -> None:
    async with sandbox.http.get(sandbox.url) as response:
        policy = response.headers["Content-Security-Policy"]
        assert response.content_type == "text/html"
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ["..%2fserver.py", "%2e%2e/server.py", "server.py", "nothing.js"])
async def test_only_the_pages_own_files_are_served(sandbox: Sandbox, name: str) -> None:
    async with sandbox.http.get(f"{sandbox.url}static/{name}") as response:
        assert response.status == 404
