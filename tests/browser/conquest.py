"""A match of Domination for people who know what the dice will say: whole turns as one text each.

The test holds the match's secret, so that each order can be tried before it is typed: attacks that will win
are taken, others are left. What the computer at the table will do is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from games.domination.rules import actions, battles, move_generator
from games.domination.rules.actions import CONTINUE, END, KEEP, STOP, Action
from games.domination.rules.goals import target
from games.domination.rules.position import Position, map_tables
from games.domination.rules.turns import must_trade
from games.engine.dice import Sealed
from games.engine.game import Done, Seat
from games.engine.match import Change, Match, play

MOST: Final = 900
"""Maximum length of a text, in characters; the other orders go into further texts."""


@dataclass(frozen=True)
class Wants:
    """What a player aims at in a turn."""

    prey: Callable[[Position, int], int]
    """How much a country is wanted, by its number; those below 0 are left alone."""
    conquests: int = 99
    trade: bool = False
    """Whether sets are traded in before they have to be."""
    least: int = 1
    """Armies that are wanted on each country before any is placed where it is to attack."""
    waste: bool = False
    """Whether attacks are wanted that take nothing and cost most."""
    go_on: bool = False
    """How to vote after someone has won."""


def turn(match: Match, seat: Seat, sealed: Sealed, wants: Wants) -> list[str]:
    """Return the orders of a seat until someone else is to act, or as many as fit into one text."""
    texts: list[str] = []
    taken = 0
    while seat in match.to_act and len("; ".join(texts)) < MOST:
        action = _next(match, seat, sealed, wants, wants.conquests - taken)
        texts.append(match.game.format(match.game.view(match.state, seat), action))
        taken += action.kind == "attack" and _owner(_after(match, seat, action, sealed), action.b) == seat
        after = _after(match, seat, action, sealed)
        if after.to_act != match.to_act:
            break
        match = after
    return texts


def _after(match: Match, seat: Seat, action: Action, sealed: Sealed) -> Match:
    change = play(match, seat, action, sealed)
    assert isinstance(change, Change), (action, change)
    return change.match


def _owner(match: Match, code: str) -> int:
    place: Position = match.state.position
    return place.owner[place.info.law.atlas.index[code]]


def _next(match: Match, seat: Seat, sealed: Sealed, wants: Wants, left: int) -> Action:
    place: Position = match.state.position
    own = match.state.own[seat]
    match place.phase:
        case "vote":
            return CONTINUE if wants.go_on else STOP
        case "move":
            return actions.move(battles.move_in_range(place)[1])
        case "attack":
            best = _best(match, seat, sealed, wants) if left else None
            return END if best is None else best
        case "place":
            sets = move_generator.trades(place, own.hand)
            if sets and place.step != 1 and (must_trade(place, own) or wants.trade):
                return sets[0]
            if not place.pool:
                return KEEP
            codes = map_tables(place.info.law.atlas).codes
            bare = [at for at, by in enumerate(place.owner) if by == seat and place.armies[at] < wants.least]
            if bare:
                return actions.place(codes[bare[0]], min(place.pool, wants.least - place.armies[bare[0]]))
            return actions.place(codes[_front(place, seat, wants)], place.pool)
        case _:
            raise AssertionError(f"nothing is known of the phase {place.phase}")


def _targets(place: Position, seat: int, wants: Wants) -> Iterator[tuple[int, int, int]]:
    """How much it is wanted, from where, and which country."""
    for src, row in enumerate(map_tables(place.info.law.atlas).borders):
        for dst in row:
            if place.owner[src] == seat != place.owner[dst] and (worth := wants.prey(place, dst)) >= 0:
                yield worth, src, dst


def _front(place: Position, seat: int, wants: Wants) -> int:
    """Where armies are placed: at the border of what is wanted most, on the largest stack."""
    found = [(worth, place.armies[src], src) for worth, src, _ in _targets(place, seat, wants)]
    held = [(0, n, at) for at, n in enumerate(place.armies) if place.owner[at] == seat]
    return max(found or held)[-1]


def _best(match: Match, seat: Seat, sealed: Sealed, wants: Wants) -> Action | None:
    """The attack that takes what is wanted most, with the fewest losses; None if none takes anything."""
    place: Position = match.state.position
    codes = map_tables(place.info.law.atlas).codes
    best: tuple[tuple[int, int], Action] | None = None
    view = match.game.view(match.state, seat)
    for worth, src, dst in _targets(place, seat, wants):
        if place.armies[src] < 2:
            continue
        order = actions.attack(codes[src], codes[dst], "until", 1)
        if match.game.caution(view, seat, order) is not None:
            continue  # a text stops before what is warned of
        after = _after(match, seat, order, sealed)
        if (_owner(after, codes[dst]) == seat) == wants.waste:
            continue
        kept = armies(after, seat)
        score = (0, -kept) if wants.waste else (worth, kept)
        if best is None or score > best[0]:
            best = score, order
    return None if best is None else best[1]


def armies(match: Match, seat: int) -> int:
    """How many armies a seat has."""
    place: Position = match.state.position
    return sum(n for n, by in zip(place.armies, place.owner, strict=True) if by == seat)


def after_turn(match: Match, seat: Seat, sealed: Sealed, texts: list[str]) -> Match:
    """The match after the orders of a turn."""
    for text in texts:
        done = match.game.parse(match.game.view(match.state, seat), seat, text)
        assert isinstance(done, Done), (text, done)
        match = _after(match, seat, done.action, sealed)
    return match


def cards_of(match: Match, seat: int) -> int:
    """How many cards a seat holds."""
    place: Position = match.state.position
    return place.info.cards[seat]


def belongs_to(*seats: int) -> Callable[[Position, int], int]:
    """Countries of the first seat are wanted most, then those of the next, and so on; no others."""

    def worth(place: Position, at: int) -> int:
        by = place.owner[at]
        return len(seats) - seats.index(by) if by in seats else -1

    return worth


def capitals(place: Position, at: int) -> int:
    """Capitals are wanted most, anything is wanted."""
    return 5 if at in place.info.capitals else 1


def held(place: Position, seat: int) -> int:
    """How many countries a seat holds."""
    return place.owner.count(seat)


FULL: Final = 4
"""Cards that can be held without having to trade."""


def hunter(match: Match, seat: Seat, sealed: Sealed) -> Wants:
    """Beat a player whose cards then force a trade; until that is possible gather cards."""
    place: Position = match.state.position
    others = [other for other in place.living() if other != seat]
    if len(others) == 1:
        return Wants(belongs_to(*others))
    for prey in others:
        rest = [other for other in others if other != prey]
        wants = Wants(belongs_to(prey, *rest))
        if cards_of(match, seat) + cards_of(match, prey) > FULL + 1:
            after = after_turn(match, seat, sealed, turn(match, seat, sealed, wants))
            if not held(after.state.position, prey):
                return wants
    weak = min(others, key=lambda other: held(place, other))
    return Wants(belongs_to(weak), 1 if cards_of(match, seat) < FULL else 0)


def helper(match: Match, seat: Seat, friend: int, few: int = 3) -> Wants:
    """Keep the others small for a friend; when they are beaten, throw one's armies away."""
    place: Position = match.state.position
    others = [other for other in place.living() if other not in (seat, friend)]
    if not others:
        return Wants(belongs_to(friend), waste=True)
    (prey,) = others
    return Wants(belongs_to(prey), max(0, held(place, prey) - few))


def errand(match: Match, seat: Seat) -> Wants:
    """What a mission asks for; the cards come with it."""
    place: Position = match.state.position
    atlas = place.info.law.atlas
    mission = atlas.missions[match.state.own[seat].mission]
    aim = target(place, seat, mission)
    named = {at for n in mission.continents if n >= 0 for at in atlas.countries_of[n]}

    def worth(place: Position, at: int) -> int:
        if aim >= 0:
            return 5 if place.owner[at] == aim else 0
        return 5 if at in named else 1

    if aim < 0 and mission.countries:
        return Wants(worth, 2, least=mission.armies)
    return Wants(worth)
