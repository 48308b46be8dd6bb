"""What MatchService answers: typed values that a presenter turns into messages. A "no" is one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.game import Fact
from games.engine.match import Match
from games.engine.message import Msg
from games.engine.orders import Undone
from matches.ports import MatchRow


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who plays or watches: their id and the name to show."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Refused:
    """No, and why; `near` are texts that would be legal. Nothing was written."""

    why: Msg
    near: tuple[str, ...] = ()
    chat: bool = False
    """Nothing in the text resembles a move: in open conversation it is left unanswered."""
    stale: bool = False
    """The position has moved on: show the current one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Half a move: what is asked next, and what may follow. Nothing was written."""

    prompt: Msg
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """Legal, but is it meant? Nothing was written; the same once more is played. `text` plays it."""

    why: Msg
    text: str
    version: int
    """The entry after which it was asked for."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a move would do, and what is to be said against it; nothing was written."""

    match: Match
    facts: tuple[Fact, ...]
    text: str
    caution: Msg | None = None
    forecast: tuple[Msg, ...] = ()
    """What all orders of the text would come to, if the game can say; nothing was tried then."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """A lobby as it stands, after a change of it if there was one."""

    row: MatchRow
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A match after a change: as it stands then, the first and last new entry, and what happened."""

    row: MatchRow
    match: Match
    first: int
    last: int
    facts: tuple[Fact, ...]
    repeated: bool = False
    """The request had been served before: nothing was written now."""
    left: Undone | None = None
    """What the same text ordered besides and was not done. Told once, not when a request is repeated."""


class LastChange(NamedTuple):
    """The newest position of a match, what its last change was, and the first log entry of that change."""

    match: Match
    facts: tuple[Fact, ...]
    first: int


@dataclass(frozen=True, slots=True)
class CurrentMatch:
    """A match as it stands."""

    row: MatchRow
    match: Match
