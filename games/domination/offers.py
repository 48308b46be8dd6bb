"""What Domination offers besides the rules: buttons, warnings, and the odds of any attack.

All of it is made from what the viewer may know: buttons for cards are there for the seat alone.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.domination import advice, answers, battles, cards, dice, judge
from games.domination.actions import KEEP, Action, attack
from games.domination.answers import Now, write
from games.domination.chances import Chance, chance
from games.domination.grammar import read
from games.domination.orders import Order
from games.domination.position import NOBODY, NONE, View, chart
from games.domination.turns import FRESH, SPOILS, must_trade
from games.engine.game import Odds, Rejected, Shortcut
from games.engine.message import Msg, Value, msg
from games.engine.notation import too_long

AUTO: Final = "auto"
_LIKELY: Final = 0.6
"""Attacks that are less likely to win get no button."""
_BOLD: Final = 0.25
"""Attacks that are less likely to win are warned of."""
_ATTACKS: Final = 5
_STACKS: Final = 4
_ODDS: Final = 6
_READ: Final = 1000


# --- buttons ---------------------------------------------------------------------------------------------


def shortcuts(view: View, seat: int) -> tuple[Shortcut, ...]:
    """Buttons for the seat, which is to act: what is most sensible right now, at most ten."""
    moment = answers.now(view, seat)
    if seat not in judge.to_act(view.position):
        return ()
    match view.position.phase:
        case "claim":
            done = [_button("done", "done")] if moment.own.wishes else []
            count = advice.share(view.position, moment.own)
            return _button("auto_claim", AUTO, n=count), *done, _button("claim", "claim")
        case "setup":
            pool = moment.own.pool
            return (_button("auto_setup", AUTO), *_stacks(moment, pool)) if pool else ()
        case "capital":
            picks = answers.menu(moment)[:_STACKS]
            return tuple(_button("capital", write(action), at=action.a.upper()) for action in picks)
        case "place":
            return _armies(moment)
        case "attack":
            return _attacks(moment)
        case "move":
            low, high = battles.room(view.position)
            rows = advice.some(range(low, high + 1), 6)
            return tuple(_button("move", f"move {n}", n=n) for n in reversed(rows))
        case "vote":
            return _button("continue", "continue"), _button("stop", "stop")
        case _:
            return ()


def _button(key: str, text: str, **values: Value) -> Shortcut:
    return Shortcut(msg(f"domination.button.{key}", **values), text)


def _stacks(moment: Now, pool: int) -> list[Shortcut]:
    rows = answers.placements(moment, pool, _STACKS)
    return [_button("place", write(action), at=action.a.upper(), n=pool) for action in rows]


def _armies(moment: Now) -> tuple[Shortcut, ...]:
    position, own = moment.position, moment.own
    may = position.step in (FRESH, SPOILS)
    forced = may and must_trade(position, own)
    sets = advice.best_trade(position, own.hand) if may and (forced or position.step == FRESH) else []
    trade = [_button("trade", "trade best", n=_worth(moment, sets[0]))] if sets else []
    if forced:
        return tuple(trade)
    if not position.pool:
        return (*trade, _button("keep", write(KEEP)))
    return (*trade, *_stacks(moment, position.pool), _button("place_where", "place"))


def _worth(moment: Now, action: Action) -> int:
    """The armies that a set brings."""
    law, deck = moment.position.table.law, cards.deck(moment.atlas)
    kinds = dict(zip(deck.names, deck.kinds, strict=True))
    return cards.value(law.cards, tuple(kinds[card] for card in action.cards), moment.position.table.traded)


def _attacks(moment: Now) -> tuple[Shortcut, ...]:
    found: list[Shortcut] = []
    for front in advice.fronts(moment.position):
        action = answers.attack(moment, front.src, front.dst)
        wins = of_action(moment, action).wins
        if wins >= _LIKELY and len(found) < _ATTACKS:
            names = {"src": action.a.upper(), "dst": action.b.upper()}
            found.append(_button("attack", write(action), percent=percent(wins), **names))
    more = [_button("attack_where", "attack")] if advice.fronts(moment.position) else []
    last = [_button("fortify", "fortify")] if answers.last_moves(moment) else []
    return (*found, *more, *last, _button("end", "end"))


def percent(of: float) -> int:
    """What is neither certain nor impossible is never rounded to it."""
    return max(1, min(99, round(100 * of))) if 0.0 < of < 1.0 else round(100 * of)


# --- warnings --------------------------------------------------------------------------------------------


def caution(view: View, seat: int, action: Action) -> Msg | None:
    """Whether an attack is unlikely to win, or one's own capital would be left with a single army."""
    position = view.position
    moment = answers.now(view, seat)
    if action.kind == "attack" and action.how in ("until", "lead"):
        wins = of_action(moment, action).wins
        if wins < _BOLD:
            names = {"src": action.a.upper(), "dst": action.b.upper()}
            return msg("domination.caution.odds", percent=percent(wins), **names)
    if position.table.mode != "capital" or action.kind not in ("move", "fortify"):
        return None
    home, order = position.table.capitals[seat], position.order
    src = order.src if order is not None else moment.atlas.index.get(action.a, NONE)
    if home == NONE or src != home or position.armies[home] - action.n > 1:
        return None
    borders = chart(moment.atlas).borders
    near = [position.armies[n] for n, row in enumerate(borders) if home in row and position.owner[n] != seat]
    if max(near, default=0) < 2:
        return None
    return msg("domination.caution.capital", at=chart(moment.atlas).names[home], n=max(near))


