"""Buttons for the seat that is to act, each with the text it types. Those for cards are the seat's alone."""

from __future__ import annotations

from typing import Final

from games.domination.commands import prompts, suggestions
from games.domination.commands.prompts import Moment, write
from games.domination.rules import battles, cards, judge
from games.domination.rules.actions import KEEP, Action
from games.domination.rules.position import View
from games.domination.rules.turns import FRESH, SPOILS, must_trade
from games.domination.view.attack_odds import of_action, percent
from games.engine.game import Shortcut
from games.engine.message import Value, msg

AUTO: Final = "auto"
_LIKELY: Final = 0.6
"""Attacks that are less likely to win get no button."""
_ATTACKS: Final = 5
_STACKS: Final = 4


def shortcuts(view: View, seat: int) -> tuple[Shortcut, ...]:
    """Buttons for the seat, which is to act: what is most sensible right now, at most ten."""
    moment = prompts.moment_of(view, seat)
    if seat not in judge.to_act(view.position):
        return ()
    match view.position.phase:
        case "claim":
            done = [_button("done", "done")] if moment.own.wishes else []
            count = suggestions.share(view.position, moment.own)
            return _button("auto_claim", AUTO, n=count), *done, _button("claim", "claim")
        case "setup":
            pool = moment.own.pool
            return (_button("auto_setup", AUTO), *_stacks(moment, pool)) if pool else ()
        case "capital":
            picks = prompts.menu(moment)[:_STACKS]
            return tuple(_button("capital", write(action), at=action.a.upper()) for action in picks)
        case "place":
            return _armies(moment)
        case "attack":
            return _attacks(moment)
        case "move":
            low, high = battles.room(view.position)
            rows = suggestions.some(range(low, high + 1), 6)
            return tuple(_button("move", f"move {n}", n=n) for n in reversed(rows))
        case "vote":
            return _button("continue", "continue"), _button("stop", "stop")
        case _:
            return ()


def _button(key: str, text: str, **values: Value) -> Shortcut:
    return Shortcut(msg(f"domination.button.{key}", **values), text)


def _stacks(moment: Moment, pool: int) -> list[Shortcut]:
    rows = prompts.placements(moment, pool, _STACKS)
    return [_button("place", write(action), at=action.a.upper(), n=pool) for action in rows]


def _armies(moment: Moment) -> tuple[Shortcut, ...]:
    position, own = moment.position, moment.own
    may = position.step in (FRESH, SPOILS)
    forced = may and must_trade(position, own)
    sets = suggestions.best_trade(position, own.hand) if may and (forced or position.step == FRESH) else []
    trade = [_button("trade", "trade best", n=_worth(moment, sets[0]))] if sets else []
    if forced:
        return tuple(trade)
    if not position.pool:
        return (*trade, _button("keep", write(KEEP)))
    return (*trade, *_stacks(moment, position.pool), _button("place_where", "place"))


def _worth(moment: Moment, action: Action) -> int:
    """The armies that a set brings."""
    law, deck = moment.position.table.law, cards.deck(moment.atlas)
    kinds = dict(zip(deck.names, deck.kinds, strict=True))
    return cards.value(law.cards, tuple(kinds[card] for card in action.cards), moment.position.table.traded)


def _attacks(moment: Moment) -> tuple[Shortcut, ...]:
    found: list[Shortcut] = []
    for front in suggestions.fronts(moment.position):
        action = prompts.attack(moment, front.src, front.dst)
        wins = of_action(moment, action).wins
        if wins >= _LIKELY and len(found) < _ATTACKS:
            names = {"src": action.a.upper(), "dst": action.b.upper()}
            found.append(_button("attack", write(action), percent=percent(wins), **names))
    more = [_button("attack_where", "attack")] if suggestions.fronts(moment.position) else []
    last = [_button("fortify", "fortify")] if prompts.last_moves(moment) else []
    return (*found, *more, *last, _button("end", "end"))
