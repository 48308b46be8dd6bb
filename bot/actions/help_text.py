"""The text that answers `/help`, and a mention or direct message asking for help."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.elsewhere import friends_line
from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from bot.platform.readers import Reader
from bot.platform.user_install import offered_link
from games.engine import registry
from games.engine.message import msg


def help_text(ctx: Context, reader: Reader, *, here: bool = True, installed: bool = False) -> str:
    """Return how to play, which games there are, and how to install the bot for oneself.

    `here` says whether the bot is a member of the place. Elsewhere the reader has installed it already,
    and the text says what it can't do. The link isn't for those who have `installed` it.
    """
    games = tuple(msg(f"{game.key}.title") for game in registry.all_games())
    bare = msg("bot.help.bare") if ctx.config.message_content else msg("bot.help.no_bare")
    text = reader.say(msg("bot.help.text", bare=bare, games=games))
    if not here:
        return f"{text}\n{reader.say(msg('bot.help.elsewhere'))}{friends_line(ctx, reader)}"
    link = None if installed else offered_link(ctx.client.application)
    return text if link is None else f"{text}\n{reader.say(msg('bot.help.install', link=link))}"


def help_links(ctx: Context, reader: Reader) -> tuple[discord.ui.Button[Any], ...]:
    """Return buttons to support, privacy policy and terms, as far as the operator has set them.

    They are buttons because the text nearly fills a message.
    """
    config = ctx.config
    links = {"support": config.support_link, "privacy": config.privacy_link, "terms": config.terms_link}
    return tuple(
        discord.ui.Button(label=reader.say(msg(f"bot.help.{name}")), url=link)
        for name, link in links.items()
        if link
    )


@on("help")
async def show_help(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show how to play to the person who presses."""
    await respond_with_help(ctx, interaction)


async def respond_with_help(ctx: Context, interaction: discord.Interaction[Any]) -> None:
    """Answer `/help` and its button."""
    reader = await ctx.readers.of(interaction)
    here, installed = bot_is_there(interaction), interaction.is_user_integration()
    text = help_text(ctx, reader, here=here, installed=installed)
    await respond_privately(interaction, Outgoing(text, links=help_links(ctx, reader)))
