"""A slow literal model of clocks: it goes from minute to minute and looks at the wall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from matches.clocks.control import TimeControl
from matches.clocks.hours import PlayingHours

MINUTE = timedelta(minutes=1)
START = datetime(2027, 3, 25, 12, 0, tzinfo=UTC)
"""Three days before summer time begins in Europe, eleven after it began in North America."""


def at(minute: int) -> datetime:
    """Return the instant so many minutes after the start."""
    return START + minute * MINUTE


def within(hours: PlayingHours, instant: datetime) -> bool:
    """Whether the wall shows playing hours."""
    wall = instant.astimezone(hours.zone)
    now, day = wall.time().replace(tzinfo=None), wall.weekday()
    if hours.opens < hours.closes:
        return day in hours.days and hours.opens <= now < hours.closes
    if now >= hours.opens:
        return day in hours.days
    return now < hours.closes and (day - 1) % 7 in hours.days


@dataclass
class Turn:
    """A turn of a seat: its bank, and the minutes used in it. All moments at which it goes on share it."""

    bank: int
    used: int = 0

    @property
    def left(self) -> int:
        """The minutes that are left."""
        return max(0, self.bank - self.used)


class LiteralClocks:
    """Counts every minute of every seat, and keeps everything it has ever counted."""

    def __init__(self, control: TimeControl, seats: int, to_act: Iterable[int]) -> None:
        """Start with a whole bank for every seat."""
        self.control = control
        self.minute = 0
        self.banks = [control.bank // MINUTE] * seats
        self.turns: list[Turn | None] = [None] * seats
        for seat in to_act:
            self.turns[seat] = Turn(self.banks[seat])
        self.past = [(list(self.banks), list(self.turns))]
        self.arrived = [0] * seats
        self.gifts: list[tuple[int, int, int, Turn | None]] = []
        """Minutes that were given: the entry, the seat, how many, and the turn in which that was."""

    def wait(self, until: int, stopped: Mapping[int, set[int]]) -> None:
        """Let time pass; `stopped` are the minutes in which a seat's clock stands."""
        for minute in range(self.minute, until):
            if self.control.hours is not None and not within(self.control.hours, at(minute)):
                continue
            for seat, turn in enumerate(self.turns):
                if turn is not None and minute not in stopped[seat]:
                    turn.used += 1
        self.minute = until

    def is_up(self, seat: int, stopped: Mapping[int, set[int]]) -> bool:
        """Whether a seat's time is up: nothing is left, and its clock has run, or would run now."""
        turn = self.turns[seat]
        assert turn is not None
        playing = self.control.hours is None or within(self.control.hours, at(self.minute))
        runs = playing and self.minute not in stopped[seat]
        return turn.used >= turn.bank and (turn.used > 0 or runs)

    def entry(
        self,
        to_act: Iterable[int],
        new_turn: Iterable[int],
        refilled: Iterable[int],
        given: Mapping[int, int] | None = None,
    ) -> None:
        """Make an entry, after which the seats in `to_act` are to act. `given` are minutes for seats."""
        for seat, turn in enumerate(self.turns):
            if turn is not None and (seat not in to_act or seat in new_turn):
                left = self.left(seat) + self.control.increment // MINUTE
                self.banks[seat] = min(self.control.cap // MINUTE, left)
                self.turns[seat] = None
            if seat in refilled:
                self.banks[seat], self.turns[seat] = self.control.bank // MINUTE, None
                self.arrived[seat] = len(self.past)
            if seat in to_act and self.turns[seat] is None:
                self.turns[seat] = Turn(self.banks[seat])
        for seat, minutes in (given or {}).items():
            turn = self.turns[seat]
            self.gifts.append((len(self.past), seat, minutes, turn))
            if turn is None:
                self.banks[seat] += minutes
            else:
                turn.bank = max(turn.bank, turn.used) + minutes
        self.past.append((list(self.banks), list(self.turns)))

    def take_back(self, to: int, to_act: Iterable[int]) -> None:
        """Go back to an entry; those who are to act again have used what they had used in that turn.

        A seat whose holder has come since goes back to their coming. What was given since then stays.
        """
        for seat, came in enumerate(self.arrived):
            since = max(to, came)
            banks, turns = self.past[since]
            turn = turns[seat] if seat in to_act else None
            self.banks[seat] = (banks[seat] if turn is None else turn.left) + sum(
                minutes
                for when, who, minutes, where in self.gifts
                if who == seat and when > since and (where is None or where is not turn)
            )
            self.turns[seat] = Turn(self.banks[seat]) if seat in to_act else None
        self.past.append((list(self.banks), list(self.turns)))

    def left(self, seat: int) -> int:
        """Return the minutes that a seat has left."""
        turn = self.turns[seat]
        return self.banks[seat] if turn is None else turn.left

    def deadline(self, seat: int, stopped: Mapping[int, set[int]], horizon: int) -> int | None:
        """Return the minute at which time is up, by waiting for it; None if that isn't before the horizon."""
        minute, left = self.minute, self.left(seat)
        while left > 0:
            if minute >= horizon:
                return None
            playing = self.control.hours is None or within(self.control.hours, at(minute))
            left -= playing and minute not in stopped[seat]
            minute += 1
        return minute
