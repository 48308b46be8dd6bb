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
from games.domination.rules.position import NONE, UNKNOWN, Own, Position, State, View, chart
from games.domination.rules.turns import FRESH, SPOILS, must_trade
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.script import Script

Found: TypeAlias = Done[Action] | Partial | Rejected
MENU: Final = 20
"""Maximum number of choices in a menu."""
NEAR: Final = 4
"""Maximum number of similar orders named in a refusal."""


class Moment(NamedTuple):
    """What an order is judged by."""

    view: View
    seat: int
    own: Own
    """The seat's secrets as far as the viewer knows them; unknown to spectators."""
    position: Position
    atlas: Atlas
    text: str
    """The whole typed text that the order is part of."""

    def refuse(self, action: Action) -> Msg | None:
        """Return why the seat may not do this now; None if it may."""
        seats = self.position.table.law.seats
        own = tuple(self.own if each == self.seat else UNKNOWN for each in range(seats))
        return judge.refuse(State(self.position, own, ()), Seat(self.seat), action)

    def legal(self, found: Iterable[Action]) -> list[Action]:
        """Return those of the actions that the seat may do."""
        return [action for action in found if self.refuse(action) is None]


def moment_of(view: View, seat: int, text: str = "") -> Moment:
    """Return what the orders of a text are judged by."""
    position = view.position
    return Moment(view, seat, view.own or UNKNOWN, position, position.table.law.atlas, text)


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


def texts(found: Iterable[Action]) -> tuple[str, ...]:
    """Return actions as a person would type them."""
    return tuple(map(write, found))


# --- what is due -----------------------------------------------------------------------------------------


def instructions(moment: Moment) -> Partial:
    """Return what is due, with a menu."""
    return Partial(asked(moment), texts(menu(moment)))


def asked(moment: Moment) -> Msg:
    """Return what is due, mostly as `domination.ask.{phase}`."""
    position, own = moment.position, moment.own
    match position.phase:
        case "claim":
            return msg("domination.ask.claim", free=len(goals.claimable(position)), wishes=len(own.wishes))
        case "setup":
            return msg("domination.ask.setup", pool=own.pool)
        case "place":
            return _asked_armies(position, own)
        case "move":
            low, high = battles.room(position)
            battle = position.order
            names = chart(moment.atlas).names
            dst = names[battle.dst] if battle is not None else ""
            return msg("domination.ask.move", low=low, high=high, dst=dst)
        case "vote":
            return msg("domination.ask.vote", who=Who(position.table.victor))
        case phase:
            return msg(f"domination.ask.{phase}")


def _asked_armies(position: Position, own: Own) -> Msg:
    may = position.step in (FRESH, SPOILS)
    if may and must_trade(position, own):
        return msg("domination.ask.must_trade", cards=len(own.hand))
    if position.pool and position.step == FRESH and move_generator.trades(position, own.hand):
        return msg("domination.ask.trade", pool=position.pool)
    return msg("domination.ask.place", pool=position.pool) if position.pool else msg("domination.ask.keep")


def menu(moment: Moment) -> list[Action]:
    """Return sensible actions in this phase, best first."""
    position, own, seat = moment.position, moment.own, moment.seat
    match position.phase:
        case "claim":
            free = suggestions.codes(position, suggestions.wanted(position, own, seat, MENU - 1))
            done = [DONE] if own.wishes else []
            return [*done, *(actions.at("claim", code) for code in free)]
        case "setup":
            return placements(moment, own.pool, MENU)
        case "capital":
            held = suggestions.codes(position, reversed(suggestions.threatened(position, seat)[-MENU:]))
            return [actions.at("capital", code) for code in held]
        case "place":
            return _armies(moment)
        case "attack":
            fronts = suggestions.fronts(position)[: MENU - 1]
            return [*(attack(moment, front.src, front.dst) for front in fronts), END]
        case "move":
            low, high = battles.room(position)
            return [actions.move(n) for n in suggestions.some(range(low, high + 1), MENU)]
        case "vote":
            return [CONTINUE, STOP]
        case _:
            return []


def _armies(moment: Moment) -> list[Action]:
    """Return sensible trades and placements."""
    found, forced = trades(moment)
    if forced:
        return found[:MENU]
    if not moment.position.pool:
        return [*found[: MENU - 1], KEEP]
    return [*found[:4], *placements(moment, moment.position.pool, MENU - len(found[:4]))]


def trades(moment: Moment) -> tuple[list[Action], bool]:
    """Return the sets that may be traded in this phase, best first, and whether one of them must be."""
    position, own = moment.position, moment.own
    may = position.step in (FRESH, SPOILS)
    forced = may and must_trade(position, own)
    return suggestions.best_trade(position, own.hand) if forced or position.step == FRESH else [], forced


