"""A text that may be a move, with what is known of it before it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.platform.readers import Reader
from games.engine.message import msg

Door = Literal["reply", "mention", "dm", "bare"]
_SIGNS = " \t\n.,;:!?…*_~`'\"()-"


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """A text, the door it came through, the match it answers, and the entry that its author saw."""

    door: Door
    text: str
    match: str | None = None
    version: int | None = None


def is_courtesy(text: str, reader: Reader) -> bool:
    """Return whether a text only greets, thanks or the like, in English or the reader's language."""
    return _is_one_of(text, reader, "bot.talk.courtesies")


def asks_for_help(text: str, reader: Reader) -> bool:
    """Return whether a text only asks for help."""
    return _is_one_of(text, reader, "bot.talk.help")


def _is_one_of(text: str, reader: Reader, key: str) -> bool:
    said = " ".join(text.casefold().strip(_SIGNS).split())
    known = (reader.catalogue.say(msg(key)), reader.say(msg(key)))
    return said in {word.strip() for listed in known for word in listed.casefold().split(",")}
