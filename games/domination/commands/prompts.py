"""Replies to incomplete orders: what is due, and complete orders to choose from.

Menus list sensible orders first, not all that are possible; every text in them is a legal order. Suggestions
only sort legal actions, always the same way, by what the seat can see; `auto` takes the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from games.domination.commands.command import Command
from games.domination.maps.atlas import Atlas
from games.domination.rules import (
    actions,
    battle_odds,
    battles,
    cards,
    default_moves,
    goals,
    judge,
    move_generator,
)
from games.domination.rules.actions import CONTINUE, DONE, END, KEEP, STOP, Action, StopRule
from games.domination.rules.position import NOBODY, NONE, UNKNOWN, Position, Secrets, State, View, map_tables
from games.domination.rules.turns import FRESH, must_trade
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.message import Msg, Value, Who, msg
from games.engine.values import Script

_MAX_STACKS: Final = 6
"""Maximum number of countries that `auto` places armies on before the first turn."""
_MAX_RANKED: Final = 120
"""Maximum number of countries that `auto` ranks in a draft."""


class PossibleAttack(NamedTuple):
    """A possible attack, with the chance to win if it goes on to the last army."""

    src: int
    dst: int
    wins: float


def best_attacks(position: Position) -> list[PossibleAttack]:
    """Return the attacks of the seat whose turn it is, likeliest to win first; one for each target."""
    info, owner, armies, _, turn, *_ = position
    borders, defence = map_tables(info.law.atlas).borders, info.law.defence
    best: dict[int, PossibleAttack] = {}
    for src, n in enumerate(armies):
        if n < 2 or owner[src] != turn:
            continue
        for dst in borders[src]:
            if owner[dst] == turn or (dst in best and armies[best[dst].src] >= n):
                continue
            best[dst] = PossibleAttack(src, dst, battle_odds.battle(n, armies[dst], defence=defence).wins)
    return sorted(best.values(), key=lambda front: (-round(front.wins, 6), front.src, front.dst))


def is_interior(position: Position, country: int) -> bool:
    """Return whether a country can neither be attacked by an enemy nor attack one."""
    owner, seat = position.owner, position.owner[country]
    tables = map_tables(position.info.law.atlas)
    return all(owner[n] == seat for n in (*tables.borders[country], *tables.into[country]))


def threatened(position: Position, seat: int) -> list[int]:
    """Return the seat's countries, the most threatened first."""
    return sorted(position.held(seat), key=lambda n: (-default_moves.threat(position, seat, n), n))


