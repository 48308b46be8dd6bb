"""Questions about a match in words, answered in words to the one who asked: `/look`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from bot.aims import in_words
from bot.hearing import Hearing
from bot.presenter import Outgoing, Reader, as_code
from games.engine.game import Fact
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.ports import MatchRow

if TYPE_CHECKING:
    from bot.app import Dominium

_Answer: TypeAlias = "Callable[[Dominium, MatchRow, Reader, str], Awaitable[str]]"


async def answer(app: Dominium, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """What was asked for, from what the reader may know; or what can be asked."""
    verb, _, rest = " ".join(typed.casefold().split()).partition(" ")
    asked = _VERBS.get(verb)
    if asked is None and not rest and (await _hearing(app, row, reader)).scan(verb) is not None:
        asked, rest = _scan, verb
    text = await (asked or _unknown)(app, row, reader, rest)
    return Outgoing(f"{text}\n-# `{row.id}`")


async def hand(app: Dominium, row: MatchRow, reader: Reader) -> Outgoing:
    """What only the reader may know, in words."""
    return Outgoing(f"{await _hand(app, row, reader, '')}\n-# `{row.id}`")


async def suggestions(app: Dominium, row: MatchRow, reader: Reader) -> tuple[str, ...]:
    """Questions that have an answer on this board."""
    match, facts = await app.present(row.id)
    hearing = _heard(app, match, facts, reader)
    dice = ("dice",) if any(fact.detail for fact in facts) else ()
    hand = ("hand",) if app.presenter.hand(row, match, reader) else ()
    scans = (f"scan {each}" for each in hearing.examples())
    kinds = (f"where {kind.casefold()}" for kind in hearing.kinds())
    return ("last", "score", "clock", *dice, *hand, *scans, f"moves {hearing.examples()[-1]}", *kinds)


async def _hearing(app: Dominium, row: MatchRow, reader: Reader) -> Hearing:
    return _heard(app, *await app.present(row.id), reader)


def _heard(app: Dominium, match: Match, facts: tuple[Fact, ...], reader: Reader) -> Hearing:
    scene = app.presenter.scene(match, reader.seat, facts)
    return Hearing(scene, app.presenter.speak(reader.language), reader.seat)


async def _last(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    match, facts = await app.present(row.id)
    told = app.presenter.told(row, match, facts, reader)
    status, _ = app.presenter.status(row, match, reader, ping=False)
    nothing = app.presenter.say(msg("look.nothing"), reader.language)
    return f"{told or nothing}\n{status}"


async def _dice(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    _, facts = await app.present(row.id)
    detailed = any(fact.detail for fact in facts)
    return app.presenter.details(row, facts, reader) if detailed else _say(app, reader, msg("look.no_dice"))


async def _hand(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    match = await app.service.at(row.id, row.version)
    return app.presenter.hand(row, match, reader) or _say(app, reader, msg("look.no_hand"))


async def _score(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    return (await _hearing(app, row, reader)).score()


async def _clock(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    return app.presenter.say(msg("look.clock", match=row.id), reader.language)


async def _moves(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    return await in_words(app, row, reader, rest)


async def _scan(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    hearing = await _hearing(app, row, reader)
    told = hearing.scan(rest)
    examples = tuple(f"`scan {each}`" for each in hearing.examples())
    return told or _say(app, reader, msg("look.scan", what=as_code(rest) or "?", examples=examples))


async def _where(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    hearing = await _hearing(app, row, reader)
    told = hearing.where(rest)
    return told or _say(app, reader, msg("look.where", what=as_code(rest) or "?", kinds=hearing.kinds()))


async def _unknown(app: Dominium, row: MatchRow, reader: Reader, rest: str) -> str:
    hearing = await _hearing(app, row, reader)
    place, kind = hearing.examples()[-1], hearing.kinds()[0].casefold()
    scans = (f"`scan {each}`" for each in hearing.examples())
    examples = (*scans, f"`moves {place}`", f"`where {kind}`")
    return _say(app, reader, msg("look.unknown", examples=examples))


def _say(app: Dominium, reader: Reader, message: Msg) -> str:
    return app.presenter.say(message, reader.language)


_VERBS: dict[str, _Answer] = {
    "last": _last,
    "scan": _scan,
    "moves": _moves,
    "where": _where,
    "score": _score,
    "clock": _clock,
    "dice": _dice,
    "hand": _hand,
}