# --- odds ------------------------------------------------------------------------------------------------


def of_action(moment: Now, action: Action) -> Chance:
    """The odds of an attack order."""
    index, armies = moment.atlas.index, moment.position.armies
    src, dst = index[action.a], index[action.b]
    return chance(armies[src], armies[dst], action.how, action.n, moment.position.table.law.defence)


def odds(view: View, seat: int, text: str) -> tuple[Odds, ...] | Rejected:
    """The odds of the attack that a text names, whoever may order it; for none, of the best that there are.

    `ala kam` is fought to the end. Nothing for texts about anything else.
    """
    moment = answers.now(view, seat)
    if not text.strip():
        if view.position.phase != "attack" or seat not in judge.to_act(view.position):
            return ()
        codes = chart(moment.atlas).codes
        best = advice.fronts(view.position)[:_ODDS]
        return tuple(_odds(moment, attack(codes[f.src], codes[f.dst], "until", 1)) for f in best)
    if too_long(text, _READ):
        return Rejected(msg("domination.refuse.unreadable"), (0, len(text)), chat=True)
    script = read(moment.atlas, text)
    if script.wrong is not None:
        return Rejected(script.wrong.why, script.wrong.span, chat=script.talk)
    fights = [order for order in script.orders if order.verb in ("attack", "more", "") and order.codes]
    if not fights:
        return ()
    return _named(moment, fights[0]) if len(fights[0].codes) > 1 else _around(moment, fights[0].codes[0])


def _around(moment: Now, code: str) -> tuple[Odds, ...]:
    """The odds of whatever a country of the seat may attack, or of what may attack another one."""
    position, borders = moment.position, chart(moment.atlas).borders
    armies, owner, at = position.armies, position.owner, moment.atlas.index[code]
    if owner[at] == moment.seat:
        pairs = [(at, n) for n in borders[at] if owner[n] not in (moment.seat, NOBODY)]
    else:
        pairs = [(n, at) for n, row in enumerate(borders) if at in row and owner[n] == moment.seat]
    codes = chart(moment.atlas).codes
    able = [(src, dst) for src, dst in pairs if armies[src] > 1 and armies[dst]]
    return tuple(_odds(moment, attack(codes[src], codes[dst], "until", 1)) for src, dst in able[:_ODDS])


def _named(moment: Now, order: Order) -> tuple[Odds, ...] | Rejected:
    position, index = moment.position, moment.atlas.index
    a, b = order.codes[:2]
    src, dst = index[a], index[b]
    for at in (src, dst):
        if position.owner[at] == NOBODY or not position.armies[at]:
            why = msg("domination.refuse.nobodys", at=chart(moment.atlas).names[at])
            return Rejected(why, (order.start, order.end))
    if dst not in chart(moment.atlas).borders[src]:
        why = msg("domination.refuse.border", src=a.upper(), dst=b.upper())
        return Rejected(why, (order.start, order.end))
    return (_odds(moment, _action(moment, order, src, dst)),)


def _action(moment: Now, order: Order, src: int, dst: int) -> Action:
    """The attack that a text means; a pair of countries alone is fought to the end."""
    a, b = order.codes[:2]
    armies, against = moment.position.armies[src], moment.position.armies[dst]
    match order.stops[:1]:
        case (("x", _),):
            count = sum(n for how, n in order.stops if how == "x")
            return attack(a, b, "x", max(1, min(count, 3, armies + against - 2)))
        case (("dice", n),):
            most = max(1, min(dice.MOST, armies - 1))
            return attack(a, b, "dice", n) if 1 <= n < most else attack(a, b, "x", 1)
        case (("lead", n),):
            return attack(a, b, "lead", n)
        case (("until", n),):
            return attack(a, b, "until", n)
        case _:
            return attack(a, b, "until", 3 if order.verb == "attack" else 1)


def _odds(moment: Now, action: Action) -> Odds:
    text = write(action)
    if moment.refuse(action) is not None:
        until = f" until {action.n}" if action.how == "until" and action.n > 1 else ""
        text = f"{action.a} {action.b}{until}"
    armies = moment.position.armies
    src, dst = (moment.atlas.index[code] for code in (action.a, action.b))
    if armies[src] > 1 and (action.how, action.n) in _ROLLS:
        return Odds(text, _one_roll(moment, action, armies[src], armies[dst]))
    found = of_action(moment, action)
    wins = Fraction(found.wins)
    names = {"dst": action.b.upper()}
    rows = [
        (wins, msg("domination.odds.won", left=round(found.left), **names)),
        (1 - wins, msg("domination.odds.lost", left=round(found.remain), n=round(found.against), **names)),
    ]
    return Odds(text, tuple(sorted((row for row in rows if row[0] > 0), key=lambda row: -row[0])))


_ROLLS: Final = (("x", 1), ("dice", 1), ("dice", 2))


def _one_roll(moment: Now, action: Action, armies: int, against: int) -> tuple[tuple[Fraction, Msg], ...]:
    """What one roll may cost both sides, likelier first."""
    most = action.n if action.how == "dice" else dice.MOST
    thrown = min(most, armies - 1)
    rows = dice.distribution(thrown, min(moment.position.table.law.defence, against))
    found = []
    for lost, killed, part in sorted(rows, key=lambda row: (-row[2], row[0])):
        said = msg("domination.odds.roll", lost=lost, killed=killed)
        if killed == against:
            said = msg("domination.odds.taken", lost=lost, dst=action.b.upper())
        found.append((part, said))
    return tuple(found)
