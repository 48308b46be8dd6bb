"""Make names and texts of people safe to quote in our messages."""

from __future__ import annotations

import discord

_MAX_NAME = 32


def plain_name(name: str) -> str:
    """Return a name on one line, shortened, for places without markdown such as menus and files."""
    return " ".join(name.split())[:_MAX_NAME]


def escaped_name(name: str) -> str:
    """Return a name as `plain_name`, escaped for messages: no markdown, mention or link in it works."""
    flat = discord.utils.escape_mentions(plain_name(name))
    escaped = discord.utils.escape_markdown(flat, ignore_links=False)
    return escaped.replace("<", "\\<").replace("://", ":\\//")


def as_code(text: str, most: int = 40) -> str:
    """Return a typed text to put between backticks: on one line, without backticks, at most `most` long."""
    return " ".join(text.replace("`", "'").split())[:most]
