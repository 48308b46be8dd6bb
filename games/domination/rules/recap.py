"""A summary of a turn with many orders: totals that a phone shows in a few lines.

The facts that it summarises still hold every country and every battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.domination.rules.facts import ARMIES_LINE, BATTLE_LINE
from games.engine.game import Fact
from games.engine.message import Msg, msg

_PLACE: Final = "domination.fact.place"
_TAKEN: Final = "domination.fact.taken"
_HELD: Final = "domination.fact.held"
_MOVE: Final = "domination.fact.move"
_MAX_NAMED: Final = 8
"""Maximum number of taken countries that are listed; more are only counted."""


def recap(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts of one seat with armies placed and battles fought as totals, the others unchanged."""
    put: dict[str, list[dict[str, Any]]] = {key: [] for key in (_PLACE, _TAKEN, _HELD, _MOVE)}
    others: list[Fact] = []
    for fact in facts:
        rows = put.get(fact.msg.key)
        if rows is None or fact.to is not None:
            others.append(fact)
        else:
            rows.append(dict(fact.msg.values))
    by = next((fact.by for fact in facts if fact.by is not None), None)
    short: list[Fact] = []
    if armies := sum(row["n"] for row in put[_PLACE]):
        short.append(Fact(msg("domination.fact.recap_placed", n=armies), line=ARMIES_LINE, by=by))
    if put[_TAKEN] or put[_HELD]:
        short += (Fact(each, line=BATTLE_LINE, by=by) for each in _fought(put[_TAKEN], put[_HELD]))
    return (*short, *(fact for fact in others if not fact.detail))


def _fought(taken: Sequence[dict[str, Any]], held: Sequence[dict[str, Any]]) -> list[Msg]:
    """Return the conquests, the number of repelled attacks, and the losses of both sides."""
    said: list[Msg] = []
    if taken:
        names = tuple(str(row["dst"]) for row in taken)
        key = "recap_taken" if len(names) <= _MAX_NAMED else "recap_many"
        values: dict[str, Any] = {"n": len(names)} | ({"at": names} if key == "recap_taken" else {})
        said.append(msg(f"domination.fact.{key}", **values))
    if held:
        said.append(msg("domination.fact.recap_held", n=len(held)))
    both = (*taken, *held)
    lost, killed = (sum(row[what] for row in both) for what in ("lost", "killed"))
    said.append(msg("domination.fact.recap_losses", lost=lost, killed=killed))
    return said
