"""The matches of a month: where they are played, by whom, and what has to be in their logs.

The model of a match is the engine's own value: what is written and must count is played on it at once, with
the dice that were sealed. In the end the bot's log has to be the model's.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from simcord.builders import ChannelHandle, GuildHandle

from games.engine import match as engine
from games.engine import orders
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Done, Seat
from games.engine.log import Entry
from games.engine.log import Kind as EntryKind
from games.engine.match import Change, Match, fold
from games.engine.orders import Executed
from matches.clocks.control import TimeControl
from matches.log.changes import POSITION_KEPT
from tests.loopback import Person

Kind = Literal["thread", "forum", "channel", "direct"]
_TOLD_WITHOUT_A_BOARD = POSITION_KEPT - {EntryKind.SUBSTITUTE}
_MOST_ACTIONS = 48
"""How many of a seat's actions are chosen from: some games have thousands."""


@dataclass
class Table:
    """One match.

    Attributes:
        room: the channel in which it was opened; the host's direct messages if it is played there.
        homes: the channels in which it was or is played, the current one last; none for direct messages.
        wrote: the channel in which something was written that the bot may not have handled yet.
        written: the messages whose moves count, in order.
        restored: log entries whose board was deleted and has to come back.
    """

    id: str
    kind: Kind
    guild: GuildHandle | None
    room: ChannelHandle
    seats: list[Person]
    model: Match
    sealed: Sealed
    homes: list[ChannelHandle] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    wrote: int | None = None
    written: list[int] = field(default_factory=list)
    restored: set[int] = field(default_factory=set)
    ends: list[int] = field(default_factory=list)
    """The log entries with which the start and each move ended: there is a board for each."""
    clock: TimeControl | None = None
    closed: bool = False
    """Whether nobody plays on: something was done to it that lies outside the promise."""

    def __post_init__(self) -> None:
        self.ends.append(self.model.seq)

    @property
    def game(self) -> AnyGame:
        """Its game."""
        return self.model.game

    @property
    def over(self) -> bool:
        """Whether it has ended, or nobody plays on."""
        return self.closed or self.model.ending is not None

    @property
    def home(self) -> ChannelHandle | None:
        """The channel in which it is played; None for direct messages."""
        return self.homes[-1] if self.homes else None

    @property
    def holders(self) -> list[Person]:
        """The people who hold a seat now; computers may play for the others."""
        return [person for seat, person in enumerate(self.seats) if seat not in self.model.seats.stand_ins]

    def place_of(self, person: Person) -> ChannelHandle:
        """Return where a person sees its boards."""
        return self.home or person.dm

    def texts(self, seat: Seat, dice: random.Random) -> Iterator[str]:
        """Yield legal moves of a seat as people type them, in random order; none that is warned about."""
        view = self.game.view(self.model.state, seat)
        actions = list(itertools.islice(self.game.actions(view, seat), _MOST_ACTIONS))
        dice.shuffle(actions)
        for action in actions:
            text = self.game.format(view, action)
            if self.counts(seat, text):
                yield text

    def counts(self, seat: Seat, text: str) -> bool:
        """Return whether a text is a move that is played as it stands."""
        return self._done(seat, text) is not None

    def play(self, seat: Seat, text: str) -> None:
        """Play a move on the model."""
        done = self._done(seat, text)
        assert done is not None, f"{self.id}: {text!r} isn't a move of seat {seat}"
        played = orders.play(self.model, seat, done, self.sealed)
        assert isinstance(played, Executed), f"{self.id}: {text!r} is refused"
        self.model = played.change.match
        self.ends.append(self.model.seq)

    def follow(self, log: Sequence[Entry], times: Sequence[object]) -> None:
        """Bring the model in line with what the clock, and computers, have entered into the log by now.

        `times` are those of the entries: a change of its own each. What people have written and isn't in the
        log yet comes after that. Nothing happens where somebody else's move stands in the log.
        """
        known = self.model.log
        same = next((n for n, pair in enumerate(zip(log, known, strict=False)) if pair[0] != pair[1]), None)
        same = min(len(log), len(known)) if same is None else same
        if same == len(log):
            return
        written = [entry for entry in known[same:] if entry.kind is EntryKind.PLAY]
        model, ends = fold(log[:same]), [end for end in self.ends if end < same]
        while (at := model.seq + 1) < len(log):
            change = [log[n] for n in range(at, len(log)) if times[n] == times[at]]
            for entry in change:
                if entry.kind is EntryKind.PLAY and entry.seat not in model.seats.stand_ins:
                    if not written or (written[0].seat, written[0].data) != (entry.seat, entry.data):
                        return
                    written.pop(0)
                model = engine.advance(model, entry)[0]
            if not all(entry.kind in _TOLD_WITHOUT_A_BOARD for entry in change):
                ends.append(model.seq)
        for entry in written:
            assert entry.seat is not None
            played = engine.play(model, entry.seat, model.game.decode(entry.data), self.sealed)
            assert isinstance(played, Change), f"{self.id}: {entry.data} can't be played any more"
            model = played.match
            ends.append(model.seq)
        self.model, self.ends = model, ends

    def _done(self, seat: Seat, text: str) -> Done[object] | None:
        if seat not in self.model.to_act:
            return None
        view = self.game.view(self.model.state, seat)
        done = self.game.parse(view, seat, text)
        if not isinstance(done, Done) or self.game.caution(view, seat, done.action) is not None:
            return None
        return done
