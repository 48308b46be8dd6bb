"""What operators read about unexpected errors, and everyone about a planned pause of the bot."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.messages.names import as_code
from bot.platform.maintenance import Pause
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.store.operation import ErrorGroup

_MAX_PLACE = 100


def error_lines(groups: Sequence[ErrorGroup], reader: Reader) -> list[str]:
    """Return a line about each group."""
    return [
        reader.say(
            msg(
                "bot.errors.line",
                place=as_code(one.place, _MAX_PLACE),
                kind=as_code(one.kind),
                n=one.count,
                relative=discord.utils.format_dt(one.latest, "R"),
            )
        )
        for one in groups
    ]


def new_errors_text(groups: Sequence[ErrorGroup], more: int, reader: Reader) -> str:
    """Return the message about new groups, and about the number of those that aren't shown."""
    lines = [reader.say(msg("bot.errors.new", n=len(groups) + more)), *error_lines(groups, reader)]
    if more:
        lines.append(reader.say(msg("bot.errors.more", n=more)))
    return "\n".join(lines)


def maintenance_line(pause: Pause, reader: Reader) -> str:
    """Return the line about a pause, in small print."""
    when = discord.utils.format_dt(pause.at, "f")
    return "-# " + reader.say(msg("bot.maintenance.line", when=when, n=pause.minutes))


def with_line(text: str, pause: Pause | None, reader: Reader) -> str:
    """Return a text with the line about a pause below it, if one is planned."""
    return text if pause is None else "\n".join(filter(None, (text, maintenance_line(pause, reader))))
