"""A coach's remark on a move, as the log writes it: which move, what it gave away, what was better."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, cast

from games.engine.game import Fact, Seat
from games.engine.log import Entry, Kind, Match
from games.engine.message import Who, msg

COACH_TIMES: Final = 3
"""How often a coach speaks to a seat in a match at most."""
_WRITTEN: Final = re.compile(r"([1-9]\d{0,8}) ([1-9]\d?|100) (\S.*)")


@dataclass(frozen=True, slots=True)
class CoachRemark:
    """A remark on a decision of a seat."""

    seq: int
    """The entry of the decision: the one before it is the last to stay if it is taken back."""
    percent: int
    """The share of the match that it gives away, in percent."""
    best: str
    """The better action, as the log writes it."""

    @property
    def data(self) -> str:
        """The remark as the data of an entry."""
        return f"{self.seq} {self.percent} {self.best}"


def read_remark(data: str) -> CoachRemark | None:
    """Return the remark that an entry's data is; None if it is none."""
    if (found := _WRITTEN.fullmatch(data)) is None:
        return None
    return CoachRemark(int(found[1]), int(found[2]), found[3])


def may_coach(match: Match, entry: Entry) -> bool:
    """Return whether a seat's coach can be switched so, or can speak about such a move."""
    seat = cast("Seat", entry.seat)
    if entry.data in ("on", "off"):
        return (seat in match.help.coach) == (entry.data == "off")
    remark = read_remark(entry.data)
    if remark is None or remark.seq > match.seq or seat not in match.help.coach:
        return False
    about = match.log[remark.seq]
    return (
        about.kind is Kind.PLAY and about.seat == seat and len(match.help.coached.get(seat, ())) < COACH_TIMES
    )


def coached(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after an entry of a coach, and its facts."""
    seat = cast("Seat", entry.seat)
    if entry.data in ("on", "off"):
        without = match.help.coach - {seat}
        coach = without | {seat} if entry.data == "on" else without
        return replace(match, help=replace(match.help, coach=coach)), ()
    remark = cast("CoachRemark", read_remark(entry.data))
    entries = (*match.help.coached.get(seat, ()), entry.seq)
    fact = Fact(msg("match.fact.coach", who=Who(seat), n=remark.percent))
    return replace(match, help=replace(match.help, coached={**match.help.coached, seat: entries})), (fact,)
