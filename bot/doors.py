"""The doors through which typed moves come: reply, mention, direct message, bare text. One grammar for all.

A message gets at most one short answer, to its author, without a ping. Conversation gets none.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import discord

from bot.aims import show_button
from bot.buttons import own_view
from bot.components import Call, find_call
from bot.present import present
from bot.presenter import Outgoing, Reader, as_code, unseen
from bot.replies import choices, refusal, secret, tried, undone, warned
from games.engine import registry
from games.engine.game import Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.ports import MatchRow
from matches.results import Asked, Played, Refused, Tried, Warned

if TYPE_CHECKING:
    from bot.app import Dominium

log = logging.getLogger(__name__)
Door = Literal["reply", "mention", "dm", "bare"]


@dataclass(frozen=True, slots=True)
class Order:
    """A text that may be a move: through which door, about which match, and which entry its author saw."""

    door: Door
    text: str
    match: str | None = None
    version: int | None = None


async def receive(app: Dominium, message: discord.Message) -> None:
    """One message, new or missed. Delivered again it does nothing again."""
    if message.author.bot or message.webhook_id is not None or app.user is None:
        return
    if message.type not in (discord.MessageType.default, discord.MessageType.reply):
        return
    if message.guild is not None:
        app.members.add(present(app, message.guild.id, message.author.id))
    order = await read_order(app, message)
    if order is None or not app.handled.add(message.id):
        return
    channel = message.channel.id
    app.marks.begin(channel, message.id)
    try:
        await carry_out(app, message, order)
    finally:
        read = app.marks.end(channel, message.id)
        if read is not None and (message.guild is None or await app.service.live_in(channel)):
            await app.store.see(channel, read)


async def read_order(app: Dominium, message: discord.Message) -> Order | None:
    """Through which door a message came; None for those that are none of ours."""
    text = message.content.strip()
    me = app.user.id if app.user is not None else 0
    called = (f"<@{me}>", f"<@!{me}>")
    named = any(call in text for call in called)
    for call in called:
        text = text.replace(call, " ")
    text = text.strip()
    replied = message.reference.message_id if message.reference is not None else None
    post = await app.store.find_post(replied) if replied is not None else None
    if post is not None:
        return Order("reply", text, post.match, post.seq if post.kind == "board" else None)
    board = _board_replied_to(message, me)
    if board is not None:
        return Order("reply", text, board.match, board.seq)
    if message.guild is None:
        return Order("dm", text)
    if named:
        return Order("mention", text)
    if app.config.message_content and any(sign.isalnum() for sign in text):  # "?" and "…" are talk
        return Order("bare", text)
    return None


def _board_replied_to(message: discord.Message, me: int) -> Call | None:
    """The board a message replies to, told by its buttons: it may stand before we have heard that it does."""
    replied = message.reference.resolved if message.reference is not None else None
    if not isinstance(replied, discord.Message) or replied.author.id != me:
        return None
    call = find_call(replied.components)
    return call if call is not None and call.verb == "moves" and not call.arg else None


async def carry_out(app: Dominium, message: discord.Message, order: Order) -> None:
    """Find the match, submit the text, answer."""
    public = await app.public_reader(message.guild.id if message.guild else None)
    reader = await app.reader(message.author.id, public.language, None)
    if not order.text and order.door != "bare":
        await _answer_empty(app, message, order, reader)
        return
    found = await _match_of(app, message, order)
    if isinstance(found, Refused):
        await reply(message, await refusal(app, found, reader, None))
        return
    if found is None:
        return
    row, text = found
    if order.door == "reply" and row.status != "live" and conversation(row, text):
        return
    seat = app.service.seat_of(row, message.author.id)
    if seat is None:
        if order.door in ("mention", "dm") or (order.door == "reply" and not conversation(row, text)):
            await reply(message, app.presenter.say(msg("bot.move.not_yours", match=row.id), reader.language))
        return
    in_public = message.guild is not None and registry.get(row.game).hidden
    choosing = in_public and row.status == "live" and unseen(await app.service.at(row.id, row.version))
    result = await app.service.submit(
        row.id, message.author.id, text, request=f"m{message.id}", version=order.version
    )
    if isinstance(result, Played):
        if not result.repeated:
            await app.after(row.id)
            await _remark(app, message, result, Seat(seat), reader, choosing=choosing)
        return
    if isinstance(result, Refused) and await _is_talk(app, order, result, row, message.author.id):
        return
    match = await app.service.at(row.id, row.version) if in_public and row.status == "live" else None
    if match is not None and secret(match, Seat(seat), text, result):
        await reply(message, app.presenter.say(_in_private(match), reader.language))
        return
    match result:
        case Asked():
            names = app.presenter.names(row, reader.language)
            prompt = app.presenter.say(result.prompt, reader.language, names)
            seen = await app.service.at(row.id, row.version)
            shown = show_button(app, seen, Seat(seat), text, reader.language)
            await reply_with(message, Outgoing(prompt + choices(result.choices), (), shown))
        case Tried():
            await reply_with(message, await tried(app, row, result, reader))
        case Warned():
            await reply_with(message, warned(app, row, result, reader))
        case Refused():
            await reply(message, await refusal(app, result, reader, row))


async def _remark(
    app: Dominium, message: discord.Message, played: Played, seat: Seat, reader: Reader, *, choosing: bool
) -> None:
    """What its author should know of a move that counted: that all could read it, what was left undone."""
    say, left = app.presenter.say, played.left
    remarks = (
        [say(msg("bot.move.open", view=own_view(played.match.game)), reader.language)] if choosing else []
    )
    if left is not None:
        hide = message.guild is not None and secret(played.match, seat, left.text, left)
        told = undone(app, played.row, left, reader)
        remarks.append(say(_in_private(played.match), reader.language) if hide else told)
    if remarks:
        await reply(message, "\n".join(remarks))


def _in_private(match: Match) -> Msg:
    """That the answer isn't for everybody, and how it is to be had."""
    return msg("bot.move.secret", view=own_view(match.game))


