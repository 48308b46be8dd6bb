"""People whom a person blocks: no lobbies with them, no invitations. Who is blocked isn't notified."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.context import Context
from bot.messages.buttons import NO_MATCH
from bot.messages.components import PEOPLE, Call, CallMenu, CallPeople, Component
from bot.messages.names import plain_name
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICES
from games.engine.message import Msg, msg
from matches.store.moderation import MAX_BLOCKED


async def blocks_panel(
    ctx: Context, interaction: discord.Interaction[Any], note: Msg | None = None
) -> Outgoing:
    """Return whom a person blocks, with menus to block someone else and to stop blocking someone."""
    say = (await ctx.readers.of(interaction)).say
    blocked = await ctx.store.blocked_by(interaction.user.id)
    shown = tuple(f"<@{user}>" for user in blocked[:MAX_CHOICES])
    lines = [] if note is None else [say(note)]
    lines.append(say(msg("bot.blocks.list", n=len(blocked), who=shown) if shown else msg("bot.blocks.none")))
    if len(blocked) > len(shown):
        lines.append(say(msg("bot.blocks.more", n=len(blocked) - len(shown))))
    lines.append("-# " + say(msg("bot.blocks.how")))
    items: list[Component] = [CallPeople.make(Call("block", NO_MATCH, 0), say(msg("bot.blocks.pick")), 1)]
    if shown:
        options = [
            discord.SelectOption(label=_name(ctx, interaction, user), value=str(user))
            for user in blocked[:MAX_CHOICES]
        ]
        items.append(CallMenu.make(Call("unblock", NO_MATCH, 0), options, say(msg("bot.blocks.pick_off"))))
    return Outgoing("\n".join(lines), (), tuple(items))


def _name(ctx: Context, interaction: discord.Interaction[Any], user: int) -> str:
    member = None if interaction.guild is None else interaction.guild.get_member(user)
    known = member or ctx.discord.client.get_user(user)
    return str(user) if known is None else plain_name(known.display_name)


async def block(ctx: Context, by: int, other: discord.User | discord.Member) -> Msg:
    """Let a person block another, and return what to say."""
    if other.id == by or other.bot:
        return msg("bot.blocks.self" if other.id == by else "bot.blocks.bot")
    done = await ctx.store.block(by, other.id, ctx.clock.now(), MAX_BLOCKED)
    return msg("bot.blocks.done", who=f"<@{other.id}>") if done else msg("bot.blocks.full", n=MAX_BLOCKED)


@on("blocks")
async def show(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a person whom they block."""
    await respond_privately(interaction, await blocks_panel(ctx, interaction))


@on("block")
async def add(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Block the person that is chosen."""
    chosen = interaction.extras.get(PEOPLE, ())
    note = await block(ctx, interaction.user.id, chosen[0]) if chosen else None
    await edit_in_place(interaction, await blocks_panel(ctx, interaction, note))


@on("unblock")
async def remove(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Stop blocking the person that is chosen; once more changes nothing."""
    note = None
    if call.values and call.values[0].isdecimal():
        await ctx.store.unblock(interaction.user.id, int(call.values[0]))
        note = msg("bot.blocks.ended", who=f"<@{call.values[0]}>")
    await edit_in_place(interaction, await blocks_panel(ctx, interaction, note))
