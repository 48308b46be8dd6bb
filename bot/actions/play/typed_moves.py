"""Moves typed in messages: submit them, and reply to the author if the new board isn't answer enough.

A word that asks for something is answered by the thing itself, or by the button that does it: answers are
public, so what changes the match, or is for one person only, is behind the button. Who types a former name of
a command is shown the current one; custom ids of buttons never had them, so nothing else depends on them.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Final

import discord

from bot.actions.help_panel import direct_help, help_answer
from bot.actions.play.move_answers import (
    attempt_message,
    choices_text,
    refusal_message,
    refusal_text,
    reveals_hidden,
    undone_text,
    warning_message,
)
from bot.actions.play.move_menu import choices_panel
from bot.actions.play.typed_message import (
    Decision,
    TypedMessage,
    Word,
    asked_word,
    asks_for_help,
    choose_match,
    is_conversation,
    is_courtesy,
    is_to_move,
)
from bot.context import Context
from bot.messages.buttons import own_view_label
from bot.messages.components import Call, CallButton, fits_in_button
from bot.messages.match import chooses_in_secret, status_line, what_happened
from bot.messages.names import seat_names
from bot.messages.outgoing import Outgoing
from bot.outbound.channels import board_link
from bot.platform.corrections import Correction, delete_answers
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import Done, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.results import Asked, Played, Refused, Tried, Warned
from matches.store.rows import MatchRow


async def submit_typed(
    ctx: Context,
    message: discord.Message,
    typed: TypedMessage,
    decision: Decision,
    *,
    again: bool = False,
) -> bool:
    """Find the match of a text, submit it and reply; conversation gets no reply.

    Return whether any match is played in the channel. `decision` is made as soon as the text counts,
    before that is shown. `again` means that the database failed before: the move may have been
    committed, and its author has had no answer. So a reply is always the last thing done.
    """
    if typed.route == "bare":
        choice = await choose_match(ctx, message, typed)
        if choice.row is not None and ctx.service.queries.seat_of(choice.row, message.author.id) is not None:
            reader = await _reader_of(ctx, message)
            if (now := renamed(typed.text)) is not None:
                decision.refused = True
                await reply(ctx, message, reader.say(now))
                return choice.live_here
            await _submit_to(ctx, message, typed, choice.row, choice.text, reader, decision, again=again)
        return choice.live_here
    reader = await _reader_of(ctx, message)
    if typed.route == "role":
        me = "" if ctx.discord.client.user is None else ctx.discord.client.user.mention
        await reply(ctx, message, reader.say(msg("bot.move.role", me=me)))
        return False
    if not typed.text:
        await _answer_empty(ctx, message, typed, reader)
        return False
    if (now := renamed(typed.text)) is not None:
        await reply(ctx, message, reader.say(now))
        return False
    if typed.route in ("mention", "dm") and asks_for_help(typed.text, reader):
        direct = message.guild is None
        await reply(
            ctx, message, await direct_help(ctx, message.author.id, reader) if direct else help_answer(reader)
        )
        return False
    choice = await choose_match(ctx, message, typed)
    if choice.why is not None:
        hello = reader.say(msg("bot.move.hello"))
        polite = is_courtesy(typed.text, reader)
        await reply(ctx, message, hello if polite else await refusal_text(ctx, choice.why, reader, None))
    elif choice.row is not None:
        await _submit_to(ctx, message, typed, choice.row, choice.text, reader, decision, again=again)
    return choice.live_here


async def _reader_of(ctx: Context, message: discord.Message) -> Reader:
    public = await ctx.readers.public(message.guild.id if message.guild else None)
    return await ctx.readers.person(message.author.id, public.language)


async def _submit_to(
    ctx: Context,
    message: discord.Message,
    typed: TypedMessage,
    row: MatchRow,
    text: str,
    reader: Reader,
    decision: Decision,
    *,
    again: bool,
) -> None:
    if typed.route == "reply" and row.status != "live" and is_conversation(row, text):
        return
    seat = ctx.service.queries.seat_of(row, message.author.id)
    if seat is None:
        if typed.route in ("mention", "dm") or (typed.route == "reply" and not is_conversation(row, text)):
            await reply(ctx, message, reader.say(msg("bot.move.not_yours", match=row.id)))
        return
    if is_courtesy(text, reader) and not await _is_move(ctx, row, Seat(seat), text):
        return
    word = asked_word(text, reader) if row.status == "live" else None
    if word is not None and not await _is_move(ctx, row, Seat(seat), text):
        decision.refused = True
        await reply(ctx, message, await answer_to_word(ctx, row, word, reader))
        return
    in_public = message.guild is not None and registry.get(row.game).hidden
    choosing = in_public and await is_choosing_in_secret(ctx, row)
    found = perf_counter()
    result = await ctx.service.play.submit(
        row.id, message.author.id, text, request=f"m{message.id}", version=typed.version, row=row
    )
    if isinstance(result, Played):
        decision.made.set()
        ctx.operation.counters.took("in", found - decision.begun)
        if again or not result.repeated:
            corrected = ctx.delivery.corrections.take(row.id, message.author.id)
            await ctx.delivery.finish(row.id, result.row)
            ctx.operation.counters.answers.add("typed", perf_counter() - decision.begun)
            if not await _keeps_corrections(ctx, row):
                await delete_answers(corrected)
            await _answer_played(ctx, message, result, Seat(seat), reader, choosing=choosing)
        return
    if isinstance(result, Refused) and await _is_talk(ctx, typed, result, row, message.author.id):
        return
    decision.refused = True
    match = await ctx.service.queries.at(row.id, row.version) if in_public and row.status == "live" else None
    if match is not None and reveals_hidden(match, Seat(seat), text, result):
        await reply(ctx, message, reader.say(_in_private(match)))
        return
    answer = await _answer_to(ctx, row, Seat(seat), text, result, reader, message)
    mistake = not isinstance(result, Tried) and not (isinstance(result, Refused) and result.stale)
    correction = ctx.delivery.corrections.add(row.id, message.author.id) if mistake else None
    await reply(ctx, message, answer, correction)


async def is_choosing_in_secret(ctx: Context, row: MatchRow) -> bool:
    """Return whether several seats choose now, unseen by the others."""
    if row.status != "live" or not registry.get(row.game).hidden:
        return False
    return chooses_in_secret(await ctx.service.queries.at(row.id, row.version))


async def _answer_to(
    ctx: Context,
    row: MatchRow,
    seat: Seat,
    text: str,
    result: Asked | Tried | Warned | Refused,
    reader: Reader,
    message: discord.Message,
) -> Outgoing:
    """Return the answer to the author of a text that wasn't played."""
    match result:
        case Asked() if fits_in_button(text):
            now = await ctx.service.queries.at(row.id, row.version)
            return choices_panel(row, now, text, result, replace(reader, seat=seat))
        case Asked():
            return Outgoing(reader.say(result.prompt, seat_names(row, reader)) + choices_text(result.choices))
        case Tried():
            return await attempt_message(ctx, row, result, reader, in_public=message.guild is not None)
        case Warned():
            return warning_message(row, result, reader)
        case Refused():
            return await refusal_message(ctx, result, reader, row)


