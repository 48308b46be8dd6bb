"""Replies to incomplete orders: what is due, and complete orders to choose from.

Menus list sensible orders, not all that are possible; every text in them is a legal order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from games.domination.commands import suggestions
from games.domination.commands.command import Command
from games.domination.maps.atlas import Atlas
from games.domination.rules import actions, battles, cards, goals, judge, move_generator
from games.domination.rules.actions import CONTINUE, DONE, END, KEEP, STOP, Action
from games.domination.rules.position import NONE, UNKNOWN, Position, Secrets, State, View, map_tables
from games.domination.rules.turns import FRESH, SPOILS, must_trade
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.script import Script

Parsed: TypeAlias = Done[Action] | Partial | Rejected
MAX_CHOICES: Final = 20
"""Maximum number of choices in a menu."""
MAX_SIMILAR: Final = 4
"""Maximum number of similar orders named in a refusal."""


class OrderContext(NamedTuple):
    """What an order is judged by."""

    view: View
    seat: int
    own: Secrets
    """The seat's secrets as far as the viewer knows them; unknown to spectators."""
    position: Position
    atlas: Atlas
    text: str
    """The whole typed text that the order is part of."""

    def refuse(self, action: Action) -> Msg | None:
        """Return why the seat may not do this now; None if it may."""
        seats = self.position.info.law.seats
        own = tuple(self.own if each == self.seat else UNKNOWN for each in range(seats))
        return judge.refuse(State(self.position, own, ()), Seat(self.seat), action)

    def legal(self, found: Iterable[Action]) -> list[Action]:
        """Return those of the actions that the seat may do."""
        return [action for action in found if self.refuse(action) is None]


def context_of(view: View, seat: int, text: str = "") -> OrderContext:
    """Return what the orders of a text are judged by."""
    position = view.position
    return OrderContext(view, seat, view.own or UNKNOWN, position, position.info.law.atlas, text)


def write(action: Action) -> str:
    """Return the order as a person would type it; for chance, the log's line."""
    if action.kind == "trade":
        return action.text.replace(f" {cards.WILD}", " wild")
    if action.kind != "attack":
        return action.text
    pair = f"{action.a} {action.b}"
    match action.how, action.n:
        case "until", 1:
            return f"blitz {pair}"
        case "x", 1:
            return f"roll {pair}"
        case "x", n:
            return f"attack {pair} x{n}"
        case "dice", n:
            return f"roll {pair} {n}"
        case how, n:
            return f"attack {pair} {how} {n}"


def write_all(found: Iterable[Action]) -> tuple[str, ...]:
    """Return actions as a person would type them."""
    return tuple(map(write, found))


# --- what is due -----------------------------------------------------------------------------------------


def instructions(context: OrderContext) -> Partial:
    """Return the question of the phase, with a menu."""
    return Partial(due_text(context), write_all(menu(context)))


def due_text(context: OrderContext) -> Msg:
    """Return the question of the phase, mostly `domination.ask.{phase}`."""
    position, own = context.position, context.own
    match position.phase:
        case "claim":
            return msg("domination.ask.claim", free=len(goals.claimable(position)), wishes=len(own.wishes))
        case "setup":
            return msg("domination.ask.setup", pool=own.pool)
        case "place":
            return _asked_armies(position, own)
        case "move":
            low, high = battles.move_in_range(position)
            battle = position.attack
            names = map_tables(context.atlas).display_codes
            dst = names[battle.dst] if battle is not None else ""
            return msg("domination.ask.move", low=low, high=high, dst=dst)
        case "vote":
            return msg("domination.ask.vote", who=Who(position.info.victor))
        case phase:
            return msg(f"domination.ask.{phase}")


def _asked_armies(position: Position, own: Secrets) -> Msg:
    may = position.step in (FRESH, SPOILS)
    if may and must_trade(position, own):
        return msg("domination.ask.must_trade", cards=len(own.hand))
    if position.pool and position.step == FRESH and move_generator.trades(position, own.hand):
        return msg("domination.ask.trade", pool=position.pool)
    return msg("domination.ask.place", pool=position.pool) if position.pool else msg("domination.ask.keep")


def menu(context: OrderContext) -> list[Action]:
    """Return sensible actions in this phase, best first."""
    position, own, seat = context.position, context.own, context.seat
    match position.phase:
        case "claim":
            free = suggestions.codes_of(
                position, suggestions.draft_order(position, own, seat, MAX_CHOICES - 1)
            )
            done = [DONE] if own.wishes else []
            return [*done, *(actions.with_code("claim", code) for code in free)]
        case "setup":
            return placements(context, own.pool, MAX_CHOICES)
        case "capital":
            held = suggestions.codes_of(
                position, reversed(suggestions.threatened(position, seat)[-MAX_CHOICES:])
            )
            return [actions.with_code("capital", code) for code in held]
        case "place":
            return _armies(context)
        case "attack":
            fronts = suggestions.best_attacks(position)[: MAX_CHOICES - 1]
            return [*(usual_attack(context, front.src, front.dst) for front in fronts), END]
        case "move":
            low, high = battles.move_in_range(position)
            return [actions.move(n) for n in suggestions.sample(range(low, high + 1), MAX_CHOICES)]
        case "vote":
            return [CONTINUE, STOP]
        case _:
            return []


def _armies(context: OrderContext) -> list[Action]:
    """Return sensible trades and placements."""
    found, forced = trades(context)
    if forced:
        return found[:MAX_CHOICES]
    if not context.position.pool:
        return [*found[: MAX_CHOICES - 1], KEEP]
    return [*found[:4], *placements(context, context.position.pool, MAX_CHOICES - len(found[:4]))]


