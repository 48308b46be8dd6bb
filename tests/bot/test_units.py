"""The small parts of the bot on their own: settings, logs, ids of components, names, commands."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import handlers
from bot.actions.handlers import HANDLERS
from bot.app import intents
from bot.context import Context
from bot.messages import components
from bot.messages.components import Call, CallButton, CallForm, CallMenu, FormChoice, FormOption
from bot.messages.names import as_code, escaped_name, plain_name
from bot.messages.outgoing import Outgoing
from bot.platform import loopback
from bot.platform.config import Config, ConfigError, load_config
from bot.platform.logs import CHATTY, HIDDEN, Redactor, set_up_logs
from bot.platform.members import Members
from bot.platform.permissions import INVITE
from bot.platform.real_clock import DiscordClock
from bot.platform.recent import RecentKeys
from games.engine import registry
from tests.bot.stage import Stage, make_bot
from tests.discord_rules import modal_faults
from tests.fakes import FakeEntropy

# --- settings -----------------------------------------------------------------------------------------


def test_settings_have_defaults() -> None:
    assert load_config({}) == Config()
    assert load_config({"DOMINIUM_DATA": "somewhere/d.sqlite3"}).table_folder == Path("somewhere")


def test_every_setting_is_read() -> None:
    config = load_config(
        {
            "DISCORD_TOKEN": " abc ",
            "DOMINIUM_DATA": "~/d.sqlite3",
            "DOMINIUM_TABLES": "~/tables",
            "DOMINIUM_MESSAGE_CONTENT": "Yes",
            "DOMINIUM_LANGUAGE": "en",
            "DOMINIUM_THEME": "dark",
            "DOMINIUM_LOBBY_HOURS": "48",
            "DOMINIUM_LOG_LEVEL": "debug",
            "DOMINIUM_LOG_FORMAT": "JSON",
            "DOMINIUM_SANDBOX_HOST": "127.0.0.1",
            "DOMINIUM_SANDBOX_PORT": "0",
            "DOMINIUM_DISCORD_API": "http://127.0.0.1:1",
        }
    )
    assert config.token == "abc"
    assert config.data == Path("~/d.sqlite3").expanduser()
    assert config.tables == config.table_folder == Path("~/tables").expanduser()
    assert config.message_content is True
    assert (config.theme, config.lobby_hours) == ("dark", 48)
    assert (config.log_level, config.log_format) == ("DEBUG", "json")
    assert (config.sandbox_port, config.discord_api) == (0, "http://127.0.0.1:1")
    assert "abc" not in repr(config)
    assert load_config({"DOMINIUM_SANDBOX_PORT": ""}).sandbox_port is None


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("DOMINIUM_MESSAGE_CONTENT", "perhaps", "yes or no"),
        ("DOMINIUM_LOBBY_HOURS", "soon", "a whole number"),
        ("DOMINIUM_LOBBY_HOURS", "0", "between 1 and 720"),
        ("DOMINIUM_LOBBY_HOURS", "721", "between 1 and 720"),
        ("DOMINIUM_SANDBOX_PORT", "65536", "between 0 and 65535"),
        ("DOMINIUM_SANDBOX_PORT", "http", "a whole number"),
        ("DOMINIUM_LOG_LEVEL", "LOUD", "one of DEBUG"),
        ("DOMINIUM_LOG_FORMAT", "xml", "one of text, json"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=name) as caught:
        load_config({name: value})
    assert advice in str(caught.value)
    assert value in str(caught.value)


@pytest.mark.parametrize("name", ["SUPPORT", "PRIVACY", "TERMS"])
@pytest.mark.parametrize(
    "value",
    [
        "example.org",
        "http://example.org",
        "javascript:alert(1)",
        "https://",
        "https://a:b@example.org",
        "https://example.org/a>b",
        "https://example.org/a b",
        "https://example.org/)",
        "https://example.org:x/",
        "https://[example.org/",
        "https://example.org/\u202e",
        f"https://example.org/{'x' * 150}",
    ],
)
def test_a_link_that_no_message_can_show_is_refused(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"DOMINIUM_{name}_LINK"):
        load_config({f"DOMINIUM_{name}_LINK": value})


def test_links_are_read() -> None:
    config = load_config(
        {f"DOMINIUM_{name}_LINK": f"https://{name}.org/a?b=%29#c" for name in ("SUPPORT", "TERMS")}
    )
    links = config.support_link, config.privacy_link, config.terms_link
    assert links == ("https://SUPPORT.org/a?b=%29#c", "", "https://TERMS.org/a?b=%29#c")


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("DOMINIUM_THEME=dark\nDOMINIUM_LOBBY_HOURS=2\nDISCORD_TOKEN=\n")
    config = load_config({"DOMINIUM_LOBBY_HOURS": "3"}, file)
    assert (config.theme, config.lobby_hours, config.token) == ("dark", 3, "")
    assert load_config({}, tmp_path / "none") == Config()
    file.write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    with pytest.raises(ConfigError, match="can't be read"):
        load_config({}, file)


# --- logs ---------------------------------------------------------------------------------------------

CANARY = "MTA5.canary-token.secret"


@pytest.mark.parametrize("as_json", [True, False])
def test_a_secret_is_hidden_wherever_it_stands(as_json: bool) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Redactor([CANARY, ""], as_json=as_json))
    logger = logging.getLogger(f"tests.canary.{as_json}")
    logger.propagate = False
    logger.addHandler(handler)
    logger.warning("the token is %s", CANARY, extra={"header": f"Bot {CANARY}", "match": "F-7K2"})
    try:
        raise RuntimeError(f"401 for {CANARY}")
    except RuntimeError:
        logger.exception("it failed")
    written = stream.getvalue()
    assert CANARY not in written
    assert written.count(HIDDEN) >= 3
    assert "RuntimeError" in written
    assert "F-7K2" in written
    if as_json:
        first, second = map(json.loads, written.splitlines())
        assert first["level"] == "WARNING"
        assert first["match"] == "F-7K2"
        assert "Traceback" in second["trace"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", first["time"])


def test_logs_are_set_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    try:
        set_up_logs("INFO", "text", [CANARY])
        set_up_logs("INFO", "text", [CANARY])
        logging.getLogger("bot.tests").info("hello %s", CANARY)
        logging.getLogger("discord.client").info("the library's talk")
    finally:
        for chatty in CHATTY:
            logging.getLogger(chatty).setLevel(logging.NOTSET)
        logging.captureWarnings(capture=False)
        root.handlers[:] = before
        root.setLevel(level)
    (line,) = stream.getvalue().splitlines()
    assert f"hello {HIDDEN}" in line


# --- a Discord on this machine ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "base",
    [
        "https://discord.com",
        "http://discord.com:80",
        "http://0.0.0.0:8000",
        "http://localhost:8000",
        "http://127.0.0.2:8000",
        "http://127.0.0.1.example.com:80",
        "http://user@127.0.0.1:8000",
        "https://127.0.0.1:8000",
        "127.0.0.1:8000",
        "http://[::1]:8000",
        "",
    ],
)
def test_no_other_host_is_ever_pointed_at(base: str) -> None:
    with pytest.raises(ValueError, match="not an address of this machine"):
        loopback.point_discord_at(base)
    assert discord.http.Route.BASE.startswith("https://discord.com")


def test_pointing_at_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    monkeypatch.setattr(discord.asset.Asset, "BASE", discord.asset.Asset.BASE)
    loopback.point_discord_at("http://127.0.0.1:4711")
    assert discord.http.Route.BASE == "http://127.0.0.1:4711/api/v10"
    assert str(gateway.DEFAULT_GATEWAY) == "ws://127.0.0.1:4711/gateway"


# --- components ---------------------------------------------------------------------------------------

CALLS = st.builds(
    Call,
    verb=st.from_regex(r"[a-z_]{1,20}", fullmatch=True),
    match=st.one_of(st.just("-"), st.from_regex(r"[A-Z]-[A-Z0-9]{3,8}", fullmatch=True)),
    seq=st.integers(-1, 10**6),
    arg=st.text("abcdefghijklmnopqrstuvwxyz0123456789._-", max_size=30),
)


@given(CALLS)
def test_an_id_says_what_it_was_made_of(call: Call) -> None:
    assert components.read_call(call.custom_id) == call
    assert len(f"domb:{call.custom_id}") <= 100
    for made in (
        CallButton.make(call, "x" * 200).item,
        CallMenu.make(call, [discord.SelectOption(label="a")], "y" * 300).item,
    ):
        assert 1 <= len(str(made.custom_id)) <= 100


@given(st.text(max_size=40))
def test_no_other_id_is_read_as_ours(text: str) -> None:
    call = components.read_call(text)
    assert call is None or components.read_call(call.custom_id) == call


def test_labels_are_cut_to_what_is_allowed() -> None:
    call = Call("play", "F-7K2", 3)
    assert len(str(CallButton.make(call, "x" * 200).item.label)) == 80
    form = CallForm(call, "t" * 90, ("move", "l" * 90, "p" * 300))
    assert len(form.title) == 45
    assert form.custom_id == "domm:play:F-7K2:3"


def test_few_choices_of_a_form_stand_below_each_other_and_many_in_a_menu() -> None:
    for count, kind in ((4, 21), (5, 3)):
        options = [FormOption(str(n), f"Choice {n}", f"Effect {n}", n == 1) for n in range(count)]
        form = CallForm(
            Call("settings_made", "-", 0), "Title", FormChoice("one", "Label", options, "About")
        ).to_dict()
        assert modal_faults(form) == []
        (label,) = form["components"]
        assert (label["label"], label["description"], label["component"]["type"]) == ("Label", "About", kind)
        chosen = [each["value"] for each in label["component"]["options"] if each.get("default")]
        assert chosen == ["1"]
        assert label["component"]["options"][2]["description"] == "Effect 2"


def test_one_handler_for_each_verb() -> None:
    assert {"join", "start", "view", "moves", "play", "typed", "rematch"} <= set(HANDLERS)
    assert {"tap", "pick", "asked", "overlay", "odds", "analyse", "level"} <= set(HANDLERS)

    async def other(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
        """Never called."""

    with pytest.raises(ValueError, match="join has a handler"):
        handlers.on("join")(other)


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ann", "Ann"),
        ("  a\n b ", "a b"),
        ("**bold**", r"\*\*bold\*\*"),
        ("`x`", r"\`x\`"),
        ("<#12>", r"\<#12>"),
        ("https://a.example", "https:\\//a\\.example"),
        ("[a](b)", r"\[a](b)"),
        ("x" * 50, "x" * 32),
    ],
)
def test_names_are_only_names(name: str, written: str) -> None:
    assert escaped_name(name) == written


@given(st.text(max_size=80))
def test_no_name_pings_or_links(name: str) -> None:
    shown = escaped_name(name)
    assert len(shown) <= 2 * 32 + 8
    assert "\n" not in shown
    assert "@everyone" not in shown
    assert "@here" not in shown
    assert not re.search(r"(?<!\\)<", shown)
    assert "://" not in shown
    assert not re.search(r"<@[!&]?\d{17,20}>", shown)
    assert len(plain_name(name)) <= 32


@given(st.text(max_size=200))
def test_typed_text_stays_in_its_code(text: str) -> None:
    shown = as_code(text)
    assert "`" not in shown
    assert "\n" not in shown
    assert len(shown) <= 40


def test_nobody_is_pinged_but_those_named() -> None:
    fields = Outgoing("x" * 3000, ping=(5,)).fields()
    assert len(fields["content"]) == 2000
    allowed = fields["allowed_mentions"].to_dict()
    assert allowed["parse"] == []
    assert [int(user) for user in allowed["users"]] == [5]
    assert not allowed.get("replied_user")


@pytest.mark.parametrize(
    "error", [discord.RateLimited(60), aiohttp.ServerDisconnectedError(), OSError("reset by peer")]
)
async def test_who_can_not_be_asked_for_counts_as_there(error: Exception) -> None:
    class Http:
        async def get_member(self, guild: int, user: int) -> None:
            raise error

    members = Members(cast("discord.Client", SimpleNamespace(http=Http())), DiscordClock())
    assert not await members.has_left(1, 2)


def test_recent_keys() -> None:
    recent: RecentKeys[int] = RecentKeys(2)
    assert [recent.add(key) for key in (1, 2, 1, 3)] == [True, True, False, True]
    assert 1 in recent, "used again, so it stays"
    assert 2 not in recent
    recent.discard(1)
    recent.discard(1)
    assert recent.add(1)


# --- commands and rights ------------------------------------------------------------------------------


def all_commands(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Commands, groups and options as Discord gets them, one flat list."""
    found = []
    for command in listed:
        found.append(command)
        found += all_commands(command.get("options", []))
    return found


