"""Judge where a match can be played: the kind of channel, and what the bot may do there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread

from bot.actions.interaction_responses import defer, respond_privately
from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.platform.application import offered_link
from bot.platform.permissions import (
    PlaceKind,
    kind_of,
    missing_permissions,
    own_permissions,
    permission_request,
    permissions_in,
    place_kind,
    post_tags,
)
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """A channel that a match is to be played in, and what the bot may do there."""

    channel: int
    kind: PlaceKind
    have: discord.Permissions
    parent: int | None = None
    """The channel that a thread belongs to: its permissions are set there."""

    @property
    def settings(self) -> int:
        """The channel whose settings count: a thread's parent, or the channel itself."""
        return self.parent or self.channel


def this_place(interaction: discord.Interaction[Any]) -> MatchPlace | None:
    """Return the channel that an interaction comes from; None if Discord doesn't say."""
    if interaction.channel_id is None:
        return None
    parent = interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None
    return MatchPlace(interaction.channel_id, kind_of(interaction), own_permissions(interaction), parent)


def chosen_place(
    interaction: discord.Interaction[Any], chosen: AppCommandChannel | AppCommandThread
) -> MatchPlace:
    """Return a channel that was chosen in a command."""
    guild = interaction.guild
    known = None if guild is None else guild.get_channel_or_thread(chosen.id)
    have = discord.Permissions.none()
    if guild is not None and known is not None:
        have = permissions_in(known, guild.me)
    parent = chosen.parent_id if isinstance(chosen, AppCommandThread) else None
    return MatchPlace(chosen.id, place_kind(chosen.type), have, parent)


def may_choose(chosen: AppCommandChannel | AppCommandThread) -> bool:
    """Return whether the person who chose a channel can write there themselves."""
    rights, kind = chosen.permissions, place_kind(chosen.type)
    write = rights.send_messages_in_threads if kind == "thread" else rights.send_messages
    return rights.administrator or (rights.view_channel and write)


async def why_not_here(
    ctx: Context, interaction: discord.Interaction[Any], place: MatchPlace, *, threads: bool = False
) -> Msg | None:
    """Return why no match can be played in a channel, with what would help; None if one can.

    `threads` means that the match is to have a thread of its own.
    """
    if interaction.guild_id is None:
        return None
    if place.kind in ("media", "other"):
        return msg(f"bot.play.{place.kind}", place=f"<#{place.channel}>")
    if lacking := missing_permissions(place.have, place.kind, threads=threads):
        return permission_request(interaction, lacking, place.settings)
    if place.kind == "thread" and not await _can_reach(ctx, interaction, place):
        return msg("bot.play.private", place=f"<#{place.channel}>")
    return None


@dataclass(frozen=True, slots=True)
class LobbyPlace:
    """Where a lobby opens, and whether its match gets a thread of its own."""

    at: MatchPlace
    use_thread: bool


async def lobby_place(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: str,
    settings: Mapping[str, Any],
    chosen: AppCommandChannel | AppCommandThread | None = None,
) -> LobbyPlace | Msg:
    """Return where a person's lobby opens, here or in a chosen channel, or why it can't.

    `settings` are those of the server.
    """
    at = this_place(interaction) if chosen is None else chosen_place(interaction, chosen)
    if at is None:
        return msg("bot.play.nowhere")
    in_server = interaction.guild_id is not None
    use_thread = in_server and settings.get("place") != "channel" and at.kind == "channel"
    allowed = settings.get("channels") or []
    if allowed and at.channel not in allowed and at.parent not in allowed:
        return msg("bot.play.channel", places=tuple(f"<#{channel}>" for channel in allowed[:10]))
    if chosen is not None and not may_choose(chosen):
        return msg("bot.play.closed", place=f"<#{at.channel}>")
    if (why := await why_not_here(ctx, interaction, at, threads=use_thread)) is not None:
        return why
    if at.kind == "forum" and (why := why_no_post(ctx, interaction, at, game)) is not None:
        return why
    here = await ctx.service.queries.live_in(at.channel)
    if here and not use_thread and in_server:
        return msg("bot.play.busy", match=here[0].id)
    return LobbyPlace(at, use_thread)


def missing_for_start(place: MatchPlace, *, threads: bool) -> tuple[str, ...]:
    """Return the permissions without which the boards of an open lobby's match couldn't be posted.

    If only the thread can't be made, the match is played in the channel.
    """
    lacking = missing_permissions(place.have, place.kind, threads=threads)
    if "create_public_threads" in lacking:
        lacking = missing_permissions(place.have, place.kind)
    return lacking


async def _can_reach(ctx: Context, interaction: discord.Interaction[Any], place: MatchPlace) -> bool:
    """Return whether we can write in a thread as far as membership goes: a private one is for its members.

    Discord sends us no private thread that we aren't in.
    """
    if place.have.manage_threads or place.have.administrator:
        return True
    guild = interaction.guild
    if guild is not None and guild.get_thread(place.channel) is not None:
        return True
    try:
        await ctx.discord.client.fetch_channel(place.channel)
    except (discord.Forbidden, discord.NotFound):
        return False
    return True


def why_no_post(
    ctx: Context, interaction: discord.Interaction[Any], place: MatchPlace, game: str
) -> Msg | None:
    """Return why the lobby of a game can't be posted in a forum: it needs a tag that we can't set."""
    guild = interaction.guild
    forum = None if guild is None else guild.get_channel(place.channel)
    title = ctx.readers.default.say(msg(f"{game}.title"))
    if not isinstance(forum, discord.ForumChannel):
        return None
    if post_tags(forum, (title, game), moderator=place.have.manage_threads) is not None:
        return None
    return msg("bot.play.tag", place=f"<#{place.channel}>", game=title)


def friends_line(ctx: Context, reader: Reader) -> str:
    """Return a line about how others there can use the bot too; empty if they can't."""
    link = offered_link(ctx.discord.client.application)
    return "" if link is None else f"\n{reader.say(msg('bot.elsewhere.friends', link=link))}"


def _lobby_opened(row: MatchRow) -> Msg:
    """Return the message that a lobby is open, and in which channel."""
    if row.place.guild is None:
        return msg("bot.lobby.open_direct", match=row.id)
    return msg("bot.lobby.open", match=row.id, place=f"<#{row.lobby_channel}>")


async def respond_opened(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, note: Msg | None = None
) -> None:
    """Say privately that a lobby is open, with a link to it, and deliver it."""
    reader = await ctx.readers.of(interaction)
    if isinstance(ctx.discord.client.get_channel(row.lobby_channel), discord.ForumChannel):
        # The link is to the lobby's post, which has to be made first.
        await defer(interaction)
        await ctx.delivery.finish(row.id)
        await ctx.delivery.sent(row.id)
        row = await ctx.service.queries.row(row.id) or row
    text = reader.say(_lobby_opened(row)) + ("" if note is None else "\n-# " + reader.say(note))
    await respond_privately(interaction, Outgoing(text))
    await ctx.delivery.finish(row.id)


async def respond_opened_elsewhere(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str, reader: Reader
) -> None:
    """Deliver a lobby that was opened in direct messages, and say whether it arrived."""
    await ctx.delivery.finish(match_id)
    await ctx.delivery.sent(match_id)
    sent = await ctx.service.queries.row(match_id)
    if sent is not None and sent.lobby.message is not None:
        text = reader.say(msg("bot.elsewhere.play", match=match_id)) + friends_line(ctx, reader)
    else:
        text = reader.say(msg("bot.elsewhere.unsent", match=match_id))
    await respond_privately(interaction, Outgoing(text))
