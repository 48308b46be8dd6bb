"""Orders as people type them: `place ukr 5`, `attack ala kam`, `blitz ala>kam>yak until 4`, `fort egy mea 6`.

What a text says is read in `grammar`; here its first order is matched with what is possible, and what is
left is written anew. Legality is asked of the judge alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from games.domination import actions, advice, answers, battles, cards, judge, opening, silence
from games.domination.actions import CONTINUE, DONE, END, KEEP, STOP, Action
from games.domination.answers import Now, ask, instructions, near
from games.domination.grammar import Script, Wrong, read
from games.domination.orders import ALL, NO_AMOUNT, Order, Share, arranged, joined
from games.domination.position import UNKNOWN, Position, State, View
from games.domination.turns import SPOILS, must_trade
from games.engine.game import CHANCE, Done, Partial, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long

Found: TypeAlias = Done[Action] | Partial | Rejected
LONGEST: Final = 1000
"""Signs of a text that people type at most."""
_READ: Final = 16 * LONGEST
"""Signs of what may be left of one, written in full."""
_FIGHTS: Final = ("attack", "more")


def parse(view: View, seat: int, text: str) -> Found:
    """Read a text as orders of the seat. Never raises; `Done` only for what is legal now."""
    if seat == CHANCE:
        return _chance(view.position, text)
    moment = answers.now(view, seat)
    script = Script((), None, talk=True) if too_long(text, _READ) else read(moment.atlas, text)
    if (why := not_now(moment)) is not None:
        return Rejected(why, (0, len(text)), chat=script.talk)
    if script.wrong is not None:
        return _wrong(moment, script.wrong, text, script.talk)
    if not script.orders:
        blank = not any(sign.isalnum() for sign in text) and len(text) <= LONGEST
        if blank:
            return instructions(moment)
        return Rejected(msg("domination.refuse.unreadable"), (0, len(text)), near(moment), chat=True)
    orders = _spelled(moment, script.orders)
    ends = next((n for n, order in enumerate(orders) if order.verb in ("end", "fortify")), len(orders))
    late = [order for order in orders[ends + 1 :] if order.verb != "end"]
    if late:
        return Rejected(msg("domination.refuse.after_end"), _span(late[0], text))
    said = carried(moment, orders)
    if isinstance(said, Rejected):
        return Rejected(said.why, said.span, said.near, chat=said.chat or script.talk)
    return said


def _span(order: Order, text: str) -> tuple[int, int]:
    return min(order.start, len(text)), min(order.end, len(text))


def write(view: View, action: Action) -> str:
    """The order as a person would type it, which `parse` reads back; the log's line for chance."""
    return answers.write(action)


def not_now(moment: Now) -> Msg | None:
    """Why the seat has nothing to decide; None if it has."""
    if moment.seat in judge.to_act(moment.position):
        return None
    return moment.refuse(END)


def _chance(position: Position, text: str) -> Found:
    """A line of the log, if it may be what chance does, as far as everybody can know."""
    try:
        action = actions.decode(text.strip())
    except ValueError:
        action = None
    law = position.table.law
    deck = tuple(card for card in range(len(law.atlas.cards)) if card not in position.table.discard)
    held = [max(0, opening.pool(law, seat) - position.owner.count(seat)) for seat in range(law.seats)]
    own = tuple(UNKNOWN._replace(pool=pool) for pool in held)
    if action is None or judge.refuse(State(position, own, deck), CHANCE, action) is not None:
        return Rejected(msg("domination.refuse.chance"), (0, len(text)), chat=True)
    return Done(action)


def _wrong(moment: Now, wrong: Wrong, text: str, talk: bool) -> Rejected:
    """What can't be read; with what may be meant in its place, where that makes a legal order."""
    start, end = (min(at, len(text)) for at in wrong.span)
    found: list[str] = []
    for code in wrong.meant:
        guess = f"{text[:start]}{code}{text[end:]}"
        if len(guess) > 60 or not guess.isprintable():
            break
        script = read(moment.atlas, guess)
        if script.wrong is None and script.orders:
            said = carried(moment, _spelled(moment, script.orders))
            if isinstance(said, Done):
                found.append(answers.write(said.action))
    return Rejected(wrong.why, (start, end), tuple(dict.fromkeys(found))[: answers.NEAR], chat=talk)


# --- several orders --------------------------------------------------------------------------------------


