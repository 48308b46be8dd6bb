"""Before the first turn: countries dealt or claimed, missions, armies placed in secret, capitals chosen.

Where all decide at once, their decisions are revealed after the last one.
"""

from __future__ import annotations

from collections import Counter

from games.domination.rules import facts, goals
from games.domination.rules.actions import Action
from games.domination.rules.position import (
    EVEN,
    NEUTRAL,
    NOBODY,
    NONE,
    UNKNOWN,
    Law,
    Position,
    State,
    Table,
    chart,
    replaced,
    start_armies,
    with_own,
    with_place,
    with_table,
)
from games.engine.dice import Dice
from games.engine.game import Fact, Step

_Facts = tuple[Fact, ...]


def begin(law: Law) -> State:
    """Return the empty map, to be dealt, or claimed in turn unless missions are played."""
    size, seats = len(law.atlas.countries), law.seats
    drafted = _drafted(law) and not law.neutral
    none, ready = (NONE,) * seats, (False,) * seats
    deck = tuple(range(len(law.atlas.cards)))
    table = Table(law, law.mode, 1, 0, (0,) * seats, len(deck), (), (), none, none, ready, NONE, None)
    place = Position(
        table, bytes((NOBODY,)) * size, (0,) * size, "claim" if drafted else "deal", 0, 0, None, False, 0
    )
    return State(place, tuple(UNKNOWN._replace(pool=pool(law, seat)) for seat in range(seats)), deck)


def _drafted(law: Law) -> bool:
    """Return whether the seats claim their countries."""
    return law.setup == "draft" and law.mode != "mission"


def pool(law: Law, seat: int) -> int:
    """Return the armies of a seat at the start."""
    more = EVEN if law.even and law.seats == 2 and seat == 1 else 0
    return start_armies(law.seats, len(law.atlas.countries)) + more


# --- chance ----------------------------------------------------------------------------------------------


def draw_deal(law: Law, dice: Dice) -> tuple[int, ...]:
    """Shuffle the countries and give them out in turn: the seat of each country.

    The neutral army is dealt in behind the seats, with their number; where the others are claimed, it gets
    the first third, and all others go to NOBODY.
    """
    seats = [NOBODY] * len(law.atlas.countries)
    parts = law.seats + law.neutral
    for n, at in enumerate(dice.shuffled(range(len(seats)))):
        if not _drafted(law):
            seats[at] = n % parts
        elif n < len(seats) // parts:
            seats[at] = law.seats
    return tuple(seats)


def draw_missions(law: Law, dice: Dice) -> tuple[int, ...]:
    """Draw a mission for each seat."""
    return dice.shuffled(goals.missions_for(law.atlas, law.seats))[: law.seats]


def draw_spread(state: State, dice: Dice) -> tuple[int, ...]:
    """Put the armies to be spread on random countries of their holders, one by one."""
    place = state.position
    armies = list(place.armies)
    for holder, more in _spreading(state):
        held = [at for at, by in enumerate(place.owner) if by == holder]
        for _ in range(more if held else 0):
            armies[dice.pick(held)] += 1
    return tuple(armies)


def _spreading(state: State) -> list[tuple[int, int]]:
    """Return whose armies chance spreads, and how many: those of all, or of the neutral army only."""
    place, law = state.position, state.position.table.law
    by_chance = law.setup == "auto"
    found = [(seat, own.pool if by_chance else 0) for seat, own in enumerate(state.own)]
    if law.neutral:
        armies = start_armies(law.seats, len(place.owner)) - place.owner.count(NEUTRAL)
        found.append((NEUTRAL, max(0, armies)))
    return found


def possible(state: State, kind: str, items: tuple[int, ...]) -> bool:
    """Return whether chance may draw this."""
    place = state.position
    law = place.table.law
    if kind == "missions":
        known = goals.missions_for(law.atlas, law.seats)
        return len(items) == law.seats == len(set(items)) and set(items) <= set(known)
    if len(items) != len(place.owner):
        return False
    if kind == "deal":
        parts = law.seats + law.neutral
        fair, more = divmod(len(items), parts)
        if _drafted(law):
            return Counter(items) == {law.seats: fair, NOBODY: len(items) - fair}
        return Counter(items) == {part: fair + (part < more) for part in range(parts) if fair or part < more}
    rows = [
        ([n for n, by in zip(items, place.owner, strict=True) if by == holder], armies)
        for holder, armies in _spreading(state)
    ]
    return all(min(row, default=1) >= 1 and sum(row) == (len(row) + n if row else 0) for row, n in rows)


