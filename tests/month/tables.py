"""The matches of a month: where they are played, by whom, and what has to be in their logs.

The model of a match is the engine's own value: what is written and must count is played on it at once, with
the dice that were sealed. In the end the bot's log has to be the model's.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from simcord.builders import ChannelHandle, GuildHandle

from games.engine import orders
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Done, Seat
from games.engine.match import Match
from games.engine.orders import Executed
from tests.loopback import Person

Kind = Literal["thread", "forum", "channel", "direct"]
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

    def _done(self, seat: Seat, text: str) -> Done[object] | None:
        if seat not in self.model.to_act:
            return None
        view = self.game.view(self.model.state, seat)
        done = self.game.parse(view, seat, text)
        if not isinstance(done, Done) or self.game.caution(view, seat, done.action) is not None:
            return None
        return done