async def test_every_command_is_synced_and_described(stage: Stage) -> None:
    sent = [r.json for r in stage.env.http_requests if r.method == "PUT" and r.path.endswith("/commands")]
    assert len(sent) == 1
    assert isinstance(sent[0], list)
    names = {command["name"] for command in sent[0]}
    wanted = "games play move ask match replay matches learn ranking settings help server moderate"
    wanted += " tournament"
    menus = {"Play this", "Import record"}
    people = {"Block"}
    assert names == {*wanted.split(), *menus, *people}
    for command in sent[0]:
        bound = command["name"] in ("server", "moderate", "tournament")
        assert command["contexts"] == ([0] if bound else [0, 1, 2])
        assert command["integration_types"] == ([0] if bound else [0, 1])
    manage = str(discord.Permissions(manage_guild=True).value)
    (server,) = [one for one in sent[0] if one["name"] == "server"]
    assert str(server["default_member_permissions"]) == manage
    assert {command["name"] for command in sent[0] if command["type"] == 3} == menus
    assert {command["name"] for command in sent[0] if command["type"] == 2} == people
    for command in all_commands([one for one in sent[0] if one["type"] == 1]):
        assert re.fullmatch(r"[a-z0-9_-]{1,32}", command["name"])
        assert 1 <= len(command["description"]) <= 100
        assert not command["description"].startswith("bot."), command
    keys = {game.key for game in registry.all_games()}
    games = [c for c in all_commands(sent[0]) if c["name"] == "game" and c.get("required")]
    assert len(games) == 2
    for game in games:
        assert {choice["value"] for choice in game["choices"]} == keys


async def test_an_unchanged_list_is_not_sent_again(stage: Stage) -> None:
    def syncs() -> int:
        return sum(r.method == "PUT" and r.path.endswith("/commands") for r in stage.env.http_requests)

    stage.config = Config(token="", data=stage.path)
    before = syncs()
    await stage.restart()
    await stage.restart()
    assert syncs() == before


def test_as_little_as_possible_is_asked_for(tmp_path: Path) -> None:
    plain_ones = intents(Config())
    assert {name for name, on in plain_ones if on} == {"guilds", "guild_messages", "dm_messages"}
    assert {name for name, on in intents(Config(message_content=True)) if on} - {
        name for name, on in plain_ones if on
    } == {"message_content"}
    assert {name for name, on in INVITE if on} == {
        "read_messages",
        "send_messages",
        "attach_files",
        "read_message_history",
        "create_public_threads",
        "send_messages_in_threads",
    }
    bot = make_bot(tmp_path / "x.sqlite3", Config(), FakeEntropy())
    assert bot.allowed_mentions is not None
    assert not any(bot.allowed_mentions.to_dict().values())
    assert not bot.cached_messages
