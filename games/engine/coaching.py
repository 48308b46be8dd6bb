"""What a coach has said of a move, as the log writes it: which move, what it gave away, what was better."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

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
