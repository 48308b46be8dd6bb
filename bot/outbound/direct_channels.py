"""Remember where people write to us directly: what they write while we are away is read there.

Discord tells a new session nothing of direct messages, and limits how many of them a bot may open. So their
channel is remembered once a message was sent in it, ours or theirs.
"""

from __future__ import annotations

import discord

from bot.context import Context


async def note_direct(ctx: Context, user: int, message: discord.Message) -> bool:
    """Remember the channel of a person's direct messages; return whether they play in a live match.

    It is kept with the settings of people who do: with them it is shown, and forgotten.
    """
    made = await ctx.preferences.get("user", user)
    if "direct" in made and made["direct"][0] == message.channel.id:
        return True
    if not await ctx.store.by_user(user):
        return False
    await ctx.preferences.save("user", user, {**made, "direct": [message.channel.id, message.id]})
    return True
