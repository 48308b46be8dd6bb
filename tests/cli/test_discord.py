"""What doctor learns from Discord, asked on a small server on loopback."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from bot.platform.permissions import INVITE
from cli import check_discord
from cli.check_discord import PERMISSIONS, Portal, intents, look, permissions, shape

TOKEN = f"{base64.urlsafe_b64encode(b'123456789012345678').decode()}.Gabcde.canary-canary-canary-canary"


class FakeDiscord(ThreadingHTTPServer):
    """Answers by path; remembers the headers it saw."""

    answers: dict[str, tuple[int, Any]]
    headers: list[dict[str, str]]


class Handler(BaseHTTPRequestHandler):
    """Looks the answer up."""

    server: FakeDiscord

    def do_GET(self) -> None:
        self.server.headers.append(dict(self.headers.items()))
        status, body = self.server.answers[self.path.split("?")[0]]
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class says so
        """Say nothing."""


@pytest.fixture
def discord() -> Iterator[FakeDiscord]:
    server = FakeDiscord(("127.0.0.1", 0), Handler)
    server.headers = []
    server.answers = {
        "/api/v10/oauth2/applications/@me": (200, {"id": "123456789012345678", "flags": 1 << 19}),
        "/api/v10/users/@me": (200, {"username": "Dominium"}),
        "/api/v10/users/@me/guilds": (200, [{"name": "Club", "permissions": str(INVITE.value)}]),
    }
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def portal(server: FakeDiscord) -> Portal:
    return Portal(TOKEN, f"http://127.0.0.1:{server.server_port}")


def test_all_is_well(discord: FakeDiscord) -> None:
    found = list(look(portal(discord), datetime.now(UTC), wants_content=True))
    assert [finding.level for finding in found] == ["ok"] * 3
    assert "Dominium, in 1 servers" in found[0].text
    assert all(headers["Authorization"] == f"Bot {TOKEN}" for headers in discord.headers)
    assert "canary" not in repr(found)


def test_a_refused_token_is_named_as_such(discord: FakeDiscord) -> None:
    discord.answers["/api/v10/oauth2/applications/@me"] = (401, {"message": "401: Unauthorized"})
    (found,) = look(portal(discord), datetime.now(UTC), wants_content=False)
    assert (found.level, found.text) == ("fail", "it refuses the token")


def test_a_discord_that_is_down_is_no_failure_of_ours(discord: FakeDiscord) -> None:
    discord.answers["/api/v10/users/@me"] = (503, {})
    (found,) = look(portal(discord), datetime.now(UTC), wants_content=False)
    assert (found.level, found.text) == ("warn", "it answers 503")


def test_a_network_that_is_down(discord: FakeDiscord) -> None:
    gone = Portal(TOKEN, "http://127.0.0.1:1")
    (found,) = look(gone, datetime.now(UTC), wants_content=False)
    assert found.level == "warn"
    assert "can't be reached" in found.text


def test_a_clock_that_is_off_is_noticed(discord: FakeDiscord) -> None:
    late = datetime.now(UTC) - timedelta(minutes=3)
    found = list(look(portal(discord), late, wants_content=True))
    assert [finding.what for finding in found if finding.level == "warn"] == ["clock"]


@pytest.mark.parametrize(
    ("flags", "wants", "level"),
    [
        (0, True, "fail"),
        (0, False, "ok"),
        (1 << 18, True, "ok"),
        (1 << 19, True, "ok"),
        (1 << 19, False, "ok"),
    ],
)
def test_intents(flags: int, wants: bool, level: str) -> None:
    assert intents(flags, wants_content=wants).level == level


def test_the_list_is_that_of_the_invitation_by_discords_names() -> None:
    assert sum(PERMISSIONS.values()) == INVITE.value
    assert {"View Channel", "Send Messages in Threads"} < PERMISSIONS.keys()


@pytest.mark.parametrize("name", PERMISSIONS)
def test_each_missing_permission_is_named_with_its_server(name: str) -> None:
    has = INVITE.value & ~PERMISSIONS[name]
    (found,) = permissions([{"name": "Club", "permissions": str(has)}], "1")
    assert found.level == "warn"
    assert found.text == f"Club lacks {name}"


def test_an_administrator_has_every_permission() -> None:
    (found,) = permissions([{"name": "Club", "permissions": str(check_discord.ADMINISTRATOR)}], "1")
    assert found.level == "ok"


def test_many_servers_are_counted_and_none_gives_an_invitation() -> None:
    many = list(permissions([{"name": f"Club {n}", "permissions": "0"} for n in range(13)], "1"))
    assert len(many) == check_discord.SHOWN + 1
    assert many[-1].text == "3 more servers lack permissions"
    (none,) = permissions([], "42")
    assert "client_id=42" in none.advice
    assert f"permissions={INVITE.value}" in none.advice


@pytest.mark.parametrize(
    ("token", "level"),
    [
        (TOKEN, "ok"),
        ("", "warn"),
        ("Bot " + TOKEN, "fail"),
        (f'"{TOKEN}"', "fail"),
        (TOKEN[:-5] + " 12", "fail"),
        ("a.b.canary-canary", "fail"),
        ("canary", "fail"),
        ("é.b.canary", "fail"),
        ("YWJj.b.canary", "fail"),
        (TOKEN.rpartition(".")[0] + ".", "fail"),
    ],
)
def test_the_shape_of_a_token(token: str, level: str) -> None:
    found = shape(token)
    assert found.level == level
    assert "canary" not in repr(found)