def placements(moment: Moment, pool: int, most: int) -> list[Action]:
    """Return placements of the whole pool on one country each, the most threatened first."""
    codes = suggestions.codes(moment.position, suggestions.threatened(moment.position, moment.seat)[:most])
    return [actions.place(code, pool) for code in codes]


def attack(moment: Moment, src: int, dst: int) -> Action:
    """Return the usual attack: until three armies are left, or to the last if there are fewer."""
    codes = chart(moment.atlas).codes
    return actions.attack(codes[src], codes[dst], "until", 3 if moment.position.armies[src] > 3 else 1)


# --- incomplete orders -----------------------------------------------------------------------------------


def ask(key: str, found: Iterable[Action], **values: Value) -> Partial:
    """Return a question with orders that answer it."""
    return Partial(msg(f"domination.ask.{key}", **values), texts(found))


def from_country(moment: Moment, at: int) -> list[Action]:
    """Return attacks from one of the seat's own countries."""
    position = moment.position
    armies, borders = position.armies, chart(moment.atlas).borders
    if armies[at] < 2:
        return []
    found = [
        action
        for dst in borders[at]
        if position.owner[dst] != moment.seat
        for action in _ways(moment, at, dst)
    ]
    return found[:MENU]


def _ways(moment: Moment, src: int, dst: int) -> list[Action]:
    """Return attacks until three armies are left, to the last, and for one roll."""
    codes, armies = chart(moment.atlas).codes, moment.position.armies[src]
    found = [actions.attack(codes[src], codes[dst], "until", 3)] if armies > 3 else []
    found.append(actions.attack(codes[src], codes[dst], "until", 1))
    return [*found, actions.attack(codes[src], codes[dst], "x", 1)]


def on_country(moment: Moment, at: int) -> list[Action]:
    """Return the seat's attacks on another seat's country."""
    position, borders = moment.position, chart(moment.atlas).borders
    srcs = [n for n, row in enumerate(borders) if at in row and position.owner[n] == moment.seat]
    able = [n for n in srcs if position.armies[n] > 1]
    return [action for src in able for action in _ways(moment, src, at)][:MENU]


def last_moves(moment: Moment, src: int = NONE) -> list[Action]:
    """Return last moves from a country, or from any, those without enemy neighbours first."""
    position = moment.position
    codes = chart(moment.atlas).codes
    held = [n for n, by in enumerate(position.owner) if by == moment.seat and position.armies[n] > 1]
    if src != NONE:
        held = [n for n in held if n == src]
    held.sort(key=lambda n: (not suggestions.interior(position, n), -position.armies[n], n))
    found = [
        actions.fortify(codes[n], codes[dst], position.armies[n] - 1)
        for n in held
        for dst in move_generator.destinations(position, n)
    ]
    return found[:MENU]


def near(moment: Moment, named: Sequence[str] = ()) -> tuple[str, ...]:
    """Return legal orders with the countries that an order names; else the most sensible ones."""
    position, index = moment.position, moment.atlas.index
    found: list[Action] = []
    if position.phase == "attack" and len(named) > 1:
        found += _ways(moment, index[named[0]], index[named[1]])
    for code in named:
        at = index[code]
        if position.phase == "attack":
            mine = position.owner[at] == moment.seat
            found += from_country(moment, at) if mine else on_country(moment, at)
        elif position.phase in ("place", "setup"):
            pool = moment.own.pool if position.phase == "setup" else position.pool
            found.append(actions.place(code, pool))
        elif position.phase == "capital":
            found.append(actions.at("capital", code))
    legal = moment.legal(found) or moment.legal(menu(moment)[:NEAR])
    return texts(dict.fromkeys(legal[:NEAR]))


# --- actions and refusals -------------------------------------------------------------------------------


def done(moment: Moment, command: Command, action: Action, rest: Sequence[Command]) -> Found:
    """Return the action with the remaining commands as its script, or a refusal if it is illegal."""
    why = moment.refuse(action)
    if why is not None:
        return refused(moment, command, why)
    return Done(action, script_of(moment, rest), command.start)


def script_of(moment: Moment, rest: Sequence[Command]) -> Script | None:
    """Return the remaining commands as a script; None if there are none."""
    return Script(moment.text, tuple(rest)) if rest else None


def refused(moment: Moment, command: Command, why: Msg) -> Rejected:
    """Return a refusal of a command, with similar legal orders."""
    return Rejected(why, (command.start, command.end), near(moment, command.codes[:2]))


def refuse(moment: Moment, command: Command, key: str, **values: int | str) -> Rejected:
    """Return a refusal of a command for the reason `domination.refuse.{key}`."""
    return refused(moment, command, msg(f"domination.refuse.{key}", **values))


def due(moment: Moment, command: Command, *phases: str) -> Rejected | None:
    """Return a refusal of a command outside its phases; None if it is due."""
    phase = moment.position.phase
    return None if phase in phases else refuse(moment, command, f"due.{phase}")
