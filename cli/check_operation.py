"""Checks of `doctor` on how the bot is run: settings, PostgreSQL, metrics, health, logs, unit, backups.

Read-only, whether or not the bot runs. Settings are shown with where they come from, and without secrets.
"""

from __future__ import annotations

import errno
import ipaddress
import shlex
import socket
import urllib.error
import urllib.request
from collections.abc import Collection, Iterator, Mapping
from configparser import ConfigParser, Error
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.inbound.commands import COMMANDS_WAIT
from bot.platform.config import Config, ReadSetting
from cli.findings import Finding
from matches.ports import StoreError
from storage import stored_settings
from storage.postgres import require_driver

if TYPE_CHECKING:
    from storage.postgres.inspection import Inspection

UNIT = Path("/etc/systemd/system/dominium.service")
"""Where docs/self-hosting.md puts the unit."""
_SYSTEMD = Path("/run/systemd/system")
"""Exists while systemd runs the machine."""
_PATIENCE = 3.0
"""Seconds to wait for a bot that is asked whether it is ready."""
OLD = timedelta(days=2)
"""Age from which the newest backup is too old, where one is made every night."""
_ELSEWHERE = "Choose another port in DOMINIUM_METRICS, or stop the other program."


def logs(config: Config) -> Iterator[Finding]:
    """Say in which format the bot logs, and how much."""
    style = {"json": "one JSON object a line", "text": "text"}[config.log_format]
    yield Finding("ok", "logs", f"{style} on standard error, from {config.log_level} on")


def commands(store: Path | str) -> Iterator[Finding]:
    """Say whether Discord has the bot's list of commands, as far as the bot has noted."""
    try:
        noted = stored_settings(store, "guild", 0)
    except (StoreError, OSError):
        return  # another check reports what is wrong with the database
    if noted.get(COMMANDS_WAIT):
        text = "Discord hasn't taken the changed list of commands yet: people have the earlier one"
        advice = "The bot tries again by itself. If it goes on, look into its log, and restart the bot."
        yield Finding("warn", "commands", text, advice)
    elif "commands" in noted:
        yield Finding("ok", "commands", "Discord has the list as the bot last sent it")


