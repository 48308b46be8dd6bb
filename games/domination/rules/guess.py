"""A state consistent with what a seat knows, to try moves on although cards and missions are hidden."""

from __future__ import annotations

from games.domination.rules import goals
from games.domination.rules.judge import TOGETHER
from games.domination.rules.position import NONE, UNKNOWN, Own, State, View


def guess_state(view: View, seat: int) -> State | None:
    """Return a state for trying moves, with possible cards and missions of the other seats.

    Return None while all decide in secret, and for a spectator's view.
    """
    place, own = view
    table = place.table
    if own is None or place.phase in TOGETHER - {"vote"}:
        return None
    atlas = table.law.atlas
    gone = {at for at in table.capitals if at != NONE}
    used = {*own.hand, *table.discard}
    unseen = [n for n, card in enumerate(atlas.cards) if n not in used and card.country not in gone]
    tasks = [n for n in goals.missions_for(atlas, table.law.seats) if n != own.mission]
    found: list[Own] = []
    for each, count in enumerate(table.cards):
        if each == seat:
            found.append(own)
            continue
        mission = tasks.pop(0) if own.mission != NONE else NONE
        found.append(UNKNOWN._replace(hand=tuple(unseen[:count]), mission=mission))
        unseen = unseen[count:]
    return State(place, tuple(found), tuple(unseen))