def deal(state: State, items: tuple[int, ...]) -> Step[State]:
    """Put one army on each country that was dealt; the others are to be claimed."""
    law = state.position.table.law
    own = tuple(own._replace(pool=max(0, own.pool - items.count(seat))) for seat, own in enumerate(state.own))
    owner = bytes(NEUTRAL if by == law.seats else by for by in items)
    armies = tuple(int(by != NOBODY) for by in items)
    after = with_place(state._replace(own=own), owner=owner, armies=armies)
    if NOBODY in owner:
        after = with_place(after, phase="claim")
        return Step(after, facts.neutral(after.position, "holds"))
    step = _held(after)
    return Step(step.state, facts.dealt(after.position) + step.facts)


def give_missions(state: State, items: tuple[int, ...]) -> Step[State]:
    """Give each seat its mission."""
    own = tuple(own._replace(mission=n) for own, n in zip(state.own, items, strict=True))
    step = _placing(state._replace(own=own))
    return Step(step.state, facts.missions(state.position.table.law.atlas, items) + step.facts)


def spread(state: State, items: tuple[int, ...]) -> Step[State]:
    """Apply the spread armies: all of them, or the neutral army's before the players place theirs."""
    if state.position.table.law.setup != "auto":
        after = with_place(state, armies=items)
        step = _secretly(after)
        return Step(step.state, facts.neutral(after.position, "armed") + step.facts)
    own = tuple(own._replace(pool=0) for own in state.own)
    after = with_place(state._replace(own=own), armies=items)
    step = _armed(after)
    return Step(step.state, facts.armed(after.position) + step.facts)


# --- claims ----------------------------------------------------------------------------------------------


def claim(state: State, seat: int, action: Action) -> Step[State]:
    """Queue a claim or finish queueing; then make claims as far as the queues go."""
    said: _Facts = ()
    law = state.position.table.law
    if action.kind != "done":
        at = law.atlas.index[action.a]
        own = state.own[seat]
        state = with_own(state, seat, own._replace(wishes=(*own.wishes, at)))
        said = facts.secret(law.atlas, seat, "wish", at)
    if action.kind == "queue":
        return Step(state, said)
    ready = state.position.table.ready
    state = with_table(state, ready=(*ready[:seat], True, *ready[seat + 1 :]))
    step = claims(state)
    return Step(step.state, facts.ready(seat) + said + step.facts)


def claims(state: State) -> Step[State]:
    """Once all claimants are ready, let them claim in turn until a queue or the map is used up.

    Seats with empty queues then decide at the same time, so that none sees another's claims first.
    """
    place = state.position
    if not all(place.table.ready[seat] for seat in goals.claimants(place)):
        return Step(state)
    owner, armies, turn = bytearray(place.owner), list(place.armies), place.turn
    wishes = [[at for at in own.wishes if owner[at] == NOBODY] for own in state.own]
    pools = [own.pool for own in state.own]
    ready, living = list(place.table.ready), place.living()
    made: list[tuple[int, int]] = []
    while NOBODY in owner:
        if turn in living:
            if not wishes[turn]:
                break
            at = wishes[turn][0]
            made.append((turn, at))
            owner[at], armies[at] = turn, 1
            pools[turn] = max(0, pools[turn] - 1)
            wishes = [[wish for wish in row if wish != at] for row in wishes]
        turn = (turn + 1) % len(ready)
    ready = [done and bool(row) for done, row in zip(ready, wishes, strict=True)]
    own = tuple(
        each._replace(wishes=tuple(row), pool=left)
        for each, row, left in zip(state.own, wishes, pools, strict=True)
    )
    table = place.table._replace(ready=tuple(ready))
    after = place._replace(owner=bytes(owner), armies=tuple(armies), turn=turn, table=table)
    said = facts.claimed(after, made)
    step = Step(State(after, own, state.deck)) if NOBODY in owner else _held(State(after, own, state.deck))
    return Step(step.state, said + step.facts)