async def _answer_empty(app: Dominium, message: discord.Message, order: Order, reader: Reader) -> None:
    """A mention or reply without a text we can see."""
    if message.attachments or message.stickers:
        return
    if order.door == "reply":
        row = await app.service.row(order.match) if order.match is not None else None
        withheld = app.user not in message.mentions and not app.config.message_content
        if not withheld or row is None or not await _is_to_move(app, row, message.author.id):
            return  # nothing was written, or it was hardly a move
        key = "bot.move.unread"  # the ping was switched off, so Discord keeps the text from us
    else:
        key = "bot.move.hello"
    await reply(message, app.presenter.say(msg(key), reader.language))


async def _match_of(
    app: Dominium, message: discord.Message, order: Order
) -> tuple[MatchRow, str] | Refused | None:
    """The match a text is about: the one it names, the one replied to, the channel's, the author's own."""
    author = message.author.id
    head, _, rest = order.text.partition(" ")
    named = await app.service.find(head.strip(":,`"))
    if named is not None and rest.strip():
        if order.door == "bare" and named.place.home != message.channel.id:
            return None
        return named, rest.strip()
    if order.match is not None:
        row = await app.service.row(order.match)
        return None if row is None else (row, order.text)
    here = [] if message.guild is None else list(await app.service.live_in(message.channel.id))
    mine = [row for row in here if app.service.seat_of(row, author) is not None]
    if order.door == "bare":
        candidates = mine
    elif here:
        candidates = mine or here
    else:
        candidates = [seen.row for seen in await app.service.mine(author)]
    if len(candidates) > 1:
        turn = [row for row in candidates if await _is_to_move(app, row, author)]
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


async def _is_to_move(app: Dominium, row: MatchRow, user: int) -> bool:
    seat = app.service.seat_of(row, user)
    if seat is None or row.version < 0:
        return False
    match = await app.service.at(row.id, row.version)
    return Seat(seat) in match.to_act


async def _is_talk(app: Dominium, order: Order, refused: Refused, row: MatchRow, author: int) -> bool:
    """Whether a text that was no move is left alone: chat stays chat.

    So does a remark on a board, unless it may be a first try of the player whose turn it is.
    """
    if not refused.chat or order.door not in ("bare", "reply"):
        return False
    return order.door == "bare" or not await _is_to_move(app, row, author)


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


async def edited(app: Dominium, payload: discord.RawMessageUpdateEvent) -> None:
    """A message that counted as a move was edited: say once that this changes nothing."""
    if not payload.data.get("edited_timestamp") or not app.handled.add(-payload.message_id):
        return
    served = await app.store.request(f"m{payload.message_id}")
    if served is None:
        app.handled.discard(-payload.message_id)
        return
    author = payload.data.get("author", {}).get("id")
    reader = (
        await app.reader(int(author), None, None) if author else await app.public_reader(payload.guild_id)
    )
    text = app.presenter.say(msg("bot.move.edited", match=served.match), reader.language)
    channel = app.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
    reference = discord.MessageReference(
        message_id=payload.message_id, channel_id=payload.channel_id, fail_if_not_exists=False
    )
    await channel.send(reference=reference, silent=True, **Outgoing(text).fields())
