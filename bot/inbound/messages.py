"""Take in messages that may be moves: replies, mentions, direct messages, and bare text in channels."""

from __future__ import annotations

import discord

from bot.actions.typed_message import TypedMessage
from bot.actions.typed_moves import submit_typed
from bot.context import Context
from bot.inbound.read_marks import ReadMarks
from bot.messages.components import Call, find_identifying_call
from bot.messages.outgoing import Outgoing
from bot.platform.recent import RecentKeys
from games.engine.message import msg


class Inbox:
    """Takes in messages, new or missed, and handles each one once."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.marks = ReadMarks()
        self.handled: RecentKeys[int] = RecentKeys(4096)
        self._edits: RecentKeys[int] = RecentKeys(1024)
        self._read: dict[int, int] = {}

    async def receive(self, message: discord.Message) -> None:
        """Handle a message; does nothing if it has been handled before."""
        ctx = self.ctx
        if message.author.bot or message.webhook_id is not None or ctx.client.user is None:
            return
        if message.type not in (discord.MessageType.default, discord.MessageType.reply):
            return
        if message.guild is not None:
            ctx.members.note_seen(message.guild.id, message.author.id)
        typed = await read_typed(ctx, message)
        if typed is None or not self.handled.add(message.id):
            return
        channel = message.channel.id
        self.marks.begin(channel, message.id)
        matters = message.guild is None
        try:
            matters |= await submit_typed(ctx, message, typed)
        finally:
            read = self.marks.end(channel, message.id)
            if read is not None and matters:
                self._read[channel] = read

    async def save_marks(self) -> None:
        """Store the read marks. After a crash the messages since the last call are read again."""
        while self._read:
            channel, message = self._read.popitem()
            await self.ctx.store.mark_read(channel, message)

    async def edited(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Tell the author of an edited message, once, that editing doesn't change the move."""
        ctx = self.ctx
        if not payload.data.get("edited_timestamp") or not self._edits.add(payload.message_id):
            return
        served = await ctx.store.request(f"m{payload.message_id}")
        if served is None:
            self._edits.discard(payload.message_id)
            return
        author = payload.data.get("author", {}).get("id")
        reader = await (
            ctx.readers.person(int(author), None) if author else ctx.readers.public(payload.guild_id)
        )
        text = reader.say(msg("bot.move.edited", match=served.match))
        channel = ctx.client.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
        reference = discord.MessageReference(
            message_id=payload.message_id, channel_id=payload.channel_id, fail_if_not_exists=False
        )
        await channel.send(reference=reference, silent=True, **Outgoing(text).fields())


async def read_typed(ctx: Context, message: discord.Message) -> TypedMessage | None:
    """Return a message's text and route; None if it can't be meant for the bot."""
    text = message.content.strip()
    me = ctx.client.user.id if ctx.client.user is not None else 0
    called = (f"<@{me}>", f"<@!{me}>")
    named = any(call in text for call in called)
    for call in called:
        text = text.replace(call, " ")
    text = text.strip()
    replied = message.reference.message_id if message.reference is not None else None
    post = await ctx.store.find_post(replied) if replied is not None else None
    if post is not None:
        return TypedMessage("reply", text, post.match, post.seq if post.kind == "board" else None)
    board = _board_replied_to(message, me)
    if board is not None:
        return TypedMessage("reply", text, board.match, board.seq)
    if message.guild is None:
        return TypedMessage("dm", text)
    if named:
        return TypedMessage("mention", text)
    if ctx.config.message_content and any(char.isalnum() for char in text):  # "?" and "…" are talk
        return TypedMessage("bare", text)
    return None


def _board_replied_to(message: discord.Message, me: int) -> Call | None:
    """Return the call of the board that a message replies to, even if its post isn't recorded yet."""
    replied = message.reference.resolved if message.reference is not None else None
    if not isinstance(replied, discord.Message) or replied.author.id != me:
        return None
    call = find_identifying_call(replied.components)
    return call if call is not None and call.verb == "moves" and not call.arg else None
