"""The judge of Domination: who is to act, the legal actions, and why an action is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Final

from games.domination.maps.atlas import Atlas
from games.domination.rules import actions, battles, cards, goals, move_generator, opening
from games.domination.rules.actions import CONTINUE, DONE, END, KEEP, MAX_ROLLS, STOP, Action
from games.domination.rules.facts import holder_name
from games.domination.rules.move_generator import (
    ActionRow,
    attacks,
    bonuses,
    fortifications,
    placements,
    trades,
)
from games.domination.rules.position import NOBODY, NONE, UNKNOWN, Position, Secrets, State, View, map_tables
from games.domination.rules.turns import FRESH, PLACED, SPOILS, cards_named, must_trade
from games.engine.dice import Dice
from games.engine.game import CHANCE, ONLY_SEAT, Seat
from games.engine.message import Msg, Value, Who, msg

CHANCE_PHASES: Final = frozenset(("deal", "missions", "spread", "roll", "card"))
"""The phases in which chance acts, each named like the kind of its action."""
SIMULTANEOUS_PHASES: Final = frozenset(("claim", "setup", "capital", "vote"))
"""The phases in which all seats decide at once."""
_ALLOWED_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "claim": ("claim", "queue", "done"),
    "setup": ("place",),
    "capital": ("capital",),
    "place": ("trade", "place", "keep"),
    "attack": ("attack", "fortify", "end"),
    "move": ("move",),
    "vote": ("continue", "stop"),
}


def to_act(position: Position) -> frozenset[Seat]:
    """Return the seats that are to act."""
    phase = position.phase
    if phase in CHANCE_PHASES:
        return ONLY_SEAT[CHANCE]
    if phase in SIMULTANEOUS_PHASES:
        ready = position.info.ready
        asked = goals.claimants(position) if phase == "claim" else position.living()
        return frozenset(Seat(seat) for seat in asked if not ready[seat])
    return frozenset() if phase == "over" else ONLY_SEAT[position.turn]


def legal(view: View, seat: int) -> list[Action]:
    """Return every legal action, in the order of the countries; empty for a seat that isn't to act."""
    return list(chain.from_iterable(legal_rows(view, seat)))


def legal_rows(view: View, seat: int) -> list[ActionRow]:
    """Return every legal action of a seat, in rows of like ones."""
    position, own = view
    if own is None or seat not in to_act(position):
        return []
    codes = map_tables(position.info.law.atlas).codes
    match position.phase:
        case "attack":
            return [*attacks(position), *fortifications(position), (END,)]
        case "place":
            return _armies(position, own)
        case "move":
            low, high = battles.move_in_range(position)
            return [[actions.move(n) for n in range(low, high + 1)]]
        case "vote":
            return [(STOP, CONTINUE)]
        case "claim":
            free = [codes[at] for at in goals.claimable(position) if at not in own.wishes]
            queued = [actions.with_code("queue", code) for code in free]
            claimed = [actions.with_code("claim", code) for code in free]
            return [queued, claimed, (DONE,)] if own.wishes else [queued, claimed]
        case "capital":
            return [[actions.with_code("capital", codes[at]) for at in position.held(seat)]]
        case _:
            return placements(position, seat, own.pool)


def pick(view: View, seat: int, below: Callable[[int], int]) -> Action | None:
    """Return the action at the number that `below` returns, given how many there are; None if there are none.

    Counted as in `legal`. Of attacks, last moves and placements, often thousands, only that one is made.
    """
    position, own = view
    phase = position.phase
    if own is None or seat not in to_act(position):
        return None
    if phase == "attack":
        return move_generator.pick_order(position, below)
    if phase == "setup":
        return move_generator.pick_placement(position, seat, own.pool, (), below)
    if phase == "place" and position.pool and not must_trade(position, own):
        first = trades(position, own.hand) if position.step == FRESH else ()
        return move_generator.pick_placement(position, seat, position.pool, first, below)
    every = legal(view, seat)
    return every[below(len(every))] if every else None


