"""What `doctor` says of the settings: each with its value and where it comes from, and without secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from bot.platform.config import ReadSetting
from cli.findings import Finding

HIDDEN = "set, not shown"


def settings(read: Mapping[str, ReadSetting], dotenv: Path) -> Iterator[Finding]:
    """Show every setting that the program has read."""
    for name, one in read.items():
        if name.startswith("_"):
            continue  # what a supervisor tells its processes
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
