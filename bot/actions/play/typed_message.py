"""A typed text that may be a move: the way it reached the bot, and the match that it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, TypeAlias, get_args

import discord

from bot.actions.match_access import may_look
from bot.context import Context
from bot.messages.names import as_code
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.ids import read_id
from matches.play import typed_text
from matches.results import CurrentMatch, Refused
from matches.store.rows import MatchRow

Route = Literal["reply", "mention", "role", "dm", "bare"]
"""How a message addresses the bot: as a reply, by a mention, in direct messages, or not at all (`bare`).

A mention of the bot's own role is a `mention` if the text is readable; otherwise it is a `role`.
"""
_PUNCTUATION = " \t\n.,;:!?…*_~`'\"()-"
Word: TypeAlias = Literal["help", "undo", "resign", "moves", "turn"]
_MAX_NAMED = 8
"""Maximum number of matches listed if a text could mean several."""


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """A text, its route, and for a reply the match and the log entry that its author saw."""

    route: Route
    text: str
    match: str | None = None
    version: int | None = None
    row: MatchRow | None = None
    """The match, if it has just been read."""


@dataclass(eq=False, slots=True)
class Decision:
    """What becomes of a text. The next text of its channel waits until that is decided."""

    made: asyncio.Event = field(default_factory=asyncio.Event)
    begun: float = field(default_factory=perf_counter)
    """When the text came in, by the clock that measures durations."""
    refused: bool = False
    """Whether the reply to its author was that it doesn't count: then it mustn't count later either."""


def is_courtesy(text: str, reader: Reader) -> bool:
    """Return whether a text is only a greeting, thanks or the like, in English or the reader's language."""
    return _is_one_of(text, reader, msg("bot.talk.courtesies"))


def asks_for_help(text: str, reader: Reader) -> bool:
    """Return whether a text only asks for help."""
    return _is_one_of(text, reader, msg("bot.talk.help"))


def asked_word(text: str, reader: Reader) -> Word | None:
    """Return what a text asks for in a word or two, such as `undo` or "whose turn is it"; None if nothing."""
    return next((word for word in get_args(Word) if _is_one_of(text, reader, msg(f"bot.talk.{word}"))), None)


def _is_one_of(text: str, reader: Reader, words: Msg) -> bool:
    plain = folded(text).strip(_PUNCTUATION)
    known = (reader.catalogue.say(words), reader.say(words))
    return plain in {word.strip() for listed in known for word in folded(listed).split(",")}


@dataclass(frozen=True, slots=True)
class MatchChoice:
    """The match that a text is about, and the rest of the text; or why there is none.

    For conversation both `row` and `why` are None.
    """

    row: MatchRow | None = None
    text: str = ""
    why: Refused | None = None
    live_here: bool = False
    """Whether any match is played in the channel."""


async def choose_match(ctx: Context, message: discord.Message, typed: TypedMessage) -> MatchChoice:
    """Return the match that a text is about."""
    author, channel, queries = message.author.id, message.channel.id, ctx.service.queries
    head, _, rest = typed.text.partition(" ")
    head, rest = head.strip(":,`"), rest.strip()
    bare = typed.route == "bare"
    named = await queries.find(head) if rest and not bare else None
    if named is not None and await may_look(ctx, named, message.author, channel):
        return MatchChoice(named, rest, live_here=named.place.home == channel)
    if typed.match is not None:
        row = typed.row or await queries.row(typed.match)
        return MatchChoice(row, typed.text, live_here=row is not None and row.place.home == channel)
    here = () if message.guild is None else await queries.live_in(channel)
    if bare and rest and (plain := [row for row in here if row.id == read_id(head)]):
        return MatchChoice(plain[0], rest, live_here=True)
    if here or bare:
        mine = [row for row in here if queries.seat_of(row, author) is not None]
        if len(mine) < 2:
            others = () if bare else here
            return MatchChoice(next(iter((*mine, *others)), None), typed.text, live_here=bool(here))
        candidates = [CurrentMatch(row, await queries.at(row.id, row.version)) for row in mine]
    else:
        candidates = list(await queries.mine(author))
    found = _choose(ctx, candidates, typed, author, direct=message.guild is None)
    if isinstance(found, Refused):
        return MatchChoice(why=None if bare else found, live_here=bool(here))
    return MatchChoice(found, typed.text, live_here=bool(here))


def _choose(
    ctx: Context, candidates: Sequence[CurrentMatch], typed: TypedMessage, author: int, *, direct: bool
) -> MatchRow | Refused:
    """Return one of several matches, or that the text could mean several.

    Matches waiting for the author go first, before all those played in this conversation; among several, the
    one whose game can read the text.
    """
    if not candidates:
        return Refused(msg("bot.move.no_match"))
    waiting = [each for each in candidates if is_to_move(ctx, each.row, each.match, author)]
    if not waiting:
        return candidates[0].row
    here = [each for each in waiting if direct and each.row.place.guild is None]
    for among in (here, waiting):
        readable = [each.row for each in among if _can_read(ctx, each, author, typed.text)]
        if len(readable) == 1:
            return readable[0]
        if readable:
            return _several(readable, typed)
    return waiting[0].row if len(waiting) == 1 else _several([each.row for each in waiting], typed)


def _several(rows: Sequence[MatchRow], typed: TypedMessage) -> Refused:
    ids = tuple(row.id for row in rows[:_MAX_NAMED])
    return Refused(msg("bot.move.which", matches=ids, example=f"{ids[0]} {as_code(typed.text, 20)}"))


def _can_read(ctx: Context, seen: CurrentMatch, author: int, text: str) -> bool:
    """Return whether a text is a move, or part of a move, of the author in that match."""
    seat = ctx.service.queries.seat_of(seen.row, author)
    if seat is None:
        return False
    game, bare = seen.match.game, typed_text.strip_markup(text)[0]
    return not isinstance(game.parse(game.view(seen.match.state, Seat(seat)), Seat(seat), bare), Rejected)


def is_to_move(ctx: Context, row: MatchRow, match: Match, user: int) -> bool:
    """Return whether a person is to act in a match."""
    seat = ctx.service.queries.seat_of(row, user)
    return seat is not None and Seat(seat) in match.to_act


def is_conversation(row: MatchRow, text: str) -> bool:
    """Return whether a text doesn't resemble a move of that game in any position."""
    game = registry.get(row.game)
    state = game.start(game.setup(len(row.seats), row.options)).state
    read = game.parse(game.view(state, None), Seat(0), text)
    return isinstance(read, Rejected) and read.chat
