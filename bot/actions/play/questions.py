"""Answer typed questions about a match in words: `/ask about` and `/ask hand`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.actions.play.move_targets import targets_text
from bot.context import Context
from bot.messages.board_query import BoardQuery
from bot.messages.clock import agreed_lines, clock_line, clock_lines
from bot.messages.hints import hints_line
from bot.messages.match import fact_details, hand_text, status_line, what_happened
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import scene_for
from bot.platform.reader_settings import Reader
from games.engine.match import Kind
from games.engine.message import msg
from games.engine.normalization import folded
from matches.clocks.timekeeper import control_of
from matches.results import LastChange
from matches.store.rows import MatchRow

_Answer: TypeAlias = Callable[[Context, MatchRow, Reader, str], Awaitable[str]]


async def answer(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """Answer a question from what the reader may know, or list what can be asked."""
    verb, _, rest = folded(typed).partition(" ")
    asked = _VERBS.get(verb)
    if asked is None and not rest and (await _board_query(ctx, row, reader)).scan(verb) is not None:
        asked, rest = _scan, verb
    text = await (asked or _unknown)(ctx, row, reader, rest)
    return Outgoing(f"{text}\n-# `{row.id}`")


async def hand(ctx: Context, row: MatchRow, reader: Reader) -> Outgoing:
    """Describe in words what only the reader's seat knows."""
    return Outgoing(f"{await _hand(ctx, row, reader, '')}\n-# `{row.id}`")


async def suggestions(ctx: Context, row: MatchRow, reader: Reader) -> tuple[str, ...]:
    """Return the questions that have an answer on this board, as they are typed."""
    last = await ctx.service.queries.last_change(row)
    query = _query_of(last, reader)
    dice = ("dice",) if _rolled(last) else ()
    hints = ("hints",) if last.match.help.hints or last.match.help.coached else ()
    hand = ("hand",) if hand_text(row, last.match, reader) else ()
    scans = (f"scan {each}" for each in query.examples())
    kinds = (f"where {kind.casefold()}" for kind in query.kinds())
    return ("last", "score", "clock", *hints, *dice, *hand, *scans, f"moves {query.examples()[-1]}", *kinds)


async def _board_query(ctx: Context, row: MatchRow, reader: Reader) -> BoardQuery:
    return _query_of(await ctx.service.queries.last_change(row), reader)


def _query_of(last: LastChange, reader: Reader) -> BoardQuery:
    scene = scene_for(last.match, reader.seat, last.facts)
    return BoardQuery(scene, reader.say, reader.seat)


async def _last(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    match, facts, _ = await ctx.service.queries.last_change(row)
    happened = what_happened(row, match, facts, reader, brief=False)
    face = await ctx.service.time_up.face(row)
    now = " ".join(filter(None, (status_line(row, match, reader), clock_line(row, face, reader))))
    nothing = reader.say(msg("look.nothing"))
    return f"{happened or nothing}\n{now}"


async def _dice(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    last = await ctx.service.queries.last_change(row)
    return fact_details(row, last.facts, reader) if _rolled(last) else reader.say(msg("look.no_dice"))


def _rolled(last: LastChange) -> bool:
    """Return whether anything was rolled or drawn in the last change."""
    drawn = any(entry.kind is Kind.CHANCE for entry in last.match.log[last.first :])
    return drawn or any(fact.detail for fact in last.facts)


async def _hand(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    match = await ctx.service.queries.at(row.id, row.version)
    return hand_text(row, match, reader) or reader.say(msg("look.no_hand"))


async def _score(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    return (await _board_query(ctx, row, reader)).score()


async def _clock(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    match = await ctx.service.queries.at(row.id, row.version)
    if (control := control_of(match)) is None:
        return reader.say(msg("look.clock", match=row.id))
    if (face := await ctx.service.time_up.face(row)) is None:
        over = (*agreed_lines(control), msg("look.clock.over"))
        return "\n".join(reader.say(each) for each in over)
    given_back = await ctx.service.time_up.given_back(row)
    return "\n".join(clock_lines(row, face, given_back, reader))


async def _hints(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    match = await ctx.service.queries.at(row.id, row.version)
    used = hints_line(row, match, reader)
    return used or reader.say(msg("look.no_hints" if row.conditions.hints else "look.hints_off"))


async def _moves(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    return await targets_text(ctx, row, reader, rest)


async def _scan(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    query = await _board_query(ctx, row, reader)
    happened = query.scan(rest)
    examples = tuple(f"`scan {each}`" for each in query.examples())
    return happened or reader.say(msg("look.scan", what=as_code(rest) or "?", examples=examples))


async def _where(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    query = await _board_query(ctx, row, reader)
    happened = query.where(rest)
    return happened or reader.say(msg("look.where", what=as_code(rest) or "?", kinds=query.kinds()))


async def _unknown(ctx: Context, row: MatchRow, reader: Reader, rest: str) -> str:
    query = await _board_query(ctx, row, reader)
    place, kind = query.examples()[-1], query.kinds()[0].casefold()
    scans = (f"`scan {each}`" for each in query.examples())
    examples = (*scans, f"`moves {place}`", f"`where {kind}`")
    return reader.say(msg("look.unknown", examples=examples))


_VERBS: dict[str, _Answer] = {
    "last": _last,
    "scan": _scan,
    "moves": _moves,
    "where": _where,
    "score": _score,
    "clock": _clock,
    "hints": _hints,
    "dice": _dice,
    "hand": _hand,
}
