"""What doctor learns from Discord, asked on a small server on loopback."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bot.platform.application import install_link
from bot.platform.permissions import INVITE
from cli import check_discord
from cli.check_discord import Portal, intents, look, needed, permissions, shape
from cli.findings import Finding
from matches.store.rows import Commit, Place
from storage import open_store
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby

TOKEN = f"{base64.urlsafe_b64encode(b'123456789012345678').decode()}.Gabcde.canary-canary-canary-canary"


class FakeDiscord(ThreadingHTTPServer):
    """Answers by path; remembers the headers it saw."""

    answers: dict[str, tuple[int, Any]]
    headers: list[dict[str, str]]
    deleted: list[str]


class Handler(BaseHTTPRequestHandler):
    """Looks the answer up."""

    server: FakeDiscord

    def do_GET(self) -> None:
        self._answer()

    def do_DELETE(self) -> None:
        self.server.deleted.append(self.path)
        self._answer()

    def _answer(self) -> None:
        self.server.headers.append(dict(self.headers.items()))
        path = self.path if self.path in self.server.answers else self.path.split("?")[0]
        status, body = self.server.answers.get(path, (404, {"code": 10003}))
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class says so
        """Say nothing."""


@pytest.fixture
def discord() -> Iterator[FakeDiscord]:
    server = FakeDiscord(("127.0.0.1", 0), Handler)
    server.headers, server.deleted = [], []
    server.answers = {
        "/api/v10/oauth2/applications/@me": (200, {"id": "123456789012345678", "flags": 1 << 19}),
        "/api/v10/users/@me": (200, {"id": "5", "username": "Dominium"}),
        "/api/v10/users/@me/guilds": (
            200,
            [{"id": "7", "name": "Club", "permissions": str(INVITE.value)}],
        ),
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
    assert [finding.level for finding in found] == ["ok"] * 4
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


@pytest.mark.parametrize(
    ("config", "allowed"),
    [({"0": {}, "1": {}}, True), ({"0": {}}, False), ({}, False), (None, False)],
)
def test_user_installs_are_told_with_the_link_or_how_to_allow_them(
    discord: FakeDiscord, config: Any, allowed: bool
) -> None:
    path = "/api/v10/oauth2/applications/@me"
    status, application = discord.answers[path]
    discord.answers[path] = (status, application | {"integration_types_config": config})
    told = look(portal(discord), datetime.now(UTC), wants_content=True)
    (found,) = [finding for finding in told if finding.what == "user install"]
    assert found.level == "ok"
    assert (install_link("123456789012345678") in found.text) == allowed
    assert ("Installation" in found.advice) == (not allowed)


def test_the_list_is_that_of_the_invitation_by_discords_names() -> None:
    assert sum(needed().values()) == INVITE.value
    assert {"View Channel", "Send Messages in Threads"} < needed().keys()


@pytest.mark.parametrize("name", needed())
def test_each_missing_permission_is_named_with_its_server(name: str) -> None:
    has = INVITE.value & ~needed()[name]
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


# --- many servers, and where matches go on --------------------------------------------------------------


def guilds(count: int) -> list[dict[str, Any]]:
    return [
        {"id": str(n), "name": f"Club {n}", "permissions": str(INVITE.value)} for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("count", [0, 199, 200, 201, 450])
def test_all_servers_are_paged_through(discord: FakeDiscord, count: int) -> None:
    listed, size = guilds(count), check_discord.PAGE
    for at in range(0, count + 1, size):
        after = listed[at - 1]["id"] if at else "0"
        path = f"/api/v10/users/@me/guilds?limit={size}&after={after}"
        discord.answers[path] = (200, listed[at : at + size])
    del discord.answers["/api/v10/users/@me/guilds"]
    assert check_discord.all_guilds(portal(discord)) == listed


async def live_match(path: Path, match: str, place: Place) -> None:
    store = await open_store(path, clock=FakeClock())
    await store.create(Commit(lobby(match, status="live", place=place), START))
    await store.close()


def in_channels(discord: FakeDiscord, *overwrites: dict[str, Any], roles: str = "") -> None:
    """Server 7 with a channel 20, whose thread 31 is open; the bot has its role 8."""
    given = roles or str(INVITE.value)
    discord.answers |= {
        "/api/v10/guilds/7/roles": (
            200,
            [
                {"id": "7", "permissions": "0"},
                {"id": "8", "permissions": given},
                {"id": "9", "permissions": "8"},
            ],
        ),
        "/api/v10/guilds/7/members/5": (200, {"user": {"id": "5"}, "roles": ["8"]}),
        "/api/v10/guilds/7/channels": (
            200,
            [{"id": "20", "name": "games", "permission_overwrites": list(overwrites)}],
        ),
        "/api/v10/channels/31": (200, {"id": "31", "parent_id": "20"}),
    }


def overwrite(target: int, *, allow: int = 0, deny: int = 0) -> dict[str, Any]:
    return {"id": str(target), "type": 0, "allow": str(allow), "deny": str(deny)}


def of_matches(discord: FakeDiscord, path: Path) -> list[Finding]:
    found = look(portal(discord), datetime.now(UTC), wants_content=True, data=path)
    return [finding for finding in found if finding.what == "matches"]


FILES, SEND, TALK = (needed()[name] for name in ("Attach Files", "Send Messages", "Send Messages in Threads"))


@pytest.mark.parametrize(
    ("place", "overwrites", "wrong"),
    [
        (Place(7, 20), (), ""),
        (Place(7, 20), (overwrite(7, deny=SEND),), "Send Messages"),
        (Place(7, 20), (overwrite(7, deny=SEND), overwrite(8, allow=SEND)), ""),
        (Place(7, 20), (overwrite(8, deny=FILES), overwrite(5, allow=FILES)), ""),
        (Place(7, 20), (overwrite(9, deny=FILES),), ""),
        (Place(7, 20), (overwrite(5, deny=TALK),), ""),
        (Place(7, 20, 30), (overwrite(5, deny=TALK),), "Send Messages in Threads"),
        (Place(7, 20, 30), (overwrite(5, deny=SEND),), ""),
        (Place(7, 31), (overwrite(5, deny=TALK | FILES),), "Send Messages in Threads, Attach Files"),
        (Place(7, 99), (), "the channel itself"),
    ],
)
async def test_what_lacks_where_a_match_goes_on_is_told(
    discord: FakeDiscord, tmp_path: Path, place: Place, overwrites: tuple[dict[str, Any], ...], wrong: str
) -> None:
    await live_match(tmp_path / "data", "F-001", place)
    in_channels(discord, *overwrites)
    (found,) = of_matches(discord, tmp_path / "data")
    assert found.level == ("warn" if wrong else "ok")
    if wrong:
        assert found.text.startswith(f"Club: lacks {wrong} for 1 match in ")
        assert found.advice


async def test_an_administrator_lacks_nothing_and_a_lost_server_is_named(
    discord: FakeDiscord, tmp_path: Path
) -> None:
    path = tmp_path / "data"
    assert of_matches(discord, path) == []
    await live_match(path, "F-001", Place(7, 20))
    in_channels(discord, overwrite(7, deny=SEND), roles=str(check_discord.ADMINISTRATOR))
    assert [finding.level for finding in of_matches(discord, path)] == ["ok"]
    await live_match(path, "F-002", Place(77, 20))
    (found,) = of_matches(discord, path)
    assert found.text == "77: the bot isn't in it, and 1 match can't go on"
    discord.answers["/api/v10/guilds/7/roles"] = (403, {"code": 50001})
    assert {finding.level for finding in of_matches(discord, path)} == {"warn"}
