"""The results of MatchService's methods, as values. A refusal is one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.game import Fact
from games.engine.match import Match
from games.engine.message import Msg
from games.engine.orders import Undone
from matches.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who plays or watches: their id and the name to show."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The request is refused, and why; `near` has similar legal texts. Nothing was written."""

    why: Msg
    near: tuple[str, ...] = ()
    chat: bool = False
    """The text doesn't resemble a move: in open conversation it gets no answer."""
    stale: bool = False
    """The position has changed: show the current one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The text is a partial move: the prompt, and the choices to complete it. Nothing was written."""

    prompt: Msg
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """The move is legal, but the game warns against it. Nothing was written; `text`, sent again, plays it."""

    why: Msg
    text: str
    version: int
    """The log entry of the position that it is played on."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a move would do, and the game's warning against it if there is one. Nothing was written."""

    match: Match
    facts: tuple[Fact, ...]
    text: str
    caution: Msg | None = None
    forecast: tuple[Msg, ...] = ()
    """The game's forecast for all orders of the text; if there is one, no move was tried."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """The current lobby, after a change if there was one."""

    row: MatchRow
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A match after a change: its first and last new log entry, and its facts."""

    row: MatchRow
    match: Match
    first: int
    last: int
    facts: tuple[Fact, ...]
    repeated: bool = False
    """Whether the request had been served before, so that nothing was written now."""
    left: Undone | None = None
    """Orders of the same text that weren't carried out; None for repeated requests."""


class LastChange(NamedTuple):
    """The newest position of a match, what its last change was, and the first log entry of that change."""

    match: Match
    facts: tuple[Fact, ...]
    first: int


@dataclass(frozen=True, slots=True)
class CurrentMatch:
    """A match in its current position."""

    row: MatchRow
    match: Match
