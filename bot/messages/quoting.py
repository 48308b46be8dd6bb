"""Names and texts of people, made safe to stand in our messages."""

from __future__ import annotations

import discord

_MAX_NAME = 32


def plain(name: str) -> str:
    """Return a person's name on one line, shortened, for places that know no markdown."""
    return " ".join(name.split())[:_MAX_NAME]


def clean(name: str) -> str:
    """Return the same for messages: it makes no markdown, no mention and no link."""
    flat = discord.utils.escape_mentions(plain(name))
    escaped = discord.utils.escape_markdown(flat, ignore_links=False)
    return escaped.replace("<", "\\<").replace("://", ":\\//")


def as_code(text: str, most: int = 40) -> str:
    """Return a typed text that can stand between backticks: one line, and no way out of them."""
    return " ".join(text.replace("`", "'").split())[:most]