# --- armies and capitals, in secret ----------------------------------------------------------------------


def _held(state: State) -> Step[State]:
    """Continue after all countries are held."""
    if state.position.table.mode == "mission":
        return Step(with_place(state, phase="missions", turn=0))
    return _placing(state)


def _placing(state: State) -> Step[State]:
    """Let chance spread all armies or the neutral army's; else let the players place theirs."""
    law = state.position.table.law
    if law.setup == "auto" or law.neutral:
        return Step(with_place(state, phase="spread", turn=0))
    return _secretly(state)


def _secretly(state: State) -> Step[State]:
    """Let the players place their armies in secret."""
    place = state.position
    empty = (0,) * len(place.owner)
    living = place.living()
    own = tuple(own._replace(spread=empty, wishes=()) for own in state.own)
    ready = tuple(seat not in living or not each.pool for seat, each in enumerate(own))
    after = with_place(
        state._replace(own=own), phase="setup", turn=0, table=place.table._replace(ready=ready)
    )
    return reveal(after)


def put(state: State, seat: int, action: Action) -> Step[State]:
    """Place armies in secret."""
    atlas = state.position.table.law.atlas
    at, own = atlas.index[action.a], state.own[seat]
    own = own._replace(pool=own.pool - action.n, spread=replaced(own.spread, at, own.spread[at] + action.n))
    after = with_own(state, seat, own)
    said = facts.secret(atlas, seat, "put", at, action.n)
    return Step(after, said) if own.pool else _ready(after, seat, said)


def choose(state: State, seat: int, action: Action) -> Step[State]:
    """Choose a capital in secret."""
    atlas = state.position.table.law.atlas
    at = atlas.index[action.a]
    after = with_own(state, seat, state.own[seat]._replace(pick=at))
    return _ready(after, seat, facts.secret(atlas, seat, "picked", at))


def _ready(state: State, seat: int, said: _Facts) -> Step[State]:
    ready = state.position.table.ready
    step = reveal(with_table(state, ready=(*ready[:seat], True, *ready[seat + 1 :])))
    return Step(step.state, facts.ready(seat) + said + step.facts)


def reveal(state: State) -> Step[State]:
    """Reveal secret decisions if all seats that play have decided."""
    place = state.position
    if not all(place.table.ready[seat] for seat in place.living()):
        return Step(state)
    if place.phase == "capital":
        return _crowned(state)
    armies = tuple(map(sum, zip(place.armies, *(own.spread for own in state.own), strict=True)))
    own = tuple(own._replace(spread=(), pool=0) for own in state.own)
    after = with_place(state._replace(own=own), armies=armies)
    step = _armed(after)
    return Step(step.state, facts.armed(after.position) + step.facts)


def _armed(state: State) -> Step[State]:
    """Continue after all armies are placed: with capitals, or the first turn."""
    place = state.position
    table = place.table._replace(ready=(False,) * place.table.law.seats)
    if table.mode == "capital":
        return Step(with_place(state, phase="capital", table=table))
    return Step(with_place(state, phase="place", table=table))


def _crowned(state: State) -> Step[State]:
    """Reveal the capitals and remove their cards from the deck."""
    place = state.position
    atlas = place.table.law.atlas
    capitals = tuple(own.pick for own in state.own)
    deck = tuple(card for card in state.deck if atlas.cards[card].country not in set(capitals) - {NONE})
    ready = (False,) * len(capitals)
    table = place.table._replace(capitals=capitals, ready=ready, left=len(deck))
    own = tuple(own._replace(pick=NONE) for own in state.own)
    said = tuple(facts.capital(atlas, seat, at) for seat, at in enumerate(capitals) if at != NONE)
    return Step(State(place._replace(table=table, phase="place"), own, deck), said)


def code_of(position: Position, at: int) -> str:
    """Return the code of a country."""
    return chart(position.table.law.atlas).codes[at]
