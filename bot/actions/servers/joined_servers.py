"""The servers that the bot is in: greeted once when it has joined, listed for its owner, and left.

A server is new if the bot became a member within a day; it may have been down meanwhile. That a server is
greeted is stored before anything is posted. So no outage, restart or second process greets it again, nor does
a return before the server is forgotten; what can't be posted then isn't posted later.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

import aiohttp
import discord

from bot.actions.handlers import ID, on
from bot.actions.interaction_responses import acknowledge, edit_in_place, respond_privately
from bot.context import Context
from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallButton
from bot.messages.front_panel import front_panel
from bot.messages.names import as_code, escaped_name
from bot.messages.outgoing import Outgoing
from bot.platform.application import is_owner
from bot.platform.permissions import missing_permissions, permissions_in
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.people.exclusions import MAX_ID
from matches.store.servers import ServerUse

PAGE: Final = 8
"""Servers of a page: a message has 2000 characters."""
log = logging.getLogger(__name__)
_NEW: Final = timedelta(days=1)


def read_id(typed: str) -> int | None:
    """Return the id of Discord that someone has typed; None if it isn't one."""
    named = typed.strip()
    return int(named) if named.isascii() and named.isdecimal() and 0 < int(named) <= MAX_ID else None


async def servers_panel(ctx: Context, reader: Reader, page: int = 0) -> Outgoing:
    """Return a page of the servers: those with most matches in progress first, then those used last.

    A process that works with others knows the names of its own servers, and of the others only what is in
    the store.
    """
    use = {one.guild: one for one in await ctx.store.server_use()}
    here = {guild.id: guild for guild in ctx.discord.guilds.all}
    known = [guild for guild in use if guild in here or not ctx.discord.guilds.serves(guild)]
    listed = [*known, *(guild for guild in here if guild not in use)]
    pages = max(1, -(-len(listed) // PAGE))
    page = min(page, pages - 1)
    shown = listed[page * PAGE : (page + 1) * PAGE]
    lines = [
        reader.say(msg("bot.servers.head", n=len(listed))),
        *(reader.say(_line(guild, here.get(guild), use.get(guild))) for guild in shown),
    ]
    if len(ctx.discord.guilds.shards.held) < ctx.discord.guilds.shards.count:
        lines.append("-# " + reader.say(msg("bot.servers.others")))
    items: tuple[CallButton, ...] = ()
    if pages > 1:
        lines.append("-# " + reader.say(msg("bot.servers.page", at=page + 1, n=pages)))
        items = tuple(
            CallButton.make(
                Call("servers", NO_MATCH, to, key),
                reader.say(msg(f"bot.button.{key}")),
                disabled=not 0 <= to < pages,
            )
            for key, to in (("previous", page - 1), ("next", page + 1))
        )
    return Outgoing("\n".join(lines), items=items)


def _line(guild: int, there: discord.Guild | None, use: ServerUse | None) -> Msg:
    live = 0 if use is None else use.live
    if there is None:
        return msg("bot.servers.elsewhere", id=str(guild), n=live)
    count = there.member_count
    text = msg("bot.servers.unknown") if count is None else msg("bot.servers.members", n=count)
    if use is not None:
        text = msg("bot.servers.used", text=text, when=discord.utils.format_dt(use.latest, "d"))
    joined = there.me.joined_at
    since = "?" if joined is None else discord.utils.format_dt(joined, "d")
    return msg(
        "bot.servers.line", id=str(guild), name=escaped_name(there.name), n=live, text=text, since=since
    )


async def leave_panel(ctx: Context, reader: Reader, typed: str) -> Outgoing:
    """Return the question whether to leave a server; or why that can't be."""
    if (guild := read_id(typed)) is None:
        return Outgoing(reader.say(msg("bot.operator.bad_id", id=as_code(typed))))
    if (there := await ctx.discord.guilds.find(guild)) is None:
        return Outgoing(reader.say(msg("bot.servers.none", id=str(guild))))
    live = next((one.live for one in await ctx.store.server_use() if one.guild == guild), 0)
    text = reader.say(msg("bot.servers.ask", name=escaped_name(there.name), id=str(guild), n=live))
    call = Call("server_leave", NO_MATCH, 0, str(guild))
    return Outgoing(text, items=(CallButton.make(call, reader.say(msg("bot.servers.leave")), STYLE.danger),))


@on("servers")
async def turn_page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page of the list."""
    if (reader := await _owner(ctx, interaction)) is not None:
        await acknowledge(interaction)
        await edit_in_place(interaction, await servers_panel(ctx, reader, max(0, call.seq)))


@on("server_leave", arg=ID)
async def leave(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Leave the server. What follows is done when Discord reports it, as after someone removes the bot."""
    if (reader := await _owner(ctx, interaction)) is None:
        return
    await acknowledge(interaction)
    guild = int(call.arg)
    there = await ctx.discord.guilds.find(guild)
    result = msg("bot.servers.none", id=call.arg)
    if there is not None:
        await there.leave()
        result = msg("bot.servers.left", name=escaped_name(there.name), id=call.arg)
    await edit_in_place(interaction, Outgoing(reader.say(result)))


async def _owner(ctx: Context, interaction: discord.Interaction[Any]) -> Reader | None:
    """Return the reader of the owner; refuse anyone else, and return None."""
    reader = await ctx.readers.of(interaction)
    if is_owner(ctx.discord.client, interaction.user.id):
        return reader
    await respond_privately(interaction, Outgoing(reader.say(msg("bot.status.owner"))))
    return None


async def greet(ctx: Context, guild: discord.Guild) -> None:
    """Greet a server if it is new. Raises StoreError."""
    me: discord.Member | None = guild.me
    now = ctx.clock.now()
    if me is None or me.joined_at is None or now - me.joined_at > _NEW:
        return  # not new, or it has removed us meanwhile
    if not await ctx.store.claim_greeting(guild.id, now):
        return
    reader = await ctx.readers.public(guild.id)
    panel = await front_panel(ctx.presenter, reader, reader.say(msg("front.manage")))
    for channel in _channels(guild, me):
        try:
            await channel.send(**panel.fields())
        except discord.Forbidden:
            continue  # it was closed to us meanwhile
        except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
            log.info("a server isn't greeted", extra={"guild": guild.id, "error": repr(error)})
        return


def _channels(guild: discord.Guild, me: discord.Member) -> Iterator[discord.TextChannel]:
    """Yield the channels in which we may post: that of the server's own news first, then from the top."""
    system = guild.system_channel
    listed = (() if system is None else (system,), (each for each in guild.text_channels if each != system))
    for channel in (each for part in listed for each in part):
        if not missing_permissions(permissions_in(channel, me), "channel"):
            yield channel
