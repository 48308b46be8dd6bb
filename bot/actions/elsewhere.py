"""Answers where the bot isn't a member: a person there has installed it for themselves."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from bot.platform.user_install import offered_link
from games.engine.message import msg


def friends_line(ctx: Context, reader: Reader) -> str:
    """Return a line that says how others there can use the bot too; empty if they can't."""
    link = offered_link(ctx.discord.client.application)
    return "" if link is None else f"\n{reader.say(msg('bot.elsewhere.friends', link=link))}"


async def respond_opened_elsewhere(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str, reader: Reader
) -> None:
    """Deliver a lobby that was opened in direct messages, and say whether it arrived."""
    await ctx.delivery.finish(match_id)
    sent = await ctx.service.queries.row(match_id)
    if sent is not None and sent.lobby.message is not None:
        text = reader.say(msg("bot.elsewhere.play", match=match_id)) + friends_line(ctx, reader)
    else:
        text = reader.say(msg("bot.elsewhere.unsent", match=match_id))
    await respond_privately(interaction, Outgoing(text))
