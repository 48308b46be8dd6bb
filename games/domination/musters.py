"""Orders before the first battle: claims, armies, a capital, cards. Each is matched with what is possible."""

from __future__ import annotations

from collections.abc import Sequence

from games.domination import actions, advice, answers, cards
from games.domination.actions import KEEP
from games.domination.answers import Found, Now, ask, done, due, instructions, refuse, refused
from games.domination.orders import ALL, NO_AMOUNT, Order
from games.domination.turns import FRESH, SPOILS, must_trade
from games.engine.message import msg


def place(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    position = moment.position
    if (early := due(moment, order, "place", "setup")) is not None:
        return early
    setup = position.phase == "setup"
    pool = moment.own.pool if setup else position.pool
    if not setup and (why := moment.refuse(KEEP)) is not None and why.key.endswith("must_trade"):
        return refused(moment, order, why)
    if not order.codes:
        if not pool:
            return refuse(moment, order, "none_left")
        count = order.share.n if order.share is not None else pool
        if not 1 <= count <= pool:
            return refuse(moment, order, "pool", n=count, pool=pool)
        return ask("where", answers.placements(moment, count, answers.MENU), pool=count)
    if NO_AMOUNT in order.amounts:
        return _how_many(moment, order, pool)
    said = sum(n for n in order.amounts if n > 0)
    rows = [
        (code, pool - said if n == ALL else n) for code, n in zip(order.codes, order.amounts, strict=True)
    ]
    for code, n in rows:
        if (why := moment.refuse(actions.place(code, max(0, n)))) is not None:
            return refused(moment, order._replace(codes=(code,)), why)
    if sum(n for _, n in rows) > pool:
        return refuse(moment, order, "pool", n=sum(n for _, n in rows), pool=pool)
    code, n = rows[0]
    more = order._replace(codes=order.codes[1:], amounts=order.amounts[1:])
    return done(moment, order, actions.place(code, n), [more, *rest] if more.codes else rest)


def _how_many(moment: Now, order: Order, pool: int) -> Found:
    """Countries without numbers."""
    if len(order.codes) > 1:
        return refuse(moment, order, "amount")
    code = order.codes[0]
    if (why := moment.refuse(actions.place(code, pool))) is not None:
        return refused(moment, order, why)
    amounts = advice.some(range(1, pool + 1), answers.MENU)
    return ask("how_many", [actions.place(code, n) for n in reversed(amounts)], at=code.upper(), pool=pool)


def claim(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    if (early := due(moment, order, "claim")) is not None:
        return early
    if not order.codes:
        return instructions(moment)
    for code in order.codes:
        if (why := moment.refuse(actions.at("queue", code))) is not None:
            return refused(moment, order._replace(codes=(code,)), why)
    if len(set(order.codes)) < len(order.codes):
        twice = next(code for code in order.codes if order.codes.count(code) > 1)
        return refuse(moment, order, "wished", at=twice.upper())
    last = order.verb == "claim" and len(order.codes) == 1
    more = [order._replace(codes=order.codes[1:]), *rest] if len(order.codes) > 1 else rest
    return done(moment, order, actions.at("claim" if last else "queue", order.codes[0]), more)


def capital(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    if (early := due(moment, order, "capital")) is not None:
        return early
    if not order.codes:
        return instructions(moment)
    if len(order.codes) > 1:
        return refuse(moment, order, "one_capital")
    return done(moment, order, actions.at("capital", order.codes[0]), rest)


def trade(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """The best set, or the one that is named, with the bonus where it is needed most."""
    position, hand = moment.position, moment.own.hand
    if (early := due(moment, order, "place")) is not None:
        return early
    best = advice.best_trade(position, hand)
    legal = moment.legal(best[:1])
    if not best or not legal:
        why = moment.refuse(best[0]) if best else msg("domination.refuse.no_set_held", cards=len(hand))
        return refused(moment, order, why or msg("domination.refuse.due.place"))
    names = cards.deck(moment.atlas).names
    if any(card.isdecimal() and not 1 <= int(card) <= len(hand) for card in order.cards):
        return refuse(moment, order, "hand_number", cards=len(hand))
    wanted = [names[hand[int(card) - 1]] if card.isdecimal() else card for card in order.cards]
    if not wanted or len(wanted) < cards.SET:
        fit = [action for action in best if all(action.cards.count(c) >= wanted.count(c) for c in wanted)]
        if order.bonus:
            fit = [action for action in fit if action.b == order.bonus]
        if not wanted:
            return done(moment, order, fit[0] if fit else best[0]._replace(b=order.bonus), rest)
        return ask("set", fit[: answers.MENU]) if fit else refuse(moment, order, "three_cards")
    if len(wanted) > cards.SET:
        return refuse(moment, order, "three_cards")
    held = [names[card] for card in hand]
    three = _in_order(held, wanted)
    fit = [action for action in best if action.cards == three and order.bonus in ("", action.b)]
    return done(moment, order, fit[0] if fit else actions.trade(three, order.bonus), rest)


def _in_order(held: list[str], wanted: list[str]) -> tuple[str, ...]:
    """Cards as they lie in the hand; a country's second card is meant where its first is meant already."""
    left, found = list(held), []
    for card in wanted:
        same = [each for each in left if each == card or each.startswith(f"{card}{cards.WILD}")]
        if same:
            left.remove(same[0])
            found.append(same[0])
        else:
            found.append(card)
    places = {card: n for n, card in reversed(list(enumerate(held)))}
    return tuple(sorted(found, key=lambda card: places.get(card, len(held))))


def keep(moment: Now, order: Order, rest: Sequence[Order]) -> Found | None:
    """No set is traded in. While there are armies to place, that goes without saying."""
    position = moment.position
    if (early := due(moment, order, "place")) is not None:
        return early
    if position.pool and not (position.step in (FRESH, SPOILS) and must_trade(position, moment.own)):
        return None
    return done(moment, order, KEEP, rest)
