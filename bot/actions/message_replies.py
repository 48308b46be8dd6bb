"""Reply to messages, without a ping."""

from __future__ import annotations

import discord

from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.platform.corrections import Correction


async def reply(
    ctx: Context, message: discord.Message, answer: str | Outgoing, correction: Correction | None = None
) -> None:
    """Reply to a message without a ping, now or once Discord takes it; `correction` is told of the reply."""
    outgoing = Outgoing(answer) if isinstance(answer, str) else answer
    await ctx.answer(message.channel, message.to_reference(fail_if_not_exists=False), outgoing, correction)