def spread(position: Position, own: Secrets, seat: int, pool: int) -> list[tuple[int, int]]:
    """Return where to place the pool before the first turn: on a few countries, most where most is needed."""
    placed = own.spread or (0,) * len(position.owner)
    armies = tuple(n + more for n, more in zip(position.armies, placed, strict=True))
    after = position._replace(armies=armies)
    stacks = threatened(after, seat)[: max(1, min(_MAX_STACKS, pool // 2))]
    need = {country: default_moves.threat(after, seat, country) for country in stacks}
    given = dict.fromkeys(stacks, 0)
    for _ in range(pool if stacks else 0):
        country = max(stacks, key=lambda n: (need[n] - given[n], -stacks.index(n)))
        given[country] += 1
    return [(country, n) for country, n in given.items() if n]


def draft_order(position: Position, own: Secrets, seat: int, named: Iterable[str] = ()) -> list[str]:
    """Return free countries' codes in a sensible order: near its own, in continents it can complete.

    Those that are on its list, or `named` after these, count as its own. All others are returned, so that a
    list with them at its end isn't used up before the draft is over; on large maps the first 120.
    """
    atlas = position.info.law.atlas
    wishes = dict.fromkeys((*own.wishes, *(atlas.index[code] for code in named)))
    return codes_of(position, _draft_order(atlas, position.owner, tuple(wishes), seat))


@lru_cache(maxsize=1 << 10)
def _draft_order(atlas: Atlas, owner: bytes, wishes: tuple[int, ...], seat: int) -> tuple[int, ...]:
    borders = map_tables(atlas).borders
    held = [by == seat or at in wishes for at, by in enumerate(owner)]
    free = [at for at, by in enumerate(owner) if by == NOBODY and not held[at]]
    near = [sum(held[n] for n in row) for row in borders]
    count = [sum(held[at] for at in row) for row in atlas.countries_of]
    size = [max(1, len(row)) for row in atlas.countries_of]
    lost = [sum(owner[at] not in (NOBODY, seat) for at in row) for row in atlas.countries_of]
    room = [(each.value - 2.0 * gone) / n for each, gone, n in zip(atlas.continents, lost, size, strict=True)]
    of = [country.continent for country in atlas.countries]
    found: list[int] = []
    while free and len(found) < _MAX_RANKED:
        rows = [(room[of[at]] + 2.0 * count[of[at]] / size[of[at]] + 0.3 * near[at], -at) for at in free]
        best = -max(rows)[1]
        free.remove(best)
        found.append(best)
        count[of[best]] += 1
        for at in free:
            near[at] += best in borders[at]
    return tuple(found)


def best_trades(position: Position, hand: tuple[int, ...]) -> list[Action]:
    """Return the sets, those that bring most armies first; the bonus where most needed, wild cards last."""
    index = position.info.law.atlas.index

    def worth(action: Action) -> tuple[int, bool, int, int]:
        threat = default_moves.threat(position, position.turn, index[action.b]) if action.b else 0
        return (
            -move_generator.trade_value(position, action),
            not action.b,
            action.cards.count(cards.WILD),
            -threat,
        )

    return sorted(move_generator.trades(position, hand), key=worth)


def sample(rows: Sequence[int], most: int) -> list[int]:
    """Return at most `most` of some numbers, evenly spaced, the first and the last included."""
    if len(rows) <= most:
        return list(rows)
    return [rows[round(n * (len(rows) - 1) / (most - 1))] for n in range(most)]


def codes_of(position: Position, found: Iterable[int]) -> list[str]:
    """Return the codes of countries."""
    known = map_tables(position.info.law.atlas).codes
    return [known[at] for at in found]


Parsed: TypeAlias = Done[Action] | Partial | Rejected
AUTO: Final = "auto"
"""Order that leaves the decision to the program."""
MAX_CHOICES: Final = 20
"""Maximum number of choices in a menu."""
MAX_SIMILAR: Final = 4
"""Maximum number of similar orders named in a refusal."""


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


def question(key: str, found: Iterable[Action], **values: Value) -> Partial:
    """Return a question with orders that answer it."""
    return Partial(msg(f"domination.ask.{key}", **values), write_all(found))


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

    # --- what is due ----------------------------------------------------------------------------------

    def instructions(self) -> Partial:
        """Return the question of the phase, with a menu; in a draft, each choice answers it for good."""
        found = write_all(self.menu())
        if self.position.phase == "claim":
            found = (AUTO, *(f"{text}, {AUTO}" if text.startswith("claim") else text for text in found))
        return Partial(self.due_text(), found)

    def due_text(self) -> Msg:
        """Return the question of the phase, mostly `domination.ask.{phase}`."""
        position, own, example = self.position, self.own, self._example()
        match position.phase:
            case "claim":
                free = len(goals.claimable(position))
                example = f"{example}, {AUTO}"
                return msg("domination.ask.claim", example=example, free=free, wishes=len(own.wishes))
            case "setup":
                return msg("domination.ask.setup", example=example, pool=judge.armies_words(own.pool))
            case "place" if must_trade(position, own):
                return msg("domination.ask.must_trade", cards=len(own.hand))
            case "place" if not position.pool:
                return msg("domination.ask.keep")
            case "place":
                may = position.step == FRESH and move_generator.trades(position, own.hand)
                key = "trade" if may else "place"
                return msg(f"domination.ask.{key}", example=example, pool=judge.armies_words(position.pool))
            case "move":
                low, high = battles.move_in_range(position)
                battle = position.attack
                names = map_tables(self.atlas).display_codes
                dst = names[battle.dst] if battle is not None else ""
                return msg("domination.ask.move", low=low, high=high, dst=dst)
            case "vote":
                return msg("domination.ask.vote", who=Who(position.info.victor))
            case "attack" if not example:
                return msg("domination.ask.attack_none")
            case phase:
                return msg(f"domination.ask.{phase}", example=example)

    def _example(self) -> str:
        """Return the most sensible order that places, claims or attacks now; "" if there is none."""
        kinds = ("claim", "place", "capital", "attack")
        return next(iter(write_all(each for each in self.menu() if each.kind in kinds)), "")

    def menu(self) -> list[Action]:
        """Return sensible actions in this phase, best first."""
        position, own, seat = self.position, self.own, self.seat
        match position.phase:
            case "claim":
                free = draft_order(position, own, seat)[: MAX_CHOICES - 2]
                done = [DONE] if own.wishes else []
                return [*done, *(actions.with_code("claim", code) for code in free)]
            case "setup":
                return self.placements(own.pool, MAX_CHOICES)
            case "capital":
                safest = threatened(position, seat)[: -MAX_CHOICES - 1 : -1]
                return [actions.with_code("capital", code) for code in codes_of(position, safest)]
            case "place":
                return self._armies()
            case "attack":
                fronts = best_attacks(position)[: MAX_CHOICES - 1]
                return [*(self.usual_attack(front.src, front.dst) for front in fronts), END]
            case "move":
                low, high = battles.move_in_range(position)
                return [actions.move(n) for n in sample(range(low, high + 1), MAX_CHOICES)]
            case "vote":
                return [CONTINUE, STOP]
            case _:
                return []

    def _armies(self) -> list[Action]:
        """Return sensible trades and placements."""
        found, forced = self.trades()
        if forced:
            return found[:MAX_CHOICES]
        if not self.position.pool:
            return [*found[: MAX_CHOICES - 1], KEEP]
        return [*found[:4], *self.placements(self.position.pool, MAX_CHOICES - len(found[:4]))]

    def trades(self) -> tuple[list[Action], bool]:
        """Return the sets that may be traded in this phase, best first, and whether one of them must be."""
        position, own = self.position, self.own
        forced = must_trade(position, own)
        return best_trades(position, own.hand) if forced or position.step == FRESH else [], forced

    def placements(self, pool: int, most: int) -> list[Action]:
        """Return placements of the whole pool on one country each, the most threatened first."""
        codes = codes_of(self.position, threatened(self.position, self.seat)[:most])
        return [actions.place(code, pool) for code in codes]

    def usual_attack(self, src: int, dst: int) -> Action:
        """Return the usual attack: until three armies are left, or to the last if there are fewer."""
        codes = map_tables(self.atlas).codes
        return actions.attack(codes[src], codes[dst], "until", 3 if self.position.armies[src] > 3 else 1)

    # --- incomplete orders ----------------------------------------------------------------------------

    def pairs_at(self, at: int) -> list[tuple[int, int]]:
        """Return origin and target of the seat's attacks from one of its countries, or on another's."""
        position, tables = self.position, map_tables(self.atlas)
        if position.owner[at] == self.seat:
            found = [(at, dst) for dst in tables.borders[at] if position.owner[dst] != self.seat]
        else:
            found = [(src, at) for src in tables.into[at] if position.owner[src] == self.seat]
        return [(src, dst) for src, dst in found if position.armies[src] > 1]

    def attacks_at(self, at: int) -> list[Action]:
        """Return the seat's attacks from one of its countries, or on a country of another."""
        return [action for pair in self.pairs_at(at) for action in self._attacks(*pair)][:MAX_CHOICES]

    def _attacks(self, src: int, dst: int) -> list[Action]:
        """Return attacks until three armies are left, to the last, and for one roll."""
        codes, armies = map_tables(self.atlas).codes, self.position.armies[src]
        stops: list[tuple[StopRule, int]] = [("until", 3)] if armies > 3 else []
        return [actions.attack(codes[src], codes[dst], *stop) for stop in (*stops, ("until", 1), ("x", 1))]

    def last_moves(self, src: int = NONE) -> list[Action]:
        """Return last moves from a country, or from any, those without enemy neighbours first."""
        position = self.position
        codes = map_tables(self.atlas).codes
        held = [n for n in position.held(self.seat) if position.armies[n] > 1 and src in (n, NONE)]
        held.sort(key=lambda n: (not is_interior(position, n), -position.armies[n], n))
        found = [
            actions.fortify(codes[n], codes[dst], position.armies[n] - 1)
            for n in held
            for dst in move_generator.destinations(position, n)
        ]
        return found[:MAX_CHOICES]

    def similar_texts(self, named: Sequence[str] = ()) -> tuple[str, ...]:
        """Return legal orders with the countries that an order names; else the most sensible ones."""
        position, index = self.position, self.atlas.index
        found: list[Action] = []
        if position.phase == "attack" and len(named) > 1:
            found += self._attacks(index[named[0]], index[named[1]])
        for code in named:
            at = index[code]
            if position.phase == "attack":
                found += self.attacks_at(at)
            elif position.phase in ("place", "setup"):
                pool = self.own.pool if position.phase == "setup" else position.pool
                found.append(actions.place(code, pool))
            elif position.phase == "capital":
                found.append(actions.with_code("capital", code))
        legal = self.legal(found) or self.legal(self.menu()[:MAX_SIMILAR])
        return write_all(dict.fromkeys(legal[:MAX_SIMILAR]))

    # --- actions and refusals -------------------------------------------------------------------------

    def accept(self, command: Command, action: Action, rest: Sequence[Command]) -> Parsed:
        """Return the action with the remaining commands as its script, or a refusal if it is illegal."""
        why = self.refuse(action)
        if why is not None:
            return self.reject(command, why)
        return Done(action, self.script_of(rest), command.start)

    def script_of(self, rest: Sequence[Command]) -> Script | None:
        """Return the remaining commands as a script; None if there are none."""
        typed = (command.start for command in rest if command.verb not in ("guard", "more"))
        return Script(self.text, tuple(rest), next(typed, None)) if rest else None

    def reject(self, command: Command, why: Msg) -> Rejected:
        """Return a refusal of a command, with similar legal orders."""
        return Rejected(why, (command.start, command.end), self.similar_texts(command.codes[:2]))

    def reject_for(self, command: Command, key: str, **values: Value) -> Rejected:
        """Return a refusal of a command for the reason `domination.refuse.{key}`."""
        return self.reject(command, msg(f"domination.refuse.{key}", **values))


def context_of(view: View, seat: int, text: str = "") -> OrderContext:
    """Return what the orders of a text are judged by."""
    position = view.position
    return OrderContext(view, seat, view.own or UNKNOWN, position, position.info.law.atlas, text)
