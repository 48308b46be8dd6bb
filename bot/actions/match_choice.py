"""Which match a typed text is about: one it names, one replied to, the channel's, its author's own."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.actions.typed_text import TypedText
from bot.context import Context
from bot.messages.quoting import as_code
from games.engine import registry
from games.engine.game import Rejected, Seat
from games.engine.match import Match
from games.engine.message import msg
from matches import typed_text
from matches.ports import MatchRow
from matches.results import CurrentMatch, Refused

_NAMED = 8
"""Matches that are listed where a text could mean several."""


async def find_match(
    ctx: Context, message: discord.Message, typed: TypedText
) -> tuple[MatchRow, str] | Refused | None:
    """Return the match and the rest of the text; why there is none; or None for conversation."""
    author = message.author.id
    head, _, rest = typed.text.partition(" ")
    named = await ctx.service.queries.find(head.strip(":,`"))
    if named is not None and rest.strip():
        if typed.door == "bare" and named.place.home != message.channel.id:
            return None
        return named, rest.strip()
    if typed.match is not None:
        row = await ctx.service.queries.row(typed.match)
        return None if row is None else (row, typed.text)
    here = [] if message.guild is None else list(await ctx.service.queries.live_in(message.channel.id))
    if here or typed.door == "bare":
        mine = [row for row in here if ctx.service.queries.seat_of(row, author) is not None]
        if len(mine) < 2:
            row = (*mine, *here)[0] if mine or (here and typed.door != "bare") else None
            return None if row is None else (row, typed.text)
        candidates = [CurrentMatch(row, await ctx.service.queries.at(row.id, row.version)) for row in mine]
    else:
        candidates = list(await ctx.service.queries.mine(author))
    found = _choose(ctx, candidates, typed, author, direct=message.guild is None)
    if isinstance(found, Refused) and typed.door == "bare":
        return None
    return found if isinstance(found, Refused) else (found, typed.text)


def _choose(
    ctx: Context, candidates: Sequence[CurrentMatch], typed: TypedText, author: int, *, direct: bool
) -> MatchRow | Refused:
    """Those that wait for the author go first, among them those played in this conversation.

    Of several, the one whose game can read the text is meant.
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


def _several(rows: Sequence[MatchRow], typed: TypedText) -> Refused:
    ids = tuple(row.id for row in rows[:_NAMED])
    return Refused(msg("bot.move.which", matches=ids, example=f"{ids[0]} {as_code(typed.text, 20)}"))


def _can_read(ctx: Context, seen: CurrentMatch, author: int, text: str) -> bool:
    """Whether a text is a move, or half a move, of the author's there."""
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
    """Return whether a text has nothing of a move of that game, whatever the position."""
    game = registry.get(row.game)
    state = game.start(game.setup(len(row.seats), row.options)).state
    read = game.parse(game.view(state, None), Seat(0), text)
    return isinstance(read, Rejected) and read.chat
