"""Reply to messages, without a ping."""

from __future__ import annotations

import logging

import discord

from bot.messages.outgoing import Outgoing

log = logging.getLogger(__name__)


async def reply(message: discord.Message, answer: str | Outgoing) -> discord.Message | None:
    """Reply to a message without a ping, and return the reply; None if Discord refuses."""
    outgoing = Outgoing(answer) if isinstance(answer, str) else answer
    reference = message.to_reference(fail_if_not_exists=False)
    try:
        return await message.channel.send(reference=reference, silent=True, **outgoing.fields())
    except discord.HTTPException as error:
        log.warning(
            "an answer could not be sent", extra={"channel": message.channel.id, "error": repr(error)}
        )
        return None
