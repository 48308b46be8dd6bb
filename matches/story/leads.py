"""Who led when: from the shares of all seats over the turns of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_MARGIN: Final = 0.05
"""By how much a team's share must exceed every other one's to take the lead, however exact shares are."""
_SURE: Final = 4.0
"""The same in errors of a share: two for the share, and what one side gains the other loses."""


@dataclass(frozen=True, slots=True)
class Leads:
    """How often the lead changed, and how it came to the winners."""

    changes: int
    taken: int | None = None
    """The turn after which the winning team led until the end; None for a draw, and if it never led."""
    behind: bool = False
    """Whether another team was still clearly ahead when the match ended."""


def leads_of(
    points: Sequence[tuple[int, tuple[float, ...]]],
    teams: Sequence[int],
    winners: frozenset[int],
    errors: Sequence[float] = (),
) -> Leads:
    """Return who led, from (turn, shares of all seats) in order; `winners` are the teams in first place.

    `errors` has the standard deviation of each point's shares, if that is known.

    Shares are averaged over one turn of each seat, since who has just moved often looks better.
    """
    leader: int | None = None
    changes, since, ahead = 0, None, False
    for at, (turn, _) in enumerate(points):
        near = [shares for _, shares in points[max(0, at + 1 - len(teams)) : at + 1]]
        best, margin = _best([sum(row) / len(near) for row in zip(*near, strict=True)], teams)
        ahead = margin >= max(_MARGIN, _SURE * errors[at] if errors else 0.0)
        if ahead and best != leader:
            changes += leader is not None
            leader, since = best, turn
    if len(winners) != 1:
        return Leads(changes)
    if leader in winners:
        return Leads(changes, since)
    return Leads(changes, behind=ahead)


def _best(shares: Sequence[float], teams: Sequence[int]) -> tuple[int, float]:
    """Return the team with the largest share, and how much larger it is than the next."""
    by_team: dict[int, float] = {}
    for team, share in zip(teams, shares, strict=True):
        by_team[team] = max(by_team.get(team, 0.0), share)
    (best, most), (_, next_), *_ = sorted(by_team.items(), key=lambda item: -item[1])
    return best, most - next_
