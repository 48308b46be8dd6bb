"""Take in messages that may be moves: replies, mentions, direct messages, and bare text in channels."""

from __future__ import annotations

import logging
from collections.abc import Callable

import discord

from bot.actions.play.typed_message import Decision, TypedMessage
from bot.actions.play.typed_moves import submit_typed
from bot.context import Context
from bot.inbound.read_marks import ReadMarks
from bot.messages.components import Call, find_identifying_call
from bot.messages.outgoing import Outgoing
from bot.outbound.channels import note_direct
from bot.platform.recent import RecentKeys
from games.engine.message import msg
from matches.ports import StoreError

log = logging.getLogger(__name__)
_MAX_WAITING = 1000
"""Maximum number of messages of one channel that wait for the database; the next start reads the others."""


class Inbox:
    """Takes in messages, new or missed, and handles each one once.

    What people wrote in one channel counts in their order: a message waits until it is decided what the one
    before it does, though not until that is shown.

    A message that the database fails for (it is locked, or the disk is full) waits here, and so do those
    written after it in its channel; `try_again` handles them in order. Meanwhile the read mark stays before
    them, so that a restart loses none.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.marks = ReadMarks()
        self.held: Callable[[int], bool] = lambda _: False
        """Whether earlier messages of a channel may have been missed, so that its mark has to stay."""
        self._begun: RecentKeys[int] = RecentKeys(8192)
        self._edits: RecentKeys[int] = RecentKeys(1024)
        self._waiting: dict[int, dict[int, discord.Message]] = {}
        """The messages that wait for the database, by channel and id."""
        self._undecided: dict[int, Decision] = {}
        """The latest message of each channel of which isn't decided yet what it does."""

    async def receive(self, message: discord.Message) -> None:
        """Handle a message; does nothing if it is being handled or has been."""
        channel, *wider = _places(message)
        if _is_written(message) and not self._begun.add(message.id):
            return
        if not self.marks.begin(channel, message.id):
            return
        for place in wider:
            self.marks.begin(place, message.id)
        if not _is_written(message):
            await self._handle_or_keep(message, Decision())
            return
        before, decision = self._undecided.get(channel), Decision()
        self._undecided[channel] = decision
        try:
            if before is not None:
                await before.made.wait()
            await self._handle_or_keep(message, decision)
        finally:
            decision.made.set()
            if self._undecided.get(channel) is decision:
                del self._undecided[channel]

    async def _handle_or_keep(self, message: discord.Message, decision: Decision) -> None:
        if message.channel.id in self._waiting or not await self._handle(message, decision):
            self._keep_waiting(message)

    async def _handle(self, message: discord.Message, decision: Decision, *, again: bool = False) -> bool:
        """Handle a message; return False if the database failed, which leaves the message at work."""
        try:
            if await self._matters(message, decision, again=again):
                for place in _places(message):
                    self.marks.keep_also(place)
        except StoreError as error:
            log.warning("a message waits", extra={"sent": message.id, "error": str(error)})
            return False
        except BaseException:
            self._end(message)
            raise
        self._end(message)
        if decision.refused:
            await self._save_refusal()
        return True

    async def _save_refusal(self) -> None:
        """Save the read marks, so that a refused text isn't read again after a crash, and played then."""
        try:
            await self.save_marks()
        except StoreError as error:
            log.warning("read marks wait", extra={"error": str(error)})

    def _end(self, message: discord.Message) -> None:
        for place in _places(message):
            self.marks.end(place, message.id, held=self.held(place))

    async def _matters(self, message: discord.Message, decision: Decision, *, again: bool) -> bool:
        """Handle what a person wrote; return whether any match is played in its channel, if asked."""
        if not _is_written(message):
            return self._is_board(message)
        ctx = self.ctx
        if ctx.service.erasures.is_running(message.author.id):
            return False
        if message.guild is not None:
            ctx.discord.members.note_seen(message.guild.id, message.author.id)
        typed = await read_typed(ctx, message)
        if message.guild is None and await note_direct(ctx, message.author.id, message):
            self.marks.keep_also(message.channel.id)
        return typed is not None and await submit_typed(ctx, message, typed, decision, again=again)

    def _keep_waiting(self, message: discord.Message) -> None:
        waiting = self._waiting.setdefault(message.channel.id, {})
        if len(waiting) < _MAX_WAITING:  # the others stay at work, and are read after the next start
            waiting[message.id] = message

    def leave(self, fits: Callable[[int | None], bool]) -> None:
        """Forget the waiting messages of the servers that fit: another process reads them now."""
        for channel, waiting in tuple(self._waiting.items()):
            for message in tuple(waiting.values()):
                if fits(None if message.guild is None else message.guild.id):
                    del waiting[message.id]
                    self._begun.discard(message.id)
                    for place in _places(message):
                        self.marks.leave(place, message.id)
            if not waiting:
                del self._waiting[channel]

    async def try_again(self) -> None:
        """Handle the waiting messages, oldest first, until the database fails again."""
        for channel, waiting in tuple(self._waiting.items()):
            while waiting:
                first = min(waiting)
                try:
                    done = await self._handle(waiting[first], Decision(), again=True)
                except Exception:
                    log.exception("a message could not be handled", extra={"sent": first})
                    done = True
                if not done:
                    self._waiting[channel] = self._waiting.pop(channel)  # the other channels' turn next time
                    return
                del waiting[first]
            del self._waiting[channel]

    def _is_board(self, message: discord.Message) -> bool:
        """Return whether a message is one of our boards: then a match is played in its channel."""
        me = self.ctx.discord.client.user
        if me is None or message.author.id != me.id:
            return False
        call = find_identifying_call(message.components)
        return call is not None and call.verb == "moves" and call.arg != "mirror"

    async def save_marks(self) -> None:
        """Store the read marks. After a crash the messages since the last call are read again."""
        marks = self.marks.take_unsaved()
        if not marks:
            return
        try:
            await self.ctx.store.mark_read(marks)
        except BaseException:
            self.marks.put_back(marks)
            raise

    async def edited(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Reply to the author of an edited message, once, that editing doesn't change the move."""
        ctx = self.ctx
        if payload.data.get("author", {}).get("bot"):
            return  # mostly our own boards, whose mentions are withdrawn
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
        channel = ctx.discord.client.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
        reference = discord.MessageReference(
            message_id=payload.message_id, channel_id=payload.channel_id, fail_if_not_exists=False
        )
        await ctx.delivery.answer(channel, reference, Outgoing(text))


def _places(message: discord.Message) -> tuple[int, ...]:
    """Return the places whose read marks a message moves: its channel and, below zero, its whole server."""
    channel = message.channel.id
    return (channel,) if message.guild is None else (channel, -message.guild.id)


def _is_written(message: discord.Message) -> bool:
    """Return whether a person wrote a message: a forwarded one has no text of theirs."""
    if message.author.bot or message.webhook_id is not None:
        return False
    reference = message.reference
    if reference is not None and reference.type is not discord.MessageReferenceType.default:
        return False
    return message.type in (discord.MessageType.default, discord.MessageType.reply)


async def read_typed(ctx: Context, message: discord.Message) -> TypedMessage | None:
    """Return a message's text and route; None if it can't be meant for the bot."""
    text = message.content.strip()
    me = ctx.discord.client.user.id if ctx.discord.client.user is not None else 0
    role = message.guild.self_role if message.guild is not None else None
    if role is not None and role in message.role_mentions and not text:
        return TypedMessage("role", "")
    called = (f"<@{me}>", f"<@!{me}>", *(() if role is None else (role.mention,)))
    named = any(call in text for call in called)
    for call in called:
        text = text.replace(call, " ")
    text = text.strip()
    replied = message.reference.message_id if message.reference is not None else None
    found = await ctx.store.post_and_match(replied) if replied is not None else None
    if found is not None:
        post, row = found
        return TypedMessage("reply", text, row.id, post.seq if post.kind == "board" else None, row)
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