def metrics(config: Config) -> Iterator[Finding]:
    """Check the address of metrics and health: whether it can be used, and who answers there."""
    if config.metrics is None:
        yield Finding("ok", "metrics", "off; DOMINIUM_METRICS=9464 serves them on this machine")
        return
    host, port = config.metrics
    place = f"{host} port {port}"
    address = ipaddress.ip_address(host)
    if port == 0:
        yield Finding(
            "warn", "metrics", "any free port: only the log says which", "Set a port, such as 9464."
        )
        return
    try:
        with closing(socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET)) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the bot's own server does
            probe.bind((host, port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            text = f"{place} can't be used: {error.strerror}"
            yield Finding("warn", "metrics", text, "Set an address of this machine in DOMINIUM_METRICS.")
            return
        yield _who_answers("::1" if host == "::" else "127.0.0.1" if host == "0.0.0.0" else host, port)  # noqa: S104 - compared only
    else:
        yield Finding("ok", "metrics", f"{place} is free; the bot isn't running with it now")
    if not address.is_loopback:
        text = f"{place} may be reached from other machines"
        yield Finding("warn", "metrics", text, "Let a firewall admit only your Prometheus, or use 127.0.0.1.")


def _who_answers(host: str, port: int) -> Finding:
    shown = f"[{host}]" if ":" in host else host
    try:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"http://{shown}:{port}/readyz", timeout=_PATIENCE) as answer:
            status, text = answer.status, answer.read(1000).decode(errors="replace")
    except urllib.error.HTTPError as error:
        with error:
            status, text = error.code, error.read(1000).decode(errors="replace")
    except (OSError, ValueError):
        status, text = 0, ""
    place = f"{host} port {port}"
    if status == 200 and text.startswith("dominium: "):
        return Finding("ok", "metrics", f"the bot answers on {place}, and is ready")
    if status == 503 and text.startswith("not ready: "):
        advice = "Look into its log. After a start this may take a minute."
        return Finding(
            "warn", "metrics", f"the bot answers on {place}: {'; '.join(text.split(chr(10))[:-1])}", advice
        )
    return Finding("warn", "metrics", f"{place} is used by another program", _ELSEWHERE)


def unit(path: Path = UNIT) -> Iterator[Finding]:
    """Check the systemd unit, where systemd runs the machine: it is there, and what it starts exists."""
    if not path.exists():
        if _SYSTEMD.exists():
            text = f"{path} doesn't exist"
            yield Finding(
                "ok", "unit", text, "To start the bot with the machine, copy deploy/dominium.service."
            )
        return
    read = ConfigParser(strict=False, interpolation=None, allow_no_value=True)
    try:
        read.read_string(path.read_text(encoding="utf-8"))
        command = shlex.split(read.get("Service", "ExecStart"))
    except (OSError, ValueError, Error) as error:
        text = f"{path} can't be read: {' '.join(str(error).split())}"
        yield Finding("warn", "unit", text, "Copy deploy/dominium.service again.")
        return
    program = Path(command[0].lstrip("-@:+!")) if command else Path()
    prevented = read.get("Service", "RestartPreventExitStatus", fallback="")
    if not program.is_file():
        advice = "Install the program there, or correct ExecStart."
        yield Finding("warn", "unit", f"{path} starts {program}, which doesn't exist", advice)
    elif "2" not in (prevented or "").split():
        text = f"{path} starts the bot again even if a setting is wrong"
        yield Finding("warn", "unit", text, "Add RestartPreventExitStatus=2 to its section Service.")
    else:
        yield Finding("ok", "unit", f"{path} starts {program}")


def backups(config: Config, now: datetime, *, of_server_since: datetime | None = None) -> Iterator[Finding]:
    """Check the newest backup: its age, and its size beside that of the database, if that is a file.

    Of a PostgreSQL database only files count that are as young as the database is.
    """
    folder, data = config.backup_folder, config.data
    if of_server_since is None and not data.exists():
        return
    advice = "Make one every night: dominium backup"
    if of_server_since is not None:
        advice += ". If the server is backed up by other means, all is well."
    since = 0.0 if of_server_since is None else of_server_since.timestamp()
    try:
        found = sorted(
            (entry.stat().st_mtime, entry.stat().st_size, entry.name)
            for entry in folder.glob("*.sqlite3")
            if entry.stat().st_mtime >= since
        )
    except OSError as error:
        yield Finding("warn", "backups", f"{folder} can't be read: {error.strerror}", advice)
        return
    if not found:
        yield Finding("warn", "backups", f"there is none of this database in {folder}", advice)
        return
    made, size, name = found[-1]
    age = max(timedelta(), now - datetime.fromtimestamp(made, UTC))
    text = f"{len(found)} in {folder}, {sum(each[1] for each in found) / 1e6:,.1f} MB; the newest is {name}, "
    text += f"{_how_old(age)}, {size / 1e6:,.1f} MB"
    if age > OLD:
        yield Finding("warn", "backups", text, advice)
    elif of_server_since is None and size < data.stat().st_size / 2:
        much = f"{text}, less than half as large as the database"
        yield Finding("warn", "backups", much, f"Check it: dominium doctor --logs --data {folder / name}")
    else:
        yield Finding("ok", "backups", text)


def _how_old(age: timedelta) -> str:
    hours = int(age.total_seconds() // 3600)
    return f"{age.days} days old" if age.days > 1 else f"{hours} h old" if hours else "less than 1 h old"


HIDDEN = "set, not shown"


def settings(read: Mapping[str, ReadSetting], dotenv: Path) -> Iterator[Finding]:
    """Show every setting that the program has read."""
    for name, one in read.items():
        if name.startswith("_"):
            continue  # what a supervisor passes to its processes
        where = {"environment": "from the environment", "file": f"from {dotenv}", "default": "by default"}
        yield Finding("ok", "setting", f"{name}: {_shown(name, one.text) or 'empty'}, {where[one.source]}")


def _shown(name: str, text: str) -> str:
    if not text:
        return ""
    if name == "DATABASE_URL":
        return shown_url(text)
    if "TOKEN" in name or "WEBHOOK" in name:
        return HIDDEN
    return shown_url(text) if "://" in text else text


def shown_url(url: str) -> str:
    """Return a URL without its password and options. One that may be meant otherwise isn't shown at all."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # a password with a slash looks like a port
        return HIDDEN
    before, at, _ = parts.netloc.rpartition("@")
    if "@" in url[url.index("://") + 3 + len(parts.netloc) :] or "@" in before:
        return HIDDEN
    user, colon, _ = before.partition(":")
    host = parts.hostname or ""
    shown = f"{parts.scheme}://{user}{':***' if colon else ''}{at}{f'[{host}]' if ':' in host else host}"
    shown += f":{port}" if port is not None else ""
    return f"{shown}{parts.path}{'?...' if parts.query or parts.fragment else ''}"


def look(url: str) -> Inspection | StoreError:
    """Return what the database of a URL is like, or the error if it can't be read."""
    try:
        require_driver()
        from storage.postgres.inspection import inspect_database

        return inspect_database(url)
    except StoreError as error:
        return error


def database(found: Inspection | StoreError) -> Iterator[Finding]:
    """Check that the database can be reached, is ours, fits the program, and has whole logs."""
    if isinstance(found, StoreError):
        yield Finding("fail", "database", str(found))
        return
    name = f"{found.name[:1].upper()}{found.name[1:]}"
    if found.wrong_logs:
        advice = "Stop the bot, keep the database, and restore the last backup."
        text = f"{name}: the logs of {found.wrong_logs} matches don't fit their rows"
        yield Finding("fail", "database", text, advice)
        return
    if not found.schema:
        yield Finding("ok", "database", f"{name}: PostgreSQL {found.server}, empty; the first start fills it")
        return
    if found.processes:
        yield _processes(found)
    steps = f", {found.missing} migrations run at the next start" if found.missing else ""
    yield Finding(
        "ok",
        "database",
        f"{name}: PostgreSQL {found.server}, {found.size / 1e6:,.1f} MB, schema {found.schema}{steps}",
    )


def _named(shards: Collection[int]) -> str:
    """Return `shard 0`, or `shards 0, 1`."""
    return f"shard{'s' * (len(shards) > 1)} {', '.join(map(str, shards))}"


def _processes(found: Inspection) -> Finding:
    served = "; ".join(
        f"{name} serves {_named(shards) if shards else 'none, and stands by'}"
        for name, shards in found.processes
    )
    if not found.unserved:
        return Finding("ok", "processes", served)
    advice = "Within some seconds another process takes them over. If not, read the logs of all processes."
    return Finding("warn", "processes", f"{served}; nobody serves {_named(found.unserved)}", advice)
