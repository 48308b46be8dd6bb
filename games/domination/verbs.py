"""Which verbs the orders of a text get that say none, by the phase in which each would be carried out.

A script goes through the phases of a turn: armies are placed first, after an attack more attacks are due. So
`ukr mea` is half a placement at the beginning of a turn, and an attack behind `place ukr`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.domination import advice
from games.domination.answers import Now
from games.domination.orders import ALL, NO_AMOUNT, Order, Share, arranged

_ATTACKS: Final = frozenset(("attack", "more", "guard", "move"))
_TRADED: Final = -1
"""Armies to place after a trade: nobody counts what it will bring."""
_PLACED: Final = -2
"""The same after some of them were placed."""


def spelled(moment: Now, orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders with verbs that fit the phase, `auto` in full where it is many orders."""
    phase, own = moment.position.phase, moment.own
    found = _verbs(moment, orders)
    if phase == "setup" and any(order.verb == "auto" for order in found):
        left = own.pool - sum(n for order in found for n in order.amounts if n > 0)
        found = [_spread(moment, left) if order.verb == "auto" else order for order in found]
    elif phase == "claim":
        found = _claims([_drafted(moment) if order.verb == "auto" else order for order in found])
    return arranged(found, moving=phase == "move")


def _spread(moment: Now, pool: int) -> Order:
    rows = advice.spread(moment.position, moment.own, moment.seat, max(0, pool))
    codes = advice.codes(moment.position, (at for at, _ in rows))
    return Order("place", tuple(codes), tuple(n for _, n in rows))


def _drafted(moment: Now) -> Order:
    count = advice.share(moment.position, moment.own)
    wanted = advice.wanted(moment.position, moment.own, moment.seat, count)
    codes = tuple(advice.codes(moment.position, wanted))
    return Order("claim", codes) if codes else Order("done")


def _claims(orders: Sequence[Order]) -> list[Order]:
    """Return claims in a row as one: after the last one the seat has decided, and what follows is lost."""
    found: list[Order] = []
    for order in orders:
        if found and found[-1].verb == order.verb == "claim":
            found[-1] = found[-1]._replace(codes=found[-1].codes + order.codes, end=order.end)
        else:
            found.append(order)
    return found


def _verbs(moment: Now, orders: Sequence[Order]) -> list[Order]:
    """Return the orders with a verb each."""
    position = moment.position
    phase: str = position.phase
    pool = position.pool
    rows = zip(moment.atlas.countries, position.owner, strict=True)
    held = {country.code for country, by in rows if by == moment.seat}
    battle: tuple[str, ...] = ()
    if position.order is not None:
        battle = tuple(advice.codes(position, (position.order.src, position.order.dst)))
    found: list[Order] = []
    for order in orders:
        meant = _meant(order, phase, held, pool)
        if meant.verb == "shift":
            fought = meant.codes == battle
            meant = meant._replace(verb="move", codes=()) if fought else meant._replace(verb="fortify")
        battle = ()
        found.append(meant)
        if meant.verb == "trade":
            phase, pool = "place", _TRADED
        elif phase == "place" and meant.verb in ("place", "auto"):
            pool = _left(meant, pool)
        if meant.verb in _ATTACKS or (phase == "place" and not pool):
            phase = "attack"
        if meant.verb in ("attack", "more"):
            battle = meant.codes[-2:]
            held.update(meant.codes[1:])
    return found


def _left(order: Order, pool: int) -> int:
    """Return how many armies a placement leaves of the pool."""
    if order.verb == "auto" or ALL in order.amounts or NO_AMOUNT in order.amounts:
        return 0
    return max(0, pool - sum(order.amounts)) if pool >= 0 else _PLACED


def _meant(order: Order, phase: str, held: set[str], pool: int) -> Order:
    """Return an order with its verb; `pool`: armies to place, `_TRADED` or `_PLACED`."""
    if order.verb == "skip":
        verb = {"place": "end" if pool == _PLACED else "keep", "claim": "done"}.get(phase, "end")
        return order._replace(verb=verb)
    if order.verb == "setup":
        return order._replace(verb="place")
    if order.verb == "done" and phase == "place" and not pool:
        return order._replace(verb="keep")
    if order.verb:
        return order
    if order.share is not None:
        return order._replace(verb="move")
    if order.amounts and NO_AMOUNT not in order.amounts:
        return order._replace(verb="place")
    pair = len(order.codes) == 2 and order.codes[0] in held
    pair = pair and (order.codes[1] not in held or (pool == _PLACED and not order.joined))
    if phase == "setup" or (phase == "place" and pool and not pair):
        return order._replace(verb="place" if order.amounts else "attack")
    if phase in ("claim", "capital") and not any(order.amounts) and not order.stops:
        return order._replace(verb=phase, amounts=())
    if len(order.codes) > 1:
        return _pair(order, held)
    return order._replace(verb="country")


def _pair(order: Order, held: set[str]) -> Order:
    """Return two countries of one's own as a last move, others as an attack."""
    amounts = [n for n in order.amounts if n != NO_AMOUNT]
    if held.issuperset(order.codes) and len(order.codes) == 2 and not order.stops:
        if order.joined and order.amounts and not amounts:
            return order._replace(verb="place")
        share = order.share
        if amounts:
            share = Share("all") if amounts[0] == ALL else Share("n", amounts[0])
        return order._replace(verb="fortify", amounts=(), share=share)
    if amounts:
        return order._replace(verb="number", amounts=tuple(amounts))
    return order._replace(verb="attack", amounts=())