async def _keeps_corrections(ctx: Context, row: MatchRow) -> bool:
    """Return whether our answers to typing mistakes stay in that server once the right move has come."""
    made = await ctx.preferences.get("guild", row.place.guild) if row.place.guild else {}
    return made.get("corrections") == "keep"


async def _answer_played(
    ctx: Context, message: discord.Message, played: Played, seat: Seat, reader: Reader, *, choosing: bool
) -> None:
    """Reply to the author of a played move with what the new board doesn't show.

    That it was played, if the board is elsewhere; that a secret move was public; what is left undone.
    """
    say, row, left = reader.say, played.row, played.left
    lines = []
    direct = message.guild is None and row.place.guild is None  # the board is posted in this conversation
    if not direct and message.channel.id != row.place.home:
        what = "" if choosing else what_happened(row, played.match, played.facts, reader)
        done = say(msg("bot.move.done", match=row.id))
        lines.append(f"{done} {what} {await board_link(ctx, row)}".replace("  ", " "))
    if choosing:
        lines.append(say(msg("bot.move.open", view=own_view_label(played.match.game))))
    if left is not None:
        hide = message.guild is not None and reveals_hidden(played.match, seat, left.text, left)
        lines.append(say(_in_private(played.match)) if hide else undone_text(row, left, reader))
    if lines:
        await reply(ctx, message, "\n".join(lines))


def _in_private(match: Match) -> Msg:
    """Return the message that the answer isn't public, and where to get it."""
    return msg("bot.move.secret", view=own_view_label(match.game))


