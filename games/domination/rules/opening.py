"""Before the first turn: countries dealt or claimed, missions, armies placed in secret, capitals chosen.

Where all decide at once, their decisions are revealed after the last one.
"""

from __future__ import annotations

from collections import Counter

from games.domination.rules import facts, goals
from games.domination.rules.actions import Action
from games.domination.rules.position import (
    EVEN_START_ARMIES,
    NEUTRAL,
    NOBODY,
    NONE,
    UNKNOWN,
    Law,
    MatchInfo,
    Position,
    State,
    replace_at,
    start_armies,
    with_info,
    with_position,
    with_secrets,
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
    info = MatchInfo(law, law.mode, 1, 0, (0,) * seats, len(deck), (), (), none, none, ready, NONE, None)
    position = Position(
        info, bytes((NOBODY,)) * size, (0,) * size, "claim" if drafted else "deal", 0, 0, None, False, 0
    )
    return State(position, tuple(UNKNOWN._replace(pool=start_pool(law, seat)) for seat in range(seats)), deck)


def _drafted(law: Law) -> bool:
    """Return whether the seats claim their countries."""
    return law.setup == "draft" and law.mode != "mission"


def start_pool(law: Law, seat: int) -> int:
    """Return the armies of a seat at the start."""
    more = EVEN_START_ARMIES if law.even and law.seats == 2 and seat == 1 else 0
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
    position = state.position
    armies = list(position.armies)
    for holder, more in _spread_pools(state):
        held = [at for at, by in enumerate(position.owner) if by == holder]
        for _ in range(more if held else 0):
            armies[dice.pick(held)] += 1
    return tuple(armies)


def _spread_pools(state: State) -> list[tuple[int, int]]:
    """Return whose armies chance spreads, and how many: those of all, or of the neutral army only."""
    position, law = state.position, state.position.info.law
    by_chance = law.setup == "auto"
    found = [(seat, own.pool if by_chance else 0) for seat, own in enumerate(state.own)]
    if law.neutral:
        armies = start_armies(law.seats, len(position.owner)) - position.owner.count(NEUTRAL)
        found.append((NEUTRAL, max(0, armies)))
    return found


def is_possible(state: State, kind: str, items: tuple[int, ...]) -> bool:
    """Return whether chance may draw this."""
    position = state.position
    law = position.info.law
    if kind == "missions":
        known = goals.missions_for(law.atlas, law.seats)
        return len(items) == law.seats == len(set(items)) and set(items) <= set(known)
    if len(items) != len(position.owner):
        return False
    if kind == "deal":
        parts = law.seats + law.neutral
        fair, more = divmod(len(items), parts)
        if _drafted(law):
            return Counter(items) == {law.seats: fair, NOBODY: len(items) - fair}
        return Counter(items) == {part: fair + (part < more) for part in range(parts) if fair or part < more}
    rows = [
        ([n for n, by in zip(items, position.owner, strict=True) if by == holder], armies)
        for holder, armies in _spread_pools(state)
    ]
    return all(min(row, default=1) >= 1 and sum(row) == (len(row) + n if row else 0) for row, n in rows)


def apply_deal(state: State, items: tuple[int, ...]) -> Step[State]:
    """Put one army on each country that was dealt; the others are to be claimed."""
    law = state.position.info.law
    own = tuple(own._replace(pool=max(0, own.pool - items.count(seat))) for seat, own in enumerate(state.own))
    owner = bytes(NEUTRAL if by == law.seats else by for by in items)
    armies = tuple(int(by != NOBODY) for by in items)
    after = with_position(state._replace(own=own), owner=owner, armies=armies)
    if NOBODY in owner:
        after = with_position(after, phase="claim")
        return Step(after, facts.neutral(after.position, "holds"))
    step = _all_held(after)
    return Step(step.state, facts.dealt(after.position) + step.facts)


def apply_missions(state: State, items: tuple[int, ...]) -> Step[State]:
    """Give each seat its mission."""
    own = tuple(own._replace(mission=n) for own, n in zip(state.own, items, strict=True))
    step = _start_placing(state._replace(own=own))
    return Step(step.state, facts.missions(state.position.info.law.atlas, items) + step.facts)


def apply_spread(state: State, items: tuple[int, ...]) -> Step[State]:
    """Apply the spread armies: all of them, or the neutral army's before the players place theirs."""
    if state.position.info.law.setup != "auto":
        after = with_position(state, armies=items)
        step = _start_secret_placing(after)
        return Step(step.state, facts.neutral(after.position, "armed") + step.facts)
    own = tuple(own._replace(pool=0) for own in state.own)
    after = with_position(state._replace(own=own), armies=items)
    step = _all_placed(after)
    return Step(step.state, facts.armed(after.position) + step.facts)


# --- claims ----------------------------------------------------------------------------------------------


def claim(state: State, seat: int, action: Action) -> Step[State]:
    """Queue a claim or finish queueing; then make claims as far as the queues go."""
    said: _Facts = ()
    law = state.position.info.law
    if action.kind != "done":
        at = law.atlas.index[action.a]
        own = state.own[seat]
        state = with_secrets(state, seat, own._replace(wishes=(*own.wishes, at)))
        said = facts.secret(law.atlas, seat, "wish", at)
    if action.kind == "queue":
        return Step(state, said)
    ready = state.position.info.ready
    state = with_info(state, ready=(*ready[:seat], True, *ready[seat + 1 :]))
    step = make_claims(state)
    return Step(step.state, facts.ready(seat) + said + step.facts)


def make_claims(state: State) -> Step[State]:
    """Once all claimants are ready, let them claim in turn until a queue or the map is used up.

    Seats with empty queues then decide at the same time, so that none sees another's claims first.
    """
    position = state.position
    if not all(position.info.ready[seat] for seat in goals.claimants(position)):
        return Step(state)
    owner, armies, turn = bytearray(position.owner), list(position.armies), position.turn
    wishes = [[at for at in own.wishes if owner[at] == NOBODY] for own in state.own]
    pools = [own.pool for own in state.own]
    ready, living = list(position.info.ready), position.living()
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
    info = position.info._replace(ready=tuple(ready))
    after = position._replace(owner=bytes(owner), armies=tuple(armies), turn=turn, info=info)
    said = facts.claimed(after, made)
    step = (
        Step(State(after, own, state.deck)) if NOBODY in owner else _all_held(State(after, own, state.deck))
    )
    return Step(step.state, said + step.facts)


# --- armies and capitals, in secret ----------------------------------------------------------------------


def _all_held(state: State) -> Step[State]:
    """Continue after all countries are held."""
    if state.position.info.mode == "mission":
        return Step(with_position(state, phase="missions", turn=0))
    return _start_placing(state)


def _start_placing(state: State) -> Step[State]:
    """Let chance spread all armies or the neutral army's; else let the players place theirs."""
    law = state.position.info.law
    if law.setup == "auto" or law.neutral:
        return Step(with_position(state, phase="spread", turn=0))
    return _start_secret_placing(state)


def _start_secret_placing(state: State) -> Step[State]:
    """Let the players place their armies in secret."""
    position = state.position
    empty = (0,) * len(position.owner)
    living = position.living()
    own = tuple(own._replace(spread=empty, wishes=()) for own in state.own)
    ready = tuple(seat not in living or not each.pool for seat, each in enumerate(own))
    after = with_position(
        state._replace(own=own), phase="setup", turn=0, info=position.info._replace(ready=ready)
    )
    return reveal(after)


def place_secretly(state: State, seat: int, action: Action) -> Step[State]:
    """Place armies in secret."""
    atlas = state.position.info.law.atlas
    at, own = atlas.index[action.a], state.own[seat]
    own = own._replace(pool=own.pool - action.n, spread=replace_at(own.spread, at, own.spread[at] + action.n))
    after = with_secrets(state, seat, own)
    said = facts.secret(atlas, seat, "put", at, action.n)
    return Step(after, said) if own.pool else _ready(after, seat, said)


def choose_capital(state: State, seat: int, action: Action) -> Step[State]:
    """Choose a capital in secret."""
    atlas = state.position.info.law.atlas
    at = atlas.index[action.a]
    after = with_secrets(state, seat, state.own[seat]._replace(pick=at))
    return _ready(after, seat, facts.secret(atlas, seat, "picked", at))


def _ready(state: State, seat: int, said: _Facts) -> Step[State]:
    ready = state.position.info.ready
    step = reveal(with_info(state, ready=(*ready[:seat], True, *ready[seat + 1 :])))
    return Step(step.state, facts.ready(seat) + said + step.facts)


def reveal(state: State) -> Step[State]:
    """Reveal secret decisions if all seats that play have decided."""
    position = state.position
    if not all(position.info.ready[seat] for seat in position.living()):
        return Step(state)
    if position.phase == "capital":
        return _reveal_capitals(state)
    armies = tuple(map(sum, zip(position.armies, *(own.spread for own in state.own), strict=True)))
    own = tuple(own._replace(spread=(), pool=0) for own in state.own)
    after = with_position(state._replace(own=own), armies=armies)
    step = _all_placed(after)
    return Step(step.state, facts.armed(after.position) + step.facts)


def _all_placed(state: State) -> Step[State]:
    """Continue after all armies are placed: with capitals, or the first turn."""
    position = state.position
    info = position.info._replace(ready=(False,) * position.info.law.seats)
    if info.mode == "capital":
        return Step(with_position(state, phase="capital", info=info))
    return Step(with_position(state, phase="place", info=info))


def _reveal_capitals(state: State) -> Step[State]:
    """Reveal the capitals and remove their cards from the deck."""
    position = state.position
    atlas = position.info.law.atlas
    capitals = tuple(own.pick for own in state.own)
    deck = tuple(card for card in state.deck if atlas.cards[card].country not in set(capitals) - {NONE})
    ready = (False,) * len(capitals)
    info = position.info._replace(capitals=capitals, ready=ready, left=len(deck))
    own = tuple(own._replace(pick=NONE) for own in state.own)
    said = tuple(facts.capital(atlas, seat, at) for seat, at in enumerate(capitals) if at != NONE)
    return Step(State(position._replace(info=info, phase="place"), own, deck), said)
