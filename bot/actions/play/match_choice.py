"""Find the match that a typed text is about: one it names or replies to, the channel's, its author's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.actions.match_access import may_look
from bot.actions.play.typed_message import TypedMessage
from bot.context import Context
from bot.messages.quoting import as_code
from games.engine import registry
from games.engine.game import Rejected, Seat
from games.engine.match import Match
from games.engine.message import msg
from matches.ids import read_id
from matches.play import typed_text
from matches.results import CurrentMatch, Refused
from matches.store.rows import MatchRow

_MAX_NAMED = 8
"""Maximum number of matches listed if a text could mean several."""


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
    if bare and rest and (said := [row for row in here if row.id == read_id(head)]):
        return MatchChoice(said[0], rest, live_here=True)
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
