"""Take in messages that may be moves: replies, mentions, direct messages, and bare text in channels."""

from __future__ import annotations

import logging

import discord

from bot.actions.typed_message import TypedMessage
from bot.actions.typed_moves import submit_typed
from bot.context import Context
from bot.inbound.read_marks import ReadMarks
from bot.messages.components import Call, find_identifying_call
from bot.messages.outgoing import Outgoing
from bot.platform.recent import RecentKeys
from games.engine.message import msg
from matches.ports import StoreError

log = logging.getLogger(__name__)
_MAX_WAITING = 1000
"""Maximum number of messages of one channel that wait for the database; the next start reads the others."""


class Inbox:
    """Takes in messages, new or missed, and handles each one once.

    A message that the database fails for (it is locked, or the disk is full) waits here, and so do those
    written after it in its channel; `try_again` handles them in order. Meanwhile the read mark stays before
    them, so that a restart loses none.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.marks = ReadMarks()
        self.handled: RecentKeys[int] = RecentKeys(4096)
        self._edits: RecentKeys[int] = RecentKeys(1024)
        self._read: dict[int, int] = {}
        self._waiting: dict[int, dict[int, discord.Message]] = {}
        """The messages that wait for the database, by channel and id."""

    async def receive(self, message: discord.Message) -> None:
        """Handle a message; does nothing if it has been handled before."""
        ctx = self.ctx
        if message.author.bot or message.webhook_id is not None or ctx.client.user is None:
            return
        if message.type not in (discord.MessageType.default, discord.MessageType.reply):
            return
        if message.guild is not None:
            ctx.members.note_seen(message.guild.id, message.author.id)
        channel = message.channel.id
        if message.id in self.handled or not self.marks.begin(channel, message.id):
            return
        if channel in self._waiting or not await self._handle(message):
            self._keep_waiting(message)

    async def _handle(self, message: discord.Message, *, again: bool = False) -> bool:
        """Handle a message; return False if the database failed, which leaves the message at work."""
        matters = message.guild is None
        try:
            typed = await read_typed(self.ctx, message)
            if typed is not None:
                self.handled.add(message.id)
                matters |= await submit_typed(self.ctx, message, typed, again=again)
        except StoreError as error:
            self.handled.discard(message.id)
            log.warning("a message waits", extra={"sent": message.id, "error": str(error)})
            return False
        except Exception:
            self._end(message, matters=matters)
            raise
        self._end(message, matters=matters and typed is not None)
        return True

    def _end(self, message: discord.Message, *, matters: bool) -> None:
        read = self.marks.end(message.channel.id, message.id)
        if read is not None and matters:
            self._read[message.channel.id] = read

    def _keep_waiting(self, message: discord.Message) -> None:
        waiting = self._waiting.setdefault(message.channel.id, {})
        if len(waiting) < _MAX_WAITING:
            waiting[message.id] = message
        else:  # it stays at work, and the mark before it
            log.warning("a message waits for the next start", extra={"sent": message.id})

    async def try_again(self) -> None:
        """Handle the waiting messages, oldest first, until the database fails again."""
        for channel, waiting in tuple(self._waiting.items()):
            while waiting:
                first = min(waiting)
                try:
                    done = await self._handle(waiting[first], again=True)
                except Exception:
                    log.exception("a message could not be handled", extra={"sent": first})
                    done = True
                if not done:
                    self._waiting[channel] = self._waiting.pop(channel)  # the other channels' turn next time
                    return
                del waiting[first]
            del self._waiting[channel]

    async def save_marks(self) -> None:
        """Store the read marks. After a crash the messages since the last call are read again."""
        while self._read:
            channel, message = next(iter(self._read.items()))
            await self.ctx.store.mark_read(channel, message)
            if self._read.get(channel) == message:
                del self._read[channel]

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
