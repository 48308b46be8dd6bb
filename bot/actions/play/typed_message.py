"""A typed text that may be a move, and the way it reached the bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, TypeAlias, get_args

from bot.platform.readers import Reader
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.store.rows import MatchRow

Route = Literal["reply", "mention", "role", "dm", "bare"]
"""How a message addresses the bot: as a reply, by a mention, in direct messages, or not at all (`bare`).

A mention of the bot's own role is a `mention` if the text is readable; otherwise it is a `role`.
"""
_PUNCTUATION = " \t\n.,;:!?…*_~`'\"()-"


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
    """Whether its author was told that it doesn't count: then it mustn't count later either."""


def is_courtesy(text: str, reader: Reader) -> bool:
    """Return whether a text is only a greeting, thanks or the like, in English or the reader's language."""
    return _is_one_of(text, reader, msg("bot.talk.courtesies"))


def asks_for_help(text: str, reader: Reader) -> bool:
    """Return whether a text only asks for help."""
    return _is_one_of(text, reader, msg("bot.talk.help"))


Word: TypeAlias = Literal["help", "undo", "resign", "moves", "turn"]


def asked_word(text: str, reader: Reader) -> Word | None:
    """Return what a text asks for in a word or two, such as `undo` or "whose turn is it"; None if nothing."""
    return next((word for word in get_args(Word) if _is_one_of(text, reader, msg(f"bot.talk.{word}"))), None)


def _is_one_of(text: str, reader: Reader, words: Msg) -> bool:
    said = folded(text).strip(_PUNCTUATION)
    known = (reader.catalogue.say(words), reader.say(words))
    return said in {word.strip() for listed in known for word in folded(listed).split(",")}
