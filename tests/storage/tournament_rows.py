"""A tournament to try a store with, before and after its start."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.store.tournaments import EntrantRow, TournamentEntry, TournamentPlan, TournamentRow
from tests.fakes import START
from tests.storage.rows import ANN, BEN
from tournaments.event import Pairing

PLAN = TournamentPlan("swiss", 3, 16, 2, clock={"x": 1}, options={"fast": True}, rated=True, check_in=30)
CUP = TournamentRow(
    0, 1, 20, ANN, "Spring ü", "focus", "open", PLAN, START, START, deadline=START + timedelta(hours=1)
)
CREATED = TournamentEntry(START, ANN, "created")
PEOPLE = (
    EntrantRow(1, ANN, "Ann"),
    EntrantRow(2, BEN, "Ben", "", 2, True, here=True),
    EntrantRow(3, None, "", "random"),
)
PAIRINGS = (Pairing(1, 0, (1, 3), (2, 0)), Pairing(1, 1, (2,), (2,), played=False), Pairing(2, 0, (3, 1)))


def with_people(row: TournamentRow) -> TournamentRow:
    """The next revision of a tournament, with people and pairings."""
    new = replace(
        row, entrants=PEOPLE, pairings=PAIRINGS, matches=("F-1", None, None), status="running", checking=True
    )
    return replace(new, revision=row.revision + 1)
