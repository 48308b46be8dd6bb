"""Make names and texts of people safe to quote in our messages."""

from __future__ import annotations

import re

import discord

from games.engine.normalization import is_invisible

_MAX_NAME = 32
_BLANK = "\u2800"
"""A pattern of Braille without dots, of which some make a name."""
_DOT = re.compile(r"(?<=\w)\.(?=\w)")
"""A dot within a word. Without it Discord makes no invitation of `discord.gg/...`."""
_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Unicode's Bidi_Control characters: one of them can turn round the text that follows a name."""
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *_BIDI))


def on_one_line(text: str) -> str:
    """Return a text on one line, without control characters. Joiners stay: words and emoji need them."""
    return " ".join(" ".join(text.split()).translate(_CONTROLS).split())


def plain_name(name: str) -> str:
    """Return a name on one line, shortened, for places without markdown such as menus and files."""
    shown = on_one_line(name)[:_MAX_NAME]
    return shown if any(map(_is_seen, shown)) else "?"


def _is_seen(char: str) -> bool:
    return not (char.isspace() or char == _BLANK or is_invisible(char))


def escaped_name(name: str) -> str:
    """Return a name as `plain_name`, escaped for messages: no markdown, mention, link or invitation works."""
    return escaped_text(plain_name(name))


def escaped_text(text: str) -> str:
    """Return a text of people on one line, escaped for messages as `escaped_name`."""
    flat = discord.utils.escape_mentions(on_one_line(text))
    escaped = discord.utils.escape_markdown(flat, ignore_links=False)
    escaped = escaped.replace("<", "\\<").replace("://", ":\\//")
    return _DOT.sub("\\.", escaped)


def as_code(text: str, most: int = 40) -> str:
    """Return a typed text to put between backticks: on one line, without backticks, at most `most` long."""
    return on_one_line(text.replace("`", "'"))[:most]
