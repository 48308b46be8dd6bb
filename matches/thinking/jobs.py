"""What a computer has to decide or to appraise, and the protocol of those who think about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.ai.appraisal import Appraisal
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Expectation, Seat
from games.engine.match import Change, Match


class BusyError(Exception):
    """Raised if too many matches wait for their computers, or too many questions for an answer.

    Nothing is lost: ask again later.
    """


class NoAnswerError(Exception):
    """Raised for a question without an answer: the process that worked on it died, and the next one, too."""


@dataclass(frozen=True, slots=True)
class Job:
    """A position in which only computers, or computers among others, are to act."""

    match: Match
    sealed: Sealed
    """The dice of the match, for the draws of chance between two decisions. No player sees them."""
    levels: Mapping[Seat, str]
    """The levels of all seats that computers hold."""
    seed: bytes
    """The secret of the players' own dice."""
    turns: int = 1
    """Maximum number of turns, if computers are to act one after the other."""


@dataclass(frozen=True, slots=True)
class DecidedTurn(Change):
    """A turn of computers, with what those that search may expect of the match after it."""

    expected: Mapping[Seat, Expectation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AppraisalJob:
    """A question about a position: what is best there for the seat to act, and what it is worth."""

    key: str
    """Whose question it is. Questions with the same key are answered one after the other."""
    game: AnyGame
    rules: int
    state: Any
    """A state with no secrets from those who get the answer: what `guess` returns for the seat's view, as
    long as the match goes on."""
    seat: Seat
    teams: tuple[int, ...]
    """The team of each seat."""
    seed: bytes
    """The secret of the dice to think with: the same question has the same answer."""
    also: tuple[Any, ...] = ()
    """Legal actions of the seat to rate as well."""
    tempting: int = 0
    """How many more to rate as well: those that look best at first sight."""
    level: str = "hard"
    """The level of computers whose work is done, for each action that is rated."""
    effort: float = 1.0
    """Factor for that work."""
    seconds: float = 10.0
    """Maximum number of seconds to search for."""

    @property
    def total_seconds(self) -> float:
        """Seconds after which both searches have ended: a player's own choice, and what moves are worth."""
        return 2 * self.seconds


class Thinker(Protocol):
    """Thinks for computers, and about questions. One job of a match is worked on at a time."""

    async def think(self, job: Job) -> tuple[DecidedTurn, ...] | None:
        """Return the turns of a job, each as one change, at least one; None if the job was dropped.

        Raises BusyError.
        """
        ...

    async def appraise(self, job: AppraisalJob) -> Appraisal | None:
        """Return the answer to a question; None if it was dropped. Turns of computers come first.

        Raises BusyError, NoAnswerError.
        """
        ...

    def drop(self, key: str) -> None:
        """Give up all jobs of a match, or all questions with a key: their answers are no longer wanted."""
        ...

    async def close(self) -> None:
        """Give up all jobs, and end what works on them."""
        ...