def _spelled(moment: Now, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders as they are carried out: by verbs that fit the phase, `auto` in full where it is many."""
    phase, own = moment.position.phase, moment.own
    found = [_meant(moment, order) for order in orders]
    if phase == "setup" and any(order.verb == "auto" for order in found):
        left = own.pool - sum(n for order in found for n in order.amounts if n > 0)
        found = [_spread(moment, left) if order.verb == "auto" else order for order in found]
    elif phase == "claim" and any(order.verb == "auto" for order in found):
        wanted = advice.wanted(moment.position, own, moment.seat)[: advice.share(moment.position, own)]
        codes = tuple(advice.codes(moment.position, wanted))
        claim = Order("claim", codes) if codes else Order("done")
        found = [claim if order.verb == "auto" else order for order in found]
    return arranged(found, moving=phase == "move")


def _spread(moment: Now, pool: int) -> Order:
    rows = advice.spread(moment.position, moment.own, moment.seat, max(0, pool))
    codes = advice.codes(moment.position, (at for at, _ in rows))
    return Order("setup", tuple(codes), tuple(n for _, n in rows)) if rows else Order("setup")


def _meant(moment: Now, order: Order) -> Order:
    """An order without a verb by what is due; `pass` and the like by what there is to pass."""
    phase = moment.position.phase
    if order.verb == "skip":
        return order._replace(verb={"place": "keep", "claim": "done"}.get(phase, "end"))
    if order.verb == "setup":
        return order._replace(verb="place")
    if order.verb == "done" and phase == "place" and not moment.position.pool:
        return order._replace(verb="keep")
    if order.verb:
        return order
    if order.share is not None:
        return order._replace(verb="move")
    plain = not any(order.amounts)
    if phase in ("place", "setup"):
        return order._replace(verb="place") if order.amounts else order._replace(verb="attack")
    if phase in ("claim", "capital") and plain and not order.stops:
        return order._replace(verb=phase, amounts=())
    if len(order.codes) > 1:
        return _pair(moment, order)
    return order._replace(verb="country")


def _pair(moment: Now, order: Order) -> Order:
    """Two countries of one's own are a last move, others an attack."""
    owner, index = moment.position.owner, moment.atlas.index
    own = all(owner[index[code]] == moment.seat for code in order.codes)
    amounts = [n for n in order.amounts if n != NO_AMOUNT]
    if own and len(order.codes) == 2 and not order.stops:
        share = order.share
        if amounts:
            share = Share("all") if amounts[0] == ALL else Share("n", amounts[0])
        return order._replace(verb="fortify", amounts=(), share=share)
    if amounts:
        return order._replace(verb="number", amounts=tuple(amounts))
    return order._replace(verb="attack", amounts=())


def carried(moment: Now, orders: Sequence[Order]) -> Found:
    """The first order, and what is left of the others; those that have nothing to do are passed over."""
    for n, order in enumerate(orders):
        said = _VERBS[order.verb](moment, order, orders[n + 1 :])
        if said is not None:
            return said
    return instructions(moment)


def _done(moment: Now, order: Order, action: Action, rest: Sequence[Order]) -> Found:
    why = moment.refuse(action)
    if why is not None:
        return _refused(moment, order, why)
    return Done(action, joined(rest))


def _refused(moment: Now, order: Order, why: Msg) -> Rejected:
    return Rejected(why, (order.start, order.end), near(moment, order.codes[:2]))


def _refuse(moment: Now, order: Order, key: str, **values: int | str) -> Rejected:
    return _refused(moment, order, msg(f"domination.refuse.{key}", **values))


def _due(moment: Now, order: Order, *phases: str) -> Rejected | None:
    """The refusal of an order that isn't due."""
    phase = moment.position.phase
    return None if phase in phases else _refuse(moment, order, f"due.{phase}")


# --- before the first turn, cards and armies -------------------------------------------------------------


def _place(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    position = moment.position
    if (due := _due(moment, order, "place", "setup")) is not None:
        return due
    setup = position.phase == "setup"
    pool = moment.own.pool if setup else position.pool
    if not setup and (why := moment.refuse(KEEP)) is not None and why.key.endswith("must_trade"):
        return _refused(moment, order, why)
    if not order.codes:
        if not pool:
            return _refuse(moment, order, "none_left")
        return ask("where", answers.placements(moment, pool, answers.MENU), pool=pool)
    if NO_AMOUNT in order.amounts:
        return _how_many(moment, order, pool)
    said = sum(n for n in order.amounts if n > 0)
    rows = [
        (code, pool - said if n == ALL else n) for code, n in zip(order.codes, order.amounts, strict=True)
    ]
    for code, n in rows:
        if (why := moment.refuse(actions.place(code, max(0, n)))) is not None:
            return _refused(moment, order._replace(codes=(code,)), why)
    if sum(n for _, n in rows) > pool:
        return _refuse(moment, order, "pool", n=sum(n for _, n in rows), pool=pool)
    code, n = rows[0]
    more = order._replace(codes=order.codes[1:], amounts=order.amounts[1:])
    return _done(moment, order, actions.place(code, n), [more, *rest] if more.codes else rest)


def _how_many(moment: Now, order: Order, pool: int) -> Found:
    """Countries without numbers."""
    if len(order.codes) > 1:
        return _refuse(moment, order, "amount")
    code = order.codes[0]
    if (why := moment.refuse(actions.place(code, pool))) is not None:
        return _refused(moment, order, why)
    amounts = advice.some(range(1, pool + 1), answers.MENU)
    return ask("how_many", [actions.place(code, n) for n in reversed(amounts)], at=code.upper(), pool=pool)


def _claim(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    if (due := _due(moment, order, "claim")) is not None:
        return due
    if not order.codes:
        return instructions(moment)
    for code in order.codes:
        if (why := moment.refuse(actions.at("queue", code))) is not None:
            return _refused(moment, order._replace(codes=(code,)), why)
    if len(set(order.codes)) < len(order.codes):
        twice = next(code for code in order.codes if order.codes.count(code) > 1)
        return _refuse(moment, order, "wished", at=twice.upper())
    last = order.verb == "claim" and len(order.codes) == 1
    more = [order._replace(codes=order.codes[1:]), *rest] if len(order.codes) > 1 else rest
    return _done(moment, order, actions.at("claim" if last else "queue", order.codes[0]), more)


def _capital(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    if (due := _due(moment, order, "capital")) is not None:
        return due
    if not order.codes:
        return instructions(moment)
    if len(order.codes) > 1:
        return _refuse(moment, order, "one_capital")
    return _done(moment, order, actions.at("capital", order.codes[0]), rest)


def _trade(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """The best set, or the one that is named, with the bonus where it is needed most."""
    position, hand = moment.position, moment.own.hand
    if (due := _due(moment, order, "place")) is not None:
        return due
    best = advice.best_trade(position, hand)
    legal = moment.legal(best[:1])
    if not best or not legal:
        why = moment.refuse(best[0]) if best else msg("domination.refuse.no_set_held", cards=len(hand))
        return _refused(moment, order, why or msg("domination.refuse.due.place"))
    names = cards.deck(moment.atlas).names
    if any(card.isdecimal() and not 1 <= int(card) <= len(hand) for card in order.cards):
        return _refuse(moment, order, "hand_number", cards=len(hand))
    wanted = [names[hand[int(card) - 1]] if card.isdecimal() else card for card in order.cards]
    if not wanted or len(wanted) < cards.SET:
        fit = [action for action in best if all(action.cards.count(c) >= wanted.count(c) for c in wanted)]
        if order.bonus:
            fit = [action for action in fit if action.b == order.bonus] or fit
        if not wanted:
            return _done(moment, order, fit[0], rest)
        return ask("set", fit[: answers.MENU]) if fit else _refuse(moment, order, "three_cards")
    if len(wanted) > cards.SET:
        return _refuse(moment, order, "three_cards")
    held = [names[card] for card in hand]
    three = _in_order(held, wanted)
    fit = [action for action in best if action.cards == three and order.bonus in ("", action.b)]
    return _done(moment, order, fit[0] if fit else actions.trade(three, order.bonus), rest)


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


def _keep(moment: Now, order: Order, rest: Sequence[Order]) -> Found | None:
    """No set is traded in. While there are armies to place, that goes without saying."""
    position = moment.position
    if (due := _due(moment, order, "place")) is not None:
        return due
    if position.pool and not (position.step in (0, SPOILS) and must_trade(position, moment.own)):
        return None
    return _done(moment, order, KEEP, rest)


# --- attacks ---------------------------------------------------------------------------------------------


def _attack(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    position, index = moment.position, moment.atlas.index
    if order.verb == "more":
        return _more(moment, order, rest)
    if (due := _due(moment, order, "attack")) is not None:
        return due
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
                return _refused(moment, order, why)
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
    return _done(moment, order, action, rest)


def _more(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
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
        return _attack(moment, order._replace(verb="attack"), rest)
    guard = Order("guard", order.codes[1:2], share=order.share, loose=True)
    return carried(moment, [guard, *rest] if guard.codes else rest)


def _half_attack(moment: Now, order: Order) -> Found:
    """An attack without its aim, or its origin."""
    position = moment.position
    if not order.codes:
        fronts = advice.fronts(position)
        if not fronts:
            return _refuse(moment, order, "no_attack")
        found = [answers.attack(moment, front.src, front.dst) for front in fronts[: answers.MENU]]
        return ask("attack_where", found)
    code = order.codes[0]
    at = moment.atlas.index[code]
    if position.owner[at] == moment.seat:
        if position.armies[at] < 2:
            return _refuse(moment, order, "alone", src=code.upper())
        found = answers.from_country(moment, at)
        return (
            ask("attack_from", found, src=code.upper())
            if found
            else _refuse(moment, order, "no_attack_from", src=code.upper())
        )
    found = answers.on_country(moment, at)
    return (
        ask("attack_on", found, dst=code.upper())
        if found
        else _refuse(moment, order, "no_attack_on", dst=code.upper())
    )


def _country(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """A country alone: what may be done with it."""
    if (due := _due(moment, order, "attack")) is not None:
        return due
    code = order.codes[0]
    at = moment.atlas.index[code]
    if moment.position.owner[at] == moment.seat:
        found = [*answers.from_country(moment, at), *answers.last_moves(moment, at)]
        if found:
            return ask("from", found[: answers.MENU], src=code.upper())
    return _half_attack(moment, order)


def _strange_number(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    return _refuse(moment, order, "what_number", n=max(order.amounts))


def _guard(moment: Now, order: Order, rest: Sequence[Order]) -> Found | None:
    """What goes on if a country was taken: armies move in. If it wasn't, nothing does."""
    position, code = moment.position, order.codes[0]
    at = moment.atlas.index[code]
    battle = position.order
    if position.phase == "move" and battle is not None and battle.dst == at:
        return _done(moment, order, actions.move(_moving(moment, order.share)), rest)
    if position.owner[at] == moment.seat or order.loose:
        return None
    if all(each.verb == "guard" for each in rest):
        return instructions(moment)
    return _refuse(moment, order, "lost", at=code.upper())


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


def _move(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    if (due := _due(moment, order, "move")) is not None:
        return due
    if order.share is None:
        return instructions(moment)
    return _done(moment, order, actions.move(_moving(moment, order.share)), rest)


# --- the end of a turn -----------------------------------------------------------------------------------


def _fortify(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """The last move; how many is asked, but in a row of orders all that may go do."""
    position, index = moment.position, moment.atlas.index
    if (due := _due(moment, order, "attack")) is not None:
        return due
    if not order.codes:
        found = answers.last_moves(moment)
        return ask("fortify", found) if found else _refuse(moment, order, "no_fortify")
    if len(order.codes) == 1:
        code = order.codes[0]
        found = answers.last_moves(moment, index[code])
        if found:
            return ask("fortify_to", found, src=code.upper())
        return _done(moment, order, actions.fortify(code, code, 1), ())
    most = max(1, position.armies[index[order.codes[0]]] - 1)
    if order.share is None and not rest:
        every = [actions.fortify(*order.codes[:2], n) for n in reversed(advice.some(range(1, most + 1), 20))]
        if (why := moment.refuse(every[0])) is not None:
            return _refused(moment, order, why)
        if most > 1:
            return ask("fortify_many", every, src=order.codes[0].upper(), dst=order.codes[1].upper())
    how, n = order.share or Share("all")
    count = {"n": n, "stay": max(1, most + 1 - n), "half": max(1, (most + 1) // 2), "min": 1}.get(how, most)
    return _done(moment, order, actions.fortify(order.codes[0], order.codes[1], count), ())


def _plain(action: Action, *phases: str) -> Callable[[Now, Order, Sequence[Order]], Found]:
    """An order of one word; nothing follows the end of a turn."""

    def carry(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
        return _due(moment, order, *phases) or _done(moment, order, action, () if action == END else rest)

    return carry


def _auto(moment: Now, order: Order, rest: Sequence[Order]) -> Found:
    """What is done for who is silent; after cards that had to be traded in, the armies too."""
    own = moment.own if moment.view.own is not None else UNKNOWN
    action = silence.default(View(moment.position, own), moment.seat)
    if action is None:
        return _refuse(moment, order, "auto")
    return _done(moment, order, action, [order, *rest] if action.kind == "trade" else rest)


_VERBS: Final[dict[str, Callable[[Now, Order, Sequence[Order]], Found | None]]] = {
    "place": _place,
    "claim": _claim,
    "queue": _claim,
    "capital": _capital,
    "trade": _trade,
    "keep": _keep,
    "attack": _attack,
    "more": _attack,
    "guard": _guard,
    "country": _country,
    "number": _strange_number,
    "move": _move,
    "fortify": _fortify,
    "auto": _auto,
    "end": _plain(END, "attack"),
    "done": _plain(DONE, "claim"),
    "continue": _plain(CONTINUE, "vote"),
    "stop": _plain(STOP, "vote"),
}