def trades(context: OrderContext) -> tuple[list[Action], bool]:
    """Return the sets that may be traded in this phase, best first, and whether one of them must be."""
    position, own = context.position, context.own
    may = position.step in (FRESH, SPOILS)
    forced = may and must_trade(position, own)
    return suggestions.best_trades(position, own.hand) if forced or position.step == FRESH else [], forced


def placements(context: OrderContext, pool: int, most: int) -> list[Action]:
    """Return placements of the whole pool on one country each, the most threatened first."""
    codes = suggestions.codes_of(
        context.position, suggestions.threatened(context.position, context.seat)[:most]
    )
    return [actions.place(code, pool) for code in codes]


def usual_attack(context: OrderContext, src: int, dst: int) -> Action:
    """Return the usual attack: until three armies are left, or to the last if there are fewer."""
    codes = map_tables(context.atlas).codes
    return actions.attack(codes[src], codes[dst], "until", 3 if context.position.armies[src] > 3 else 1)


# --- incomplete orders -----------------------------------------------------------------------------------


def question(key: str, found: Iterable[Action], **values: Value) -> Partial:
    """Return a question with orders that answer it."""
    return Partial(msg(f"domination.ask.{key}", **values), write_all(found))


def attacks_from(context: OrderContext, at: int) -> list[Action]:
    """Return attacks from one of the seat's own countries."""
    position = context.position
    armies, borders = position.armies, map_tables(context.atlas).borders
    if armies[at] < 2:
        return []
    found = [
        action
        for dst in borders[at]
        if position.owner[dst] != context.seat
        for action in _attacks(context, at, dst)
    ]
    return found[:MAX_CHOICES]


def _attacks(context: OrderContext, src: int, dst: int) -> list[Action]:
    """Return attacks until three armies are left, to the last, and for one roll."""
    codes, armies = map_tables(context.atlas).codes, context.position.armies[src]
    found = [actions.attack(codes[src], codes[dst], "until", 3)] if armies > 3 else []
    found.append(actions.attack(codes[src], codes[dst], "until", 1))
    return [*found, actions.attack(codes[src], codes[dst], "x", 1)]


def attacks_on(context: OrderContext, at: int) -> list[Action]:
    """Return the seat's attacks on another seat's country."""
    position, borders = context.position, map_tables(context.atlas).borders
    srcs = [n for n, row in enumerate(borders) if at in row and position.owner[n] == context.seat]
    able = [n for n in srcs if position.armies[n] > 1]
    return [action for src in able for action in _attacks(context, src, at)][:MAX_CHOICES]


def last_moves(context: OrderContext, src: int = NONE) -> list[Action]:
    """Return last moves from a country, or from any, those without enemy neighbours first."""
    position = context.position
    codes = map_tables(context.atlas).codes
    held = [n for n, by in enumerate(position.owner) if by == context.seat and position.armies[n] > 1]
    if src != NONE:
        held = [n for n in held if n == src]
    held.sort(key=lambda n: (not suggestions.is_interior(position, n), -position.armies[n], n))
    found = [
        actions.fortify(codes[n], codes[dst], position.armies[n] - 1)
        for n in held
        for dst in move_generator.destinations(position, n)
    ]
    return found[:MAX_CHOICES]


def similar_texts(context: OrderContext, named: Sequence[str] = ()) -> tuple[str, ...]:
    """Return legal orders with the countries that an order names; else the most sensible ones."""
    position, index = context.position, context.atlas.index
    found: list[Action] = []
    if position.phase == "attack" and len(named) > 1:
        found += _attacks(context, index[named[0]], index[named[1]])
    for code in named:
        at = index[code]
        if position.phase == "attack":
            mine = position.owner[at] == context.seat
            found += attacks_from(context, at) if mine else attacks_on(context, at)
        elif position.phase in ("place", "setup"):
            pool = context.own.pool if position.phase == "setup" else position.pool
            found.append(actions.place(code, pool))
        elif position.phase == "capital":
            found.append(actions.with_code("capital", code))
    legal = context.legal(found) or context.legal(menu(context)[:MAX_SIMILAR])
    return write_all(dict.fromkeys(legal[:MAX_SIMILAR]))


# --- actions and refusals -------------------------------------------------------------------------------


def accept(context: OrderContext, command: Command, action: Action, rest: Sequence[Command]) -> Parsed:
    """Return the action with the remaining commands as its script, or a refusal if it is illegal."""
    why = context.refuse(action)
    if why is not None:
        return reject(context, command, why)
    return Done(action, script_of(context, rest), command.start)


def script_of(context: OrderContext, rest: Sequence[Command]) -> Script | None:
    """Return the remaining commands as a script; None if there are none."""
    return Script(context.text, tuple(rest)) if rest else None


def reject(context: OrderContext, command: Command, why: Msg) -> Rejected:
    """Return a refusal of a command, with similar legal orders."""
    return Rejected(why, (command.start, command.end), similar_texts(context, command.codes[:2]))


def reject_for(context: OrderContext, command: Command, key: str, **values: int | str) -> Rejected:
    """Return a refusal of a command for the reason `domination.refuse.{key}`."""
    return reject(context, command, msg(f"domination.refuse.{key}", **values))


def reject_undue(context: OrderContext, command: Command, *phases: str) -> Rejected | None:
    """Return a refusal of a command outside its phases; None if it is due."""
    phase = context.position.phase
    return None if phase in phases else reject_for(context, command, f"due.{phase}")
