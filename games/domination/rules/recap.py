"""A summary of a turn with many orders: totals that a phone shows in a few lines.

The facts that it summarises still hold every country and every battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from games.domination.rules.facts import ARMIES_LINE, BATTLE_LINE
from games.engine.game import Fact
from games.engine.message import Msg, msg

_SUMMED: Final = {f"domination.fact.{key}": key for key in ("place", "taken", "held", "move")}
_MAX_NAMED: Final = 8
"""Maximum number of taken countries that are listed; more are only counted."""
_WISH: Final = "domination.fact.wish"
_FIRST_WISHES: Final = 3
"""How many countries of a long list of wishes are named."""


def recap(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts of one seat with armies placed, battles and wishes as totals, the others unchanged."""
    put: dict[str, list[dict[str, Any]]] = {key: [] for key in _SUMMED.values()}
    wishes = [fact for fact in facts if fact.msg.key == _WISH]
    if len(wishes) <= _MAX_NAMED:
        wishes = []
    others = [_wishes(wishes)] if wishes else []
    for fact in facts:
        if wishes and fact.msg.key == _WISH:
            continue
        if fact.to is None and fact.msg.key in _SUMMED:
            put[_SUMMED[fact.msg.key]].append(dict(fact.msg.values))
        elif not fact.detail:
            others.append(fact)
    by = next((fact.by for fact in facts if fact.by is not None), None)
    short: list[Fact] = []
    if armies := sum(row["n"] for row in put["place"]):
        short.append(Fact(msg("domination.fact.recap_placed", n=armies), line=ARMIES_LINE, by=by))
    if put["taken"] or put["held"]:
        short += (Fact(each, line=BATTLE_LINE, by=by) for each in _fought(put["taken"], put["held"]))
    return (*short, *others)


def _wishes(facts: Sequence[Fact]) -> Fact:
    """Return one fact for a long list of countries that a seat wants to claim."""
    first = tuple(str(dict(fact.msg.values)["at"]) for fact in facts[:_FIRST_WISHES])
    return replace(facts[0], msg=msg("domination.fact.recap_wishes", n=len(facts), at=first))


def _fought(taken: Sequence[dict[str, Any]], held: Sequence[dict[str, Any]]) -> list[Msg]:
    """Return the conquests, the number of repelled attacks, and the losses of both sides."""
    said: list[Msg] = []
    if taken:
        names = tuple(str(row["dst"]) for row in taken)
        few = msg("domination.fact.recap_taken", n=len(names), at=names)
        said.append(few if len(names) <= _MAX_NAMED else msg("domination.fact.recap_many", n=len(names)))
    if held:
        said.append(msg("domination.fact.recap_held", n=len(held)))
    both = (*taken, *held)
    lost, killed = (sum(row[what] for row in both) for what in ("lost", "killed"))
    said.append(msg("domination.fact.recap_losses", lost=lost, killed=killed))
    return said
