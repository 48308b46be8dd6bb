"""A state consistent with what a seat knows, to try moves on although cards and missions are hidden."""

from __future__ import annotations

from games.domination.rules import goals
from games.domination.rules.judge import SIMULTANEOUS_PHASES
from games.domination.rules.position import NONE, UNKNOWN, Secrets, State, View


def guess_state(view: View, seat: int) -> State | None:
    """Return a state for trying moves, with possible cards and missions of the other seats.

    Return None while all decide in secret, and for a spectator's view.
    """
    position, own = view
    info = position.info
    if own is None or position.phase in SIMULTANEOUS_PHASES - {"vote"}:
        return None
    atlas = info.law.atlas
    gone = {at for at in info.capitals if at != NONE}
    used = {*own.hand, *info.discard}
    unseen = [n for n, card in enumerate(atlas.cards) if n not in used and card.country not in gone]
    tasks = [n for n in goals.missions_for(atlas, info.law.seats) if n != own.mission]
    found: list[Secrets] = []
    for each, count in enumerate(info.cards):
        if each == seat:
            found.append(own)
            continue
        mission = tasks.pop(0) if own.mission != NONE else NONE
        found.append(UNKNOWN._replace(hand=tuple(unseen[:count]), mission=mission))
        unseen = unseen[count:]
    return State(position, tuple(found), tuple(unseen))
