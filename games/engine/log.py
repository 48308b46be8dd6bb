"""The entries of a match's log, the match that they give, and which of them are in force after takebacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

from games.engine.game import AnyGame, Fact, Outcome, Seat, Setup
from games.engine.message import Msg
from games.engine.origin import Origin


class Kind(StrEnum):
    """The kind of a log entry."""

    START = "start"
    PLAY = "play"
    CHANCE = "chance"
    RESIGN = "resign"
    TIMEOUT = "timeout"
    OFFER = "offer"
    """A seat offers a draw, or agrees to one."""
    ASK = "ask"
    """A seat asks to take moves back, or agrees to that."""
    DECLINE = "decline"
    ABORT = "abort"
    TAKEBACK = "takeback"
    SUBSTITUTE = "substitute"
    """Someone else, or a computer, takes over a seat."""
    FLAG = "flag"
    """The time of a seat is up."""
    CLAIM = "claim"
    """A seat claims that the time of another one is up."""
    DEFAULT = "default"
    """The game's safe default action, or a computer's, played for a seat whose time is up."""
    PAUSE = "pause"
    """A seat asks for a pause or agrees to one, or the pause that all agreed to begins."""
    RESUME = "resume"
    DOWNTIME = "downtime"
    """Nobody could play for a while: that time is given back to the clocks that ran."""
    VACATION = "vacation"
    """A vacation of a seat's holder began automatically, because their time was running out."""
    HINT = "hint"
    """A seat was shown a step of a hint for the current position."""
    COACH = "coach"
    """A seat switches its coach on or off, or the coach speaks about its last move."""
    RULING = "ruling"
    """A moderator pauses, ends or resumes the match, decides its result, or gives a seat more time."""
    REVEAL = "reveal"


Holder: TypeAlias = Literal["person", "computer"]
"""Who takes over a seat."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a match's log: its number from 0, its kind, the seat that made it, and its data.

    `data` is one line: JSON for START, the encoded action for PLAY, DEFAULT and CHANCE, the number of the
    last entry to stay in force for ASK and TAKEBACK, the number of the late seat for CLAIM, "on" for a PAUSE
    that begins, "person" or "computer" for SUBSTITUTE (empty in early logs), the seconds of each downtime
    for DOWNTIME, with spaces between them, those of the vacation for VACATION, the number of the step from 1
    for HINT, "on", "off" or what `coaching` reads for COACH, the secret in hex for REVEAL, "moderator" for
    RESIGN if one removes the seat, what `rulings` reads for RULING, and empty for all other kinds.
    """

    seq: int
    kind: Kind
    seat: Seat | None = None
    data: str = ""


class CorruptLogError(ValueError):
    """A log that no match can have written.

    `seq` is the first entry that can't be; `why` is the game's own refusal, where it refused the entry.
    """

    def __init__(self, seq: int, reason: str, why: Msg | None = None) -> None:
        super().__init__(f"entry {seq}: {reason}" + (f" ({why.key})" if why else ""))
        self.seq = seq
        self.reason = reason
        self.why = why


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended.

    "outcome" (of the game), "draw" (by agreement), "ruling" (of a moderator) or "abort" (without an outcome).
    """

    how: str
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """A seat's request to take moves back, made by the entry `seq`, to the position after entry `to`."""

    seat: Seat
    to: int
    seq: int
    agreed: frozenset[Seat]
    """The seats that agree, with the one that asks."""


HINT_STEPS: Final = 3
"""The steps of a hint: what to look at, the move, and why."""


@dataclass(frozen=True, slots=True)
class SeatStates:
    """What became of the seats of a match."""

    gone: frozenset[Seat] = frozenset()
    """Seats that resigned or ran out of time."""
    stand_ins: frozenset[Seat] = frozenset()
    """Seats in which a computer stands in for a person."""
    late: Mapping[Seat, int] = field(default_factory=dict)
    """How often in a row the time of a seat was up, for seats that haven't moved since."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What the seats of a match offer each other and ask for, beside their moves."""

    offers: frozenset[Seat] = frozenset()
    """Seats that currently offer or agree to a draw."""
    asked: TakebackRequest | None = None
    """The open request to take moves back."""
    pausing: frozenset[Seat] = frozenset()
    """Seats that ask for a pause or agree to one."""
    paused: bool = False


@dataclass(frozen=True, slots=True)
class HelpGiven:
    """How the seats of a match were helped."""

    hints: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    """How often each step of a hint was shown to a seat, for seats that have had any."""
    coach: frozenset[Seat] = frozenset()
    """Seats with a coach."""
    coached: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    """The entries by which the coach has spoken to a seat, for seats to which it has."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """What the host of a match has written into its log, or decided about it."""

    clock: Mapping[str, Any] | None = None
    """The clock agreed on, as the host wrote it; None without one. Times are no matter of the engine."""
    origin: Origin | None = None
    """Where the match begins, if that isn't the start of its game."""
    recorded_as: str = ""
    """The id it was played under, if the host that has imported it knows it by another."""
    held: str = ""
    """Whether a moderator has stopped it: "pause" or "end"; empty if none has."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match folded from its log up to entry `seq`: the position, and what stands around it."""

    game: AnyGame
    id: str
    setup: Setup
    commit: str
    salt: str
    state: Any
    seq: int
    plays: int = 0
    """Number of decisions that seats have made."""
    seats: SeatStates = SeatStates()
    talk: Talk = Talk()
    help: HelpGiven = HelpGiven()
    hosting: Hosting = Hosting()
    ending: Ending | None = None
    log: tuple[Entry, ...] = ()
    _awaited: frozenset[Seat] | None = field(default=None, init=False, repr=False, compare=False)
    """Asked of the game once: many ask it of the same match."""

    @property
    def sealed_id(self) -> str:
        """The id from which its dice follow: the one it was played under."""
        return self.hosting.recorded_as or self.id

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats to act; empty once the match is over, and while a moderator has stopped it."""
        return frozenset() if self.hosting.held else self.awaited

    @property
    def awaited(self) -> frozenset[Seat]:
        """The seats to act, also while a moderator has stopped the match; empty once it is over."""
        found = self._awaited
        if found is None:
            found = frozenset() if self.ending else self.game.to_act(self.state)
            object.__setattr__(self, "_awaited", found)
        return found

    @property
    def playing(self) -> frozenset[Seat]:
        """The seats still in the match: neither gone nor eliminated."""
        return (
            frozenset(map(Seat, range(self.setup.seats))) - self.seats.gone - self.game.eliminated(self.state)
        )


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of one request: the match after it, the entries to append, and the facts in order."""

    match: Match
    entries: tuple[Entry, ...]
    facts: tuple[Fact, ...]

    def then(self, more: Change) -> Change:
        """Return this change and one that follows on it as one."""
        return Change(more.match, (*self.entries, *more.entries), (*self.facts, *more.facts))


def in_force(log: Sequence[Entry], to: int) -> list[Entry]:
    """Return the entries after the start that are in force after entry `to`, in order."""
    chain: list[Entry] = []
    while to > 0:
        if log[to].kind is Kind.TAKEBACK:
            to = int(log[to].data)
        else:
            chain.append(log[to])
            to -= 1
    return chain[::-1]
