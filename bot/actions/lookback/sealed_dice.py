"""Show the proof of fair dice: a match's full commitment, and once it is over the secret itself."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.actions.match_access import respond_unknown_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.dice import commitment
from games.engine.message import msg


@on("sealed")
async def sealed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the SHA-256 of the secret and how to check it; the secret itself only after the match."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_unknown_match(ctx, interaction, call.match)
        return
    reader = await ctx.readers.of(interaction)
    lines = [reader.say(msg("bot.sealed.text", match=row.id, commit=commitment(bytes.fromhex(row.secret))))]
    if row.status in ("over", "aborted") and not row.set_aside:
        lines.append(reader.say(msg("bot.sealed.secret", secret=row.secret)))
    await respond_privately(interaction, Outgoing("\n".join(lines)))
