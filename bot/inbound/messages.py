"""The doors through which typed moves come: reply, mention, direct message, bare text. One grammar for all.

A message gets at most one short answer, to its author, without a ping. Conversation gets none.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Literal

import discord

from bot.actions.move_answers import choices, refusal, secret, tried, undone, warned
from bot.actions.move_targets import show_button
from bot.context import Context
from bot.inbound.read_marks import ReadMarks
from bot.messages.buttons import own_view
from bot.messages.components import Call, find_call
from bot.messages.match import chooses_in_secret
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.messages.seats import seat_names
from bot.platform.readers import Reader
from bot.platform.recent import Recent
from games.engine import registry
from games.engine.game import Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.ports import MatchRow
from matches.results import Asked, Played, Refused, Tried, Warned

log = logging.getLogger(__name__)
Door = Literal["reply", "mention", "dm", "bare"]


@dataclass(frozen=True, slots=True)
class Order:
    """A text that may be a move: through which door, about which match, and which entry its author saw."""

    door: Door
    text: str
    match: str | None = None
    version: int | None = None


class Inbox:
    """Takes in messages, new or missed: each is carried out once, in whatever way it arrives."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.marks = ReadMarks()
        self.handled: Recent[int] = Recent(4096)
        self._edits: Recent[int] = Recent(1024)

    async def receive(self, message: discord.Message) -> None:
        """Carry out one message. Delivered again it does nothing again."""
        ctx = self.ctx
        if message.author.bot or message.webhook_id is not None or ctx.client.user is None:
            return
        if message.type not in (discord.MessageType.default, discord.MessageType.reply):
            return
        if message.guild is not None:
            ctx.members.saw(message.guild.id, message.author.id)
        order = await read_order(ctx, message)
        if order is None or not self.handled.add(message.id):
            return
        channel = message.channel.id
        self.marks.begin(channel, message.id)
        try:
            await carry_out(ctx, message, order)
        finally:
            read = self.marks.end(channel, message.id)
            if read is not None and (message.guild is None or await ctx.service.live_in(channel)):
                await ctx.store.see(channel, read)

    async def edited(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Say once to the author of an edited message that the move it was stays as it was."""
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


async def read_order(ctx: Context, message: discord.Message) -> Order | None:
    """Through which door a message came; None for those that are none of ours."""
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
        return Order("reply", text, post.match, post.seq if post.kind == "board" else None)
    board = _board_replied_to(message, me)
    if board is not None:
        return Order("reply", text, board.match, board.seq)
    if message.guild is None:
        return Order("dm", text)
    if named:
        return Order("mention", text)
    if ctx.config.message_content and any(sign.isalnum() for sign in text):  # "?" and "…" are talk
        return Order("bare", text)
    return None


def _board_replied_to(message: discord.Message, me: int) -> Call | None:
    """The board a message replies to, told by its buttons: it may stand before we have heard that it does."""
    replied = message.reference.resolved if message.reference is not None else None
    if not isinstance(replied, discord.Message) or replied.author.id != me:
        return None
    call = find_call(replied.components)
    return call if call is not None and call.verb == "moves" and not call.arg else None


async def carry_out(ctx: Context, message: discord.Message, order: Order) -> None:
    """Find the match, submit the text, answer."""
    public = await ctx.readers.public(message.guild.id if message.guild else None)
    reader = await ctx.readers.person(message.author.id, public.language)
    if not order.text and order.door != "bare":
        await _answer_empty(ctx, message, order, reader)
        return
    found = await _match_of(ctx, message, order)
    if isinstance(found, Refused):
        await reply(message, await refusal(ctx, found, reader, None))
        return
    if found is None:
        return
    row, text = found
    if order.door == "reply" and row.status != "live" and conversation(row, text):
        return
    seat = ctx.service.seat_of(row, message.author.id)
    if seat is None:
        if order.door in ("mention", "dm") or (order.door == "reply" and not conversation(row, text)):
            await reply(message, reader.say(msg("bot.move.not_yours", match=row.id)))
        return
    in_public = message.guild is not None and registry.get(row.game).hidden
    choosing = (
        in_public and row.status == "live" and chooses_in_secret(await ctx.service.at(row.id, row.version))
    )
    result = await ctx.service.submit(
        row.id, message.author.id, text, request=f"m{message.id}", version=order.version
    )
    if isinstance(result, Played):
        if not result.repeated:
            await ctx.deliver(row.id)
            await _remark(ctx, message, result, Seat(seat), reader, choosing=choosing)
        return
    if isinstance(result, Refused) and await _is_talk(ctx, order, result, row, message.author.id):
        return
    match = await ctx.service.at(row.id, row.version) if in_public and row.status == "live" else None
    if match is not None and secret(match, Seat(seat), text, result):
        await reply(message, reader.say(_in_private(match)))
        return
    match result:
        case Asked():
            names = seat_names(row, reader)
            prompt = reader.say(result.prompt, names)
            seen = await ctx.service.at(row.id, row.version)
            shown = show_button(seen, Seat(seat), text, reader)
            await reply_with(message, Outgoing(prompt + choices(result.choices), (), shown))
        case Tried():
            await reply_with(message, await tried(ctx, row, result, reader))
        case Warned():
            await reply_with(message, warned(row, result, reader))
        case Refused():
            await reply(message, await refusal(ctx, result, reader, row))


async def _remark(
    ctx: Context, message: discord.Message, played: Played, seat: Seat, reader: Reader, *, choosing: bool
) -> None:
    """What its author should know of a move that counted: that all could read it, what was left undone."""
    say, left = reader.say, played.left
    remarks = [say(msg("bot.move.open", view=own_view(played.match.game)))] if choosing else []
    if left is not None:
        hide = message.guild is not None and secret(played.match, seat, left.text, left)
        told = undone(played.row, left, reader)
        remarks.append(say(_in_private(played.match)) if hide else told)
    if remarks:
        await reply(message, "\n".join(remarks))


def _in_private(match: Match) -> Msg:
    """That the answer isn't for everybody, and how it is to be had."""
    return msg("bot.move.secret", view=own_view(match.game))


async def _answer_empty(ctx: Context, message: discord.Message, order: Order, reader: Reader) -> None:
    """A mention or reply without a text we can see."""
    if message.attachments or message.stickers:
        return
    if order.door == "reply":
        row = await ctx.service.row(order.match) if order.match is not None else None
        withheld = ctx.client.user not in message.mentions and not ctx.config.message_content
        if not withheld or row is None or not await _is_to_move(ctx, row, message.author.id):
            return  # nothing was written, or it was hardly a move
        key = "bot.move.unread"  # the ping was switched off, so Discord keeps the text from us
    else:
        key = "bot.move.hello"
    await reply(message, reader.say(msg(key)))


async def _match_of(
    ctx: Context, message: discord.Message, order: Order
) -> tuple[MatchRow, str] | Refused | None:
    """The match a text is about: the one it names, the one replied to, the channel's, the author's own."""
    author = message.author.id
    head, _, rest = order.text.partition(" ")
    named = await ctx.service.find(head.strip(":,`"))
    if named is not None and rest.strip():
        if order.door == "bare" and named.place.home != message.channel.id:
            return None
        return named, rest.strip()
    if order.match is not None:
        row = await ctx.service.row(order.match)
        return None if row is None else (row, order.text)
    here = [] if message.guild is None else list(await ctx.service.live_in(message.channel.id))
    mine = [row for row in here if ctx.service.seat_of(row, author) is not None]
    if order.door == "bare":
        candidates = mine
    elif here:
        candidates = mine or here
    else:
        candidates = [seen.row for seen in await ctx.service.mine(author)]
    if len(candidates) > 1:
        turn = [row for row in candidates if await _is_to_move(ctx, row, author)]
        if len(turn) == 1 or not turn:
            candidates = turn or candidates[:1]
        elif order.door == "bare":
            return None
        else:
            ids = tuple(row.id for row in turn[:8])
            return Refused(msg("bot.move.which", matches=ids, example=f"{ids[0]} {as_code(order.text, 20)}"))
    if not candidates:
        return None if order.door == "bare" else Refused(msg("bot.move.no_match"))
    return candidates[0], order.text


def conversation(row: MatchRow, text: str) -> bool:
    """Whether a text has nothing of a move of that game, whatever the position."""
    game = registry.get(row.game)
    state = game.start(game.setup(len(row.seats), row.options)).state
    read = game.parse(game.view(state, None), Seat(0), text)
    return isinstance(read, Rejected) and read.chat


async def _is_to_move(ctx: Context, row: MatchRow, user: int) -> bool:
    seat = ctx.service.seat_of(row, user)
    if seat is None or row.version < 0:
        return False
    match = await ctx.service.at(row.id, row.version)
    return Seat(seat) in match.to_act


async def _is_talk(ctx: Context, order: Order, refused: Refused, row: MatchRow, author: int) -> bool:
    """Whether a text that was no move is left alone: chat stays chat.

    So does a remark on a board, unless it may be a first try of the player whose turn it is.
    """
    if not refused.chat or order.door not in ("bare", "reply"):
        return False
    return order.door == "bare" or not await _is_to_move(ctx, row, author)


async def reply(message: discord.Message, text: str) -> None:
    """Answer a message, quietly."""
    await reply_with(message, Outgoing(text))


async def reply_with(message: discord.Message, outgoing: Outgoing) -> None:
    """Answer a message, quietly; if that is not allowed any more, so be it."""
    reference = message.to_reference(fail_if_not_exists=False)
    try:
        await message.channel.send(reference=reference, silent=True, **outgoing.fields())
    except discord.HTTPException as error:
        log.warning(
            "an answer could not be sent", extra={"channel": message.channel.id, "error": repr(error)}
        )
