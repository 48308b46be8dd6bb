"""The doctor shows every setting and where it comes from, and nothing of what is secret in any of them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.inbound.commands import COMMANDS_WAIT
from cli import check_operation
from cli.check_operation import shown_url
from storage import open_store
from tests.cli.conftest import Run
from tests.cli.test_discord import TOKEN
from tests.fakes import FakeClock
from tests.soak import sampled

EXAMPLE = (Path(__file__).parents[2] / ".env.example").read_text("utf-8")
SECRET = "correcthorse"
HOOK = "Whoever-knows-this-can-post" * 2
PASSWORDS = [SECRET + sign + "battery" + sign + "staple" for sign in ("", *":/@#?%&= ^[]'\"\\")]
"""As people may write them into a URL, rightly or not."""


def test_every_setting_is_shown_with_its_source(run: Run, tmp_path: Path) -> None:
    dotenv = tmp_path / "my.env"
    dotenv.write_text("DOMINIUM_THEME=dark\nDOMINIUM_LOBBY_HOURS=48\n", encoding="utf-8")
    done = run(
        "doctor", "--offline", "--env", dotenv, env={"DOMINIUM_LOBBY_HOURS": "12", "DISCORD_TOKEN": ""}
    )
    shown = dict(re.findall(r"^ok    setting +(\w+): (.*)$", done.output, re.MULTILINE))
    assert set(shown) == set(re.findall(r"^(\w+)=", EXAMPLE, re.MULTILINE))
    assert shown["DOMINIUM_THEME"] == f"dark, from {dotenv}"
    assert shown["DOMINIUM_LOBBY_HOURS"] == "12, from the environment"
    assert shown["DOMINIUM_LANGUAGE"] == "en, by default"
    assert shown["DISCORD_TOKEN"] == "empty, by default"


URLS = (
    "postgresql://bot:{}@127.0.0.1:1/dominium?connect_timeout=1",
    "postgresql://127.0.0.1:1/dominium?user=bot&connect_timeout=1&password={}",
)


@pytest.mark.parametrize(
    ("url", "password", "escaped"),
    [
        (url, password, (number + place) % 2 == 1)
        for number, password in enumerate(PASSWORDS)
        for place, url in enumerate(URLS)
    ],
)
def test_no_secret_is_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, password: str, escaped: bool
) -> None:
    whole = url.format(quote(password, safe="") if escaped else password)
    hook = f"https://discord.com/api/webhooks/1234567890/{HOOK}"
    env = {
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": whole,
        "DOMINIUM_ERROR_WEBHOOK": hook,
        "DOMINIUM_DISCORD_API": "http://127.0.0.1:1",
    }
    every = ((), ("--json",), ("--logs", "--offline"))
    nth = PASSWORDS.index(password) + URLS.index(url)
    for switches in sampled(every, every[nth % 3 : nth % 3 + 1]):
        said = run("doctor", "--env", tmp_path / "none", *switches, env=env).output
        for part in (HOOK, SECRET, "battery", "staple", TOKEN, *TOKEN.split(".")):
            assert part not in said
        assert "DATABASE_URL" in said


def test_a_url_is_shown_without_its_password() -> None:
    assert shown_url("postgresql://bot:pw@db.example:5432/x?sslmode=require") == (
        "postgresql://bot:***@db.example:5432/x?..."
    )
    assert shown_url("postgresql://bot@/x") == "postgresql://bot@/x"
    assert shown_url("http://[::1]:8000") == "http://[::1]:8000"
    assert shown_url("postgresql://bot:p/w@host/x") == "set, not shown"


@pytest.mark.parametrize(
    ("noted", "level"),
    [({}, None), ({"commands": "x"}, "ok"), ({"commands": "x", COMMANDS_WAIT: True}, "warn")],
)
def test_whether_discord_has_the_commands(
    tmp_path: Path, noted: dict[str, object], level: str | None
) -> None:
    path = tmp_path / "x.sqlite3"

    async def note() -> None:
        store = await open_store(path, clock=FakeClock())
        await store.save_settings("guild", 0, noted)
        assert [one.level for one in check_operation.commands(path)] == ([] if level is None else [level])
        await store.close()

    assert list(check_operation.commands(path)) == []
    asyncio.run(note())
    assert [one.level for one in check_operation.commands(path)] == ([] if level is None else [level])
