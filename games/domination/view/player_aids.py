"""Buttons for the seat that is to act, and warnings about legal actions that are often regretted."""

from __future__ import annotations

from typing import Final

from games.domination.commands import prompts
from games.domination.commands.prompts import AUTO, OrderContext, write
from games.domination.rules import battles, judge
from games.domination.rules.actions import KEEP, Action
from games.domination.rules.move_generator import trade_value
from games.domination.rules.position import NONE, View, map_tables
from games.domination.view.attack_odds import action_odds, percent
from games.engine.game import Shortcut
from games.engine.message import Msg, Value, msg

_MIN_CHANCE: Final = 0.6
"""Minimum chance to win of an attack that gets a button."""
_MAX_ATTACKS: Final = 5
"""Maximum number of buttons for attacks."""
_MAX_PLACEMENTS: Final = 4
"""Maximum number of buttons for placements or capitals."""


def shortcuts(view: View, seat: int) -> tuple[Shortcut, ...]:
    """Return at most ten buttons with the most sensible orders; none if the seat isn't to act."""
    context = prompts.context_of(view, seat)
    if seat not in judge.to_act(view.position):
        return ()
    match view.position.phase:
        case "claim":
            done = [_button("done", "done")] if context.own.wishes else []
            return _button("auto_claim", AUTO), *done, _button("claim", "claim")
        case "setup":
            pool = context.own.pool
            return _button("auto_setup", AUTO), *(_stacks(context, pool) if pool else ())
        case "capital":
            picks = context.menu()[:_MAX_PLACEMENTS]
            return tuple(_button("capital", write(action), at=action.a.upper()) for action in picks)
        case "place":
            return _armies(context)
        case "attack":
            return _attacks(context)
        case "move":
            low, high = battles.move_in_range(view.position)
            rows = prompts.sample(range(low, high + 1), 6)
            return tuple(_button("move", f"move {n}", n=n) for n in reversed(rows))
        case "vote":
            return _button("continue", "continue"), _button("stop", "stop")
        case _:
            return ()


def _button(key: str, text: str, **values: Value) -> Shortcut:
    return Shortcut(msg(f"domination.button.{key}", **values), text)


def _stacks(context: OrderContext, pool: int) -> list[Shortcut]:
    rows = context.placements(pool, _MAX_PLACEMENTS)
    return [_button("place", write(action), at=action.a.upper(), n=pool) for action in rows]


def _armies(context: OrderContext) -> tuple[Shortcut, ...]:
    position = context.position
    sets, forced = context.trades()
    trade = [_button("trade", "trade best", n=trade_value(position, sets[0]))] if sets else []
    if forced:
        return tuple(trade)
    if not position.pool:
        return (*trade, _button("keep", write(KEEP)))
    return (*trade, *_stacks(context, position.pool), _button("place_where", "place"))


def _attacks(context: OrderContext) -> tuple[Shortcut, ...]:
    found: list[Shortcut] = []
    for front in prompts.best_attacks(context.position):
        action = context.usual_attack(front.src, front.dst)
        wins = action_odds(context, action).wins
        if wins >= _MIN_CHANCE and len(found) < _MAX_ATTACKS:
            names = {"src": action.a.upper(), "dst": action.b.upper()}
            found.append(_button("attack", write(action), percent=percent(wins), **names))
    more = [_button("attack_where", "attack")] if prompts.best_attacks(context.position) else []
    last = [_button("fortify", "fortify")] if context.last_moves() else []
    return (*found, *more, *last, _button("end", "end"))


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
