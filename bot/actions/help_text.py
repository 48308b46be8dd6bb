"""The text that answers `/help`, and a mention or direct message asking for help."""

from __future__ import annotations

from bot.context import Context
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import msg


def help_text(ctx: Context, reader: Reader) -> str:
    """Return how to play, and which games there are."""
    games = tuple(msg(f"{game.key}.title") for game in registry.all_games())
    bare = msg("bot.help.bare") if ctx.config.message_content else msg("bot.help.no_bare")
    return reader.say(msg("bot.help.text", bare=bare, games=games))
