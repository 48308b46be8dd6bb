"""Warnings about legal actions that are often regretted; the player is asked to confirm them."""

from __future__ import annotations

from typing import Final

from games.domination.commands import prompts
from games.domination.rules.actions import Action
from games.domination.rules.position import NONE, View, map_tables
from games.domination.view.attack_odds import action_odds, percent
from games.engine.message import Msg, msg

_RISKY: Final = 0.25
"""Chance to win below which an attack gets a warning."""


def caution(view: View, seat: int, action: Action) -> Msg | None:
    """Return a warning if an attack will probably fail, or the seat's capital would keep a single army."""
    position = view.position
    context = prompts.context_of(view, seat)
    if action.kind == "attack" and action.how in ("until", "lead"):
        wins = action_odds(context, action).wins
        if wins < _RISKY:
            names = {"src": action.a.upper(), "dst": action.b.upper()}
            return msg("domination.caution.odds", percent=percent(wins), **names)
    if position.info.mode != "capital" or action.kind not in ("move", "fortify"):
        return None
    home, attack = position.info.capitals[seat], position.attack
    src = attack.src if attack is not None else context.atlas.index.get(action.a, NONE)
    if home == NONE or src != home or position.armies[home] - action.n > 1:
        return None
    into = map_tables(context.atlas).into[home]
    near = [position.armies[n] for n in into if position.owner[n] != seat]
    if max(near, default=0) < 2:
        return None
    return msg("domination.caution.capital", at=map_tables(context.atlas).display_codes[home], n=max(near))
