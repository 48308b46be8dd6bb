"""What people read about a planned pause of the bot: one line, which pings nobody."""

from __future__ import annotations

import discord

from bot.platform.maintenance import Pause
from bot.platform.readers import Reader
from games.engine.message import msg


def maintenance_line(pause: Pause, reader: Reader) -> str:
    """Return the line about a pause, in small print."""
    when = discord.utils.format_dt(pause.at, "f")
    return "-# " + reader.say(msg("bot.maintenance.line", when=when, n=pause.minutes))


def with_line(text: str, pause: Pause | None, reader: Reader) -> str:
    """Return a text with the line about a pause below it, if one is planned."""
    return text if pause is None else "\n".join(filter(None, (text, maintenance_line(pause, reader))))
