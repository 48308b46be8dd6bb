"""The configuration of the process, read once from the environment and `.env`; wrong values are refused."""

from __future__ import annotations

import base64
import binascii
import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from dotenv import dotenv_values

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_FORMATS = ("text", "json")

_LONGEST_LINK = 150
_NOT_IN_LINKS = frozenset(" <>()[]`|*\\\"'")
"""What would end a link in a message, or format it. Addresses have such characters as %XX."""
_WEBHOOK = re.compile(
    r"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{1,20}/[\w-]{20,200}",
    re.ASCII,
)
_MOST_SHARDS = 10_000
_MOST_PROCESSES = 64

OF_PROCESS, OF_SUPERVISOR = "_DOMINIUM_PROCESS", "_DOMINIUM_SUPERVISOR"
"""By which a supervisor passes a process its number, and the file descriptor of their socket."""

DATABASE_URLS = ("postgresql://", "postgres://")
"""How the URL of a PostgreSQL database may begin."""


def default_thinkers() -> int:
    """Return the number of worker processes to have: one for two cores, at least one."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        cores = os.cpu_count() or 1
    return max(1, cores // 2)


class ConfigError(ValueError):
    """Raised for a setting that can't be used; the text names it and what to write instead."""


@dataclass(frozen=True, slots=True)
class Config:
    """All that an operator can set; `.env.example` explains each setting."""

    token: str = field(default="", repr=False)
    data: Path = Path("data/dominium.sqlite3")
    database_url: str = field(default="", repr=False)
    """A PostgreSQL database to use instead of the file `data`; it may have a password."""
    tables: Path | None = None
    """Folder of the tables of exact values; None for the folder of the database."""
    message_content: bool = False
    language: str = "en"
    theme: str = "classic"
    lobby_hours: int = 24
    log_level: str = "INFO"
    log_format: str = "text"
    metrics: tuple[str, int] | None = None
    """IP address and port on which metrics and health are served; None to serve none."""
    backups: Path | None = None
    """Folder of the backups; None for `backups` beside the database."""
    forget_servers_days: int = 90
    """Days after which a server that the bot has left is forgotten; 0 for never."""
    support_link: str = ""
    """Where people find help with this bot; empty to show none. The same for the two that follow."""
    privacy_link: str = ""
    terms_link: str = ""
    error_webhook: str = field(default="", repr=False)
    """The Discord webhook where operators are notified of new kinds of errors; its end is a secret."""
    shards: int = 1
    """Number of shards of the gateway; 0 for as many as Discord recommends."""
    shard_ids: tuple[int, ...] = ()
    """The shards that this machine serves while others serve the rest; empty for all."""
    processes: int = 1
    """Number of processes that share the shards on this machine."""
    process: int | None = None
    """The number of this process among those; None if it is the only one, or their supervisor."""
    supervisor: int | None = None
    """The file descriptor of the socket by which this process and its supervisor hear of each other."""
    thinkers: int = field(default_factory=default_thinkers)
    """Number of worker processes that think for computers; 0 lets them think in threads, for a short time."""
    answer_seconds: int = 2
    """Least number of seconds that a computer takes to answer."""
    sandbox_host: str = "127.0.0.1"
    sandbox_port: int | None = None
    """Port of the sandbox, 0 for any free one; None for the usual one, or the next one that is free."""
    discord_api: str = ""
    """Base URL of a Discord on loopback, for tests; empty for the real one."""
    silence_seconds: int = 60
    """Nobody could play if this passed without a beat; longer where a simulated Discord jumps in time."""
    always_sync: bool = False
    """Send the command list at every start, even unchanged: a simulated Discord forgets it."""

    @property
    def store(self) -> Path | str:
        """Where matches are kept: the URL of a PostgreSQL database if there is one, else the file."""
        return self.database_url or self.data

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve a part of the shards."""
        return bool(self.shard_ids) or self.process is not None

    def own_shards(self, count: int) -> set[int]:
        """Return which of `count` shards this process prefers to serve. Raises ConfigError."""
        if self.shard_ids and max(self.shard_ids) >= count:
            raise ConfigError(
                f"SHARD_IDS names shard {max(self.shard_ids)} of {count}: they are numbered from 0"
            )
        own = self.shard_ids or tuple(range(count))
        return set(own if self.process is None else own[self.process :: self.processes])

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must be in no log: token, webhook, and the database's password, as written and as meant."""
        password = urlsplit(self.database_url).password if self.database_url else None
        webhook = self.error_webhook, self.error_webhook.rpartition("/")[2]
        return (self.token, *webhook, *((self.database_url, password, unquote(password)) if password else ()))

    @property
    def table_folder(self) -> Path:
        """The folder to search for tables of exact values."""
        return self.tables or self.data.parent

    @property
    def backup_folder(self) -> Path:
        """The folder in which backups are kept."""
        return self.backups or self.data.parent / "backups"