async def _answer_empty(ctx: Context, message: discord.Message, typed: TypedMessage, reader: Reader) -> None:
    """Answer a mention or reply that is empty, or whose text Discord withholds from us."""
    if message.attachments or message.stickers or message.poll is not None:
        return
    if typed.route == "reply":
        row = typed.row
        if row is None and typed.match is not None:
            row = await ctx.service.queries.row(typed.match)
        withheld = ctx.discord.client.user not in message.mentions and not ctx.config.message_content
        if not withheld or row is None or not await _waits_for(ctx, row, message.author.id):
            return  # nothing was written, or it is unlikely to be a move
        key = "bot.move.unread"  # the reply doesn't ping us, so Discord withholds its text
    else:
        key = "bot.move.hello"
    await reply(ctx, message, reader.say(msg(key)))


async def _waits_for(ctx: Context, row: MatchRow, user: int) -> bool:
    if row.version < 0:
        return False
    return is_to_move(ctx, row, await ctx.service.queries.at(row.id, row.version), user)


async def _is_move(ctx: Context, row: MatchRow, seat: Seat, text: str) -> bool:
    """Return whether a text that looks like a courtesy is a complete move in that match."""
    if row.version < 0:
        return False
    match = await ctx.service.queries.at(row.id, row.version)
    return isinstance(match.game.parse(match.game.view(match.state, seat), seat, text), Done)


async def _is_talk(ctx: Context, typed: TypedMessage, refused: Refused, row: MatchRow, author: int) -> bool:
    """Return whether a refused text is conversation, and gets no reply.

    A reply to a board is conversation too, unless its author is to move: it may be a failed move.
    """
    if not refused.chat or typed.route not in ("bare", "reply"):
        return False
    return typed.route == "bare" or not await _waits_for(ctx, row, author)


async def reply(
    ctx: Context, message: discord.Message, answer: str | Outgoing, correction: Correction | None = None
) -> None:
    """Reply to a message without a ping, now or once Discord takes it; `correction` gets the reply."""
    outgoing = Outgoing(answer) if isinstance(answer, str) else answer
    await ctx.delivery.answer(
        message.channel, message.to_reference(fail_if_not_exists=False), outgoing, correction
    )


_BUTTONS: Final = {"undo": "undo", "resign": "resign", "moves": "moves", "turn": "match_more"}
FORMER: Final = {
    "analyse": "replay analysis",
    "board": "ask board",
    "claim": "match claim",
    "continue": "match continue",
    "dice": "replay dice",
    "draw": "match draw",
    "fork": "replay fork",
    "hand": "ask hand",
    "hint": "ask hint",
    "look": "ask about",
    "maps": "learn maps",
    "moves": "ask moves",
    "odds": "ask odds",
    "operator": "server operator",
    "pause": "match pause",
    "plan": "match plan add",
    "plan show": "match plan show",
    "plan clear": "match plan clear",
    "plan only": "match plan only",
    "position": "replay position",
    "privacy": "settings privacy",
    "profile": "ranking profile",
    "public": "match share",
    "record": "replay record",
    "record archive": "matches archive",
    "record import": "matches import",
    "resign": "match resign",
    "resume": "match resume",
    "rules": "learn rules",
    "seat": "match seat give",
    "seat back": "match seat back",
    "seat computer": "match seat computer",
    "seat offer": "match seat offer",
    "status": "server operator",
    "story": "replay story",
    "top": "ranking top",
    "undo": "match undo",
    "vacation": "settings vacation take",
    "vacation automatic": "settings vacation automatic",
    "vacation end": "settings vacation end",
    "vacation show": "settings vacation show",
    "verify": "replay verify",
    "watch": "matches watch follow",
    "watch here": "matches watch here",
    "watch stop": "matches watch stop",
}
"""The former names, each with the one it has now. `/matches` and `/replay` became groups of the same name."""


async def answer_to_word(ctx: Context, row: MatchRow, word: Word, reader: Reader) -> Outgoing:
    """Return the answer to one who plays in a match that goes on."""
    if word == "help":
        return help_answer(reader)
    match = await ctx.service.queries.at(row.id, row.version)
    verb = _BUTTONS[word]
    button = CallButton.make(Call(verb, row.id, match.seq), reader.say(msg(f"bot.button.{verb}")))
    text = status_line(row, match, reader) if word == "turn" else reader.say(msg(f"bot.words.{word}"))
    return Outgoing(f"{text}\n-# `{row.id}`", (), (button,))


def renamed(text: str) -> Msg | None:
    """Return what to say about a text that is a former command, such as "/undo"; None for any other text."""
    first, *rest = folded(text).split() or [""]
    if not first.startswith("/"):
        return None
    name = first[1:]
    now = FORMER.get(" ".join((name, *rest[:1]))) or FORMER.get(name)
    return None if now is None else msg("bot.words.renamed", command=now)
