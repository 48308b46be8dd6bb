"""Orders of battles: attacks, what goes on after them, armies that move in, the last move of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from games.domination import actions, advice, answers, battles
from games.domination.actions import Action
from games.domination.answers import Found, Now, ask, done, due, instructions, refuse, refused
from games.domination.orders import Order, Share


def attack(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    position, index = moment.position, moment.atlas.index
    if (early := due(moment, order, "attack")) is not None:
        return early
    if len(order.codes) < 2:
        return _half_attack(moment, order)
    src, dst = (index[code] for code in order.codes)
    armies, against = position.armies[src], position.armies[dst]
    stops = order.stops or (("until", 3),)
    checks = [stop for stop in stops if stop[0] != "x"]
    rolls = [n for how, n in stops if how == "x"]
    if rolls:
        for how, n in checks:
            action = actions.attack(*order.codes, "until" if how == "until" else "lead", n)
            if (why := moment.refuse(action)) is not None:
                return refused(moment, order, why)
        most = max(1, min(rolls[0], armies + against - 2))
        return _fought(moment, order, actions.attack(*order.codes, "x", most), rest, len(rolls) > 1)
    how, n = stops[0]
    if how == "dice" and n == min(3, armies - 1):
        action = actions.attack(*order.codes, "x", 1)
    elif how == "dice":
        action = actions.attack(*order.codes, "dice", n)
    else:
        action = actions.attack(*order.codes, "until" if how == "until" else "lead", n)
    return _fought(moment, order, action, rest, False)


def _fought(moment: Now, order: Order, action: Action, rest: Sequence[Order], again: bool) -> Found:
    """An attack, and what follows from it: more rolls, armies that move in, other orders."""
    if again:
        used = next(n for n, (how, _) in enumerate(order.stops) if how == "x")
        stops = (*order.stops[:used], *order.stops[used + 1 :])
        rest = [order._replace(verb="more", stops=stops), *rest]
    elif rest or order.share is not None:
        loose = action.how in ("x", "dice")
        rest = [Order("guard", order.codes[1:], share=order.share, loose=loose), *rest]
    return done(moment, order, action, rest)


def more(moment: Now, order: Order, rest: Sequence[Order]) -> Found | Order | None:
    """The rolls of an attack that are left, unless the country was taken or something else stops it."""
    position, index = moment.position, moment.atlas.index
    going = position.phase == "attack" and len(order.codes) == 2
    if going:
        src, dst = (index[code] for code in order.codes)
        armies, against = position.armies[src], position.armies[dst]
        going = position.owner[src] == moment.seat != position.owner[dst] and armies > 1
        for how, n in order.stops:
            if (how == "until" and armies <= n) or (how == "lead" and armies - against < n):
                going = False
    if going:
        return attack(moment, order._replace(verb="attack"), rest)
    return Order("guard", order.codes[1:2], share=order.share, loose=True) if order.codes[1:] else None


def _half_attack(moment: Now, order: Order) -> Found:
    """An attack without its aim, or its origin."""
    position = moment.position
    if not order.codes:
        fronts = advice.fronts(position)
        if not fronts:
            return refuse(moment, order, "no_attack")
        found = [answers.attack(moment, front.src, front.dst) for front in fronts[: answers.MENU]]
        return ask("attack_where", found)
    code = order.codes[0]
    at = moment.atlas.index[code]
    if position.owner[at] == moment.seat:
        if position.armies[at] < 2:
            return refuse(moment, order, "alone", src=code.upper())
        found = answers.from_country(moment, at)
        return (
            ask("attack_from", found, src=code.upper())
            if found
            else refuse(moment, order, "no_attack_from", src=code.upper())
        )
    found = answers.on_country(moment, at)
    return (
        ask("attack_on", found, dst=code.upper())
        if found
        else refuse(moment, order, "no_attack_on", dst=code.upper())
    )


def country(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """A country alone: what may be done with it."""
    if (early := due(moment, order, "attack")) is not None:
        return early
    code = order.codes[0]
    at = moment.atlas.index[code]
    if moment.position.owner[at] == moment.seat:
        found = [*answers.from_country(moment, at), *answers.last_moves(moment, at)]
        if found:
            return ask("from", found[: answers.MENU], src=code.upper())
    return _half_attack(moment, order)


def strange_number(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    return refuse(moment, order, "what_number", n=max(order.amounts))


def guard(moment: Now, order: Order, rest: Sequence[Order]) -> Found | None:
    """What goes on if a country was taken: armies move in. If it wasn't, nothing does."""
    position, code = moment.position, order.codes[0]
    at = moment.atlas.index[code]
    battle = position.order
    if position.phase == "move" and battle is not None and battle.dst == at:
        return done(moment, order, actions.move(_moving(moment, order.share)), rest)
    if position.owner[at] == moment.seat or order.loose:
        return None
    if all(each.verb == "guard" for each in rest):
        return instructions(moment)
    return refuse(moment, order, "lost", at=code.upper())


def _moving(moment: Now, share: Share | None) -> int:
    """How many armies move in; by default all that no enemy is near of, else the fewest."""
    low, high = battles.room(moment.position)
    order = moment.position.order
    src = order.src if order is not None else 0
    how, n = share or Share("auto")
    match how:
        case "n":
            return n
        case "all":
            return high
        case "half":
            return max(low, min(high, (high + 1) // 2))
        case "stay":
            return max(low, min(high, high + 1 - n))
        case "auto" if advice.interior(moment.position, src):
            return high
        case "auto" if n:
            return max(low, min(high, high + 1 - n))
        case _:
            return low


def move(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    if (early := due(moment, order, "move")) is not None:
        return early
    if order.share is None:
        return instructions(moment)
    return done(moment, order, actions.move(_moving(moment, order.share)), rest)


# --- the end of a turn ----------------------------------------------------------------------------------


def fortify(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """The last move; how many is asked where it isn't said."""
    position, index = moment.position, moment.atlas.index
    if (early := due(moment, order, "attack")) is not None:
        return early
    if not order.codes:
        found = answers.last_moves(moment)
        return ask("fortify", found) if found else refuse(moment, order, "no_fortify")
    if len(order.codes) == 1:
        return _fortify_from(moment, order, order.codes[0])
    most = max(1, position.armies[index[order.codes[0]]] - 1)
    if order.share is None:
        every = [actions.fortify(*order.codes[:2], n) for n in reversed(advice.some(range(1, most + 1), 20))]
        if (why := moment.refuse(every[0])) is not None:
            return refused(moment, order, why)
        if most > 1:
            return ask("fortify_many", every, src=order.codes[0].upper(), dst=order.codes[1].upper())
    how, n = order.share or Share("all")
    count = {"n": n, "stay": max(1, most + 1 - n), "half": max(1, (most + 1) // 2), "min": 1}.get(how, most)
    return done(moment, order, actions.fortify(order.codes[0], order.codes[1], count), ())


def _fortify_from(moment: Now, order: Order, code: str) -> Found:
    """A last move without its aim."""
    at = moment.atlas.index[code]
    if moment.position.owner[at] != moment.seat:
        return done(moment, order, actions.fortify(code, code, 1), ())
    found = answers.last_moves(moment, at)
    if found:
        return ask("fortify_to", found, src=code.upper())
    if moment.position.armies[at] < 2:
        return refuse(moment, order, "alone", src=code.upper())
    return refuse(moment, order, "no_fortify")