def _flag(name: str, text: str) -> bool:
    word = text.strip().casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ConfigError(f"{name} is {text!r}: write yes or no")


def _number(name: str, text: str, low: int, high: int) -> int:
    try:
        value = int(text.strip())
    except ValueError:
        raise ConfigError(f"{name} is {text!r}: write a whole number") from None
    if not low <= value <= high:
        raise ConfigError(f"{name} is {value}: it must lie between {low} and {high}")
    return value


def _one_of(name: str, text: str, choices: tuple[str, ...], fold: str) -> str:
    word = text.strip().upper() if fold == "upper" else text.strip().lower()
    if word not in choices:
        raise ConfigError(f"{name} is {text!r}: choose one of {', '.join(choices)}")
    return word


def _database_url(text: str) -> str:
    # The value isn't repeated: it may have a password.
    if text and not text.startswith(DATABASE_URLS):
        raise ConfigError(
            "DATABASE_URL must begin with postgresql://, or stay empty to keep matches in DOMINIUM_DATA"
        )
    return text


def _link(name: str, text: str) -> str:
    """Return a web address that can stand in a message, or an empty text."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    printable = text.isascii() and text.isprintable() and not _NOT_IN_LINKS & frozenset(text)
    if not host or not printable or parts.scheme != "https" or "@" in parts.netloc:
        raise ConfigError(f"{name} isn't a web address: write one such as https://example.org/help")
    if len(text) > _LONGEST_LINK:
        raise ConfigError(f"{name} has {len(text)} characters: the limit is {_LONGEST_LINK}")
    return text


def _webhook(text: str) -> str:
    # The value isn't repeated: anyone who knows it can post there.
    if text and _WEBHOOK.fullmatch(text) is None:
        raise ConfigError(
            "DOMINIUM_ERROR_WEBHOOK isn't the address of a Discord webhook: copy it from a channel's "
            "settings (Integrations, Webhooks); it begins with https://discord.com/api/webhooks/"
        )
    return text


def _shards(text: str) -> int:
    return 0 if text.strip().lower() == "auto" else _number("SHARDS", text, 1, _MOST_SHARDS)


def _shard_ids(text: str) -> tuple[int, ...]:
    """Return the numbers in a list as `0,1` or `0-3,7`."""
    found: set[int] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        first, dash, last = part.partition("-")
        low = _number("SHARD_IDS", first, 0, _MOST_SHARDS - 1)
        found.update(range(low, (_number("SHARD_IDS", last, low, _MOST_SHARDS - 1) if dash else low) + 1))
    return tuple(sorted(found))


def _listen(name: str, text: str) -> tuple[str, int] | None:
    """Return an IP address and a port; a bare port is one of loopback. None for an empty text."""
    if not text:
        return None
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise ConfigError(
            f"{name} is {text!r}: write a port such as 9464, or an IP address and a port such as 0.0.0.0:9464"
        ) from None
    return host, _number(name, port, 0, 65535)


@dataclass(frozen=True, slots=True)
class ReadSetting:
    """The text of a setting, and where it was read."""

    text: str = field(repr=False)
    source: Literal["environment", "file", "default"]


def load_config(
    environment: Mapping[str, str], dotenv: Path | None = None, read: dict[str, ReadSetting] | None = None
) -> Config:
    """Read the configuration from the environment, then from a `.env` file. Raises ConfigError.

    Each setting that is asked for is noted in `read`, if given.
    """
    values: dict[str, str] = {}
    if dotenv is not None and dotenv.is_file():
        try:
            found = dotenv_values(dotenv)
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{dotenv} can't be read: {error}") from error
        values.update({key: value for key, value in found.items() if value is not None})
    values.update(environment)

    def text(name: str, default: str) -> str:
        given = values.get(name, "").strip()
        if read is not None:
            source: Literal["environment", "file"] = "environment" if name in environment else "file"
            read[name] = ReadSetting(given or default, source if given else "default")
        return given or default

    base = Config()
    processes = _number("PROCESSES", text("PROCESSES", "1"), 1, _MOST_PROCESSES)
    shard_ids = _shard_ids(text("SHARD_IDS", ""))
    number, fd = text(OF_PROCESS, ""), text(OF_SUPERVISOR, "")
    port = text("DOMINIUM_SANDBOX_PORT", "")
    if (processes > 1 or shard_ids) and not text("DATABASE_URL", ""):
        raise ConfigError(
            "PROCESSES and SHARD_IDS let several processes share one database, which takes PostgreSQL: set "
            "DATABASE_URL, or leave them out"
        )
    return Config(
        token=text("DISCORD_TOKEN", ""),
        data=Path(text("DOMINIUM_DATA", str(base.data))).expanduser(),
        database_url=_database_url(text("DATABASE_URL", "")),
        tables=Path(tables).expanduser() if (tables := text("DOMINIUM_TABLES", "")) else None,
        message_content=_flag("DOMINIUM_MESSAGE_CONTENT", text("DOMINIUM_MESSAGE_CONTENT", "no")),
        language=text("DOMINIUM_LANGUAGE", base.language),
        theme=text("DOMINIUM_THEME", base.theme),
        lobby_hours=_number("DOMINIUM_LOBBY_HOURS", text("DOMINIUM_LOBBY_HOURS", "24"), 1, 24 * 30),
        log_level=_one_of("DOMINIUM_LOG_LEVEL", text("DOMINIUM_LOG_LEVEL", "INFO"), _LEVELS, "upper"),
        log_format=_one_of("DOMINIUM_LOG_FORMAT", text("DOMINIUM_LOG_FORMAT", "text"), _FORMATS, "lower"),
        metrics=_listen("DOMINIUM_METRICS", text("DOMINIUM_METRICS", "")),
        backups=Path(backups).expanduser() if (backups := text("DOMINIUM_BACKUPS", "")) else None,
        forget_servers_days=_number(
            "DOMINIUM_FORGET_SERVERS_AFTER", text("DOMINIUM_FORGET_SERVERS_AFTER", "90"), 0, 3650
        ),
        support_link=_link("DOMINIUM_SUPPORT_LINK", text("DOMINIUM_SUPPORT_LINK", "")),
        privacy_link=_link("DOMINIUM_PRIVACY_LINK", text("DOMINIUM_PRIVACY_LINK", "")),
        terms_link=_link("DOMINIUM_TERMS_LINK", text("DOMINIUM_TERMS_LINK", "")),
        error_webhook=_webhook(text("DOMINIUM_ERROR_WEBHOOK", "")),
        shards=_shards(text("SHARDS", "1")),
        shard_ids=shard_ids,
        processes=processes,
        process=_number(OF_PROCESS, number, 0, processes - 1) if number else None,
        supervisor=_number(OF_SUPERVISOR, fd, 0, 2**20) if fd else None,
        thinkers=_number("DOMINIUM_THINKERS", text("DOMINIUM_THINKERS", str(base.thinkers)), 0, 64),
        answer_seconds=_number(
            "DOMINIUM_ANSWER_SECONDS", text("DOMINIUM_ANSWER_SECONDS", str(base.answer_seconds)), 0, 10
        ),
        sandbox_host=text("DOMINIUM_SANDBOX_HOST", base.sandbox_host),
        sandbox_port=_number("DOMINIUM_SANDBOX_PORT", port, 0, 65535) if port else None,
        discord_api=text("DOMINIUM_DISCORD_API", ""),
    )


def application_id(token: str) -> int:
    """Return the id of the application that a token belongs to.

    Discord, "Authentication": three parts joined by dots, the first is the application's id in base64.

    Raises ValueError, saying why but without the text, if it can't be a token.
    """
    if any(char.isspace() or char in "\"'" for char in token) or token.casefold().startswith("bot "):
        raise ValueError("it contains spaces or quotes, or begins with Bot")
    parts = token.split(".")
    try:
        owner = base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4))
    except (binascii.Error, ValueError):
        owner = b""
    if len(parts) != 3 or not owner.isdigit() or not parts[2]:
        raise ValueError("it doesn't have the shape of a bot's token")
    return int(owner)