def _armies(position: Position, own: Secrets) -> list[ActionRow]:
    forced = must_trade(position, own)
    found: list[ActionRow] = [trades(position, own.hand)] if forced or position.step == FRESH else []
    if forced:
        return found
    if not position.pool:
        return [*found, (KEEP,)]
    return [*found, *placements(position, position.turn, position.pool)]


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Return why the action is illegal for the seat now; None if it is legal."""
    position, phase, kind = state.position, state.position.phase, action.kind
    if phase == "over":
        return msg("domination.refuse.over")
    if phase in CHANCE_PHASES:
        if seat != CHANCE or kind != phase:
            return msg("domination.refuse.chance")
        return None if _possible(state, action) else msg("domination.refuse.lot")
    if seat not in to_act(position):
        return _not_now(position, seat)
    if kind not in _ALLOWED_KINDS[phase]:
        return msg(f"domination.refuse.due.{phase}")
    own = state.own[seat]
    if kind == "attack":
        return _attack(position, action)
    if kind == "fortify":
        return _fortify(position, action)
    if kind == "place":
        return _place(position, seat, own, action)
    if kind == "trade":
        return _trade(position, own, action)
    if kind == "move":
        low, high = battles.move_in_range(position)
        return None if low <= action.n <= high else msg("domination.refuse.move", low=low, high=high)
    if kind in ("claim", "queue"):
        return _claim(position, seat, own, action)
    if kind == "capital":
        return _held(position, seat, action.a)
    if kind == "keep":
        return _keep(position, own)
    return msg("domination.refuse.no_wish") if kind == "done" and not own.wishes else None


def _possible(state: State, action: Action) -> bool:
    """Return whether chance may draw this."""
    kind = action.kind
    if kind == "roll":
        return (len(action.items), len(action.other)) == battles.dice_counts(state.position)
    if kind == "card":
        names = cards.deck(state.position.info.law.atlas).names
        return any(names[card] == action.a for card in state.deck)
    return opening.is_possible(state, kind, action.items)


def _not_now(position: Position, seat: int) -> Msg:
    if seat in position.info.out:
        return msg("domination.refuse.out")
    if position.phase == "claim" and seat not in (last := goals.claimants(position)):
        return msg("domination.refuse.no_claim", who=tuple(Who(each) for each in last))
    if position.phase in SIMULTANEOUS_PHASES:
        return msg("domination.refuse.ready")
    return msg("domination.refuse.turn", who=Who(position.turn))


def _unknown(atlas: Atlas, code: str) -> Msg | None:
    return None if code in atlas.index else msg("domination.refuse.unknown", at=code)


def _held(position: Position, seat: int, code: str) -> Msg | None:
    """Return why the country isn't the seat's; None if it is."""
    atlas = position.info.law.atlas
    if (why := _unknown(atlas, code)) is not None:
        return why
    by = position.owner[atlas.index[code]]
    if by == seat:
        return None
    if by == NOBODY:
        return msg("domination.refuse.nobodys", at=code.upper())
    return msg("domination.refuse.not_yours", at=code.upper(), who=holder_name(by))


def _claim(position: Position, seat: int, own: Secrets, action: Action) -> Msg | None:
    atlas = position.info.law.atlas
    if (why := _unknown(atlas, action.a)) is not None:
        return why
    at = atlas.index[action.a]
    by = position.owner[at]
    if by == seat:
        return msg("domination.refuse.claimed_yours", at=action.a.upper())
    if by != NOBODY:
        return msg("domination.refuse.claimed", at=action.a.upper(), who=holder_name(by))
    return msg("domination.refuse.wished", at=action.a.upper()) if at in own.wishes else None


def armies_words(n: int) -> Msg:
    """Return a number of armies in words, such as "5 armies"."""
    return msg("domination.item.armies", n=n)


def _place(position: Position, seat: int, own: Secrets, action: Action) -> Msg | None:
    setup = position.phase == "setup"
    pool = own.pool if setup else position.pool
    if not setup and must_trade(position, own):
        return msg("domination.refuse.must_trade", cards=len(own.hand))
    if (why := _held(position, seat, action.a)) is not None:
        return why
    if not pool:
        return msg("domination.refuse.none_left")
    return (
        None if 1 <= action.n <= pool else msg("domination.refuse.pool", n=action.n, pool=armies_words(pool))
    )


def _keep(position: Position, own: Secrets) -> Msg | None:
    if must_trade(position, own):
        return msg("domination.refuse.must_trade", cards=len(own.hand))
    return msg("domination.refuse.place_all", pool=armies_words(position.pool)) if position.pool else None


def _trade(position: Position, own: Secrets, action: Action) -> Msg | None:
    law = position.info.law
    if position.step == PLACED:
        return msg("domination.refuse.placed")
    if position.step == SPOILS and not must_trade(position, own):
        return msg("domination.refuse.enough_traded")
    three = cards_named(law.atlas, own.hand, action.cards)
    written: tuple[Value, ...] = tuple(card.upper() for card in action.cards)
    if len(three) < len(action.cards):
        return msg("domination.refuse.cards", cards=written)
    deck = cards.deck(law.atlas)
    if not cards.set_value(law.cards, tuple(deck.kinds[card] for card in three), 0):
        return msg("domination.refuse.no_set", cards=written)
    if tuple(deck.names[card] for card in three) != action.cards:
        return msg("domination.refuse.order", cards=tuple(deck.names[card].upper() for card in three))
    may = bonuses(position, three)
    if action.b in may:
        return None
    if may == ("",):
        return msg("domination.refuse.no_bonus", at=action.b.upper())
    return msg("domination.refuse.bonus", reach=tuple(code.upper() for code in may))


def _attack(position: Position, action: Action) -> Msg | None:
    atlas = position.info.law.atlas
    if (why := _held(position, position.turn, action.a)) is not None:
        return why
    if (why := _unknown(atlas, action.b)) is not None:
        return why
    src, dst = atlas.index[action.a], atlas.index[action.b]
    armies, against, n = position.armies[src], position.armies[dst], action.n
    names: dict[str, Value] = {"src": action.a.upper(), "dst": action.b.upper()}
    if position.owner[dst] == position.turn:
        return msg("domination.refuse.own", dst=names["dst"])
    if dst not in map_tables(atlas).borders[src]:
        return msg("domination.refuse.border", **names)
    if armies < 2:
        return msg("domination.refuse.alone", src=names["src"])
    if action.how == "until":
        return None if 1 <= n < armies else msg("domination.refuse.until", armies=armies, n=n)
    if action.how == "x":
        most = min(MAX_ROLLS, armies + against - 2)
        return None if 1 <= n <= most else msg("domination.refuse.rolls", n=most, given=n)
    if action.how == "dice":
        most = min(3, armies - 1)
        if n == most:
            return msg("domination.refuse.all_dice", n=n)
        return None if 1 <= n < most else msg("domination.refuse.dice", n=most, given=n)
    return None if 1 <= n <= armies - against else msg("domination.refuse.lead", lead=armies - against, n=n)


def _fortify(position: Position, action: Action) -> Msg | None:
    atlas = position.info.law.atlas
    for code in (action.a, action.b):
        if (why := _held(position, position.turn, code)) is not None:
            return why
    src, dst = atlas.index[action.a], atlas.index[action.b]
    names: dict[str, Value] = {"src": action.a.upper(), "dst": action.b.upper()}
    if src == dst or dst not in move_generator.destinations(position, src):
        return msg(f"domination.refuse.fortify.{position.info.law.fortify}", **names)
    most = position.armies[src] - 1
    if most < 1:
        return msg("domination.refuse.alone", src=names["src"])
    return None if 1 <= action.n <= most else msg("domination.refuse.stay", n=most, given=action.n)


# --- who knows what --------------------------------------------------------------------------------------


def view(state: State, viewer: int | None) -> View:
    """Return what a seat, or a spectator (None), may know."""
    return View(state.position, state.own[viewer] if viewer is not None and viewer >= 0 else None)


def guess_state(view: View, seat: int, dice: Dice | None = None) -> State | None:
    """Return a state for trying moves, with possible cards and missions of the other seats.

    They are dealt with `dice`; without, always the same.

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
    if dice is not None:
        unseen, tasks = list(dice.shuffled(unseen)), list(dice.shuffled(tasks))
    found: list[Secrets] = []
    for each, count in enumerate(info.cards):
        if each == seat:
            found.append(own)
            continue
        mission = tasks.pop(0) if own.mission != NONE else NONE
        found.append(UNKNOWN._replace(hand=tuple(unseen[:count]), mission=mission))
        unseen = unseen[count:]
    return State(position, tuple(found), tuple(unseen))
